"""Plans on several resources, and beside windows."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from tests.planning import random_case
from tests.preemptible import random_preemption_case
from tests.reference.amounts_plan import AmountsJob, AmountsMachine, Closing, Present
from tests.scale import many
from tests.test_differential_preempting_plan import line_of, problem, random_order
from utilitysched.kernels.fitness import Worth, lone_values, only
from utilitysched.kernels.plan import place
from utilitysched.kernels.planned_queue import PlannedAmounts, PlannedQueue, Scratch
from utilitysched.model.machine import PoolView, WindowTable
from utilitysched.model.scheduler import Setting
from utilitysched.model.state import JobTable, QueueState
from utilitysched.schedulers.genetic.options import GeneticOptions
from utilitysched.schedulers.registry import make_scheduler


def queue_of(
    machine: AmountsMachine, jobs: list[AmountsJob], present: list[Present], now: float = 0.0
) -> PlannedQueue:
    """Return jobs beside running ones as plans take them."""
    held, windows = sorted(present), machine.windows
    rows, resources = [*jobs, *(one.job for one in held)], len(machine.capacity)
    demand = np.array([job.demand for job in rows], dtype=np.int64).reshape(len(rows), resources)
    free = np.array(machine.capacity) - demand[len(jobs) :].sum(axis=0)
    amounts = PlannedAmounts(
        demand,
        np.array([job.exempt for job in rows], dtype=np.bool_).reshape(len(rows), len(windows)),
        np.arange(len(jobs), len(rows)),
        free,
        np.array([window.begin for window in windows], dtype=np.float64),
        np.array([window.end for window in windows], dtype=np.float64),
        np.array([window.left for window in windows], dtype=np.int64).reshape(-1, resources),
        np.empty((3 + len(windows), resources), np.int64),
    )
    return PlannedQueue(
        now,
        int(free[0]),
        0,
        demand[: len(jobs), 0].copy(),
        np.array([job.request for job in jobs], dtype=np.float64),
        np.empty(0),
        np.array([one.end for one in held], dtype=np.float64),
        demand[len(jobs) :, 0].copy(),
        amounts,
    )


def planned(queue: PlannedQueue, order: list[int]) -> tuple[list[float], list[int]]:
    """Return the planned starts, and the jobs that start at once, in that order."""
    jobs = len(queue.size)
    start, scratch = np.empty(jobs), Scratch.empty(jobs, len(queue.release_time))
    immediate = place(np.array(order, dtype=np.int64), queue, scratch, start)
    return start.tolist(), scratch.placed[:immediate].tolist()


def job(number: int, demand: tuple[int, ...], request: float, exempt: int = 0) -> AmountsJob:
    """Return a job that one window leaves alone, or not."""
    return AmountsJob(number, demand, request, (bool(exempt),))


NEVER = Closing(1e9, 2e9, (0, 0))


def test_a_job_waits_for_the_resource_that_is_short() -> None:
    machine = AmountsMachine((8, 2), (NEVER,))
    jobs = [job(0, (2, 2), 5.0), job(1, (2, 1), 4.0), job(2, (2, 0), 99.0)]
    present = [Present(10.0, job(9, (1, 1), 10.0))]

    # the first waits for a GPU until 10 s; the second gives its own back, the third needs none
    assert planned(queue_of(machine, jobs, present), [0, 1, 2]) == ([10.0, 0.0, 0.0], [1, 2])


def test_spare_amounts_at_the_shadow_time_are_those_of_every_resource() -> None:
    machine = AmountsMachine((8, 2), (NEVER,))
    jobs = [job(0, (2, 2), 5.0), job(1, (2, 1), 11.0)]
    present = [Present(10.0, job(9, (1, 1), 10.0))]

    # there are processors to spare, but the blocked job needs both GPUs at 10 s
    assert planned(queue_of(machine, jobs, present), [0, 1]) == ([10.0, 15.0], [])


def test_no_job_runs_into_a_window_that_leaves_nothing() -> None:
    machine = AmountsMachine((4, 1), (Closing(10.0, 20.0, (0, 0)),))
    jobs = [job(0, (1, 0), 11.0), job(1, (1, 0), 10.0), job(2, (1, 0), 11.0, exempt=1)]

    assert planned(queue_of(machine, jobs, []), [0, 1, 2]) == ([20.0, 0.0, 0.0], [1, 2])


def test_a_window_leaves_room_for_some() -> None:
    machine = AmountsMachine((4, 1), (Closing(10.0, 20.0, (2, 1)),))
    jobs = [job(0, (2, 0), 12.0), job(1, (2, 0), 12.0), job(2, (2, 0), 5.0)]

    # the second would need what the first has in the window: it waits until that ends
    assert planned(queue_of(machine, jobs, []), [0, 1, 2]) == ([0.0, 12.0, 0.0], [0, 2])


def test_a_job_of_the_queue_beside_a_window_does_not_delay_the_blocked_one() -> None:
    machine = AmountsMachine((4, 1), (Closing(10.0, 30.0, (2, 1)),))
    jobs = [job(0, (2, 1), 12.0), job(1, (2, 0), 14.0)]
    present = [Present(5.0, job(9, (1, 1), 5.0))]

    # at 5 s both fit, but not in the window: the second waits for the end of the first
    assert planned(queue_of(machine, jobs, present), [0, 1]) == ([5.0, 17.0], [])


def random_machine(rng: Random) -> tuple[AmountsMachine, list[AmountsJob], list[Present]]:
    """Draw a queue beside running jobs, on one to three resources with up to two windows."""
    capacity = tuple(rng.randint(1, 8) for _ in range(rng.randint(1, 3)))
    windows = []
    for _ in range(rng.choice([0, 0, 1, 2])):
        begin = float(rng.randint(-5, 25))
        left = tuple(rng.choice([0, rng.randint(0, most)]) for most in capacity)
        windows.append(Closing(begin, max(1.0, begin + rng.randint(1, 15)), left))

    def drawn(number: int) -> AmountsJob:
        demand = tuple(rng.randint(k == 0, most) for k, most in enumerate(capacity))
        request = 0.0 if rng.random() < 0.1 else float(rng.randint(1, 20))
        return AmountsJob(number, demand, request, tuple(rng.random() < 0.3 for _ in windows))

    machine, present = AmountsMachine(capacity, tuple(windows)), []
    for number in range(rng.randint(0, 5)):
        job = drawn(100 + number)
        used = [
            sum(amounts)
            for amounts in zip(*[one.job.demand for one in present], job.demand, strict=True)
        ]
        if all(each <= most for each, most in zip(used, capacity, strict=True)):
            present.append(Present(float(rng.randint(1, 20)), job))
    return machine, [drawn(number) for number in range(rng.randint(1, 10))], present


@pytest.mark.parametrize("batch", range(4))
def test_plans_equal_the_readable_twin(batch: int) -> None:
    rng = Random(batch)
    for _ in range(many(250)):
        machine, jobs, present = random_machine(rng)
        order = rng.sample(range(len(jobs)), len(jobs))
        line = [jobs[number] for number in order]

        starts, immediate = planned(queue_of(machine, jobs, present), order)

        expected = machine.plan(line, 0.0, present)
        assert starts == [expected[number] for number in range(len(jobs))]
        now = [each.number for each in machine.starts_now(line, 0.0, present)]
        assert immediate == now


@pytest.mark.parametrize("batch", range(4))
def test_lone_starts_are_those_of_plans_of_one(batch: int) -> None:
    rng = Random(100 + batch)
    for _ in range(many(50)):
        machine, jobs, present = random_machine(rng)
        queue, count = queue_of(machine, jobs, present), len(jobs)
        # curves that fall by one a second from 1,000 on
        times, values = np.array([0.0, 1000.0]), np.array([1000.0, 0.0])
        zeros = np.zeros(count, np.int64)
        worth = Worth(np.zeros(count), np.zeros((count, 1)), zeros, zeros + 2, times, values)

        start = 1000.0 - lone_values(queue, worth)

        for number in range(count):
            alone = only(queue, np.arange(count) == number)
            assert planned(alone, [0])[0] == [start[number]]


@pytest.mark.parametrize("batch", range(4))
def test_one_resource_is_planned_as_processors_are(batch: int) -> None:
    rng = Random(200 + batch)
    for _ in range(many(100)):
        queue = random_case(rng, most=20).problem(GeneticOptions()).queue
        order = rng.sample(range(len(queue.size)), len(queue.size))

        assert planned(on_amounts(queue), order) == planned(queue, order)


@pytest.mark.parametrize("batch", range(4))
def test_running_jobs_that_may_be_preempted_are_planned_alike(batch: int) -> None:
    rng = Random(300 + batch)
    for _ in range(many(100)):
        case = random_preemption_case(rng)
        line = line_of(case, rng.choice([np.inf, 20.0]))
        queue, order = problem(case, line).queue, random_order(rng, line)

        assert planned(on_amounts(queue), order) == planned(queue, order)


def on_amounts(queue: PlannedQueue) -> PlannedQueue:
    """Return a queue of processors as one of a vector of one amount."""
    demand = np.concatenate([queue.size, queue.release_size])[:, np.newaxis]
    rows, jobs = len(demand), len(queue.size)
    amounts = PlannedAmounts(
        demand,
        np.empty((rows, 0), np.bool_),
        np.arange(jobs, rows),
        np.array([queue.free]),
        np.empty(0),
        np.empty(0),
        np.empty((0, 1), np.int64),
        np.empty((3, 1), np.int64),
    )
    return queue._replace(amounts=amounts)


@pytest.mark.parametrize("batch", range(4))
def test_what_starts_now_is_what_easy_placement_starts_on_the_pool(batch: int) -> None:
    rng, easy = Random(400 + batch), make_scheduler("easy")
    for _ in range(many(50)):
        machine, jobs, present = random_machine(rng)
        state = state_of(machine, jobs, sorted(present))
        easy.prepare(Setting(machine.capacity[0], longest_request=20.0, seed=0))

        _, immediate = planned(queue_of(machine, jobs, present), list(range(len(jobs))))

        assert sorted(immediate) == sorted(easy.decide(state).starts.tolist())


def state_of(machine: AmountsMachine, jobs: list[AmountsJob], held: list[Present]) -> QueueState:
    """Return what a scheduler sees of queued and running jobs on a pool."""
    rows, capacity = [*jobs, *(one.job for one in held)], np.array(machine.capacity)
    count, resources, windows = len(rows), len(capacity), machine.windows
    demand = np.array([job.demand for job in rows], dtype=np.int64).reshape(count, resources)
    free = capacity - demand[len(jobs) :].sum(axis=0)
    left = np.array([window.left for window in windows], dtype=np.int64).reshape(-1, resources)
    known = JobTable(
        machine.capacity[0],
        *np.zeros((2, count)),
        demand[:, 0].copy(),
        np.array([job.request for job in rows], dtype=np.float64),
        *np.zeros((2, count), np.int64),
        np.zeros(count + 1, np.int64),
        *np.empty((2, 0)),
    )
    view = WindowTable(
        np.zeros(len(windows), np.int64),
        np.full(len(windows), -1e9),
        np.array([window.begin for window in windows], dtype=np.float64),
        np.array([window.end for window in windows], dtype=np.float64),
        capacity - left,
        np.zeros(len(windows), np.bool_),
        np.array([job.exempt for job in rows], dtype=np.bool_).reshape(count, len(windows)),
    )
    return QueueState(
        now=0.0,
        free=int(free[0]),
        queued=np.arange(len(jobs)),
        running=np.arange(len(jobs), count),
        expected_end=np.array([one.end for one in held], dtype=np.float64),
        finished=np.empty(0, dtype=np.int64),
        finished_run=np.empty(0),
        known=known,
        pool=PoolView(0, demand, capacity, free, view),
    )
