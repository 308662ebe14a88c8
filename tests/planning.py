"""Random planning problems: queues beside running jobs, for the kernels and for their twins."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

import numpy as np

from tests.reference.jobs import Job, Running
from utilitysched.kernels.fitness import Problem
from utilitysched.model.state import JobTable, QueueState
from utilitysched.schedulers.genetic.genome_map import GenomeMap, Memory
from utilitysched.schedulers.genetic.options import GeneticOptions
from utilitysched.schedulers.genetic.problem import problem_of
from utilitysched.schedulers.history import History


@dataclass(frozen=True)
class Case:
    """A queue beside running jobs, as the twins take it; the queued jobs come first by number."""

    now: float
    processors: int
    jobs: list[Job]
    running: list[Running]

    @property
    def state(self) -> QueueState:
        """The same as a scheduler sees it."""
        held = sorted(self.running)
        return QueueState(
            now=self.now,
            free=self.processors - sum(job.size for job in held),
            queued=np.arange(len(self.jobs)),
            running=np.array([job.number for job in held], dtype=np.int64),
            expected_end=np.array([job.release for job in held], dtype=np.float64),
            finished=np.empty(0, dtype=np.int64),
            finished_run=np.empty(0),
            known=self._known(held),
        )

    def _known(self, held: list[Running]) -> JobTable:
        numbered = sorted(held, key=lambda job: job.number)
        points = [point for job in self.jobs for point in job.points]
        lengths = [len(job.points) for job in self.jobs] + [0] * len(held)
        submit = np.array([job.submit for job in self.jobs] + [self.now] * len(held))
        return JobTable(
            machine_size=self.processors,
            submit=submit,
            arrival=submit - submit.min(),
            size=np.array(
                [job.size for job in self.jobs] + [job.size for job in numbered], dtype=np.int64
            ),
            request=np.array([job.request for job in self.jobs] + [1.0] * len(held)),
            priority=np.array([job.priority for job in self.jobs] + [3] * len(held)),
            user=np.array([job.user for job in self.jobs] + [-1] * len(held)),
            offsets=np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64),
            times=np.array([time for time, _ in points], dtype=np.float64),
            values=np.array([value for _, value in points], dtype=np.float64),
        )

    def problem(self, options: GeneticOptions, threshold: float = np.inf) -> Problem:
        """The same as the search sees it, without a memory."""
        forecast = History(options.rule).forecast(self.state)
        line = GenomeMap.of(self.state, threshold, None)
        return problem_of(self.state, line, forecast, Memory(), options)

    def guesses(self, options: GeneticOptions) -> list[list[float]]:
        """Return how long each job may run (s), by the options' forecast."""
        duration = History(options.rule).forecast(self.state).duration
        return [duration[job.number].tolist() for job in self.jobs]


def seconds(rng: Random, grain: float, most: int) -> float:
    """Return a time on a coarse grid, for ties, or (grain 0) any fraction of a second."""
    return rng.randint(0, most) * grain if grain else rng.uniform(0, most)


def curve(rng: Random, grain: float) -> tuple[tuple[float, float], ...]:
    """Return the points of a utility function over a minute or so, or none."""
    if rng.random() < 0.15:
        return ()
    later = {seconds(rng, grain, 80) for _ in range(rng.randint(1, 4))} - {0.0}
    times = [0.0, *sorted(later or {5.0})]
    values = sorted((rng.choice([0.0, 10.0, rng.uniform(0, 20)]) for _ in times), reverse=True)
    return tuple(zip(times, values, strict=True))


def random_case(rng: Random, most: int = 12) -> Case:
    """Draw up to `most` queued jobs, ties and jobs without a request among them."""
    processors = rng.randint(1, 16)
    grain = rng.choice([1.0, 1.0, 0.25, 0.0])
    now = 40.0 + seconds(rng, grain, 20)
    submits = sorted(now - seconds(rng, grain, 40) for _ in range(rng.randint(1, most)))
    jobs = [
        Job(
            number,
            submit,
            run=0.0,
            request=0.0 if rng.random() < 0.1 else seconds(rng, grain, 20),
            size=rng.randint(1, processors) if rng.random() < 0.7 else 1,
            priority=rng.randint(0, 5),
            user=number % 4 - 1,
            points=curve(rng, grain),
        )
        for number, submit in enumerate(submits)
    ]
    running: list[Running] = []
    free = processors
    while free and rng.random() < 0.75:
        size = rng.randint(1, free)
        end = now + max(seconds(rng, grain, 15), grain or 0.001)
        running.append(Running(end, len(jobs) + len(running), size))
        free -= size
    return Case(now, processors, jobs, running)
