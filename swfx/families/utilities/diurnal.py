"""Deadlines by the clock on the wall."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import time

import numpy as np

from swfx.base.bounds import require_between
from swfx.base.columns import Floats
from swfx.base.configured import named, number, option, whole
from swfx.base.errors import InputError
from swfx.base.zones import find_zone
from swfx.families.generators.utilities import MIN_DEADLINE, draw_start_values
from swfx.families.generators.utility_spec import UtilitySpec
from swfx.families.utilities.registry import UTILITY_MODELS, Drawn, Given, UtilityModel
from swfx.families.utilities.working_days import (
    LATEST,
    WorkingDays,
    days_text,
    read_days,
    read_time,
)
from swfx.utility_table import UtilityTable
from swfx.workload import Workload

SOURCE = "diurnal"
JUMP = 0.001
"""Width of a jump (s)."""


def _clock(at: time) -> str:
    return f"{at:%H:%M}"


@UTILITY_MODELS.register(SOURCE)
@dataclass(frozen=True)
class Diurnal(UtilityModel):
    """Flat until a time of a working day such as 9 am, then worth less, until the day after.

    The deadline is the first `at` of a working day that is at least `least` hours and `requests`
    requested times after the submission. Until then a job has its start value; at the deadline it
    drops to the share `left`. If `close` is given, it falls from there to the share `rest` along a
    line until that time of the same day. What is left then is lost after `until` of the following
    working day. Start values are LEE's, drawn from the same stream of random numbers.

    Parameters
    ----------
    at : time
        Time of the day of the deadline.
    days : tuple of int
        Working days, 0 is Monday.
    least : float
        Hours from the submission to the deadline at least, 0 to 8760.
    requests : float
        Requested times from the submission to the deadline at least, 0 to 1000.
    left : float
        Share of the start value right after the deadline, 0 to 1.
    close : time, optional
        Time of the day, after `at`, until which value falls on.
    rest : float, optional
        Share of the start value from `close` on, at most `left`.
    until : time, optional
        Time of the following working day after which nothing is left; `at` by default.
    zone : str
        Time zone; by default the header's `TimeZoneString`.
    start : int, optional
        Unix time (s) of the log's time 0; by default the header's `UnixStartTime`.
    globmax, deviation, classes
        As in `UtilitySpec`.

    References
    ----------
    D. Feitelson et al., quoted by C. B. Lee, dissertation 2009, section 2.2.1.
    """

    at: time = named(read_time, time(9), _clock)  # noqa: RUF009  a field
    days: tuple[int, ...] = named(read_days, (0, 1, 2, 3, 4), days_text)
    least: float = number(0.0, (0, 8760))
    requests: float = number(1.0, (0, 1000))
    left: float = number(0.5, (0, 1))
    close: time | None = named(read_time, None, _clock)  # noqa: RUF009  a field
    rest: float | None = number(None)
    until: time | None = named(read_time, None, _clock)  # noqa: RUF009  a field
    zone: str = option(str, "")
    start: int | None = whole(None)
    globmax: float = number(UtilitySpec.globmax)
    deviation: float | None = number(None)
    classes: int | None = whole(None)

    def __post_init__(self) -> None:
        super().__post_init__()
        if (self.close is None) != (self.rest is None):
            given, absent = ("rest", "close") if self.close is None else ("close", "rest")
            raise InputError(
                f"means nothing without {absent}", source=SOURCE, field=given, remedy="give both"
            )
        if self.rest is not None:
            require_between(SOURCE, "rest", self.rest, 0, self.left)
        if self.close is not None and self.close <= self.at:
            raise InputError(
                f"{self.close:%H:%M} is not after {self.at:%H:%M}",
                source=SOURCE,
                field="close",
                remedy="give a later time of the same day",
            )
        _ = self.spec  # which refuses unusable start values

    @property
    def spec(self) -> UtilitySpec:
        """How start values are drawn."""
        return UtilitySpec(globmax=self.globmax, deviation=self.deviation, classes=self.classes)

    def draw(self, workload: Workload, seed: int, given: Given) -> Drawn:
        """Draw start values, and let them end by the clock.

        Raises
        ------
        InputError
            The log does not say when and where it began, or a deadline lies behind the year 2200.
        """
        start = draw_start_values(workload, self.spec, seed, given.classes)
        zone = self.zone or _zone_of(workload)
        days = WorkingDays(self.days, find_zone(zone, "zone", SOURCE))
        began = _began(workload) if self.start is None else self.start
        times = self._times(workload, days, began)
        values = start[:, None] * self._shares()
        offsets = np.arange(len(workload) + 1) * len(self._shares())
        text = f"{self.label}; seed {seed}; clocks of {zone}, time 0 is {began} s after 1970"
        return Drawn(UtilityTable(offsets, times.ravel(), values.ravel()), text)

    def _times(self, workload: Workload, days: WorkingDays, began: int) -> Floats:
        """Place the points in time (s since submission), shape (n, points)."""
        if not len(workload):
            return np.empty((0, len(self._shares())))
        submitted = began + workload.submit
        earliest = submitted + self._least(workload)
        _check_span(earliest)
        dates = days.between(earliest.min(), earliest.max())
        deadlines = days.moments(dates, self.at)
        day = np.searchsorted(deadlines, earliest)
        deadline = deadlines[day]
        after = [deadline, deadline + JUMP]
        if self.close is not None:
            closing = days.moments(dates, self.close)[day]
            after.append(np.maximum(closing, deadline + 2 * JUMP))  # `at` may be skipped
        after.append(days.moments(dates, self.until or self.at)[day + 1])
        return np.stack([np.zeros(len(workload)), *(when - submitted for when in after)], axis=1)

    def _shares(self) -> Floats:
        """Values of the points, as shares of the start value, shape (points,)."""
        later = [self.left] if self.rest is None else [self.rest, self.rest]
        return np.array([1.0, 1.0, self.left, *later])

    def _least(self, workload: Workload) -> Floats:
        requested = self.requests * np.maximum(workload.request, 0.0)
        least: Floats = np.maximum(requested, max(self.least * 3600, MIN_DEADLINE))
        return least


def _began(workload: Workload) -> int:
    """Unix time (s) of the log's time 0."""
    began = workload.header.unix_start_time
    if began is None or began <= 0:
        raise InputError(
            "the log does not say when it began",
            source=SOURCE,
            field="UnixStartTime",
            remedy="give start= with the Unix time of its time 0, in seconds",
        )
    return began


def _zone_of(workload: Workload) -> str:
    """Name of the time zone in the log's header."""
    words = (workload.header.get("TimeZoneString") or "").split()
    if not words:
        raise InputError(
            "the log does not say in which time zone it was recorded",
            source=SOURCE,
            field="TimeZoneString",
            remedy="give zone=, for instance zone=Europe/Paris",
        )
    return words[0]


def _check_span(earliest: Floats) -> None:
    for when, job in ((earliest.min(), earliest.argmin()), (earliest.max(), earliest.argmax())):
        if not 0 <= when <= LATEST:
            raise InputError(
                f"the deadline of the job at position {job} would be {when:g} s after 1970,"
                " which is not in the years 1970 to 2200",
                source=SOURCE,
                remedy="correct start=, or give requests=0 if requested times are enormous",
            )
