"""Compiled code on disk goes when any of the sources it is made of has changed.

numba keeps the compiled code of a function beside its file and compiles anew when that file has
changed, but not when another file has whose functions are compiled into it. After an update of
some of the files, results would come from a mixture of old and new code.
"""

import hashlib
from pathlib import Path

PACKAGE = Path(__file__).parents[1]

COMPILED = (
    "kernels/*.py",
    "schedulers/orderings/*.py",
    "schedulers/placements/*.py",
    "model/forecast.py",
    "model/scheduling_pass.py",
    "model/state.py",
)
"""Files with compiled functions, and with the types that these take."""


def drop_stale(package: Path = PACKAGE) -> bool:
    """Remove compiled code that was made of other sources; return whether it was looked for.

    Parameters
    ----------
    package : Path
        Folder of the package. Where it cannot be written to, numba keeps its code elsewhere, by
        the age of the installed files, and nothing is done.
    """
    stamp = package / "kernels" / "__pycache__" / "sources.stamp"
    sources = _fingerprint(package)
    try:
        if stamp.is_file() and stamp.read_text("utf-8") == sources:
            return False
        for index in package.rglob("__pycache__/*.nbi"):
            index.unlink(missing_ok=True)
        stamp.parent.mkdir(exist_ok=True)
        stamp.write_text(sources, "utf-8")
    except OSError:
        return False
    return True


def _fingerprint(package: Path) -> str:
    """Return a digest of the names, sizes and times of change of all `COMPILED` sources."""
    digest = hashlib.sha256()
    for path in sorted(path for pattern in COMPILED for path in package.glob(pattern)):
        about = path.stat()
        digest.update(f"{path.name} {about.st_size} {about.st_mtime_ns}\n".encode())
    return digest.hexdigest()
