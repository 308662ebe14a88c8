from __future__ import annotations

from itertools import permutations
from random import Random

import numpy as np
import pytest

from tests.scale import many
from tests.utilitysched.exact.cases import random_problem
from utilitysched.exact import StaticProblem
from utilitysched.model.forecast import ForecastRule
from utilitysched.model.state import Floats
from utilitysched.runs.snapshot import FinishedJob, QueuedJob, RunningJob, Snapshot


def overbooked(problem: StaticProblem, start: Floats) -> bool:
    """Whether at some instant more is held than there is, jobs of no time one after another."""
    snapshot = problem.snapshot
    spans = [(-np.inf, job.expected_end, job.processors) for job in snapshot.running]
    spans += [
        (begin, begin + job.request, job.processors)
        for begin, job in zip(start.tolist(), snapshot.queued, strict=True)
    ]
    for first, last, size in spans:
        if first == last:
            held = size + sum(q for begin, end, q in spans if begin < first < end)
        else:
            held = sum(q for begin, end, q in spans if begin <= first < end)
        if held > snapshot.machine_size:
            return True
    return False


def test_no_order_overbooks_the_machine() -> None:
    rng = Random(1)
    for _ in range(many(60)):
        problem = random_problem(rng, most=4)
        for order in permutations(range(len(problem.snapshot.queued))):
            start = problem.left_shifted(order)
            assert not overbooked(problem, start)
            assert (start >= problem.snapshot.now).all()


def test_no_job_could_start_earlier_with_the_others_in_place() -> None:
    rng = Random(2)
    for _ in range(many(60)):
        problem = random_problem(rng, most=4)
        order = list(range(len(problem.snapshot.queued)))
        rng.shuffle(order)
        start = problem.left_shifted(order)
        last = order[-1]
        for earlier in {problem.snapshot.now, *(start + problem.request).tolist()}:
            if earlier < start[last]:
                moved = start.copy()
                moved[last] = earlier
                assert overbooked(problem, moved)


def test_a_job_of_no_time_fits_between_others() -> None:
    snapshot = Snapshot(
        0.0,
        2,
        (RunningJob(1, 2, 5.0),),
        (QueuedJob(2, 0.0, 2, 0.0), QueuedJob(3, 0.0, 2, 4.0)),
    )
    problem = StaticProblem(snapshot, ForecastRule())

    assert problem.left_shifted([0, 1]).tolist() == [5, 5]
    assert problem.left_shifted([1, 0]).tolist() == [5, 5]


def test_values_are_read_at_forecast_durations() -> None:
    from swfx import UtilityFunction

    job = QueuedJob(2, 0.0, 1, 8.0, UtilityFunction([0, 10], [10, 0]), user=7)
    snapshot = Snapshot(1.0, 1, (), (job,), (FinishedJob(7, 9.0, 4.0), FinishedJob(7, 3.0, 2.0)))

    read = {
        name: StaticProblem(snapshot, ForecastRule(name)).values(np.array([1.0])).tolist()
        for name in ("zero", "requested", "predicted")
    }
    assert read == {"zero": [9], "requested": [1], "predicted": [pytest.approx(6)]}
