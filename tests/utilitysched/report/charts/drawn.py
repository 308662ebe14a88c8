"""What is in a picture: its rows, and what is written."""

from __future__ import annotations

import re
from base64 import b64decode
from typing import Any

from utilitysched.report.charts.picture import Picture


def rows(picture: Picture, layer: int) -> list[dict[str, Any]]:
    """Rows of the data of a layer."""
    whole = picture.on_page()
    values: list[dict[str, Any]] = whole["layer"][layer].get("data", whole.get("data"))["values"]
    return values


def texts(picture: Picture) -> list[str]:
    """What is written in the picture, each text once."""
    [image] = re.findall(r"base64,([^\"]+)", picture.element())
    written = re.findall(r"<(?:text|tspan)[^>]*>([^<]+)</", b64decode(image).decode())
    return list(dict.fromkeys(written))
