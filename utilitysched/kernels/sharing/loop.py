"""The event loop of a machine whose jobs may share nodes."""

import numpy as np

from utilitysched.kernels.compiling import inner, kernel
from utilitysched.kernels.profile import forget_before, occupy
from utilitysched.kernels.reservations import compress, reserve, start_due
from utilitysched.kernels.sharing.beliefs import differ
from utilitysched.kernels.sharing.orders import CHANGING, in_score_order
from utilitysched.kernels.sharing.placement import (
    expected_end,
    find,
    head_start,
    need_of,
    next_end,
    nodes_for,
    taken_of,
)
from utilitysched.kernels.sharing.progress import come, complete, go, settle, start
from utilitysched.kernels.sharing.state import SharingState
from utilitysched.kernels.sharing.terms import (
    ARRIVED,
    ASKING,
    ENDED,
    OWN,
    PASSES,
    QUEUED,
    RUNNING,
    SHADOW,
    UNRESERVED,
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
            state.compact[job] = True
            chosen, _ = nodes_for(nodes, taken, need[job], state.compact[job])
            start(jobs, state, taken, job, chosen, state.compact[job], now)


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
    """
    started, waiting = state.started, state.queue[: state.counts[QUEUED]]
    ordered = in_score_order(nodes, policy, jobs, state, waiting, taken, now)
    while len(ordered) > 0:
        head = ordered[0]
        compact = state.compact[head]
        chosen, fits = find(nodes, policy, jobs, state, taken, head, compact)
        if not fits:
            break
        start(jobs, state, taken, head, chosen, compact, now)
        started[head] = True
        ordered = ordered[1:]
        # scores may depend on who is left and what is free
        if policy.order in CHANGING or len(waiting) > policy.window:
            waiting = waiting[~started[waiting]]
            ordered = in_score_order(nodes, policy, jobs, state, waiting, taken, now)
    if len(ordered) == 0 or policy.depth == 0:
        return
    if policy.backfilling == UNRESERVED:
        _fill_without_reservation(nodes, policy, jobs, state, taken, ordered, now)
    elif policy.backfilling == SHADOW:
        _fill(nodes, policy, jobs, state, taken, waiting[~started[waiting]], now)
    else:
        _fill(nodes, policy, jobs, state, taken, ordered, now)


@inner
def _fill(
    nodes: SharedNodes,
    policy: SharingPolicy,
    jobs: SharingJobs,
    state: SharingState,
    taken: Integers,
    queue: Integers,
    now: float,
) -> None:
    """Start jobs that are over by the shadow time, when the first of the queue can start.

    By EASY's rule also jobs on extra nodes, those that the first leaves over then.
    """
    compact = state.compact[queue[0]]
    need = need_of(nodes, jobs.size[queue[0]], compact)
    shadow, extra = head_start(nodes, policy, jobs, state, now, need, compact)
    if policy.backfilling == SHADOW:
        # by ELiSE's rule not before the next end, even if the first of the queue fits now
        shadow, extra = max(shadow, next_end(policy, jobs, state, now)), 0
    empty, open_ = np.count_nonzero(taken == 0), np.count_nonzero(taken < nodes.parts)
    for job in queue[1 : policy.depth + 1]:
        compact = state.compact[job]
        need = need_of(nodes, jobs.size[job], compact)
        before = now + jobs.known[job] <= shadow
        if need > (empty if compact else open_) or not (before or need <= extra):
            continue
        chosen, fits = find(nodes, policy, jobs, state, taken, job, compact)
        if fits:
            start(jobs, state, taken, job, chosen, compact, now)
            state.started[job] = True
            extra -= 0 if before else need
            empty, open_ = np.count_nonzero(taken == 0), np.count_nonzero(taken < nodes.parts)


@inner
def _fill_without_reservation(
    nodes: SharedNodes,
    policy: SharingPolicy,
    jobs: SharingJobs,
    state: SharingState,
    taken: Integers,
    queue: Integers,
    now: float,
) -> None:
    """Start compact jobs behind the head of the queue that end within their own waiting times.

    The waiting time of the first is until it has its nodes, that of each further one by so much
    longer as those that still run then take to free its nodes. Without end, it is the last.
    """
    running = state.running[: state.counts[RUNNING]].copy()
    ends = np.empty(len(running))
    for k, job in enumerate(running):
        ends[k] = expected_end(policy, jobs, state, job, now)
    order = np.argsort(ends, kind="mergesort")
    wait, empty = 0.0, int(np.count_nonzero(taken == 0))
    for job in queue[1 : policy.depth + 1]:
        compact = state.compact[job]
        need = need_of(nodes, jobs.size[job], compact)
        # the first end with which enough nodes are free
        ready = np.inf
        for k in order:
            if state.end[running[k]] > now + wait:
                empty += need_of(nodes, jobs.size[running[k]], compact)
                if empty >= need:
                    ready = ends[k]
                    break
        wait, empty = wait + (ready - now), 0
        chosen, fits = find(nodes, policy, jobs, state, taken, job, compact)
        if fits and jobs.known[job] <= wait:
            start(jobs, state, taken, job, chosen, compact, now)
            state.started[job] = True
        if wait == np.inf:
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
    """Process events until none is left that need not wait, `passes` more, or one asks for scores.

    At each distinct time: all completions, then all arrivals, one pass, and new speeds for those
    whose neighbours have changed.

    Returns
    -------
    done : bool
        Whether none is left.
    """
    counts = state.counts
    need = (jobs.size + nodes.cores - 1) // nodes.cores
    errs = not np.all(np.isinf(state.beliefs.trust)) or differ(state.beliefs.speeds, speeds)
    taken = np.empty(nodes.nodes, np.int64)
    for node in range(nodes.nodes):
        taken[node] = taken_of(state, node)
    places = np.empty(len(jobs.submit), np.int64)
    for _ in range(passes):
        # the clock moves on to the next reservation, end or arrival
        now = state.wake_up[0]
        for k in range(counts[RUNNING]):
            now = min(now, state.end[state.running[k]])
        if counts[ARRIVED] < len(jobs.submit):
            now = min(now, jobs.submit[counts[ARRIVED]])
        if now == np.inf or now >= state.until[0]:
            return True
        state.wake_up[0] = np.inf
        # completions, from which speeds are learnt
        complete(policy, jobs, state, taken, now)
        # arrivals
        while counts[ARRIVED] < len(jobs.submit) and jobs.submit[counts[ARRIVED]] == now:
            come(jobs, state, counts[ARRIVED])
            counts[ARRIVED] += 1
        # scores of one's own are asked for once, at this same instant
        if policy.order == OWN and counts[QUEUED] > 0 and counts[ASKING] == 0:
            counts[ASKING], state.wake_up[0] = 1, now
            return False
        counts[ASKING] = 0
        # the pass
        counts[PASSES] += 1
        if policy.reserves:
            ended = state.ended[: counts[ENDED]]
            _reserving_pass(nodes, jobs, state, taken, ended, need, now)
        else:
            _ordered_pass(nodes, policy, jobs, state, taken, now)
        counts[ENDED] = 0
        # the queue closes up behind those that started
        if len(state.shortest):
            go(state, state.shortest, places)
        count = go(state, state.queue, places)
        state.started[state.running[: counts[RUNNING]]] = False
        counts[QUEUED] -= count
        # neighbours changed by starts and ends change speeds, and so further ends
        if policy.shares:
            settle(policy, jobs, speeds, state, now, errs)
    return False
