"""Long queues of reservations, moved as the readable twin moves them."""

from __future__ import annotations

from itertools import pairwise
from math import inf
from random import Random

import numpy as np
import pytest

from tests.reference.jobs import Job, Running
from tests.reference.placements import Conservative, SchedulingPass
from tests.reference.profile import Profile
from tests.scale import many
from utilitysched.kernels.profile import build, forget_before, give_back, occupy
from utilitysched.kernels.reservations import compress, plan_anew, reserve, start_due
from utilitysched.model.scheduling_pass import Releases

PROCESSORS = 40
EXACTLY = (88, 92, 93)
"""Seeds at which a job needs all that others give back, which is rare."""


def drawn(rng: Random, count: int, classes: int) -> list[Job]:
    """Draw runs of jobs of few sizes and requests, zero seconds among them."""
    requests = rng.choice([[0.0, 1.0, 3.0, 10.5, 11.0, 40.0], range(1, 25)])
    runs = rng.choice([[1], [1, 1, 2, 9, 30]])
    kinds = [
        (rng.choice([1, 1, 2, 3, 8, 20, 40]), float(rng.choice(requests))) for _ in range(classes)
    ]
    jobs: list[Job] = []
    while len(jobs) < count:
        size, request = rng.choice(kinds)
        run = [(size, request)] * rng.choice(runs)
        jobs += [Job(len(jobs) + i, 0.0, 0.0, r, s) for i, (s, r) in enumerate(run)]
    return jobs[:count]


class Kernels:
    """The kernels' profile and reservations of the same jobs."""

    def __init__(self, jobs: list[Job], running: list[Running]) -> None:
        held = sorted(running)
        size = [job.size for job in jobs] + [job.size for job in held]
        self.size = np.array(size, dtype=np.int64)
        self.request = np.array([job.request for job in jobs])
        self.reserved = np.full(len(jobs), np.inf)
        ends = Releases(
            np.array([job.release for job in held]), np.arange(len(jobs), len(self.size))
        )
        free = PROCESSORS - sum(job.size for job in held)
        self.profile = build(0.0, free, ends, self.size, len(jobs) + 1)
        self.columns = (self.request, self.size, self.reserved, *self.profile)

    def steps(self) -> list[tuple[float, int]]:
        """Return the profile's steps."""
        time, free, steps = self.profile
        return list(zip(time[: steps[0]].tolist(), free[: steps[0]].tolist(), strict=True))


def merged(profile: Profile) -> list[tuple[float, int]]:
    """Return the steps at which something changes."""
    steps: list[tuple[float, int]] = []
    for time, free in profile.steps():
        if not steps or steps[-1][1] != free:
            steps.append((time, free))
    return steps


def running_at_first(rng: Random) -> list[Running]:
    running: list[Running] = []
    while sum(job.size for job in running) < 30:
        release = float(rng.choice([2, 3, 7, 10, 11.5, 30, 50]))
        running.append(Running(release, 10_000 + len(running), rng.choice([1, 1, 2, 5])))
    return running


@pytest.mark.parametrize("seed", [*range(many(40)), *EXACTLY])
def test_compression_is_that_of_the_twin(seed: int) -> None:
    rng = Random(seed)
    jobs = drawn(rng, rng.choice([5, 20, 40, 120]), rng.randint(1, 9))
    order = jobs if rng.random() < 0.6 else rng.sample(jobs, len(jobs))
    running = running_at_first(rng)
    kernels = Kernels(jobs, running)
    reserve(np.arange(len(jobs)), *kernels.columns)
    now = 0.0

    for _ in range(8):
        twin = Conservative()
        twin.reserved = dict(enumerate(kernels.reserved.tolist()))
        over = rng.choice(running)
        running.remove(over)
        occupy(*kernels.profile, now, over.release, -over.size)
        moment = SchedulingPass(now, PROCESSORS, running, order)
        profile = Profile(now, PROCESSORS, running)
        for job in order:
            profile.occupy(*twin.interval(job), job.size)
        twin.compress(profile, moment.queue)

        compress(np.array([job.number for job in order]), *kernels.columns)

        assert kernels.reserved.tolist() == [twin.reserved[job.number] for job in jobs]
        assert kernels.steps() == merged(profile)


