"""Scales of charts: the time of a log by the clock of its machine's place, durations, numbers."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from itertools import pairwise
from typing import Any, NamedTuple

import altair as alt
import numpy as np

from swfx import Header, InputError
from swfx.clock import Clock, calendar_of, clock_of, instant
from utilitysched.model.state import Floats
from utilitysched.report.charts.look import MOST_LINES
from utilitysched.runs import RunResults

DAY = 86_400.0
MILLISECONDS = 1000.0

UNITS = {"d": DAY, "h": 3600.0, "min": 60.0}
"""Of scales without dates (s)."""

FEW = 3
"""A unit is used once a time is at least so many of them long."""

PROBE = 7 * DAY
"""Between instants at which a clock is asked whether it has been put forward or back."""

TICKS = 7
"""Of a scale of time, about."""

_DAILY = TICKS * DAY * MILLISECONDS / math.sqrt(2)
"""Length (ms) from which the ticks of a scale are a day or more apart."""

_DATES = (
    "{year: '%Y', quarter: '%b', month: '%b', week: '%b %-d', date: '%b %-d',"
    " hours: '%H:%M', minutes: '%H:%M', seconds: '%H:%M:%S'}"
)

DURATIONS = (
    (0.0, "0"),
    (60.0, "1 min"),
    (600.0, "10 min"),
    (3600.0, "1 h"),
    (36_000.0, "10 h"),
    (4 * DAY, "4 d"),
    (40 * DAY, "40 d"),
)
"""Ticks of a scale of durations (s)."""

Axis = type[alt.X] | type[alt.Y]

ScaleOf = Callable[[Axis, str, str], Any]
"""Makes a scale across or up, of a column, with a title."""

NUMBER = "abs(datum.value) >= 1e4 ? format(datum.value, '.3~s') : format(datum.value, ',~g')"
"""Text of a tick; large numbers with k, M and G."""


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


@dataclass(frozen=True)
class TimeScale:
    """A scale that grows evenly; its labels follow the clock, which is put forward and back.

    Attributes
    ----------
    origin : float
        First second of the log that is shown.
    length : float
        Seconds that are shown.
    first : float
        Where the origin is: ms since 1970 on the clock of the machine's place, or 0.
    per_second : float
        Units of the scale in a second: milliseconds, or days, hours or minutes.
    dates : bool
        Whether the units are milliseconds, to be written as dates.
    label : str
        What the scale shows, with its unit or time zone.
    changes : sequence of (float, float)
        Where the clock is put forward or back, and what it is ahead of the scale from there on
        (ms; less than 0: behind); ascending.
    """

    origin: float
    length: float
    first: float
    per_second: float
    dates: bool
    label: str
    changes: Sequence[tuple[float, float]] = ()

    @classmethod
    def of(cls, runs: Iterable[RunResults], window: TimeWindow = ALWAYS) -> TimeScale:
        """Return a scale from the first submission to the last end in any of the runs.

        Dates are those of the clock at the machine's place, where the log tells when it began;
        time since the first submission otherwise.

        Raises
        ------
        InputError
            Nothing of the runs is in the window.
        """
        runs = list(runs)
        first = min(_least(run.schedule.submitted(run.workload)) for run in runs)
        last = max(float(np.max(run.schedule.end, initial=first + 1)) for run in runs)
        begin, end = max(first, window.begin), min(last, window.end)
        if begin >= end:
            raise InputError(
                f"nothing happens between {begin:.15g} and {end:.15g} s",
                remedy=f"the runs last from {first:.15g} to {last:.15g} s",
            )
        clock = calendar_of(runs[0].workload.header)
        if clock is not None:
            with suppress(OverflowError, ValueError):  # beyond the year 9999
                return cls._dated(clock, begin, end)
        unit = next((name for name, length in UNITS.items() if end - begin >= FEW * length), "min")
        label, each = f"time since the first submission ({unit})", UNITS[unit]
        return cls(begin, end - begin, (begin - first) / each, 1 / each, False, label)

    @classmethod
    def _dated(cls, clock: Clock, begin: float, end: float) -> TimeScale:
        offset = _offset(clock, begin)
        first = MILLISECONDS * (clock.start + begin + offset)
        changes = [
            (first + MILLISECONDS * (time - begin), MILLISECONDS * (later - offset))
            for time, later in _changes(clock, begin, end)
        ]
        years = sorted({clock.date(begin).year, clock.date(end).year})
        label = f"time in {' to '.join(map(str, years))} ({clock.zone})"
        return cls(begin, end - begin, first, MILLISECONDS, True, label, changes)

    def place(self, times: Floats) -> Floats:
        """Return where times of the log's clock (s) are."""
        return self.first + (times - self.origin) * self.per_second

    @property
    def end(self) -> float:
        """Last second of the log that is shown."""
        return self.origin + self.length

    @property
    def last(self) -> float:
        """Where the last second is."""
        return self.first + self.length * self.per_second

    def to_dict(self) -> dict[str, Any]:
        """Return what a page's script must know."""
        return asdict(self)

    def parameters(self) -> list[alt.Parameter]:
        """Return the signals `begin` and `end` of a chart: the part of the scale that is seen."""
        return [
            alt.param(name="begin", value=self.first),
            alt.param(name="end", value=self.last),
        ]

    def axis(self, field: str = "time", **options: Any) -> alt.X:
        """Return the horizontal scale of a chart that has the `parameters`."""
        seen = {"domainMin": alt.ExprRef("begin"), "domainMax": alt.ExprRef("end")}
        if not self.dates:
            scale = alt.Scale(zero=False, nice=False, **seen)
            axis = alt.Axis(tickCount=TICKS, grid=False, **options)
            return alt.X(f"{field}:Q", scale=scale, axis=axis, title=self.label)
        ahead = self._ahead("time(datum.value)")
        clock = f"time(datum.value) + {ahead}"
        midnight = "utchours(datum.value) + utcminutes(datum.value) == 0"
        text = (
            f"end - begin > {_DAILY:.0f} || {ahead} == 0 ? utcFormat(datum.value, {_DATES}) : "
            f"utcFormat({clock}, {midnight} ? '%b %-d %H:%M' : '%H:%M')"
        )
        axis = alt.Axis(labelExpr=text, tickCount=TICKS, grid=False, **options)
        scale = alt.Scale(type="utc", nice=False, **seen)
        return alt.X(f"{field}:T", scale=scale, axis=axis, title=self.label)

    def text(self, field: str = "time") -> str:
        """Return the expression of a time as text, as the clock shows it."""
        if not self.dates:
            return f"format(datum.{field}, '.2f')"
        return f"utcFormat(datum.{field} + {self._ahead(f'datum.{field}')}, '%Y-%m-%d %H:%M')"

    def _ahead(self, place: str) -> str:
        """Return the expression of what the clock is ahead of the scale at a place."""
        before = [0.0, *(ahead for _, ahead in self.changes)]
        steps = (
            f"{ahead - earlier:.0f} * ({place} >= {at:.0f})"
            for (at, ahead), earlier in zip(self.changes, before, strict=False)
        )
        return f"({' + '.join(steps) or 0})"


