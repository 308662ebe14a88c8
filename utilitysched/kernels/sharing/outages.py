"""Nodes that fail and are repaired, and the jobs that this stops."""

import numpy as np

from utilitysched.kernels.compiling import inner, kernel
from utilitysched.kernels.profile import occupy
from utilitysched.kernels.selection import close_up, find_started
from utilitysched.kernels.sharing.placement import expected_end, need_of
from utilitysched.kernels.sharing.progress import come, complete, learn, leave
from utilitysched.kernels.sharing.state import SharingState
from utilitysched.kernels.sharing.terms import (
    ENDED,
    NOBODY,
    QUEUED,
    RUNNING,
    SharedNodes,
    SharingJobs,
    SharingPolicy,
)
from utilitysched.model.state import Integers


@kernel
def reach(policy: SharingPolicy, jobs: SharingJobs, state: SharingState, now: float) -> None:
    """Come to an instant at which nodes are repaired or fail: jobs end, then nodes are repaired.

    A pass at this instant follows.
    """
    complete(policy, jobs, state, np.zeros(len(state.holders), np.int64), now)
    state.repaired[state.repaired <= now] = -np.inf
    state.wake_up[0] = now


@kernel
def fail(
    nodes: SharedNodes,
    policy: SharingPolicy,
    jobs: SharingJobs,
    state: SharingState,
    now: float,
    outage: tuple[int, int, float],
) -> Integers:
    """Take all nodes down that have some of the cores that fail; return the jobs that this stops.

    They lose all their work, and are in the queue again, at their place by arrival.

    Parameters
    ----------
    outage : (int, int, float)
        The first core that fails, the first after it that does not, and the repair (s).
    """
    first, last = outage[0] // nodes.cores, (outage[1] - 1) // nodes.cores + 1
    # whoever has a part of one of these nodes, in order of arrival
    stopped, running = state.started, state.running[: state.counts[RUNNING]]
    for node in range(first, last):
        for job in state.holders[node]:
            if job != NOBODY:
                stopped[job] = True
    places = np.empty(len(running), np.int64)
    places = places[: find_started(running, stopped, places)]
    hit = running[places]
    # off their nodes and back into the queue; what was seen of their speeds is learnt
    taken = np.zeros(nodes.nodes, np.int64)
    close_up(state.running, len(running), places, len(places))
    state.counts[RUNNING] -= len(hit)
    for job in hit:
        learn(policy, jobs, state, job, now)
        leave(state, taken, job)
        come(jobs, state, job)
        stopped[job] = False
        state.end[job] = np.nan
    # the nodes are down; reservations that reckoned with them are void
    for node in range(first, last):
        state.repaired[node] = max(state.repaired[node], outage[2])
    if policy.reserves:
        _void(nodes, policy, jobs, state, now)
    return hit


@inner
def _void(
    nodes: SharedNodes, policy: SharingPolicy, jobs: SharingJobs, state: SharingState, now: float
) -> None:
    """Forget all reservations but those of running jobs and of nodes until they are repaired."""
    time, free, steps = state.profile.time, state.profile.free, state.profile.steps
    steps[0], time[0], free[0] = 1, now, nodes.nodes
    for job in state.running[: state.counts[RUNNING]]:
        need = need_of(nodes, jobs.size[job], True)
        occupy(time, free, steps, now, expected_end(policy, jobs, state, job, now), need)
    for node in range(nodes.nodes):
        occupy(time, free, steps, now, state.repaired[node], 1)
    state.reserved[state.queue[: state.counts[QUEUED]]] = np.inf
    state.counts[ENDED] = 0
