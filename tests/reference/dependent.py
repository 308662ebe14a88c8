"""The event loop for jobs that are submitted once another has ended, in plain Python."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from tests.reference.engine import Batch, Engine, Scheduler
from tests.reference.jobs import Job, Schedule


class After(NamedTuple):
    """What a job waits for: the number of another job, and the think time after its end (s)."""

    number: int
    think_time: float


class DependentEngine(Engine):
    """A job is known, and numbered, from its release on; `simulate` runs it."""

    def __init__(
        self, jobs: list[Job], processors: int, scheduler: Scheduler, after: dict[int, After]
    ) -> None:
        super().__init__([], processors, scheduler)
        self.logged = jobs
        self.after = after
        self.arrivals = [job for job in jobs if job.number not in after]
        self.logged_number: list[int] = []

    def batches(self, now: float) -> Iterator[Batch]:
        """Yield the events at this instant: what completes may release jobs at once."""
        completed = list(self.pop_completions(now))
        for job in completed:
            self.release_followers(self.logged_number[job.number], now)
        yield Batch(completed, self.pop_arrivals(now))

    def release_followers(self, ended: int, now: float) -> None:
        """Let the jobs that wait for this one arrive, not before the log says."""
        for number, after in self.after.items():
            if after.number == ended:
                job = self.logged[number]
                release = max(job.submit, now + after.think_time)
                self.arrivals.append(job._replace(submit=release))
        self.arrivals.sort(key=lambda job: (job.submit, job.number))

    def pop_arrivals(self, now: float) -> list[Job]:
        """Number the jobs that arrive now in the order they arrive."""
        arrived = []
        for job in super().pop_arrivals(now):
            self.logged_number.append(job.number)
            arrived.append(job._replace(number=len(self.jobs)))
            self.jobs.append(arrived[-1])
        self.first_submit = self.jobs[0].submit
        return arrived


class Released(NamedTuple):
    """A schedule, and when each job was submitted (s), in the order of the log."""

    schedule: Schedule
    release: list[float]


def simulate(
    jobs: list[Job], processors: int, scheduler: Scheduler, after: dict[int, After]
) -> Released:
    """Schedule `jobs`, numbered 0, 1, ... in the list, those in `after` when another has ended."""
    engine = DependentEngine(jobs, processors, scheduler, after)
    start, end, backfilled, passes = engine.run()
    place = sorted(range(len(jobs)), key=engine.logged_number.__getitem__)
    schedule = Schedule(
        [start[i] for i in place], [end[i] for i in place], [backfilled[i] for i in place], passes
    )
    return Released(schedule, [engine.jobs[i].submit for i in place])
