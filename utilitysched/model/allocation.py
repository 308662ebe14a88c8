"""Which processors each job ran on."""

from collections.abc import Iterator

import numpy as np

from swfx import Workload
from utilitysched.model.schedule import Schedule
from utilitysched.model.spans import Spans, spans


def allocations(workload: Workload, schedule: Schedule) -> list[str]:
    """Hand out processor numbers from 0, lowest free first.

    Where processors fail, the schedule says which ones a job had. Elsewhere they are
    interchangeable, and it does not. Jobs
    that start at one instant are served in workload order, after those that end then have
    given theirs back. One that was stopped and started again may have others.

    Parameters
    ----------
    workload : Workload
        Jobs of the schedule.
    schedule : Schedule
        Their starts and ends.

    Returns
    -------
    list of str
        For each job, or for each segment where there are any, its processors as ranges, for
        instance ``0-7 9``.
    """
    if schedule.segments is not None and schedule.segments.processors is not None:
        return list(schedule.segments.processors)
    pool = _Pool(schedule.machine_size)
    found = spans(schedule)
    texts = [""] * len(found.job)
    held: dict[int, list[tuple[int, int]]] = {}
    size = workload.size[found.job].tolist()
    for span, starting in _events(found):
        if starting:
            held[span] = pool.take(size[span])
            texts[span] = " ".join(_text(low, high) for low, high in held[span])
        else:
            pool.give_back(held.pop(span))
    return texts


def _events(found: Spans) -> Iterator[tuple[int, bool]]:
    """Yield (span, whether it starts) in time order.

    At one instant first the ends, then those without run time one after the other, then the
    starts.
    """
    start, end = found.start, found.end
    lasting = np.flatnonzero(start < end)
    instant = np.flatnonzero(start == end)
    span = np.concatenate([lasting, instant, instant, lasting])
    time = np.concatenate([end[lasting], start[instant], end[instant], start[lasting]])
    groups = [len(lasting), len(instant), len(instant), len(lasting)]
    phase = np.repeat([0, 1, 1, 2], groups)
    starting = np.repeat([False, True, False, True], groups)
    for i in np.lexsort((~starting, span, found.job[span], phase, time)).tolist():
        yield int(span[i]), bool(starting[i])


def _text(low: int, high: int) -> str:
    return str(low) if high == low + 1 else f"{low}-{high - 1}"


class _Pool:
    """Free processors as disjoint ranges [low, high), ascending, never touching."""

    def __init__(self, processors: int) -> None:
        self._free = [(0, processors)]

    def take(self, count: int) -> list[tuple[int, int]]:
        """Remove the lowest `count` free processors."""
        taken = []
        while count > 0:
            low, high = self._free[0]
            end = min(high, low + count)
            taken.append((low, end))
            count -= end - low
            if end == high:
                del self._free[0]
            else:
                self._free[0] = (end, high)
        return taken

    def give_back(self, ranges: list[tuple[int, int]]) -> None:
        """Return processors that were taken."""
        merged: list[tuple[int, int]] = []
        for low, high in sorted(self._free + ranges):
            if merged and merged[-1][1] == low:
                merged[-1] = (merged[-1][0], high)
            else:
                merged.append((low, high))
        self._free = merged
