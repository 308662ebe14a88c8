"""Work on numbers that knows nothing of ours: adding to them, and refusing some."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from functools import partial

from swfx import InputError
from utilitysched.workers.executor import Work

PREPARED: list[int] = []
"""What this process was prepared for, time after time."""


def adding(numbers: tuple[int, ...]) -> Callable[[int], tuple[int, int]]:
    """Prepare to add the sum of some numbers to others, and to tell how often that was."""
    whole = sum(numbers)
    PREPARED.append(whole)
    return lambda number: (number + whole, len(PREPARED))


def refusing() -> Callable[[int], int]:
    """Prepare to refuse what is negative."""
    return _not_negative


def _not_negative(number: int) -> int:
    if number < 0:
        raise InputError(f"{number} is negative", field="number")
    return number


def must_be_here(number: int) -> None:
    """Refuse a number that a machine lacks."""
    if number == 13:
        raise InputError("there is no 13", remedy="build one")


def falling() -> Callable[[int], int]:
    """Prepare to kill this process at what is negative."""
    return _kill_at


def _kill_at(number: int) -> int:
    if number < 0:
        os.kill(os.getpid(), signal.SIGKILL)
    return number


FEW = Work("sum", partial(adding, (1, 2, 3)))
MANY = Work("sum", partial(adding, tuple(range(1000))))
REFUSING = Work("number", refusing)
CHECKED = Work("number", refusing, check=must_be_here)
FALLING = Work("number", falling)
