"""Outages and repairs: when processors are down, and whom that hits."""

import heapq
import math
from collections import Counter
from collections.abc import Sequence
from copy import copy
from typing import NoReturn, Self

import numpy as np

from swfx import InputError
from swfx.base.ranges import ranges_text
from utilitysched.engine.conditions import SOURCE, Failures
from utilitysched.engine.tables import Down
from utilitysched.model.state import Floats, Integers

NOBODY = -1
BROKEN = -2


class Processors:
    """The processors of a machine, each held by at most one job, or down.

    Parameters
    ----------
    count : int
        How many, numbered from 0.
    """

    def __init__(self, count: int) -> None:
        self._owner = np.full(count, NOBODY, dtype=np.int64)
        self._held: dict[int, Integers] = {}

    def fork(self) -> Self:
        """Return the same, to go on separately."""
        other = copy(self)
        other._owner = self._owner.copy()
        other._held = self._held.copy()
        return other

    def take(self, job: int, count: int, wanted: Integers | None = None) -> None:
        """Hand out free processors: the wanted ones, or else the lowest."""
        held = np.flatnonzero(self._owner == NOBODY)[:count] if wanted is None else wanted
        self._held[job] = held
        self._owner[held] = job

    def give_back(self, job: int) -> str:
        """Take those of a job back; return which, as ranges, for instance ``0-7 9``."""
        held = self._held.pop(job)
        self._owner[held] = NOBODY
        return ranges_text(np.sort(held))

    def fail(self, low: int, high: int) -> None:
        """Take processors out from `low` on, below `high`, that no job holds."""
        self._owner[low:high] = BROKEN

    def repair(self, low: int, high: int) -> None:
        """Return repaired processors to the free ones."""
        self._owner[low:high] = NOBODY

    def holders(self, low: int, high: int) -> list[int]:
        """Return the jobs on some of the processors from `low` on, below `high`, ascending."""
        jobs = np.unique(self._owner[low:high])
        holders: list[int] = jobs[jobs >= 0].tolist()
        return holders

    def between(self, job: int, bounds: Integers) -> bytes:
        """Return how many of those of a job are between which ascending bounds."""
        place = np.searchsorted(bounds, self._held[job], side="right")
        return np.bincount(place, minlength=len(bounds) + 1).tobytes()


MOST_FAILURES = 10_000
"""Of one job, after which it is taken never to end; or while nobody runs, never to start."""

DAY = 86_400.0


class DrawnOutages:
    """Outages of failing nodes, as far ahead as a simulation has come.

    Parameters
    ----------
    failures : Failures
        What fails.
    submit : sequence of float
        Submit times of all jobs, ascending (s): at the first one everything works, unless the
        failures say since when.

    Attributes
    ----------
    outages : Outages
        Those that begin before the horizon.
    horizon : float
        Until when they are known (s).
    """

    def __init__(self, failures: Failures, submit: Sequence[float] | Floats) -> None:
        self.failures = failures
        self._begin, last = (submit[0], submit[-1]) if len(submit) else (0.0, -DAY)
        if failures.since is not None:
            self._begin, last = failures.since, max(failures.since, last)
        self.horizon = math.inf if failures.all_known else last + DAY
        self.outages = failures.between(self._begin, self.horizon)

    def draw_on(self) -> None:
        """Double the horizon: further outages come after all that are known."""
        self.horizon += self.horizon - self._begin
        self.outages = self.failures.between(self._begin, self.horizon)


