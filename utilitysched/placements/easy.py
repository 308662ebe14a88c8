"""EASY (aggressive) backfilling: only the first blocked job holds a reservation."""

import math

import numpy as np
from numpy.typing import NDArray

from utilitysched.kernels.shadow import shadow
from utilitysched.placements.moment import Limits, Moment, Releases
from utilitysched.placements.registry import placement
from utilitysched.state import Floats, Integers, Known


@placement("easy", summary="the first blocked job holds a reservation, others fill around it")
def place(
    moment: Moment,
    ranked: Integers,
    backfill: Integers,
    releases: Releases,
    known: Known,
    limits: Limits,
    promised: Floats,
    started: NDArray[np.bool_],
) -> float:
    """Mark the jobs to start now (LEE 3.1; semantics 2).

    The head's shadow time is the earliest at which enough processors are free, counting every
    release at that time; `extra` is what is then free beyond its need.
    """
    free = moment.free
    blocked = 0
    while blocked < len(ranked) and known.size[ranked[blocked]] <= free:
        job = ranked[blocked]
        started[job] = True
        free -= known.size[job]
        blocked += 1
    if blocked == len(ranked) or free == 0:
        return math.inf
    head = ranked[blocked]
    time, extra = shadow(moment.now, free, releases, known, ranked[:blocked], known.size[head])
    for i in range(len(backfill)):
        job = backfill[i]
        size = known.size[job]
        if job == head or started[job] or size > free:
            continue
        if moment.now + known.request[job] <= time:
            started[job] = True
            free -= size
        elif size <= extra:
            started[job] = True
            free -= size
            extra -= size
    return math.inf
