"""Pictures of docs/tutorials/browser.md: `python -m tests.browser.pictures` takes those of a test.

The test is `pytest tests/browser/test_web.py`; it leaves them among the other screenshots.
"""

from __future__ import annotations

import shutil
import struct
from pathlib import Path

from tests.browser.conftest import ROOT, SCREENSHOTS

IMAGES = ROOT / "docs" / "images"
WIDTH, HEIGHT = 1280, 960
PICTURES = {
    "browser-home": "/",
    "browser-curves": "/curves",
    "browser-quote": "/quote",
    "browser-queue": "/queue",
    "browser-bills": "/bills",
}
"""Pages by the names of their pictures."""


def size_of(path: Path) -> tuple[int, int]:
    """Return width and height of a PNG file."""
    width, height = struct.unpack(">II", path.read_bytes()[16:24])
    return width, height


if __name__ == "__main__":
    for name in PICTURES:
        shutil.copy(SCREENSHOTS / f"{name}.png", IMAGES)
