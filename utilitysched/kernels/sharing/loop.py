"""The event loop of a machine whose jobs may share nodes."""

import numpy as np

from utilitysched.kernels.compiling import inner, kernel
from utilitysched.kernels.profile import forget_before, occupy
from utilitysched.kernels.reservations import compress, reserve, start_due
from utilitysched.kernels.sharing.orders import CHANGING, in_score_order
from utilitysched.kernels.sharing.placement import (
    find,
    head_start,
    is_compact,
    need_of,
    nodes_for,
    taken_of,
)
from utilitysched.kernels.sharing.progress import come, complete, go, learn, settle, start
from utilitysched.kernels.sharing.state import SharingState
from utilitysched.kernels.sharing.terms import (
    ARRIVED,
    PASSES,
    QUEUED,
    RUNNING,
    SharedNodes,
    SharingJobs,
    SharingPolicy,
    Speeds,
)
from utilitysched.model.state import Integers


@inner
def _reserving_pass(
    nodes: SharedNodes,
    jobs: SharingJobs,
    state: SharingState,
    taken: Integers,
    ended: Integers,
    need: Integers,
    now: float,
) -> None:
    """Start the jobs whose reservations have come; `need` is the nodes of each job."""
    queue = state.queue[: state.counts[QUEUED]]
    time, free, steps = state.profile.time, state.profile.free, state.profile.steps
    forget_before(time, free, steps, now)
    # processors of jobs that ended early are free again, and reservations move up into them
    early = False
    for job in ended:
        expected = state.reserved[job] + jobs.known[job]
        early = early or expected > now
        occupy(time, free, steps, now, expected, -need[job])
    if early:
        compress(queue, jobs.known, need, state.reserved, time, free, steps)
    # new jobs are reserved behind those that have reservations; who is due starts
    due, state.wake_up[0] = reserve(queue, jobs.known, need, state.reserved, time, free, steps)
    if due > 0:
        empty, arrival = int(np.count_nonzero(taken == 0)), np.zeros(len(queue))
        start_due(now, empty, due, queue, arrival, need, state.reserved, state.started)
        for job in queue[state.started[queue]]:
            chosen, _ = nodes_for(nodes, taken, need[job], True)
            start(jobs, state, taken, job, chosen, True, now)


@inner
def _ordered_pass(
    nodes: SharedNodes,
    policy: SharingPolicy,
    jobs: SharingJobs,
    state: SharingState,
    taken: Integers,
    now: float,
) -> None:
    """Start jobs from the head of the queue, then others that fill around a stuck head.

    The queue is put in order anew after every start from its head that can change the order.
    What fills ends by the time at which the head is reckoned to start, or leaves it enough nodes.
    """
    started, waiting = state.started, state.queue[: state.counts[QUEUED]]
    ordered, ranks = in_score_order(nodes, policy, jobs, state, waiting, taken)
    while len(ordered) > 0:
        head = ordered[0]
        compact = is_compact(nodes, policy, jobs, ranks, head)
        chosen, fits = find(nodes, policy, jobs, state, taken, head, compact)
        # from the head while it fits; scores may depend on who is left and what is free
        if fits:
            start(jobs, state, taken, head, chosen, compact, now)
            started[head] = True
            ordered = ordered[1:]
            if policy.order in CHANGING or len(waiting) > policy.window:
                waiting = waiting[~started[waiting]]
                ordered, ranks = in_score_order(nodes, policy, jobs, state, waiting, taken)
            continue
        # a stuck head: when it can start, and how many nodes it leaves over then
        if policy.depth == 0:
            break
        need = need_of(nodes, jobs.size[head], compact)
        until, extra = head_start(nodes, policy, jobs, state, now, need, compact)
        # others fill what it leaves: over before it starts, or on nodes that it does not need
        empty, open_ = np.count_nonzero(taken == 0), np.count_nonzero(taken < nodes.parts)
        for job in ordered[1 : policy.depth + 1]:
            if jobs.size[job] > max(empty * nodes.cores, open_ * nodes.half):
                continue
            compact = is_compact(nodes, policy, jobs, ranks, job)
            need = need_of(nodes, jobs.size[job], compact)
            before = now + jobs.known[job] <= until
            if need > (empty if compact else open_) or not (before or need <= extra):
                continue
            chosen, fits = find(nodes, policy, jobs, state, taken, job, compact)
            if fits:
                start(jobs, state, taken, job, chosen, compact, now)
                started[job] = True
                extra -= 0 if before else need
                empty, open_ = np.count_nonzero(taken == 0), np.count_nonzero(taken < nodes.parts)
        break


@kernel
def advance_sharing(
    nodes: SharedNodes,
    policy: SharingPolicy,
    jobs: SharingJobs,
    speeds: Speeds,
    state: SharingState,
    passes: int,
) -> bool:
    """Process events until none is left or `passes` more have been made.

    At each distinct time: all completions, then all arrivals, one pass, and new speeds for those
    whose neighbours have changed.

    Returns
    -------
    done : bool
        Whether none is left.
    """
    counts = state.counts
    need = (jobs.size + nodes.cores - 1) // nodes.cores
    learns = not np.all(np.isinf(state.beliefs.seen))
    taken = np.empty(nodes.nodes, np.int64)
    for node in range(nodes.nodes):
        taken[node] = taken_of(state.halves, node)
    places = np.empty(len(jobs.submit), np.int64)
    for _ in range(passes):
        # the clock moves on to the next reservation, end or arrival
        now = state.wake_up[0]
        for k in range(counts[RUNNING]):
            now = min(now, state.end[state.running[k]])
        if counts[ARRIVED] < len(jobs.submit):
            now = min(now, jobs.submit[counts[ARRIVED]])
        if now == np.inf:
            return True
        counts[PASSES] += 1
        state.wake_up[0] = np.inf
        # completions, from which speeds are learnt
        ended = complete(state, taken, now)
        if learns:
            for job in ended:
                learn(policy, jobs, state, job, now)
        # arrivals
        while counts[ARRIVED] < len(jobs.submit) and jobs.submit[counts[ARRIVED]] == now:
            come(jobs, state, counts[ARRIVED])
            counts[ARRIVED] += 1
        # the pass
        if policy.reserves:
            _reserving_pass(nodes, jobs, state, taken, ended, need, now)
        else:
            _ordered_pass(nodes, policy, jobs, state, taken, now)
        # the queue closes up behind those that started
        if len(state.shortest):
            go(state, state.shortest, places)
        count = go(state, state.queue, places)
        state.started[state.running[: counts[RUNNING]]] = False
        counts[QUEUED] -= count
        # neighbours changed by starts and ends change speeds, and so further ends
        if policy.shares:
            settle(policy, jobs, speeds, state, now, learns)
    return False
