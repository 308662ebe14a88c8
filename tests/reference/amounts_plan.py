"""EASY plans on several resources and beside windows, in plain Python.

Nothing is carried from one instant to the next, and a job delays the blocked one if that starts
later with it on the machine: no shadow time is remembered, and no spare amount.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple


class AmountsJob(NamedTuple):
    """A job: amount of each resource, requested time (s), windows that leave it alone."""

    number: int
    demand: tuple[int, ...]
    request: float
    exempt: tuple[bool, ...]


class Present(NamedTuple):
    """A job that runs until it is expected to end (s)."""

    end: float
    job: AmountsJob


class Closing(NamedTuple):
    """A window: from when to when (s), and what it leaves of each resource."""

    begin: float
    end: float
    left: tuple[int, ...]


class AmountsMachine(NamedTuple):
    """Capacity of each resource, and the windows that are known."""

    capacity: tuple[int, ...]
    windows: tuple[Closing, ...]

    def may_start(self, job: AmountsJob, when: float, present: Sequence[Present]) -> bool:
        """Whether a job fits beside those present, and no window bars it."""
        return _fit([*_demands(present), job.demand], self.capacity) and not any(
            self._bars(number, job, when, present) for number in range(len(self.windows))
        )

    def _bars(self, number: int, job: AmountsJob, when: float, present: Sequence[Present]) -> bool:
        window = self.windows[number]
        if job.exempt[number] or when >= window.end or when + job.request <= window.begin:
            return False
        still = [
            one
            for one in present
            if one.end > max(when, window.begin) and not one.job.exempt[number]
        ]
        # who needs nothing of a resource is not barred for it
        used = [
            sum(amounts) for amounts in zip(*_demands([*still, Present(0.0, job)]), strict=True)
        ]
        columns = zip(job.demand, used, window.left, strict=True)
        return any(needs > 0 and all_of > left for needs, all_of, left in columns)

    def earliest(self, job: AmountsJob, now: float, present: Sequence[Present]) -> float:
        """Return when a job can start if nobody else comes before it (s)."""
        if self.may_start(job, now, present):
            return now
        ends = [one.end for one in present] + [one.end for one in self.windows if one.end > now]
        for when in sorted(ends):
            if self.may_start(job, when, [one for one in present if one.end > when]):
                return when
        raise AssertionError("a job that is larger than the machine")

    def starts_now(
        self, queue: Sequence[AmountsJob], now: float, present: Sequence[Present]
    ) -> list[AmountsJob]:
        """Return the jobs that EASY starts in one pass, in that order."""
        held, started = list(present), []
        head, shadow = None, now
        for job in queue:
            if not self.may_start(job, now, held):
                if head is None:
                    head, shadow = job, self.earliest(job, now, held)
                continue
            beside = [*held, Present(now + job.request, job)]
            if head is None or self.earliest(head, now, beside) <= shadow:
                held, started = beside, [*started, job]
        return started

    def plan(
        self, queue: Sequence[AmountsJob], now: float, present: Sequence[Present]
    ) -> dict[int, float]:
        """Return the planned start of each job (s), by number."""
        waiting, held = list(queue), list(present)
        starts: dict[int, float] = {}
        while True:
            for job in self.starts_now(waiting, now, held):
                starts[job.number] = now
                held.append(Present(now + job.request, job))
                waiting.remove(job)
            if not waiting:
                return starts
            later = [one.end for one in held]
            now = min(later + [one.end for one in self.windows if one.end > now])
            held = [one for one in held if one.end > now]


def _demands(present: Sequence[Present]) -> list[tuple[int, ...]]:
    return [one.job.demand for one in present]


def _fit(demands: Sequence[tuple[int, ...]], capacity: tuple[int, ...]) -> bool:
    return all(sum(amounts) <= most for *amounts, most in zip(*demands, capacity, strict=True))
