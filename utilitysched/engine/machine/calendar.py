"""Windows of one pool: which are known, what they leave, and whom they stop."""

import math
from bisect import bisect_right
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from utilitysched.model.machine import WindowTable
from utilitysched.model.state import Floats, Integers


def instants(windows: WindowTable) -> list[float]:
    """Return when windows become known, begin and end (s), ascending."""
    times = np.unique(np.concatenate([windows.known, windows.begin, windows.end]))
    found: list[float] = times[np.isfinite(times)].tolist()
    return found


def next_instant(times: list[float], now: float) -> float:
    """Return the first of ascending times after `now` (s), infinite if there is none."""
    after = bisect_right(times, now)
    return times[after] if after < len(times) else math.inf


def of_pool(windows: WindowTable, pool: int, jobs: Integers) -> WindowTable:
    """Return the windows of one pool, for its jobs.

    Parameters
    ----------
    windows : WindowTable
        All windows of the machine.
    pool : int
        Number of the pool.
    jobs : (m,) int64
        Place in arrival order of each of its jobs.
    """
    mine = np.flatnonzero(windows.pool == pool)
    return _only(windows, mine)._replace(exempt=windows.exempt[jobs][:, mine])


def known_at(windows: WindowTable, now: float) -> WindowTable:
    """Return the windows that are known and not over."""
    return _only(windows, np.flatnonzero((windows.known <= now) & (now < windows.end)))


def _only(windows: WindowTable, rows: Integers) -> WindowTable:
    columns = [column[rows] for column in windows[:-1]]
    return WindowTable._make([*columns, windows.exempt[:, rows]])


def stopping_at(windows: WindowTable, now: float) -> list[int]:
    """Return the windows that stop jobs now: those that begin, or are known too late for that."""
    begins = np.maximum(windows.begin, windows.known) == now
    rows: list[int] = np.flatnonzero(windows.requeue & begins & (now < windows.end)).tolist()
    return rows


class Rooms:
    """What windows that are known leave of a pool, to jobs that may not have what they take.

    Parameters
    ----------
    windows : WindowTable
        Windows known now and not over, for the jobs by number.
    now : float
        Time (s).
    capacity : (r,) int64
        Amounts of the pool.
    demand : (m, r) int64
        Amounts of each job by number.
    """

    def __init__(
        self, windows: WindowTable, now: float, capacity: Integers, demand: Integers
    ) -> None:
        self._begin, self._exempt, self._demand = windows.begin, windows.exempt, demand
        self._from, self._begun = np.maximum(windows.begin, now), windows.begin <= now
        self.left: Integers = capacity - windows.taken

    def take(self, job: int, until: float) -> None:
        """Take out what a job has that is expected to end at `until` (s)."""
        concerned = (until > self._from) & ~self._exempt[job]
        self.left[concerned] -= self._demand[job]

    def bars(self, job: int, until: float) -> bool:
        """Whether a window bars a job that would start now and end at `until` (s)."""
        # a job of no time is there at that instant
        concerned = ((until > self._begin) | self._begun) & ~self._exempt[job]
        demand = self._demand[job]
        return bool(((demand > self.left[concerned]) & (demand > 0)).any())


def stopped_by(
    room: Integers, running: Integers, start: Floats, demand: Integers, exempt: NDArray[np.bool_]
) -> Iterator[int]:
    """Yield the running jobs that a window stops: the last to start go first.

    A job is stopped if it has some of an amount of which the jobs that may not have what the window
    takes have more than it leaves.

    Parameters
    ----------
    room : (r,) int64
        Amounts that the window leaves to them.
    running : (k,) int64
        Running jobs.
    start : (k,) float64
        When each started (s).
    demand : (k, r) int64
        Amounts of each.
    exempt : (k,) bool
        Jobs that may have what the window takes.
    """
    used = demand[~exempt].sum(axis=0)
    for at in np.lexsort((-running, -start)).tolist():
        if not exempt[at] and ((used > room) & (demand[at] > 0)).any():
            used = used - demand[at]
            yield int(running[at])
