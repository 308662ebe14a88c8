"""Scales that say their unit, and the time that runs in one figure share."""

from __future__ import annotations

import math
from collections.abc import Sequence
from contextlib import suppress
from typing import NamedTuple

import numpy as np

from swfx import Header, InputError, Workload
from swfx.clock import calendar_of, clock_of, instant
from utilitysched.model.state import Floats
from utilitysched.report.figures.canvas import MOST_LINES, Axes, Axis
from utilitysched.runs import RunResults

MINUTE, HOUR, DAY = 60.0, 3600.0, 86_400.0

UNITS = (("minutes", MINUTE), ("hours", HOUR), ("days", DAY))
STEPS_OF_A_UNIT = 3
"""A unit is used once a time is at least so many of them long."""

LARGE = 10_000

DURATIONS = (
    (0.0, "0"),
    (MINUTE, "1 min"),
    (10 * MINUTE, "10 min"),
    (HOUR, "1 h"),
    (10 * HOUR, "10 h"),
    (DAY * 4, "4 d"),
    (DAY * 40, "40 d"),
)


class Timeline(NamedTuple):
    """Time from an instant on, in a unit that suits its length.

    Attributes
    ----------
    begin, end : float
        Seconds on the log's clock.
    seconds : float
        Of the unit.
    label : str
        Unit and beginning.
    """

    begin: float
    end: float
    seconds: float
    label: str

    def place(self, times: Floats) -> Floats:
        """Return where times of the log's clock (s) are on this scale."""
        return (times - self.begin) / self.seconds

    @property
    def length(self) -> float:
        """Where the end is."""
        return (self.end - self.begin) / self.seconds


def timeline(
    workload: Workload, begin: float, end: float, unit: tuple[str, float] | None = None
) -> Timeline:
    """Choose a scale from `begin` to `end` (s on the log's clock), in a unit (s) that suits it."""
    name, seconds = unit or unit_for(end - begin)
    clock = calendar_of(workload.header)
    since = "the first submission"
    if clock is not None:
        with suppress(OverflowError, ValueError):  # beyond the year 9999
            since = f"{clock.date(begin):%Y-%m-%d %H:%M} ({clock.zone})"
    return Timeline(begin, end, seconds, f"{name} since {since}")


def unit_for(span: float) -> tuple[str, float]:
    """Return name and length (s) of a unit for times up to `span` (s).

    Examples
    --------
    >>> unit_for(7200.0), unit_for(400 * 86400.0)
    (('minutes', 60.0), ('days', 86400.0))
    """
    fit = [unit for unit in UNITS if span >= STEPS_OF_A_UNIT * unit[1]]
    return fit[-1] if fit else ("seconds", 1.0)


def scale_large(axis: Axis, largest: float) -> None:
    """Write the figures of a scale up to `largest` with k, M and G if they are large."""
    from matplotlib.ticker import EngFormatter  # noqa: PLC0415 - an extra

    if largest >= LARGE:
        axis.set_major_formatter(EngFormatter(sep="\N{THIN SPACE}"))


def scale_log(axis: Axis) -> None:
    """Write 1, 2, 5, 10, ... on a logarithmic scale."""
    from matplotlib.ticker import LogLocator, NullLocator  # noqa: PLC0415 - an extra

    axis.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0)))
    axis.set_major_formatter("{x:,g}")
    axis.set_minor_locator(NullLocator())


def scale_durations(axes: Axes, longest: float) -> None:
    """Make the horizontal scale one of durations (s): linear up to a minute, logarithmic above."""
    axes.set_xscale("symlog", linthresh=MINUTE, linscale=0.4)
    shown = [tick for tick in DURATIONS if tick[0] <= max(longest, MINUTE) * 1.05]
    axes.set_xticks([seconds for seconds, _ in shown], [text for _, text in shown])
    axes.minorticks_off()
    axes.set_xlim(0, max(longest, MINUTE) * 1.05)


class TimeWindow(NamedTuple):
    """A part of the time, in seconds on the log's clock."""

    begin: float = -math.inf
    end: float = math.inf

    @classmethod
    def read(cls, begin: str | None, end: str | None, header: Header) -> TimeWindow:
        """Read seconds of the log or dates; what is not given has no bound."""
        return cls(
            -math.inf if begin is None else instant(begin, clock_of(header), "`begin`"),
            math.inf if end is None else instant(end, clock_of(header), "`end`"),
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
    """Refuse runs without any utility function of positive start value."""
    if not np.any(runs[0].workload.utility.start_values > 0):
        raise InputError(
            "no job has a utility function with a start value",
            remedy="simulate with `utilities=default`",
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
