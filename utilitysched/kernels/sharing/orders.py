"""Orders of the queue."""

import numpy as np
from numpy.typing import NDArray

from utilitysched.kernels.compiling import inner, kernel
from utilitysched.kernels.selection import first_in_order
from utilitysched.kernels.sharing.state import SharingState
from utilitysched.kernels.sharing.terms import (
    ARRIVAL,
    FILLER,
    LARGEST,
    LONGEST,
    OWN,
    POPULAR_FILLER,
    POPULARITY,
    QUEUED,
    SHORT_FILLER,
    SHORTEST,
    VALUE,
    SharedNodes,
    SharingJobs,
    SharingPolicy,
)
from utilitysched.kernels.sharing.values import value_filler
from utilitysched.model.state import Floats, Integers

_LAST = np.inf

CHANGING = (POPULARITY, FILLER, SHORT_FILLER, POPULAR_FILLER, VALUE)
"""Orders in which a start can move those that wait."""


@inner
def popularity(queue: Integers, application: Integers, friends: NDArray[np.bool_]) -> Integers:
    """Return the rank of each application: queued partners that suit it, itself not counted."""
    count = np.zeros(len(friends), np.int64)
    for job in queue:
        count[application[job]] += 1
    ranks = np.zeros(len(friends), np.int64)
    for a in range(len(friends)):
        for b in range(len(friends)):
            if friends[a, b]:
                ranks[a] += count[b]
        if friends[a, a]:
            ranks[a] -= 1
    return ranks


@inner
def _second_place(
    policy: SharingPolicy, jobs: SharingJobs, state: SharingState, queue: Integers, ranks: Integers
) -> Integers:
    """Return the place of each queued job in the second ordering, 0 for its front."""
    place = np.empty(len(queue), np.int64)
    count = 0
    if policy.order == SHORT_FILLER:
        # the whole queue is kept in this order, with those that have started in this pass
        spot = state.spot
        for job in state.shortest[: state.counts[QUEUED]]:
            if not state.started[job] and job <= queue[-1]:
                spot[job] = count
                count += 1
        for i, job in enumerate(queue):
            place[i] = spot[job]
    elif policy.order == POPULAR_FILLER:
        # ranks are few: those of each one after those of all higher ones
        following = np.zeros(int(np.max(ranks)) + 2, np.int64)
        for job in queue:
            following[ranks[jobs.application[job]]] += 1
        for rank in range(len(following) - 1, -1, -1):
            following[rank], count = count, count + following[rank]
        for i, job in enumerate(queue):
            rank = ranks[jobs.application[job]]
            place[i] = following[rank]
            following[rank] += 1
    return place


@kernel
def scores(
    policy: SharingPolicy,
    jobs: SharingJobs,
    queue: Integers,
    free: int,
    ranks: Integers,
    second: Integers,
) -> Floats:
    """Return a score of each queued job, the lowest first; ties go by arrival.

    With s of f free cores and the n-th of N looked at, a filler scores gap / age, s / f over n / N:
    all have the same N / f, so s / n orders them, a quotient that is equal where the fractions are.
    With a second factor it scores gap + 1 - place / N, here times f N: whole numbers.

    Parameters
    ----------
    free : int
        Cores that nobody has.
    ranks : (a,) int64
        Popularity of each application.
    second : (w,) int64
        Place in the second ordering of each job of the window, where there is one.
    """
    score = np.full(len(queue), _LAST)
    looked_at = min(len(queue), policy.window)
    ordered = queue[:looked_at]
    order = policy.order
    for i, job in enumerate(ordered):
        size, known = jobs.size[job], jobs.known[job]
        if order == ARRIVAL:
            score[i] = 0.0
        elif order == SHORTEST:
            score[i] = known
        elif order == LONGEST:
            score[i] = -known
        elif order == LARGEST:
            score[i] = -size * known
        elif order == POPULARITY:
            score[i] = -float(ranks[jobs.application[job]])
        elif size <= free:
            if order == FILLER:
                score[i] = -size / (job + 1)
            else:
                score[i] = second[i] * free - size * looked_at
    return score


@inner
def in_score_order(
    nodes: SharedNodes,
    policy: SharingPolicy,
    jobs: SharingJobs,
    state: SharingState,
    queue: Integers,
    taken: Integers,
    now: float,
) -> Integers:
    """Return the queue in order, and fill in who is placed compact."""
    ordered = queue[: policy.window]
    if policy.order == VALUE:
        value_filler(nodes, policy, jobs, state, ordered, taken, now)
    free = nodes.nodes * nodes.cores - int(np.sum(taken)) * nodes.part_cores
    ranks = np.zeros(len(state.beliefs.friends), np.int64)
    if policy.order in (POPULARITY, POPULAR_FILLER):
        ranks = popularity(queue, jobs.application, state.beliefs.friends)
    second = _second_place(policy, jobs, state, ordered, ranks)
    for job in queue:
        wide = not policy.shares or jobs.size[job] > nodes.nodes * nodes.part_cores
        by_choice = policy.order in (VALUE, OWN) and state.compact[job]
        lonely = policy.order == POPULARITY and ranks[jobs.application[job]] < policy.least_rank
        state.compact[job] = wide or by_choice or lonely
    if policy.order in (VALUE, OWN):
        score = np.full(len(queue), _LAST)
        score[: len(ordered)] = state.score[ordered]
    else:
        score = scores(policy, jobs, queue, free, ranks, second)
    # where the order lasts until the next start only, the rest of it does not matter
    count = policy.depth + 1 if policy.order in CHANGING else len(queue)
    return first_in_order(queue, score, count)
