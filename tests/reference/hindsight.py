"""Moves that improve a schedule of jobs whose run times are known, in plain Python.

From the docstrings of `utilitysched.kernels.hindsight`: the whole profile is made anew each time.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import accumulate, pairwise
from typing import NamedTuple

from tests.reference.profile import Profile
from tests.reference.stream import Stream
from tests.reference.values import Points, utility

MOST_TAKEN, REDRAWN = 24, 500


class KnownJob(NamedTuple):
    """A job of which all is known."""

    submit: float
    run: float
    size: int
    points: Points


@dataclass
class Search:
    """A schedule and the moves that improve it; jobs that are left out start at infinity."""

    jobs: Sequence[KnownJob]
    processors: int
    start: list[float]
    stream: Stream
    kept: list[int] = field(default_factory=lambda: [0, 0])  # moves undone, and moves that stayed

    def value(self, job: int, start: float) -> float:
        it = self.jobs[job]
        return utility(it.points, start + it.run - it.submit) if start < math.inf else 0.0

    def best(self, job: int) -> float:
        return self.value(job, self.jobs[job].submit)

    def end(self, job: int) -> float:
        return self.start[job] + self.jobs[job].run

    def improve(self, moves: int) -> None:
        everybody, losses = range(len(self.jobs)), [0.0]
        for move in range(moves):
            if move % REDRAWN == 0:
                lost = [self.best(job) - self.value(job, self.start[job]) for job in everybody]
                losses = list(accumulate(lost))
                if losses[-1] <= 0:
                    return
            job = bisect_right(losses, self.stream.uniform() * losses[-1])
            if job < len(self.jobs) and self.value(job, self.start[job]) < self.best(job):
                self.move(self.taken_out(job))

    def taken_out(self, job: int) -> list[int]:
        """Return the job and some that ran when it might have."""
        it = self.jobs[job]
        latest = self.start[job]
        if latest == math.inf:
            latest = it.submit + it.points[-1][0] - it.run
        begin = it.submit + self.stream.uniform() ** 2 * max(0.0, latest - it.submit)
        most = 2 + self.stream.below(MOST_TAKEN - 2)
        taken, seen = [job], 0
        for other in range(len(self.jobs)):
            meets = self.start[other] < begin + it.run and self.end(other) > begin
            if other == job or not meets:
                continue
            seen += 1
            if len(taken) < most:
                taken.append(other)
            elif (place := self.stream.below(seen)) < most - 1:
                taken[1 + place] = other
        return taken

    def ordered(self, taken: Sequence[int]) -> list[int]:
        """Return the jobs in a random order, those worth most a processor-second rather early."""
        greed, keys = 3.0 * self.stream.uniform(), []
        for job in taken:
            area = max(self.jobs[job].run, 1.0) * self.jobs[job].size
            keys.append(math.log(self.best(job) / area + 1e-300) + greed * self.stream.uniform())
        if self.stream.uniform() < 0.5:
            keys[0] = math.inf
        return [job for _, job in sorted(zip(keys, taken, strict=True), key=lambda pair: -pair[0])]

    def profile(self, without: Sequence[int] = ()) -> Profile:
        made = Profile(min(job.submit for job in self.jobs), self.processors)
        for job in range(len(self.jobs)):
            if job not in without and self.start[job] < math.inf:
                made.occupy(self.start[job], self.end(job), self.jobs[job].size)
        return made

    def horizon(self, taken: Sequence[int]) -> float:
        """Return by when jobs of a move have to end: the next change behind it, but the last."""
        since = min(self.jobs[job].submit for job in taken)
        ends = [self.end(job) for job in taken if self.start[job] < math.inf]
        until = max([since, *ends]) + max(self.jobs[job].run for job in taken)
        steps = list(self.profile().steps())
        later = [
            time for (_, before), (time, free) in pairwise(steps) if free != before and time > until
        ]
        return min(later[:-1], default=math.inf)

    def move(self, taken: Sequence[int]) -> None:
        """Put the jobs back in another order, unless that is worth less."""
        horizon, free, placed = self.horizon(taken), self.profile(taken), {}
        for job in self.ordered(taken):
            it = self.jobs[job]
            start = earliest(free, it)
            if start + it.run > horizon or self.value(job, start) <= 0:
                start = math.inf
            else:
                free.occupy(start, start + it.run, it.size)
            placed[job] = start
        before = sum(self.value(job, self.start[job]) for job in taken)
        better = sum(self.value(job, start) for job, start in placed.items()) >= before
        self.kept[better] += 1
        if better:
            for job, start in placed.items():
                self.start[job] = start


def earliest(profile: Profile, job: KnownJob) -> float:
    """Return when a job can start at the earliest."""
    steps = list(profile.steps())
    for start in [job.submit, *(time for time, _ in steps if time > job.submit)]:
        ends = [*(time for time, _ in steps[1:]), math.inf]
        during = [
            free
            for (time, free), end in zip(steps, ends, strict=True)
            if time < start + job.run and end > start
        ]
        if min(during) >= job.size:
            return start
    raise ValueError(f"{job.size} processors are never free")
