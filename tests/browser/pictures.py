"""Pictures of docs/tutorials/browser.md: `python -m tests.browser.pictures` takes those of a test.

The test is `pytest tests/browser/test_web.py`; it leaves them among the other screenshots.
"""

from __future__ import annotations

import shutil
import struct
from pathlib import Path

from tests.browser.conftest import ROOT, SCREENSHOTS

WIDTH, HEIGHT = 1280, 960
PICTURES = ("Home", "Curves", "Quote", "Queue", "Bills")
"""Pages that the tutorial shows, by their names in the navigation."""


def picture(name: str) -> Path:
    """Where the picture of a page is."""
    return ROOT / "docs" / "images" / f"browser-{name.lower()}.png"


def size_of(path: Path) -> tuple[int, int]:
    """Return width and height of a PNG file."""
    width, height = struct.unpack(">II", path.read_bytes()[16:24])
    return width, height


if __name__ == "__main__":
    for each in PICTURES:
        shutil.copy(SCREENSHOTS / f"web-{each.lower()}-light.png", picture(each))
