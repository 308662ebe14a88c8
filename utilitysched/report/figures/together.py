"""Runs that share a figure."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from swfx import Header, InputError
from swfx.clock import clock_of, instant
from utilitysched.report.figures.scales import Timeline, timeline
from utilitysched.report.figures.style import MOST_LINES
from utilitysched.runs import RunResults


class TimeWindow(NamedTuple):
    """A part of the time, in seconds on the log's clock."""

    begin: float = -math.inf
    end: float = math.inf

    @classmethod
    def read(cls, begin: str | None, end: str | None, header: Header) -> TimeWindow:
        """Read seconds of the log or dates; what is not given has no bound."""
        return cls(
            -math.inf if begin is None else instant(begin, clock_of(header), "--from"),
            math.inf if end is None else instant(end, clock_of(header), "--to"),
        )


ALWAYS = TimeWindow()


def check_together(runs: Sequence[RunResults]) -> None:
    """Refuse runs of different workloads, and more than can be told apart in one figure."""
    if len({run.workload.digest() for run in runs}) > 1:
        raise InputError(
            "the runs are of different workloads", remedy="name those of one results directory"
        )
    if len(runs) > MOST_LINES:
        raise InputError(
            f"{len(runs)} runs cannot be told apart in one figure",
            remedy=f"name at most {MOST_LINES}",
        )


def check_valued(runs: Sequence[RunResults]) -> None:
    """Refuse runs whose jobs have no utility functions, or only ones that begin at 0."""
    if not np.any(runs[0].workload.utility.start_values > 0):
        raise InputError(
            "no job has a utility function with a start value",
            remedy="simulate with --utilities default",
        )


def shared_timeline(runs: Sequence[RunResults], window: TimeWindow = ALWAYS) -> Timeline:
    """Return a time scale from the first submission to the last end in any of the runs.

    Raises
    ------
    InputError
        Nothing of the runs is in the window.
    """
    begin = min(float(np.min(run.workload.submit)) for run in runs)
    end = max(float(np.max(run.schedule.end)) for run in runs)
    first, last = max(begin, window.begin), min(max(end, begin + 1.0), window.end)
    if first >= last:
        raise InputError(
            f"nothing happens between {first:.15g} and {last:.15g} s",
            remedy=f"the runs last from {begin:.15g} to {end:.15g} s",
        )
    return timeline(runs[0].workload, first, last)
