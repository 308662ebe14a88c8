"""Runs of a report, with what all its charts share: labels, colours, and a scale of time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta

import numpy as np

from swfx import InputError, Workload
from swfx.clock import Clock, calendar_of
from utilitysched.model.state import Floats
from utilitysched.report.comparison import check_baseline
from utilitysched.runs import RunResults

COLOURS = (
    ("#0072b2", "#4da6e8"),
    ("#d55e00", "#f58b4c"),
    ("#009e73", "#2fc79b"),
    ("#b5589a", "#e3a1cc"),
    ("#3c9fd6", "#a3d8fa"),
    ("#a87300", "#f2bf4a"),
    ("#000000", "#f2f2f2"),
)
"""Of each run, on light and on dark pages: darker and lighter shades of the palette's.

References
----------
Okabe, Ito 2008: Color universal design. The palette's yellow is too faint for lines on white.
"""

DASHES = ((), (6, 2), (2, 2), (6, 2, 2, 2), (10, 3), (4, 2, 1, 2, 1, 2), (3, 3))
"""Lengths of stroke and gap (pixels); an unbroken line first."""

MARKERS = ("circle", "square", "triangle", "diamond", "inverted_triangle", "x", "plus")
MARKER_PATHS = (
    "M-4,0a4,4 0 1 0 8,0a4,4 0 1 0 -8,0",
    "M-4,-4h8v8h-8z",
    "M0,-4L4,4H-4z",
    "M0,-5L3,0L0,5L-3,0z",
    "M0,4L4,-4H-4z",
    "M-4,-4L4,4M-4,4L4,-4",
    "M-5,0H5M0,-5V5",
)
"""The markers around (0, 0) as paths of SVG."""

GREY = "#707070"
"""Of what runs are compared with; seen on light and on dark pages."""

MOST_LINES = len(COLOURS)
"""More runs than this cannot be told apart in one chart."""

SHADES = (
    ("#a6d3f0", "#2b5f86"),
    ("#3f93c9", "#4da6e8"),
    ("#e69f00", "#e8b23a"),
    ("#c2410c", "#ff7a45"),
)
"""Of classes with an order, from little to much, on light and on dark pages."""

OTHER = ("#b9bec5", "#4a525b")
"""Of what has no class of its own."""

BETTER, WORSE = "#009e73", "#d55e00"
"""Behind what compares well with the baseline, and badly."""


def variables(dark: bool) -> str:
    """Return the colours as custom properties of CSS."""
    inks = [f"--ink-{i}: {pair[dark]};" for i, pair in enumerate(COLOURS)]
    shades = [f"--shade-{i}: {pair[dark]};" for i, pair in enumerate(SHADES)]
    return " ".join([*inks, *shades, f"--other: {OTHER[dark]};"])


def ink(place: int) -> str:
    """Name of the colour of the run at a place, from 0: a glyph so named is given it."""
    return f"ink-{place}"


def run_name(place: int) -> str:
    """Name of what draws the run at a place, from 0: it is hidden and shown by that."""
    return f"run {place}"


DAY = 86_400.0
PROBES = 100
"""Instants at which a clock is asked whether it has been put forward."""


@dataclass(frozen=True)
class TimeScale:
    """A scale that grows evenly: clocks are not put forward or back on it.

    Attributes
    ----------
    origin : float
        First second of the log that is shown; columns of times are counted from it.
    length : float
        Seconds that are shown.
    first : float
        Where the origin is: ms since 1970 on the clock of the machine's place, or 0.
    per_second : float
        Units of the scale in a second: milliseconds, or days.
    dates : bool
        Whether the units are milliseconds, to be written as dates.
    label : str
        What the scale shows, with its unit or time zone.
    """

    origin: float
    length: float
    first: float
    per_second: float
    dates: bool
    label: str

    def place(self, times: Floats) -> Floats:
        """Return where times of the log's clock (s) are."""
        return self.first + (times - self.origin) * self.per_second

    @property
    def last(self) -> float:
        """Where the last second is."""
        return self.first + self.length * self.per_second

    def to_dict(self) -> dict[str, float | bool | str]:
        """Return what the page's script must know."""
        return asdict(self)


