"""Tables of the jobs that have come: what the loop reads, and what schedulers see."""

from collections.abc import Mapping, Sequence
from copy import copy
from types import MappingProxyType
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from utilitysched.engine.conditions import StopTerms
from utilitysched.engine.sources import DependentArrivals, LogArrivals
from utilitysched.model.arrivals import Arrivals
from utilitysched.model.state import Floats, Integers, JobTable, Preemption

Seen = tuple[JobTable, Preemption | None]

_ROOM = 16
"""Rows for outages at first."""

_COPIED = ("size", "request", "priority")


def _never_started(rows: int) -> Preemption:
    interval, overhead, last_start, paid = (np.zeros(rows) for _ in range(4))
    return Preemption(interval, overhead, np.zeros(rows, dtype=np.int64), last_start, paid)


_NO_ROWS = _never_started(0)


class Left(NamedTuple):
    """Work, request and limit left of a job after its latest stop.

    Attributes
    ----------
    work : float
        Work (s).
    asked : float
        Requested time (s).
    limit : float
        The same with the overhead that its next start is expected to take (s).
    """

    work: float
    asked: float
    limit: float


class Moment(NamedTuple):
    """Jobs that wait and run at some time.

    Attributes
    ----------
    now : float
        That time (s).
    arrived : int
        So many of all jobs have come.
    queued, running : (k,) and (m,) int64
        Those that wait, ascending, and those that run.
    start, end : (m,) float64
        When each of the latter started last, and ends if nobody stops it (s).
    held : sequence of (h,) int64 or None
        Which processors each has, where some fail; None for those handed out first.
    disrupted : bool
        More than ends has changed what is free.
    left : mapping of int to Left
        What is left of each job that was stopped.
    stops : Preemption
        What schedulers see of stops, with a row for each job that has come, where jobs can be
        stopped.
    """

    now: float
    arrived: int
    queued: Integers
    running: Integers
    start: Floats
    end: Floats
    held: Sequence[Integers | None] = ()
    disrupted: bool = False
    left: Mapping[int, Left] = MappingProxyType({})
    stops: Preemption = _NO_ROWS


class LogTable:
    """The columns of the log, never changed: jobs are numbered as they are there.

    Attributes
    ----------
    known : JobTable
        What schedulers may know, of all jobs.
    preemption : Preemption
        What they see of stops, without rows where no job can be stopped.
    request, size, run : list
        Of each job (s, processors, s).
    """

    def __init__(self, arrivals: Arrivals) -> None:
        self.known = arrivals.known
        self.preemption = _never_started(0)
        # Plain lists: reading one number from an array costs ten times as much.
        self.request: list[float] = arrivals.known.request.tolist()
        self.size: list[int] = arrivals.known.size.tolist()
        self.run: list[float] = arrivals.run.tolist()

    def fork(self) -> Self:
        """Return the same, to go on separately."""
        return self

    def enter(self, source: LogArrivals | DependentArrivals) -> None:
        """Enter the jobs that have come since the last time."""

    def expecting(self, arrivals: Arrivals, terms: StopTerms | None) -> "LogTable":  # noqa: ARG002
        """Return a table with other future jobs behind the jobs that have arrived."""
        return LogTable(arrivals)

    def seen(self, arrived: int, down: "Down | None") -> Seen:  # noqa: ARG002 - nothing fails
        """Return what schedulers see."""
        return self.known.first(arrived), None


class Down(NamedTuple):
    """Outages under way.

    Attributes
    ----------
    start, end : (d,) float64
        When each began and will be repaired (s).
    size : (d,) int64
        Processors.
    """

    start: Floats
    end: Floats
    size: Integers


