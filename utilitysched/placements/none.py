"""Start jobs in queue order until one does not fit."""

import math

import numpy as np
from numpy.typing import NDArray

from utilitysched.placements.moment import Limits, Moment, Releases
from utilitysched.placements.registry import placement
from utilitysched.state import Floats, Integers, Known


@placement("none", summary="start in queue order until a job does not fit; no backfilling")
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
    """Mark the jobs to start now (LEE 3.1)."""
    free = moment.free
    for i in range(len(ranked)):
        job = ranked[i]
        if known.size[job] > free:
            break
        started[job] = True
        free -= known.size[job]
    return math.inf
