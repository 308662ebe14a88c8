"""Files of the packages whose functions a command calls: `python -m tests.entered COMMAND ...`."""

from __future__ import annotations

import contextlib
import inspect
import io
import sys
import threading
from pathlib import Path
from types import FrameType

from utilitysched.cli.entry import run

ROOT = Path(__file__).parents[1]
PACKAGES = tuple(f"{ROOT / name}/" for name in ("swfx", "checkpoint", "pricing", "utilitysched"))


def files_entered(*arguments: str) -> dict[str, int]:
    """Return the lines of each file that a command enters, once everything is imported.

    Compiled functions are not seen, and neither are modules and classes as they are made.
    """
    entered: set[str] = set()

    def note(frame: FrameType, event: str, _argument: object) -> None:
        code = frame.f_code
        if event == "call" and code.co_flags & inspect.CO_OPTIMIZED:
            entered.add(code.co_filename)

    with contextlib.redirect_stdout(io.StringIO()):
        for profile in (None, note):
            sys.setprofile(profile)
            threading.setprofile(profile)
            try:
                code = run(arguments)
            finally:
                sys.setprofile(None)
                threading.setprofile(None)
    if code:
        raise RuntimeError(f"utilitysched {' '.join(arguments)} ends with {code}")
    ours = sorted(path for path in entered if path.startswith(PACKAGES))
    return {
        Path(path).relative_to(ROOT).as_posix(): len(Path(path).read_text().splitlines())
        for path in ours
    }


if __name__ == "__main__":
    found = files_entered(*sys.argv[1:])
    for path, lines in found.items():
        print(f"{lines:6} {path}")
    print(f"{sum(found.values()):6} lines in {len(found)} files")
