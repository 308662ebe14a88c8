"""Nodes that a job gets, and when a stuck one gets them."""

import numpy as np
from numpy.typing import NDArray

from utilitysched.kernels.compiling import inner, kernel, leaf
from utilitysched.kernels.sharing.state import SharingState
from utilitysched.kernels.sharing.terms import (
    NOBODY,
    RUNNING,
    TICK,
    VALUE,
    SharedNodes,
    SharingJobs,
    SharingPolicy,
)
from utilitysched.model.state import Integers


@leaf
def taken_of(state: SharingState, node: int) -> int:
    """Return how many parts of a node are taken: all, if it is down."""
    count, parts = 0, state.holders.shape[1]
    for part in range(parts):
        count += state.holders[node, part] != NOBODY
    return count if state.repaired[node] == -np.inf else parts


@inner
def _run_of(good: NDArray[np.bool_], need: int) -> int:
    """Return where the first `need` nodes in a row begin that are all good, -1 if nowhere."""
    length = 0
    for node in range(len(good)):
        length = length + 1 if good[node] else 0
        if length == need:
            return node - need + 1
    return -1


@leaf
def _choose(taken: Integers, low: int, high: int, chosen: Integers, count: int) -> int:
    """Add the first nodes with `low` to `high` parts taken until `chosen` is full.

    Returns
    -------
    count : int
        How many are chosen, at first the given number.
    """
    for node in range(len(taken)):
        if count == len(chosen):
            break
        if low <= taken[node] <= high:
            chosen[count] = node
            count += 1
    return count


@inner
def nodes_for(
    nodes: SharedNodes, taken: Integers, need: int, compact: bool
) -> tuple[Integers, bool]:
    """Return the nodes that a job would get, first fit, and whether there are enough.

    Compact and spread: empty nodes. Striped, where too few are empty: first those of which some
    part is taken and some is free, then empty ones.
    """
    if nodes.contiguous and need > 0:
        first = _run_of(taken == 0, need)
        if first < 0 and not compact:
            first = _run_of(taken < nodes.parts, need)
        return np.arange(first, first + need), first >= 0
    chosen = np.empty(min(need, len(taken) + 1), np.int64)
    count = _choose(taken, 0, 0, chosen, 0)
    if count < need and not compact:
        count = _choose(taken, 1, nodes.parts - 1, chosen, 0)
        count = _choose(taken, 0, 0, chosen, count)
    return chosen, count == need


@inner
def _fastest(
    jobs: SharingJobs, state: SharingState, taken: Integers, job: int, need: int
) -> tuple[Integers, bool]:
    """Return the nodes with a free part where a job is believed to be fastest, and if it has them.

    Of equal ones the first. Beside nobody it is as fast as it ever is, if nobody errs: it spreads.
    """
    free = np.flatnonzero(taken < state.holders.shape[1])
    if len(free) < need:
        return np.empty(0, np.int64), False
    speeds, application = state.beliefs.speeds, jobs.application[job]
    slowness = np.empty(len(free))
    for i, node in enumerate(free):
        slowness[i] = -speeds.alone[application] if taken[node] == 0 else -np.inf
        for other in state.holders[node]:
            if other != NOBODY:
                beside = speeds.beside[application, jobs.application[other]]
                slowness[i] = max(slowness[i], -beside)
    return free[np.argsort(slowness, kind="mergesort")[:need]], True


@inner
def best_nodes(
    jobs: SharingJobs, state: SharingState, taken: Integers, application: int
) -> Integers:
    """Return the nodes with a free part, where an application and its neighbours do best first.

    By the sum of the speeds that are believed in; an empty node has twice the mean speed, since
    somebody will be the neighbour there before long. Of equal ones the first.
    """
    free = np.flatnonzero(taken < state.holders.shape[1])
    beside, usual = state.beliefs.speeds.beside, usual_speed(state, application)
    total = np.full(len(free), 2.0 * usual)
    for i, node in enumerate(free):
        if taken[node] == 0:
            continue
        mine, theirs = np.inf, np.inf
        for other in state.holders[node]:
            if other != NOBODY:
                neighbour = jobs.application[other]
                mine = min(mine, beside[application, neighbour])
                theirs = min(theirs, beside[neighbour, application])
        total[i] = mine + theirs
    return free[np.argsort(-total, kind="mergesort")]


@leaf
def usual_speed(state: SharingState, application: int) -> float:
    """Return the mean speed of an application beside each, as it is believed."""
    beside, total = state.beliefs.speeds.beside, 0.0
    for neighbour in range(len(beside)):
        total += beside[application, neighbour]
    return total / len(beside)


