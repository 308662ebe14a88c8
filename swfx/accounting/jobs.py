"""Status and wait of a job as SWF tells them."""

from __future__ import annotations

import math

from swfx.fields import MISSING

__all__ = ["CANCELLED", "COMPLETED", "FAILED", "SECOND_EARLY", "UNKNOWN", "times_of", "waited"]

FAILED, COMPLETED, CANCELLED, UNKNOWN = 0, 1, 5, -1
"""Values of the SWF field `status`."""

SECOND_EARLY = math.nextafter(MISSING, -math.inf)
"""Wait (s) of a job that started one second before it was submitted, as -1 is an unknown wait."""

_DIGITS = 6  # of seconds that a difference of Unix times has


def waited(submit: float | None, start: float) -> float:
    """Time (s) from submission to start; -1 where the submission is unknown.

    Examples
    --------
    >>> waited(3.0, 10.0), waited(None, 10.0), waited(11.0, 10.0) == -1
    (7.0, -1, False)
    """
    if submit is None:
        return MISSING
    wait = round(start - submit, _DIGITS)
    return SECOND_EARLY if wait == MISSING else wait


def times_of(submit: float | None, start: float, end: float) -> tuple[float, float, float]:
    """Submission (Unix time), wait and run time (s); the start stands for an unknown submission.

    Examples
    --------
    >>> times_of(3.0, 10.0, 12.5), times_of(None, 10.0, 12.5)
    ((3.0, 7.0, 2.5), (10.0, -1, 2.5))
    """
    run = round(end - start, _DIGITS)
    return start if submit is None else submit, waited(submit, start), run