class OwnTable(LogTable):
    """A copy of the columns, in which jobs are entered as they come.

    Behind the jobs that have come, outages under way have rows while a scheduler looks: they hold
    processors until their repair as a running job does until its expected end.

    Parameters
    ----------
    arrivals : Arrivals
        The jobs.
    terms : StopTerms or None
        What stopping means for each, None where no job can be stopped.
    renumbered : bool
        Jobs are numbered as they come, not by their place in arrival order.
    """

    def __init__(self, arrivals: Arrivals, terms: StopTerms | None, *, renumbered: bool) -> None:
        super().__init__(arrivals)
        self._logged, self._of_log = arrivals.known, (self.request, self.size, self.run)
        self._terms, self._renumbered = terms, renumbered
        self._entered = 0
        self._users: dict[int, int] = {}
        if renumbered:
            self.request, self.size, self.run = [], [], []
        room = len(arrivals.run) + _ROOM
        known = self.known
        rows: dict[str, Any] = {
            name: np.zeros(room, getattr(known, name).dtype) for name in _rows_of(known)
        }
        self.known = known._replace(offsets=np.zeros(room + 1, np.int64), **rows)
        if renumbered:
            times, values = np.zeros_like(known.times), np.zeros_like(known.values)
            self.known = self.known._replace(times=times, values=values)
        self.preemption = _never_started(0 if terms is None else room)

    def fork(self) -> Self:
        """Return the same, to go on separately."""
        other = copy(self)
        other._users = self._users.copy()
        names = [*_rows_of(self.known), "offsets"]
        if self._renumbered:
            names += ["times", "values"]
            other.request, other.size = self.request.copy(), self.size.copy()
            other.run = self.run.copy()
        columns = {name: getattr(self.known, name).copy() for name in names}
        other.known = self.known._replace(**columns)
        other.preemption = Preemption._make(column.copy() for column in self.preemption)
        return other

    def enter(self, source: LogArrivals | DependentArrivals) -> None:
        """Enter the jobs that have come since the last time."""
        for job in range(self._entered, source.arrived):
            self._enter(job, source.places[job], source.times[job])
        self._entered = source.arrived

    def expecting(self, arrivals: Arrivals, terms: StopTerms | None) -> "OwnTable":
        """Return a table with other future jobs behind the jobs that have arrived.

        Those are the first of `arrivals`, and numbered as they are there.
        """
        assert not self._renumbered
        # rows of jobs that have come are kept: releases and stops may have changed them
        other = OwnTable(arrivals, terms, renumbered=False)
        other._entered = entered = self._entered
        for name in _rows_of(self.known):
            getattr(other.known, name)[:entered] = getattr(self.known, name)[:entered]
        other.known.offsets[: entered + 1] = self.known.offsets[: entered + 1]
        for mine, column in zip(self.preemption, other.preemption, strict=True):
            column[:entered] = mine[:entered]
        return other

    def seen(self, arrived: int, down: Down | None) -> Seen:
        """Return what schedulers see."""
        rows = arrived
        if down is not None:
            rows += len(down.size)
            self._show(down, arrived, rows)
        return self.known.first(rows), self.preemption.first(rows) if self._terms else None

    def _enter(self, job: int, place: int, time: float) -> None:
        known, logged = self.known, self._logged
        for name in _COPIED:
            getattr(known, name)[job] = getattr(logged, name)[place]
        known.user[job] = user = logged.user.item(place)
        known.submit[job] = time
        known.arrival[job] = logged.arrival[place]
        # curves follow one another in the order in which jobs come
        known.offsets[job + 1] = known.offsets[job] + logged.offsets[place + 1]
        known.offsets[job + 1] -= logged.offsets[place]
        if self._renumbered:
            known.arrival[job] = time - known.submit[0]
            # memories of users have room for as many as jobs have come
            if user >= 0:
                known.user[job] = self._users.setdefault(user, len(self._users))
            self._copy_curve(job, place)
            request, size, run = self._of_log
            self.request.append(request[place])
            self.size.append(size[place])
            self.run.append(run[place])
        if self._terms is not None:
            terms = self._terms
            row = terms.interval[place], terms.overhead[place], 0, np.nan, 0.0
            for column, value in zip(self.preemption, row, strict=True):
                column[job] = value

    def _copy_curve(self, job: int, place: int) -> None:
        known, logged = self.known, self._logged
        mine = slice(known.offsets[job], known.offsets[job + 1])
        theirs = slice(logged.offsets[place], logged.offsets[place + 1])
        known.times[mine] = logged.times[theirs]
        known.values[mine] = logged.values[theirs]

    def _show(self, down: Down, first: int, last: int) -> None:
        """Enter outages behind the jobs that have come."""
        if last > len(self.known.submit):
            self._enlarge(2 * last)
        known, rows = self.known, slice(first, last)
        known.submit[rows] = down.start
        known.arrival[rows] = down.start - (known.submit[0] - known.arrival[0])
        known.size[rows], known.request[rows] = down.size, down.end - down.start
        known.priority[rows], known.user[rows] = 0, -1
        known.offsets[first + 1 : last + 1] = known.offsets[first]
        preemption = self.preemption
        preemption.interval[rows], preemption.overhead[rows] = -1.0, 0.0
        preemption.preemptions[rows], preemption.paid[rows] = 0, 0.0
        preemption.last_start[rows] = down.start

    def _enlarge(self, room: int) -> None:
        columns: dict[str, Any] = {
            name: _enlarged(getattr(self.known, name), room) for name in _rows_of(self.known)
        }
        offsets = _enlarged(self.known.offsets, room + 1)
        self.known = self.known._replace(**columns, offsets=offsets)
        self.preemption = Preemption._make(_enlarged(column, room) for column in self.preemption)


def _rows_of(known: JobTable) -> list[str]:
    """Return the columns with a row for each job."""
    others = ("machine_size", "offsets", "times", "values")
    return [name for name in known._fields if name not in others]


def _enlarged(column: NDArray[Any], rows: int) -> NDArray[Any]:
    larger = np.zeros(rows, column.dtype)
    larger[: len(column)] = column
    return larger