@inner
def find(
    nodes: SharedNodes,
    policy: SharingPolicy,
    jobs: SharingJobs,
    state: SharingState,
    taken: Integers,
    job: int,
    compact: bool,
) -> tuple[Integers, bool]:
    """Return the nodes that a job would get by a policy, and whether there are enough."""
    need = need_of(nodes, jobs.size[job], compact)
    if policy.order == VALUE and not compact:
        best = best_nodes(jobs, state, taken, jobs.application[job])
        return best[:need], len(best) >= need
    if policy.ranks_nodes and not compact:
        return _fastest(jobs, state, taken, job, need)
    return nodes_for(nodes, taken, need, compact)


@leaf
def need_of(nodes: SharedNodes, size: int, compact: bool) -> int:
    """Return how many nodes a job of this size has."""
    cores = nodes.cores if compact else nodes.part_cores
    return (size + cores - 1) // cores


@inner
def expected_end(
    policy: SharingPolicy, jobs: SharingJobs, state: SharingState, job: int, now: float
) -> float:
    """Return when a running job is reckoned to end (s), later than now."""
    expected = state.reckoned[job] if policy.learns_ends else state.start[job] + jobs.known[job]
    return max(expected, now + TICK)


@inner
def next_end(policy: SharingPolicy, jobs: SharingJobs, state: SharingState, now: float) -> float:
    """Return when the first running job is reckoned to end, or a node is repaired before (s)."""
    first = np.inf
    for repaired in state.repaired:
        if repaired > now:
            first = min(first, repaired)
    for job in state.running[: state.counts[RUNNING]]:
        first = min(first, expected_end(policy, jobs, state, job, now))
    return first


@inner
def head_start(
    nodes: SharedNodes,
    policy: SharingPolicy,
    jobs: SharingJobs,
    state: SharingState,
    now: float,
    need: int,
    compact: bool,
) -> tuple[float, int]:
    """Return when a stuck job can start by the ends that are reckoned with, and the nodes beyond.

    A node is ready for a compact job once all parts of it are free, for others once one is, and not
    before it is repaired.
    """
    ready = np.full(nodes.nodes, -np.inf)
    # when each node has room, by the ends that are reckoned with
    for node in range(nodes.nodes):
        for part, job in enumerate(state.holders[node]):
            free = state.repaired[node]
            if job != NOBODY:
                free = expected_end(policy, jobs, state, job, now)
            if part == 0:
                ready[node] = free
            else:
                ready[node] = max(ready[node], free) if compact else min(ready[node], free)
    # the first instant at which enough nodes are ready, in one row if they must be
    low = need - 1
    times = np.sort(ready) if nodes.contiguous else np.partition(ready, low)
    if nodes.contiguous:
        high = nodes.nodes - 1
        while low < high:
            middle = (low + high) // 2
            if _run_of(ready <= times[middle], need) < 0:
                low = middle + 1
            else:
                high = middle
    return float(times[low]), int(np.count_nonzero(ready <= times[low])) - need


@kernel
def cores_of(
    nodes: SharedNodes,
    sockets: Integers,
    jobs: SharingJobs,
    state: SharingState,
    which: Integers,
) -> tuple[Integers, Integers, Integers, Integers]:
    """Return the cores that jobs had last, as `utilitysched.kernels.processors.texts` takes them.

    Cores count from 0, those of a socket and those of a node one after the other. A part of a node
    is so many cores of each of its sockets, the first part the first ones. A job has a core for
    each process.

    Parameters
    ----------
    sockets : (s,) int64
        Cores of each socket of a node.
    which : (k,) int64
        The jobs.
    """
    count = len(which)
    first, last = np.zeros(count, np.int64), np.zeros(count, np.int64)
    low = np.empty(int(np.sum(state.held[which])) * len(sockets), np.int64)
    high = np.empty_like(low)
    given = 0
    for k, job in enumerate(which):
        compact, begin = state.compact[job], state.place[job]
        placed = state.placed[begin : begin + state.held[job]]
        first[k], left = given, jobs.size[job]
        for number in np.sort(placed):
            node, part = number // nodes.parts, number % nodes.parts
            socket = node * nodes.cores
            for cores in sockets:
                if left == 0:
                    break
                wide = cores if compact else cores // nodes.parts
                at = socket + part * wide
                socket += cores
                had = min(wide, left)
                left -= had
                if given > first[k] and high[given - 1] == at:
                    high[given - 1] = at + had
                else:
                    low[given], high[given] = at, at + had
                    given += 1
        last[k] = given
    return first, last, low[:given], high[:given]