def time_scale(runs: Sequence[RunResults]) -> TimeScale:
    """Return a scale from the first submission to the last end in any of the runs.

    Dates are those of the clock at the machine's place, where the log tells when it began; days
    since the first submission otherwise.
    """
    begin = min(_least(run.schedule.submitted(run.workload)) for run in runs)
    end = max(float(np.max(run.schedule.end, initial=begin + 1)) for run in runs)
    clock = calendar_of(runs[0].workload.header)
    if clock is not None:
        with suppress(OverflowError, ValueError):  # beyond the year 9999
            return _dated(clock, begin, end)
    return TimeScale(begin, end - begin, 0.0, 1 / DAY, False, "time since the first submission (d)")


def _least(times: Floats) -> float:
    return float(np.min(times)) if len(times) else 0.0


def _dated(clock: Clock, begin: float, end: float) -> TimeScale:
    dates = [clock.date(time) for time in np.linspace(begin, end, PROBES).tolist()]
    standard = _standard_offset(dates[0])
    first = 1000 * (clock.start + begin + standard.total_seconds())
    zone = str(clock.zone)
    changed = any(date.utcoffset() != standard for date in dates)
    zone_text = f"{zone}, summer time ignored" if changed else zone
    return TimeScale(begin, end - begin, first, 1000.0, True, f"time ({zone_text})")


def _standard_offset(date: datetime) -> timedelta:
    return (date.utcoffset() or timedelta()) - (date.dst() or timedelta())


@dataclass(frozen=True)
class Shown:
    """Runs of one workload with names, colours and a common time scale.

    Attributes
    ----------
    runs : sequence of RunResults
        At least one; figures of the others are compared with those of the first.
    labels : sequence of str
        All different.
    scale : TimeScale
        Of every chart over time.
    """

    runs: Sequence[RunResults]
    labels: Sequence[str]
    scale: TimeScale

    @classmethod
    def of(cls, runs: Sequence[RunResults], baseline: str | None = None) -> Shown:
        """Take runs together, that of the baseline first.

        Raises
        ------
        InputError
            They are of different workloads, more than can be told apart, or of no job; or none is
            of the baseline.
        """
        if baseline is not None:
            check_baseline(baseline, [run.label for run in runs])
            runs = sorted(runs, key=lambda run: run.label != baseline)
        if len({run.record["workload"]["digest"] for run in runs}) > 1:
            raise InputError(
                "the runs are of different workloads",
                remedy="name those of one results directory",
            )
        if len(runs) > MOST_LINES:
            raise InputError(
                f"{len(runs)} runs cannot be told apart in one chart",
                remedy=f"name at most {MOST_LINES}",
            )
        if len(runs[0].workload) == 0:
            raise InputError("no job ran: there is nothing to show", source=str(runs[0].directory))
        return cls(runs, _labels(runs), time_scale(runs))

    @property
    def workload(self) -> Workload:
        """The jobs; with dependencies, submitted as in the first run."""
        return self.runs[0].workload

    @property
    def key(self) -> dict[int, str]:
        """Labels by place."""
        return dict(enumerate(self.labels))

    def __iter__(self) -> Iterator[tuple[str, RunResults]]:
        return zip(self.labels, self.runs, strict=True)

    def __len__(self) -> int:
        return len(self.runs)


def _labels(runs: Sequence[RunResults]) -> list[str]:
    """Schedulers, with the directory where two runs are of the same."""
    labels = [run.label for run in runs]
    return [
        f"{run.label} ({run.directory})" if labels.count(run.label) > 1 else run.label
        for run in runs
    ]
