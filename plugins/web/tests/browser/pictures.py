"""Pictures of the tutorial, from a test: `python -m plugins.web.tests.browser.pictures`.

The test is `test_web.py` beside this; it leaves them among the other screenshots.
"""

from __future__ import annotations

import shutil
import struct
from pathlib import Path

from tests.browser.conftest import SCREENSHOTS

DOCS = Path(__file__).parents[2] / "docs"
WIDTH, HEIGHT = 1280, 960
PICTURES = ("Home", "Curves", "Quote", "Queue", "Bills", "Operators")
"""Pages that the tutorial shows, by their names in the navigation."""


def picture(name: str) -> Path:
    """Where the picture of a page is."""
    return DOCS / "images" / f"browser-{name.lower()}.png"


def size_of(path: Path) -> tuple[int, int]:
    """Return width and height of a PNG file."""
    width, height = struct.unpack(">II", path.read_bytes()[16:24])
    return width, height


if __name__ == "__main__":
    for each in PICTURES:
        shutil.copy(SCREENSHOTS / f"web-{each.lower()}-light-{WIDTH}.png", picture(each))
