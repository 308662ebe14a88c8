"""A list scheduler as the kernels take it."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from utilitysched.kernels.compiling import inner, kernel, leaf_kernel
from utilitysched.kernels.curves import curve_value
from utilitysched.kernels.selection import stable_order
from utilitysched.model.forecast import Forecast
from utilitysched.model.scheduling_pass import Limits, Plan, Queue, Releases, SchedulingPass
from utilitysched.model.state import Floats, Integers, JobTable


class Ranking(NamedTuple):
    """An ordering for kernels: a score function with parameters, or fixed scores.

    Attributes
    ----------
    fixed : (n,) float64
        The score of every job if it does not change with time, otherwise empty.
    score : first-class function
        See `utilitysched.schedulers.orderings.Ordering`.
    parameters : (p,) float64
        The ordering's numbers.
    """

    fixed: Floats
    score: Any
    parameters: Floats


@leaf_kernel
def starved_first(
    jobs: Integers, submit: Floats, now: float, threshold: float, score: Floats
) -> None:
    """Put jobs that have waited longer than `threshold` (s) before all others, by arrival."""
    for i in range(len(jobs)):
        if now - submit[jobs[i]] > threshold:
            score[i] = -np.inf


@kernel
def scores(
    jobs: Integers,
    moment: SchedulingPass,
    known: JobTable,
    forecast: Forecast,
    ranking: Ranking,
    threshold: float,
) -> Floats:
    """Return the score of each job.

    Parameters
    ----------
    jobs : (k,) int64
        Queued jobs in arrival order.
    moment : SchedulingPass
        The pass.
    threshold : float
        See `starved_first`.
    """
    out = np.empty(len(jobs))
    ranking.score(moment, jobs, known, forecast, ranking.parameters, out)
    starved_first(jobs, known.submit, moment.now, threshold, out)
    return out


class ReserveRule(NamedTuple):
    """What jobs have to be worth to be looked at at once.

    Attributes
    ----------
    price : float
        SU per requested processor-hour; 0 for no reserve.
    idle : float
        Share of the processors left to others that has to be free for a job to start that is worth
        less.
    """

    price: float = 0.0
    idle: float = 0.8


NO_RESERVE = ReserveRule()


class Policy(NamedTuple):
    """Ordering x placement.

    Attributes
    ----------
    primary, secondary : Ranking
        Queue order and backfill order.
    same_order : bool
        The backfill order is the queue order.
    place : first-class function
        See `utilitysched.schedulers.placements.Placement`.
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
    reserve : ReserveRule
        Jobs that are worth less wait for idle time.
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
    reserve: ReserveRule


@inner
def within_depth(score: Floats, depth: int) -> Integers:
    """Return the positions of the first `depth` jobs by score, in arrival order."""
    kept = np.zeros(len(score), np.bool_)
    for i in stable_order(score)[:depth]:
        kept[i] = True
    return np.flatnonzero(kept)


@inner
def worth_the_reserve(
    jobs: Integers, score: Floats, now: float, free: int, known: JobTable, reserve: ReserveRule
) -> Integers:
    """Return the positions of the jobs that a reserve lets a pass look at, in arrival order.

    These are the starved, and the jobs whose curve is worth the reserve now. If all of these fit,
    those of the others besides that start at once, by score: as long as a share `idle` of the
    processors that each leaves to the rest stays free. Who has the machine to itself always may.

    Parameters
    ----------
    jobs : (k,) int64
        Queued jobs in arrival order.
    score : (k,) float64
        The lowest goes first.
    now : float
        Time of the pass (s).
    free : int
        Processors in use by nobody.
    """
    kept = np.zeros(len(jobs), np.bool_)
    for i, job in enumerate(jobs):
        hours = known.size[job] * known.request[job] / 3600.0
        worth = curve_value(known, job, now - known.submit[job])
        kept[i] = worth >= reserve.price * hours or score[i] == -np.inf
        if kept[i]:
            free -= known.size[job]
    for i in stable_order(score):
        size = known.size[jobs[i]]
        others = known.machine_size - size
        if not kept[i] and size <= free and free - size >= reserve.idle * others:
            kept[i] = True
            free -= size
    return np.flatnonzero(kept)


@kernel
def looked_at(
    policy: Policy, jobs: Integers, score: Floats, now: float, free: int, known: JobTable
) -> Integers:
    """Return the positions of the jobs that a pass looks at, in arrival order."""
    if policy.reserve.price > 0.0:
        within = worth_the_reserve(jobs, score, now, free, known, policy.reserve)
    else:
        within = np.arange(len(jobs))
    if policy.depth < len(within):
        within = within[within_depth(score[within], policy.depth)]
    return within


@kernel
def place(
    policy: Policy,
    moment: SchedulingPass,
    queue: Queue,
    releases: Releases,
    known: JobTable,
    plan: Plan,
    started: NDArray[np.bool_],
) -> float:
    """Call the policy's placement; see `utilitysched.schedulers.placements.Placement`."""
    return policy.place(moment, queue, releases, known, policy.limits, plan, started)
