"""Processors that each job ran on."""

import numpy as np
from numpy.typing import NDArray

from swfx import Workload
from utilitysched.kernels.processors import hand_out, texts
from utilitysched.model.schedule import Schedule
from utilitysched.model.segments import Spans, spans
from utilitysched.model.state import Integers


def allocations(workload: Workload, schedule: Schedule) -> list[str]:
    """Hand out processor numbers from 0, lowest free first.

    Where processors fail or jobs share nodes, the schedule says which ones a job had. Elsewhere
    they are interchangeable, and it does not. Jobs that start at one instant are served in workload
    order, after those that end then have given theirs back. One that was stopped and started again
    may have others. Numbers go beyond the machine's where more are in use than it has, as logs may
    say.

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
    if schedule.processors is not None:
        return list(schedule.processors)
    rows = spans(schedule)
    size = workload.size[rows.job]
    span, starting = _events(rows)
    # a log may have more processors in use than its machine is said to have
    most = np.cumsum(np.where(starting, size[span], -size[span])).max(initial=0)
    processors = max(schedule.machine_size, int(most))
    return texts(*hand_out(span, starting, size, processors))


def _events(rows: Spans) -> tuple[Integers, NDArray[np.bool_]]:
    """Return (span, whether it starts) of each start and end, in time order.

    At one instant first the ends, then those without run time one after the other, then the
    starts.
    """
    start, end = rows.start, rows.end
    # jobs without run time give back before anybody else starts
    lasting = np.flatnonzero(start < end)
    instant = np.flatnonzero(start == end)
    span = np.concatenate([lasting, instant, instant, lasting])
    time = np.concatenate([end[lasting], start[instant], end[instant], start[lasting]])
    groups = [len(lasting), len(instant), len(instant), len(lasting)]
    phase = np.repeat([0, 1, 1, 2], groups)
    starting = np.repeat([False, True, False, True], groups)
    order = np.lexsort((~starting, span, rows.job[span], phase, time))
    return span[order], starting[order]
