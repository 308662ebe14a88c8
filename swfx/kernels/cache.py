"""The folder of compiled code that is kept between processes: one for each state of the sources.

numba keeps the compiled code of a function by its file and compiles anew when that file has
changed, but not when another file has whose functions are compiled into it. After an update of
some of the files, results would come from a mixture of old and new code. In a folder named after
all sources, compiled code cannot outlive one of them.
"""

from __future__ import annotations

import atexit
import hashlib
import logging
import os
import shutil
import tempfile
from collections.abc import Iterator
from functools import cache
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path
from typing import Any

import numba
from numba.core.caching import Cache
from numba.core.runtime.nrt import rtsys
from numba.misc.appdirs import AppDirs

__all__ = [
    "compiled_sources",
    "fingerprint",
    "folder_in_wheel",
    "keep_compiled_code",
    "load_without_compiler",
]

NOTE = (
    "compiled code cannot be kept: neither the packages' folder nor the home directory can be "
    "written to, so every start compiles anew; set NUMBA_CACHE_DIR to a folder that can be"
)

PACKAGES = Path(__file__).parents[2]
VARIABLE = "NUMBA_CACHE_DIR"

SOURCES = (
    "swfx/kernels/*.py",
    "utilitysched/kernels/**/*.py",
    "utilitysched/schedulers/orderings/*.py",
    "utilitysched/schedulers/placements/*.py",
    "utilitysched/model/forecast.py",
    "utilitysched/model/machine.py",
    "utilitysched/model/restarts.py",
    "utilitysched/model/scheduling_pass.py",
    "utilitysched/model/segments.py",
    "utilitysched/model/state.py",
)
"""Files with compiled functions, and with the types that these take, of all packages that are
installed together: one fingerprint, in whatever order they are imported."""


def compiled_sources() -> list[Path]:
    """Return the files that `SOURCES` names."""
    return sorted(path for pattern in SOURCES for path in PACKAGES.glob(pattern))


@cache
def fingerprint() -> str:
    """Return a digest of the names and contents of the compiled sources."""
    digest = hashlib.sha256()
    for path in compiled_sources():
        name, text = path.relative_to(PACKAGES).as_posix(), path.read_bytes()
        digest.update(f"{name} {len(text)}\n".encode() + text)
    return f"sources-{digest.hexdigest()[:16]}"


def folder_in_wheel() -> Path:
    """Return the folder with compiled code for these sources, this numba and this interpreter."""
    interpreter = EXTENSION_SUFFIXES[0].split(".")[1]
    name = f"{fingerprint()}-numba{numba.__version__}-{interpreter}"
    return Path(__file__).parent / "compiled" / name


def keep_compiled_code() -> None:
    """Have numba keep compiled code where nothing made of other sources lies.

    The folder is in the one that ``NUMBA_CACHE_DIR`` names, otherwise in the packages', otherwise
    in the user's; where none can be written to, it is a temporary one of this process. The
    variable is set for the processes that this one starts, too.
    """
    name = fingerprint()
    for root in _roots():
        folder = root if root.name == name else root / name
        if _writable(folder):
            break
    else:
        folder = Path(tempfile.mkdtemp(prefix="numba-"))
        atexit.register(shutil.rmtree, folder, ignore_errors=True)
        if not folder_in_wheel().is_dir():
            logging.getLogger(__name__).warning(NOTE)
    os.environ[VARIABLE] = str(folder)
    numba.config.reload_config()
    if folder.parent == _of_the_packages():
        _drop_others(folder)


def load_without_compiler() -> None:
    """Have numba load compiled code without the tables that only compiling needs.

    Filling them takes every process a sixth of a second, and scipy's linear algebra, of which they
    ask whether it is there, a fifth more. Whatever has to be compiled has them filled then.
    """
    setattr(Cache, "load_overload", _load_overload)  # noqa: B010


def _load_overload(kept: Any, signature: Any, target: Any) -> Any:
    rtsys.initialize(target)
    with kept._guard_against_spurious_io_errors():
        return kept._load_overload(signature, target)


def _roots() -> Iterator[Path]:
    if os.environ.get(VARIABLE):
        yield Path(os.environ[VARIABLE]).absolute()
    yield _of_the_packages()
    yield Path(AppDirs(appname="numba", appauthor=False).user_cache_dir)


def _of_the_packages() -> Path:
    return Path(__file__).parent / "__pycache__"


def _writable(folder: Path) -> bool:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        tempfile.TemporaryFile(dir=folder).close()
    except OSError:
        return False
    return True


def _drop_others(folder: Path) -> None:
    """Remove code that this installation compiled from sources since changed."""
    for other in folder.parent.glob("sources-*"):
        if other != folder:
            shutil.rmtree(other, ignore_errors=True)
