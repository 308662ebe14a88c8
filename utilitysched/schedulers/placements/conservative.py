"""Conservative backfilling: every queued job holds a reservation that never moves later."""

import numpy as np
from numpy.typing import NDArray

from utilitysched.kernels.profile import forget_before, occupy
from utilitysched.kernels.reservations import compress, reserve, start_due
from utilitysched.kernels.selection import in_order
from utilitysched.model.scheduling_pass import Limits, Plan, Queue, Releases, SchedulingPass
from utilitysched.model.state import JobTable
from utilitysched.schedulers.placements import placement


@placement(
    "conservative",
    keeps_reservations=True,
    summary="every job holds a reservation from its arrival on; none ever moves later",
)
def place(
    moment: SchedulingPass,
    queue: Queue,
    releases: Releases,
    known: JobTable,
    limits: Limits,
    plan: Plan,
    started: NDArray[np.bool_],
) -> float:
    """Mark the jobs to start now and return the next reserved start (semantics 2).

    When a job ends early, each reservation in queue order is taken out and put back at its
    earliest feasible start with all others in place. New jobs are then given theirs in arrival
    order.
    """
    now, jobs, score = moment.now, queue.job, queue.score
    size, request, reserved = known.size, known.request, plan.reserved
    time, free, steps = plan.profile.time, plan.profile.free, plan.profile.steps
    # the past is no longer needed
    forget_before(time, free, steps, now)
    # release what ended jobs had reserved beyond now
    early = False
    for i in range(len(moment.ended)):
        job = moment.ended[i]
        expected = reserved[job] + request[job]
        early = early or expected > now
        occupy(time, free, steps, now, expected, -size[job])
    # room came free: bring reservations forward in queue order
    if early:
        compress(in_order(jobs, score), request, size, reserved, time, free, steps)
    # reservations for jobs that arrived since the last pass
    due, next_start = reserve(jobs, request, size, reserved, time, free, steps)
    if due > 0:
        start_due(now, moment.free, due, jobs, score, size, reserved, started)
    return next_start
