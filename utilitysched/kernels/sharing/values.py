"""Queue order and placement by the value that jobs gain per processor-second."""

import numpy as np

from utilitysched.kernels.compiling import inner, leaf
from utilitysched.kernels.curves import curve_value
from utilitysched.kernels.sharing.placement import (
    best_nodes,
    expected_end,
    need_of,
    usual_speed,
)
from utilitysched.kernels.sharing.progress import believed_speed, end_at
from utilitysched.kernels.sharing.state import SharingState
from utilitysched.kernels.sharing.terms import (
    NOBODY,
    RUNNING,
    SharedNodes,
    SharingJobs,
    SharingPolicy,
)
from utilitysched.model.state import Floats, Integers


@inner
def value_filler(
    nodes: SharedNodes,
    policy: SharingPolicy,
    jobs: SharingJobs,
    state: SharingState,
    queue: Integers,
    taken: Integers,
    now: float,
) -> None:
    """Fill in scores of queued jobs, the lowest first, and who is placed compact.

    The score is the value that a job gains by starting now rather than `tau` later, less what its
    neighbours lose, per processor and second: at speed 1 on nodes of its own, or at the speed that
    it has on the parts of nodes that it would get. It is placed compact where it fits so and gains
    more, or fits only so.
    """
    empty = int(np.count_nonzero(taken == 0))
    open_ = int(np.count_nonzero(taken < nodes.parts))
    speed, loss = _prospects(policy, jobs, state, queue, taken, open_, now)
    processors = nodes.cores / nodes.parts
    for job in queue:
        application, size = jobs.application[job], jobs.size[job]
        need = need_of(nodes, size, True)
        alone = _gain(policy, jobs, job, now, 1.0, 0.0) / (need * nodes.cores)
        fits_alone = need <= empty
        # beside others: the least speed on so many of the best nodes; the usual one if too few
        need = need_of(nodes, size, False)
        fits = need <= open_
        if fits:
            at = application, need - 1
            gain = _gain(policy, jobs, job, now, speed[at], loss[at])
        else:
            gain = _gain(policy, jobs, job, now, usual_speed(state, application), 0.0)
        shared = gain / (need * processors)
        compact = need > nodes.nodes or (fits_alone and (alone > shared or not fits))
        state.compact[job] = compact
        state.score[job] = -(alone if compact else shared)


@leaf
def _gain(
    policy: SharingPolicy, jobs: SharingJobs, job: int, now: float, speed: float, loss: float
) -> float:
    """Return the value that a job gains by starting now at a speed, per second that it runs."""
    lasts = max(jobs.known[job], 1.0) / speed
    age = now - jobs.submit[job] + lasts
    later = curve_value(jobs.table, job, age + policy.tau)
    return (curve_value(jobs.table, job, age) - later - loss) / lasts


@inner
def _prospects(
    policy: SharingPolicy,
    jobs: SharingJobs,
    state: SharingState,
    queue: Integers,
    taken: Integers,
    open_: int,
    now: float,
) -> tuple[Floats, Floats]:
    """Return speeds of applications on their best nodes, and what neighbours lose (SU).

    Both by application and number of nodes - 1, for applications of queued jobs.
    """
    speeds = state.beliefs.speeds
    count = len(speeds.alone)
    speed, loss = np.empty((count, max(open_, 1))), np.zeros((count, max(open_, 1)))
    pace, end = _running(policy, jobs, state, now)
    seen = np.zeros(count, np.bool_)
    met = np.full(len(jobs.size), -1)
    for job in queue:
        mine = jobs.application[job]
        if seen[mine]:
            continue
        seen[mine] = True
        slowest, lost = np.inf, 0.0
        for i, node in enumerate(best_nodes(jobs, state, taken, mine)):
            if taken[node] == 0:
                slowest = min(slowest, usual_speed(state, mine))
            for other in state.holders[node]:
                if other == NOBODY:
                    continue
                theirs = jobs.application[other]
                slowest = min(slowest, speeds.beside[mine, theirs])
                # the first time that it is met: what it loses by a later end
                slowed = speeds.beside[theirs, mine]
                if met[other] != mine and slowed < pace[other]:
                    age = end[other] - jobs.submit[other]
                    longer = (end[other] - now) * (pace[other] / slowed - 1.0)
                    lost += curve_value(jobs.table, other, age)
                    lost -= curve_value(jobs.table, other, age + longer)
                met[other] = mine
            speed[mine, i], loss[mine, i] = slowest, lost
    return speed, loss


@inner
def _running(
    policy: SharingPolicy, jobs: SharingJobs, state: SharingState, now: float
) -> tuple[Floats, Floats]:
    """Return speeds and ends (s) of running jobs as they are reckoned with now.

    Those that started in this pass, or beside which others did, have no settled speeds yet.
    """
    pace, end = np.ones(len(jobs.size)), np.zeros(len(jobs.size))
    for job in state.running[: state.counts[RUNNING]]:
        pace[job] = believed_speed(jobs, state, job)
        end[job] = expected_end(policy, jobs, state, job, now)
        if policy.learns_ends:
            end[job] = max(end_at(jobs, state, job, now, pace[job]), now)
    return pace, end
