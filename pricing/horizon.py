"""Horizon of replays."""

from __future__ import annotations

import math
import re

from swfx import InputError
from swfx.base.options import SECONDS_IN

RECOUPLED = "recoupled"


def horizon_seconds(text: str) -> float:
    """Read a time span, or ``recoupled`` for no end.

    Raises
    ------
    InputError
        Anything else.

    Examples
    --------
    >>> horizon_seconds("24h"), horizon_seconds("recoupled")
    (86400.0, inf)
    """
    if text == RECOUPLED:
        return math.inf
    found = re.fullmatch(r"([1-9][0-9]{0,5})([hdw])", text)
    if not found:
        raise InputError(
            f"{text!r} is no time span",
            source="vcg",
            field="horizon",
            remedy="give 24h, 1w, 2w or the like, or recoupled",
        )
    return float(int(found[1]) * SECONDS_IN[found[2]])
