"""One plan of the genetic scheduler: every queued job placed until all have started."""

from collections.abc import Iterator
from random import Random

import numpy as np
from numba import njit

from benchmarks.row import Row
from benchmarks.timing import race
from tests.planning import Case
from tests.reference.jobs import Job, Running
from tests.reference.plan import plan
from utilitysched.kernels.plan import place
from utilitysched.kernels.planned_queue import PlannedQueue, Scratch
from utilitysched.model.state import Floats, Integers
from utilitysched.schedulers.genetic.options import GeneticOptions

TARGETS = {50: 8.0, 200: 45.0, 1000: 500.0}
RUNNING = 40
PROCESSORS = 1152
ORDERS = 500


def measure() -> Iterator[Row]:
    """Time random orders of queues of three lengths."""
    for queued, target in TARGETS.items():
        rng = Random(queued)
        case = _case(rng, queued)
        queue = case.problem(GeneticOptions()).queue
        orders = np.array([rng.sample(range(queued), queued) for _ in range(ORDERS)])
        start = np.empty((ORDERS, queued))
        scratch = Scratch.empty(queued, RUNNING)

        def all_orders(
            orders: Integers = orders,
            queue: PlannedQueue = queue,
            scratch: Scratch = scratch,
            start: Floats = start,
        ) -> None:
            _place_all(orders, queue, scratch, start)

        raced = race({"place": all_orders})
        expected = plan(orders[0].tolist(), case.jobs, case.now, case.running, case.processors)
        assert start[0].tolist() == expected
        spent = raced.median("place") / ORDERS * 1e6
        yield Row(f"placement of {queued} queued, {RUNNING} running", spent, "us", target)


@njit(cache=True)
def _place_all(orders: Integers, queue: PlannedQueue, scratch: Scratch, start: Floats) -> None:
    for row in range(len(orders)):
        place(orders[row], queue, scratch, start[row])


def _case(rng: Random, queued: int) -> Case:
    """Draw a queue as on a machine like SDSC-BLUE: few wide jobs, many narrow ones."""
    sizes = [8 * 2 ** rng.randint(0, 6) for _ in range(queued)]
    jobs = [
        Job(number, 0.0, run=0.0, request=float(60 * rng.randint(1, 2160)), size=size)
        for number, size in enumerate(sizes)
    ]
    running = [
        Running(1000.0 + rng.randint(1, 100_000), queued + number, 8 * rng.randint(1, 6))
        for number in range(RUNNING)
    ]
    return Case(1000.0, PROCESSORS, jobs, running)
