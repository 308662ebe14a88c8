"""A scheduler that is a plain Python object."""

from collections.abc import Iterator

import numpy as np

from benchmarks.logs import BLUE, log
from benchmarks.row import Row
from benchmarks.timing import race
from utilitysched import Decision, QueueState, simulate

JOBS = slice(5000, 15000)
"""A part of the log whose queue is about 20 long."""


class PlainEasy:
    """EASY backfilling in arrival order, in plain Python."""

    def __init__(self) -> None:
        self.passes = self.queued = 0

    def decide(self, state: QueueState) -> Decision:
        """Return the jobs to start now."""
        queue = state.queued.tolist()
        size = state.known.size[state.queued].tolist()
        request = state.known.request[state.queued].tolist()
        self.passes += 1
        self.queued += len(queue)
        free, head, releases = state.free, 0, []
        while head < len(queue) and size[head] <= free:
            free -= size[head]
            releases.append((state.now + request[head], size[head]))
            head += 1
        starts = queue[:head]
        if head < len(queue) and free > 0:
            sizes = state.known.size[state.running].tolist()
            releases += zip(state.expected_end.tolist(), sizes, strict=True)
            shadow, extra = _shadow(size[head], free, sorted(releases))
            for i in range(head + 1, len(queue)):
                in_time = state.now + request[i] <= shadow
                if size[i] <= free and (in_time or size[i] <= extra):
                    starts.append(queue[i])
                    free -= size[i]
                    extra -= 0 if in_time else size[i]
        return Decision(np.array(starts, dtype=np.int64))


def _shadow(need: int, free: int, releases: list[tuple[float, int]]) -> tuple[float, int]:
    """Return when so many processors are free (s), and how many more there are then."""
    shadow = -1.0
    for end, size in releases:
        if free >= need and end != shadow:
            break
        free += size
        shadow = end
    return shadow, free - need


def measure() -> Iterator[Row]:
    """Count the passes per second, the scheduler's own work included."""
    workload = log(BLUE)[JOBS]
    counted = PlainEasy()
    simulate(workload, counted)
    raced = race({"python": lambda: simulate(workload, PlainEasy())})
    assert np.array_equal(raced.results["python"].start, simulate(workload, "easy").start)
    rate = counted.passes / raced.median("python")
    note = f"mean queue {counted.queued / counted.passes:.1f}, with the work of decide itself"
    yield Row("scheduler in Python, EASY", rate, "pass/s", 20000, "at least", note)
