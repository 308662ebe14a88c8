"""No backfilling: jobs start in queue order until one does not fit."""

import math

import numpy as np
from numpy.typing import NDArray

from utilitysched.kernels.selection import first_waiting
from utilitysched.model.scheduling_pass import Limits, Plan, Queue, Releases, SchedulingPass
from utilitysched.model.state import JobTable
from utilitysched.schedulers.placements import placement


@placement("none", summary="start in queue order until a job does not fit; no backfilling")
def place(
    moment: SchedulingPass,
    queue: Queue,
    releases: Releases,
    known: JobTable,
    limits: Limits,
    plan: Plan,
    started: NDArray[np.bool_],
) -> float:
    """Mark the jobs to start now (LEE 3.1)."""
    free = moment.free
    i = first_waiting(queue.job, queue.score, started)
    while i >= 0 and known.size[queue.job[i]] <= free:
        started[queue.job[i]] = True
        free -= known.size[queue.job[i]]
        i = first_waiting(queue.job, queue.score, started)
    return math.inf
