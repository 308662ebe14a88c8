"""EASY (aggressive) backfilling: only the first blocked job holds a reservation."""

import math

import numpy as np
from numpy.typing import NDArray

from utilitysched.kernels.releases import shadow
from utilitysched.kernels.selection import first_waiting, in_order
from utilitysched.model.scheduling_pass import Limits, Plan, Queue, Releases, SchedulingPass
from utilitysched.model.state import JobTable
from utilitysched.schedulers.placements import placement


@placement("easy", summary="the first blocked job holds a reservation, others fill around it")
def place(
    moment: SchedulingPass,
    queue: Queue,
    releases: Releases,
    known: JobTable,
    limits: Limits,
    plan: Plan,
    started: NDArray[np.bool_],
) -> float:
    """Mark the jobs to start now (LEE 3.1; semantics 2).

    The head's shadow time is the earliest at which enough processors are free, counting every
    release at that time; `extra` is what is then free beyond its need. A job that does not fit
    around the reservation before any other has started does not fit afterwards either, so
    only those that do are put in backfill order.
    """
    jobs, score, size, request = queue.job, queue.score, known.size, known.request
    free = moment.free
    candidates = np.empty(len(jobs), np.int64)
    count = 0
    # start in queue order up to the first job that does not fit, the head
    head = first_waiting(jobs, score, started)
    while head >= 0 and size[jobs[head]] <= free:
        started[jobs[head]] = True
        free -= size[jobs[head]]
        candidates[count] = jobs[head]
        count += 1
        head = first_waiting(jobs, score, started)
    if head < 0 or free == 0:
        return math.inf
    # the head reserves the earliest time at which enough processors are free
    begun = candidates[:count]
    need = size[jobs[head]]
    time, extra = shadow(moment.now, free, releases.end, releases.job, request, size, begun, need)
    place_in_order = np.empty(len(jobs))
    # candidates: jobs that end before the reservation or fit beside it
    count = 0
    for i, job in enumerate(jobs):
        before = moment.now + request[job] <= time
        if size[job] <= free and (before or size[job] <= extra) and not started[job]:
            candidates[count] = job
            place_in_order[count] = queue.backfill[i]
            count += 1
    # backfill: every start takes from what the next candidates may use
    for job in in_order(candidates[:count], place_in_order[:count]):
        if size[job] > free:
            continue
        if moment.now + request[job] <= time:
            started[job] = True
            free -= size[job]
        elif size[job] <= extra:
            started[job] = True
            free -= size[job]
            extra -= size[job]
    return math.inf