class Downtime(DrawnOutages):
    """Outages as they begin and are repaired, and which processors jobs hold meanwhile.

    Parameters
    ----------
    failures : Failures
        What fails.
    machine_size : int
        Processors.
    submit : sequence of float
        Submit times of all jobs, ascending (s): at the first one everything works.

    Attributes
    ----------
    processors : Processors
        Who holds which.

    References
    ----------
    Lee (2009), section 7.2.3.
    """

    def __init__(self, failures: Failures, machine_size: int, submit: Sequence[float]) -> None:
        super().__init__(failures, submit)
        self.processors = Processors(machine_size)
        self._machine_size = machine_size
        self._begun = 0
        self._repairs: list[tuple[float, int]] = []
        self._in_vain = 0
        self._failed: Counter[int] = Counter()
        self._read()

    def fork(self) -> Self:
        """Return the same, to go on separately."""
        other = copy(self)
        other.processors = self.processors.fork()
        other._repairs, other._failed = self._repairs.copy(), self._failed.copy()
        return other

    def go_on_from(self, now: float) -> int:
        """Come to a time (s), before any job has processors; return how many are down at it."""
        after = math.nextafter(now, math.inf)
        while (time := self.next_time(after)) <= now:
            self.repair(time)
            for low, high, _ in self.failing(time):
                self.processors.fail(low, high)
        down = self.down()
        return 0 if down is None else int(down.size.sum())

    @property
    def next_repair(self) -> float:
        """When something is repaired next (s), infinite if nothing is down."""
        return self._repairs[0][0] if self._repairs else math.inf

    def next_time(self, other: float) -> float:
        """Return when something fails or is repaired next, or `other` (s) if that is earlier."""
        time = min(other, self._next())
        while self.horizon <= time and self.horizon < math.inf:
            self.draw_on()
            self._read()
            time = min(other, self._next())
        return time

    def repair(self, now: float) -> int:
        """Repair what is to be repaired now; return how many processors."""
        repaired = 0
        while self.next_repair == now:
            _, which = heapq.heappop(self._repairs)
            low, high = self._low[which], self._high[which]
            self.processors.repair(low, high)
            repaired += high - low
        return repaired

    def failing(self, now: float) -> list[tuple[int, int, float]]:
        """Return the outages that begin now: the first processor, the one after the last, the end.

        The end is when they are repaired (s).
        """
        failing = []
        while self._begun < len(self._start) and self._start[self._begun] == now:
            which = self._begun
            self._begun += 1
            heapq.heappush(self._repairs, (self._end[which], which))
            failing.append((self._low[which], self._high[which], self._end[which]))
        return failing

    def down(self) -> Down | None:
        """Return the outages under way, None if there are none."""
        if not self._repairs:
            return None
        which = np.array(sorted(which for _, which in self._repairs))
        outages = self.outages
        return Down(
            outages.start[which], outages.end[which], outages.high[which] - outages.low[which]
        )

    def whereabouts(self, jobs: Sequence[int], now: float) -> list[tuple[int, bytes]]:
        """Return each running job's processors in each stretch that fails as a unit.

        Which of a stretch it has makes no difference: the lowest are handed out first.
        """
        bounds = self.failures.bounds(now)
        return [(job, self.processors.between(job, bounds)) for job in sorted(jobs)]

    def count_failure(self, job: int, name: str, now: float) -> None:
        """Count a failure of a job; refuse one that fails too often to wait for its end."""
        self._failed[job] += 1
        if self._failed[job] > MOST_FAILURES:
            refuse_endless(name, now)

    def count_outage(self, waiting: tuple[str, int] | None, now: float) -> None:
        """Count an outage; refuse too many during which nobody runs.

        Parameters
        ----------
        waiting : (str, int) or None
            The first job that waits, and its processors, if nobody runs.
        now : float
            Time (s).
        """
        self._in_vain = self._in_vain + 1 if waiting else 0
        if waiting and self._in_vain > MOST_FAILURES:
            refuse_waiting(*waiting, self._machine_size, now)

    def _next(self) -> float:
        start = self._start[self._begun] if self._begun < len(self._start) else math.inf
        return min(start, self.next_repair)

    def _read(self) -> None:
        # plain lists: reading one number from an array costs ten times as much
        self._start: list[float] = self.outages.start.tolist()
        self._end: list[float] = self.outages.end.tolist()
        self._low: list[int] = self.outages.low.tolist()
        self._high: list[int] = self.outages.high.tolist()


def refuse_endless(job: str, now: float) -> NoReturn:
    """Refuse failures that let a job never end."""
    raise InputError(
        f"{job} failed {MOST_FAILURES:,} times until {now:g} s",
        source=SOURCE,
        remedy="give it checkpoints, or processors that fail less often",
    )


def refuse_waiting(job: str, size: int, machine_size: int, now: float) -> NoReturn:
    """Refuse outages that leave waiting jobs too few processors for ever."""
    raise InputError(
        f"{job} waits for {size:,} of {machine_size:,} processors at {now:g} s, and nobody has run"
        f" for {MOST_FAILURES:,} outages",
        source=SOURCE,
        remedy="give processors that fail less often, or shorter repairs",
    )