def _least(times: Floats) -> float:
    return float(np.min(times)) if len(times) else 0.0


def _offset(clock: Clock, time: float) -> float:
    """Return what the clock is ahead of UTC (s)."""
    offset = clock.date(time).utcoffset()
    return 0.0 if offset is None else offset.total_seconds()


def _changes(clock: Clock, begin: float, end: float) -> Iterator[tuple[float, float]]:
    """Yield when the clock is put forward or back (s of the log), and its offset from then on."""
    for early, late in pairwise([*np.arange(begin, end, PROBE).tolist(), end]):
        before, after = _offset(clock, early), _offset(clock, late)
        if after != before:
            low, high = early, late
            while high - low > 0.5:
                middle = (low + high) / 2
                low, high = (middle, high) if _offset(clock, middle) == before else (low, middle)
            yield float(round(high)), after


def durations(axis: Axis, field: str, title: str) -> Any:
    """Return a scale of durations (s) from 0: nearly even up to a minute, logarithmic above."""
    ticks = [seconds for seconds, _ in DURATIONS]
    texts = [text for _, text in DURATIONS]
    return axis(
        f"{field}:Q",
        scale=alt.Scale(type="symlog", constant=60, nice=False),
        axis=alt.Axis(
            values=ticks, labelSeparation=1, labelExpr=f"{texts}[indexof({ticks}, datum.value)]"
        ),
        title=title,
    )


def duration_text(field: str) -> str:
    """Return the expression of a duration (s) as text."""
    units = (("s", 60, 1), ("min", 3600, 60), ("h", 2 * DAY, 3600))
    texts = "".join(
        f"datum.{field} < {below:.0f} ? format(datum.{field} / {unit}, '.3~r') + ' {name}' : "
        for name, below, unit in units
    )
    return f"{texts}format(datum.{field} / {DAY:.0f}, ',.3~r') + ' d'"


FULL = 101.5
"""Percent that a scale goes to: a line at 100 is seen whole."""


def percents(axis: Axis, field: str, title: str) -> Any:
    """Return a scale from 0 to 100."""
    scale = alt.Scale(domain=[0, FULL], nice=False)
    return axis(f"{field}:Q", scale=scale, axis=alt.Axis(tickCount=5), title=title)


def logarithms(axis: Axis, field: str, title: str) -> Any:
    """Return a logarithmic scale of numbers, with ticks at 1, 3, 10, 30, ..."""
    ticks = [float(f"{digit}e{power}") for power in range(-3, 9) for digit in (1, 3)]
    marks = alt.Axis(labelExpr=NUMBER, values=ticks)
    return axis(f"{field}:Q", scale=alt.Scale(type="log", nice=False), axis=marks, title=title)


def numbers(axis: Axis, field: str, title: str, **scale: Any) -> Any:
    """Return a scale of numbers, from 0 unless told otherwise."""
    marks = alt.Axis(labelExpr=NUMBER, tickCount=5)
    return axis(f"{field}:Q", scale=alt.Scale(**scale), axis=marks, title=title)


def check_together(runs: Sequence[RunResults]) -> None:
    """Refuse runs of different workloads, and more than can be told apart in one chart."""
    if len({run.workload.digest() for run in runs}) > 1:
        raise InputError(
            "the runs are of different workloads", remedy="name those of one results directory"
        )
    check_told_apart(len(runs))


def check_told_apart(count: int) -> None:
    """Refuse more runs than can be told apart in one chart."""
    if count > MOST_LINES:
        raise InputError(
            f"{count} runs cannot be told apart in one chart",
            remedy=f"name at most {MOST_LINES}",
        )