def test_what_is_left_is_passed_on_from_job_to_job() -> None:
    jobs = [Job(i, 0.0, 0.0, 10.0, 1) for i in range(200)]
    running = [Running(100.0 + i, 1000 + i, 1) for i in range(PROCESSORS)]
    kernels = Kernels(jobs, running)
    reserve(np.arange(len(jobs)), *kernels.columns)
    before = kernels.reserved.copy()

    occupy(*kernels.profile, 0.0, 120.0, -1)
    compress(np.arange(len(jobs)), *kernels.columns)

    assert kernels.reserved[:11].tolist() == [10.0 * i for i in range(11)]
    assert (np.sort(kernels.reserved)[11:] >= before[0]).all()


@pytest.mark.parametrize(
    ("now", "left"),
    [
        (2.0, [(2.0, 34), (3.0, 39), (7.0, 40)]),
        (3.0, [(3.0, 39), (7.0, 40)]),
        (5.0, [(5.0, 39), (7.0, 40)]),
        (7.0, [(7.0, 40)]),
    ],
)
def test_a_profile_forgets_what_is_over(now: float, left: list[tuple[float, int]]) -> None:
    kernels = Kernels([], [Running(3.0, 1, 5), Running(7.0, 2, 1)])

    forget_before(*kernels.profile, now)

    assert kernels.steps() == left


def test_who_may_end_at_any_moment_holds_nothing() -> None:
    kernels = Kernels([Job(0, 0.0, 0.0, 10.0, 8)], [Running(9.0, 1, 30), Running(20.0, 2, 10)])
    at_any_moment = np.nextafter(9.0, inf)
    releases = Releases(np.array([at_any_moment, 20.0]), np.array([1, 2]))

    plan_anew(9.0, 0, releases, np.array([0]), *kernels.columns)

    assert kernels.reserved.tolist() == [9.0]
    assert kernels.steps() == [(9.0, 22), (19.0, 30), (20.0, 40)]


@pytest.mark.parametrize(
    ("processors", "starting"), [(7, [0, 1, 3]), (6, [1, 3]), (4, [1, 3]), (3, [3]), (1, [])]
)
def test_whose_start_has_come_starts_in_order_where_it_fits(
    processors: int, starting: list[int]
) -> None:
    started = np.zeros(4, dtype=np.bool_)

    start_due(
        9.0,
        processors,
        3,
        np.arange(4),
        np.array([4.0, 3.0, 2.0, 1.0]),
        np.array([3, 2, 1, 2]),
        np.array([9.0, 8.0, 12.0, 9.0]),
        started,
    )

    assert np.flatnonzero(started).tolist() == starting


@pytest.mark.parametrize("seed", range(many(40)))
def test_what_is_taken_out_and_given_back_leaves_the_steps_of_the_twin(seed: int) -> None:
    rng = Random(seed)
    profile = Profile(0.0, PROCESSORS)
    columns = Kernels([Job(i, 0.0, 0.0, 1.0, 1) for i in range(10)], []).profile
    held: list[tuple[float, float, int]] = []

    for _ in range(60):
        if len(held) == 8 or (held and rng.random() < 0.5):
            start, end, size = held.pop(rng.randrange(len(held)))
            profile.vacate(start, end, size)
            most = give_back(*columns, start, end, size)
            within = [
                free
                for (_, free), (until, _) in pairwise([*merged(profile), (inf, 0)])
                if until > start
            ]
            assert most >= within[0]
        else:
            start, size = float(rng.randrange(8)), rng.choice([1, 1, 2, 5])
            end = start + rng.randint(1, 6)
            held.append((start, end, size))
            profile.occupy(start, end, size)
            occupy(*columns, start, end, size)
        steps = int(columns.steps[0])
        time, free = columns.time[:steps].tolist(), columns.free[:steps].tolist()
        assert list(zip(time, free, strict=True)) == merged(profile)
