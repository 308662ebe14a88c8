"""Conservative backfilling: every queued job holds a reservation that never moves later."""

import math

import numpy as np
from numpy.typing import NDArray

from utilitysched.kernels.profile import build, earliest, occupy
from utilitysched.kernels.selection import in_order
from utilitysched.placements.moment import Limits, Moment, Queue, Releases
from utilitysched.placements.registry import placement
from utilitysched.state import Floats, Known


@placement(
    "conservative",
    keeps_promises=True,
    summary="every job holds a reservation from its arrival on; none ever moves later",
)
def place(
    moment: Moment,
    queue: Queue,
    releases: Releases,
    known: Known,
    limits: Limits,
    promised: Floats,
    started: NDArray[np.bool_],
) -> float:
    """Mark the jobs to start now and return the next reservation (semantics 2).

    `promised` holds the reservations between passes, infinite for a job without one. When a
    job ends early, each reservation in queue order is taken out and put back at its earliest
    feasible start with all others in place. New jobs are then given theirs in arrival order.
    """
    ranked = in_order(queue.job, queue.score)
    new = queue.job[promised[queue.job] == math.inf]
    if moment.early or len(new) > 0:
        # A reservation taken out leaves its two steps behind, so a moved one needs four.
        profile = build(moment, releases, 2 * len(ranked))
        for job in ranked:
            if promised[job] < math.inf:
                promised[job] = max(promised[job], moment.now)
                occupy(profile, promised[job], known.request[job], known.size[job])
        if moment.early:
            for job in ranked:
                if promised[job] < math.inf:
                    occupy(profile, promised[job], known.request[job], -known.size[job])
                    # A job of zero seconds keeps no place free: others may have taken its own.
                    start = earliest(profile, known.size[job], known.request[job])
                    promised[job] = min(promised[job], start)
                    occupy(profile, promised[job], known.request[job], known.size[job])
        for job in new:
            promised[job] = earliest(profile, known.size[job], known.request[job])
            occupy(profile, promised[job], known.request[job], known.size[job])
    free = moment.free
    next_start = math.inf
    for job in ranked:
        if promised[job] <= moment.now and known.size[job] <= free:
            started[job] = True
            free -= known.size[job]
        elif promised[job] > moment.now:
            next_start = min(next_start, promised[job])
    return next_start
