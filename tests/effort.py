"""What code costs, counted: the same on every machine, however busy."""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import FrameType


def lines_run(action: Callable[[], object]) -> int:
    """Lines of Python that an action runs, in whatever it calls."""
    count = 0

    def trace(_: FrameType, event: str, __: object) -> object:
        nonlocal count
        count += event == "line"
        return trace

    before = sys.gettrace()
    sys.settrace(trace)  # type: ignore[arg-type]
    try:
        action()
    finally:
        sys.settrace(before)
    return count


def calls_made(action: Callable[[], object], *without: str) -> int:
    """Functions that an action calls, those written in C included; none below those named."""
    count = 0
    inside: FrameType | None = None

    def profile(frame: FrameType, event: str, _: object) -> None:
        nonlocal count, inside
        if inside is None:
            count += event in {"call", "c_call"}
            if event == "call" and frame.f_code.co_name in without:
                inside = frame
        elif frame is inside and event == "return":
            inside = None

    before = sys.getprofile()
    sys.setprofile(profile)
    try:
        action()
    finally:
        sys.setprofile(before)
    return count
