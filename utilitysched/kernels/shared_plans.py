"""Plans of nodes that jobs share: the event loop run on from the present, and what comes of it.

A plan is an order of 2 k numbers for k queued jobs. A number below k is a job, in the turn in which
it is looked at; k + i is leave for job i to share: before the job, it has it, behind, the job is
placed compact. So whatever acts on orders acts on plans, and what both parents of a child agree on,
zipping them leaves as it is.
"""

from typing import NamedTuple

import numpy as np
from numba import njit

from utilitysched.kernels.fitness import Worth, planned_utility
from utilitysched.kernels.progress import ALL_PASSES
from utilitysched.kernels.sharing import (
    QUEUED,
    RUNNING,
    TICK,
    SharedRun,
    SharingJobs,
    SharingPolicy,
    SharingState,
    advance_sharing,
    on_tick,
)
from utilitysched.model.state import Floats, Integers

AIMS = ("utility", "makespan", "slowdown")
"""What plans are compared by, as `measure` has them; all but the first the less the better."""


class SharingProblem(NamedTuple):
    """What a search for the best plan is about.

    Attributes
    ----------
    run : SharedRun
        The present as the scheduler knows it: all who wait have arrived and wake up now, and jobs
        take what they are reckoned to. Turns and sharing are overwritten.
    queue : (k,) int64
        Queued jobs to be put in order.
    present : (m,) int64
        They, and those that run.
    worth : Worth
        What those are worth, by when they end.
    """

    run: SharedRun
    queue: Integers
    present: Integers
    worth: Worth


@njit(cache=True)
def carry_out(order: Integers, queue: Integers, jobs: SharingJobs) -> None:
    """Fill in the turn of each job of a queue, and whether it is placed compact."""
    count = len(queue)
    place = np.empty(2 * count, np.int64)
    for i in range(2 * count):
        place[order[i]] = i
    for i in range(count):
        jobs.turn[queue[i]] = place[i]
        jobs.apart[queue[i]] = place[count + i] > place[i]


@njit(cache=True)
def copy_present(present: SharingState, state: SharingState) -> None:
    """Copy whatever plans go on from: who is where, and how far; maybe of fewer jobs."""
    jobs = len(state.start)
    state.counts[:] = present.counts
    state.queue[:] = present.queue[:jobs]
    state.running[:] = present.running[:jobs]
    state.halves[:] = present.halves
    state.start[:] = present.start[:jobs]
    state.end[:] = present.end[:jobs]
    state.left[:] = present.left[:jobs]
    state.since[:] = present.since[:jobs]
    state.speed[:] = present.speed[:jobs]
    state.guess[:] = present.guess[:jobs]
    state.beside[:] = present.beside[:jobs]
    state.met[:] = present.met[:jobs]
    state.reckoned[:] = present.reckoned[:jobs]
    state.compact[:] = present.compact[:jobs]
    state.wake_up[:] = present.wake_up


@njit(cache=True)
def take_as_known(jobs: SharingJobs, state: SharingState, now: float) -> None:
    """Have running jobs go on as fast as is believed, by the run times that are reckoned with (s).

    They end later than now, however long they have run already.
    """
    for job in state.running[: state.counts[RUNNING]]:
        speed, unknown = state.guess[job], jobs.known[job] - jobs.work[job]
        if speed == state.speed[job] and unknown == 0.0:
            continue
        done = (now - state.since[job]) * state.speed[job]
        state.left[job] = max(state.left[job] - done + unknown, TICK)
        state.since[job] = now
        state.speed[job] = speed
        end = min(on_tick(now + state.left[job] / speed), state.start[job] + jobs.limit[job])
        state.end[job] = max(end, now + TICK)


@njit(cache=True)
def have_wait(state: SharingState, queue: Integers, now: float) -> None:
    """Have jobs in the queue, in this order, and wake up now (s)."""
    state.queue[: len(queue)] = queue
    state.counts[QUEUED] = len(queue)
    state.wake_up[0] = now


@njit(cache=True)
def play_out(run: SharedRun, policy: SharingPolicy, state: SharingState) -> None:
    """Fill in the state at the end of all jobs, by any policy."""
    copy_present(run.state, state)
    # numba would compile the loop anew for a literal number
    passes = int(ALL_PASSES)
    advance_sharing(run.nodes, policy, run.jobs, run.speeds, state, passes, np.inf)


@njit(cache=True)
def measure(problem: SharingProblem, state: SharingState, value: Floats) -> None:
    """Fill in what a plan played out has of each of `AIMS`.

    The utility of all present jobs (SU), when the last of them ends (s), and the mean slowdown by
    the run times that they had, of those that had one.
    """
    present, submit = problem.present, problem.run.jobs.submit
    end = state.end[present]
    value[0] = planned_utility(end, problem.worth)
    value[1] = end.max()
    slowdown, count = 0.0, 0
    for job in present:
        lasted = state.end[job] - state.start[job]
        if lasted > 0.0:
            slowdown += (state.end[job] - submit[job]) / lasted
            count += 1
    value[2] = slowdown / max(count, 1)


@njit(cache=True)
def measure_plans(
    orders: Integers, problem: SharingProblem, state: SharingState, values: Floats
) -> None:
    """Play out every plan (P, 2 k) and fill `values` (P, 3); `state` is working memory."""
    queue, run = problem.queue, problem.run
    for row in range(len(orders)):
        carry_out(orders[row], queue, run.jobs)
        i = 0
        for number in orders[row]:
            if number < len(queue):
                run.state.queue[i] = queue[number]  # in turn, so that nothing is left to sort
                i += 1
        play_out(run, run.policy, state)
        measure(problem, state, values[row])
