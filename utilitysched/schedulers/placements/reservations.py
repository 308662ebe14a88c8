"""Backfilling with any number of reservations."""

import math

import numpy as np
from numpy.typing import NDArray

from utilitysched.kernels.profile import build, earliest, occupy
from utilitysched.kernels.selection import in_order
from utilitysched.model.scheduling_pass import Limits, Plan, Queue, Releases, SchedulingPass
from utilitysched.model.state import JobTable
from utilitysched.schedulers.placements import placement


@placement("reservations", summary="the first K blocked jobs hold reservations, planned anew")
def place(
    moment: SchedulingPass,
    queue: Queue,
    releases: Releases,
    known: JobTable,
    limits: Limits,
    plan: Plan,
    started: NDArray[np.bool_],
) -> float:
    """Mark the jobs to start now, each pass planned from scratch (semantics 2).

    Jobs are taken in queue order; the first `limits.reservations` that do not fit hold
    reservations on the availability profile. After that the rest is taken in backfill order
    and starts only where no reservation is touched. One reservation is EASY; as many as there
    are jobs is conservative backfilling planned anew at every pass.
    """
    # availability profile of the running jobs, with room for every reservation
    ranked = in_order(queue.job, queue.score)
    profile = build(moment.now, moment.free, releases, known.size, len(ranked))
    time, available, steps = profile.time, profile.free, profile.steps
    reserved = plan.reserved
    free = moment.free
    held = 0
    # plans of the last pass are void
    reserved[ranked] = math.inf
    rest = ranked
    i = 0
    primary = True
    # down the primary order until all reservations are held, then the backfill order
    while i < len(rest):
        job = rest[i]
        i += 1
        if started[job] or reserved[job] < math.inf:
            continue
        size = known.size[job]
        # earliest start beside the reservations made so far
        begin = earliest(time, available, steps, size, known.request[job])
        # a job of zero seconds touches no reservation, not even one that begins now
        instant = moment.now + known.request[job] <= moment.now
        if size <= free and (instant or begin == moment.now):
            started[job] = True
            free -= size
            occupy(time, available, steps, moment.now, moment.now + known.request[job], size)
        elif primary:
            # a blocked job: one more reservation, unless it lies beyond the window
            if held < limits.reservations and begin <= moment.now + limits.window:
                reserved[job] = begin
                occupy(time, available, steps, begin, begin + known.request[job], size)
                held += 1
            # all reservations are made: the other jobs follow in backfill order
            if held >= limits.reservations:
                primary = False
                rest = in_order(queue.job, queue.backfill)
                i = 0
    return math.inf
