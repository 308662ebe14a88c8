"""A list scheduler as the kernels take it."""

from typing import Any, NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from utilitysched.kernels.ranking import Ranking
from utilitysched.model.scheduling_pass import Limits, Plan, Queue, Releases, SchedulingPass
from utilitysched.model.state import Floats, Integers, JobTable


class Policy(NamedTuple):
    """Ordering x placement.

    Attributes
    ----------
    primary, secondary : Ranking
        Queue order and backfill order.
    same_order : bool
        The backfill order is the queue order.
    place : first-class function
        See `utilitysched.schedulers.placements.registry.Placement`.
    keeps_reservations : bool
        The placement must see every pass.
    limits : Limits
        How far the placement looks.
    depth : int
        Queued jobs it may look at in one pass, in queue order.
    threshold : float
        Wait (s) beyond which a job goes ahead of all others.
    rule : tuple
        Codes of the forecast rule.
    learns : bool
        Completed jobs change the forecast.
    """

    primary: Ranking
    secondary: Ranking
    same_order: bool
    place: Any
    keeps_reservations: bool
    limits: Limits
    depth: int
    threshold: float
    rule: tuple[int, float, int]
    learns: bool


@njit(cache=True)
def within_depth(score: Floats, depth: int) -> Integers:
    """Return the positions of the first `depth` jobs by score, in arrival order."""
    return np.sort(np.argsort(score, kind="mergesort")[:depth])


@njit(cache=True)
def place(
    policy: Policy,
    moment: SchedulingPass,
    queue: Queue,
    releases: Releases,
    known: JobTable,
    plan: Plan,
    started: NDArray[np.bool_],
) -> float:
    """Call the policy's placement; see `utilitysched.schedulers.placements.registry.Placement`."""
    return policy.place(moment, queue, releases, known, policy.limits, plan, started)
