"""Compiled local search for queue orders, in several queues of the same jobs at once.

What is compared between two queues is a small difference of large values, and an improvement that
is found in one of them and overlooked in the other would be taken for a difference. So every order
that is looked at is judged in all queues: each gets the best of one and the same set of orders.

No literal and no row of `for row in orders` is handed on: numba would take them for types of their
own, and compile all that is below a second time.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from utilitysched.kernels.compiling import inner, kernel
from utilitysched.kernels.fitness import (
    Worth,
    lone_starts,
    mark_preempted,
    planned_utility,
    planned_values,
)
from utilitysched.kernels.plan import place
from utilitysched.kernels.planned_queue import PlannedQueue, Scratch
from utilitysched.model.state import Floats, Integers

REACH = 4
"""Places in front that jobs are tried at: who is there decides what can start soon."""


class Objective(NamedTuple):
    """What plans are judged by.

    Attributes
    ----------
    worth : Worth
        What the jobs are worth.
    not_preempted : (b,) float64
        What each of the last b jobs, which are running and may be preempted, adds to plans in which
        it goes on running (SU).
    """

    worth: Worth
    not_preempted: Floats


class Incumbent(NamedTuple):
    """The best order found for each of Q queues of n jobs.

    Attributes
    ----------
    order : (Q, n - pinned) int64
        As `utilitysched.kernels.plan.place` takes it.
    value : (Q,) float64
        What its plan is worth, with what is added for running jobs (SU).
    """

    order: Integers
    value: Floats


class SearchWorkspace(NamedTuple):
    """Working memory of `refine`: for `place`, an order, a number per job, who is preempted."""

    scratch: Scratch
    trial: Integers
    start: Floats
    most: Floats
    gets: Floats
    preempted: NDArray[np.bool_]


@kernel
def value_of(
    order: Integers, queue: PlannedQueue, objective: Objective, workspace: SearchWorkspace
) -> float:
    """Return what the plan of an order is worth (SU); the plan is in `workspace` then."""
    immediate = place(order, queue, workspace.scratch, workspace.start)
    value = planned_utility(workspace.start, objective.worth)
    mark_preempted(immediate, queue, workspace.scratch, workspace.preempted)
    for i in range(len(objective.not_preempted)):
        if not workspace.preempted[i]:
            value += objective.not_preempted[i]
    return value


@inner
def judge(
    order: Integers,
    queues: tuple[PlannedQueue, ...],
    objective: Objective,
    incumbent: Incumbent,
    workspace: SearchWorkspace,
) -> None:
    """Place an order in every queue, and keep it where it is worth most so far."""
    for k in range(len(queues)):
        value = value_of(order, queues[k], objective, workspace)
        if value > incumbent.value[k]:
            incumbent.value[k] = value
            incumbent.order[k] = order


@inner
def advance(
    position: int,
    k: int,
    queues: tuple[PlannedQueue, ...],
    objective: Objective,
    incumbent: Incumbent,
    workspace: SearchWorkspace,
) -> bool:
    """Let the job at `position` go ahead in queue k, and say whether that was worth more.

    From the front on it is put before each of the first jobs ahead of it, and then made to change
    places with that job, until something is worth more than the best order found, which that
    replaces.
    """
    trial = workspace.trial
    before = incumbent.value[k]
    for target in range(min(position, REACH)):
        # put ahead: those between move back by one
        trial[:] = incumbent.order[k]
        for i in range(position, target, -1):
            trial[i] = trial[i - 1]
        trial[target] = incumbent.order[k, position]
        judge(trial, queues, objective, incumbent, workspace)
        if incumbent.value[k] > before:
            return True
        if target == position - 1:
            break  # changing places with the neighbour was this
        # change places: those between stay where they are
        trial[:] = incumbent.order[k]
        trial[target], trial[position] = trial[position], trial[target]
        judge(trial, queues, objective, incumbent, workspace)
        if incumbent.value[k] > before:
            return True
    return False


@inner
def climb(
    k: int,
    queues: tuple[PlannedQueue, ...],
    objective: Objective,
    incumbent: Incumbent,
    workspace: SearchWorkspace,
) -> None:
    """Let jobs of queue k go ahead until none makes its best order worth more by that.

    A job whose planned start is worth as much to it as a start alone on the machine stays where it
    is: what it stands in the way of is found by moving those that lose. So does a running job that
    goes on running.
    """
    queue, worth = queues[k], objective.worth
    lone_starts(queue, workspace.start)
    planned_values(workspace.start, worth, workspace.most)
    jobs, running = incumbent.order.shape[1], len(queue.size) - len(queue.later)
    turn = unchanged = 0
    while unchanged < jobs:
        position = turn % jobs
        # a new best order: plan it to see what each job gets; whoever is preempted loses anyway
        if unchanged == 0:
            value_of(incumbent.order[k], queue, objective, workspace)
            planned_values(workspace.start, worth, workspace.gets)
            for i in range(len(queue.later)):
                if workspace.preempted[i]:
                    workspace.gets[running + i] = -np.inf
        # one step ahead for a job that loses
        job = incumbent.order[k, position] + queue.pinned
        loses = workspace.gets[job] < workspace.most[job]
        advanced = loses and advance(position, k, queues, objective, incumbent, workspace)
        unchanged = 0 if advanced else unchanged + 1
        turn += 1


@inner
def climb_all(
    order: Integers,
    queues: tuple[PlannedQueue, ...],
    objective: Objective,
    incumbent: Incumbent,
    workspace: SearchWorkspace,
) -> None:
    """Search all queues, beginning at one order.

    Queues are climbed in turn, each from the best order found for it, which may have come up while
    another one was climbed, until none has a better one than when it was climbed last.
    """
    judge(order, queues, objective, incumbent, workspace)
    climbed = np.full(len(queues), -np.inf)
    searching = True
    while searching:
        searching = False
        for k in range(len(queues)):
            if incumbent.value[k] > climbed[k]:
                climb(k, queues, objective, incumbent, workspace)
                climbed[k] = incumbent.value[k]
                searching = True
                break  # earlier queues may have got a better order by that


@kernel
def blank_workspace(
    scratch: Scratch, objective: Objective, movable: int, jobs: int
) -> SearchWorkspace:
    """Return working memory for orders of so many of the jobs."""
    number = np.empty((3, jobs))
    preempted = np.empty(len(objective.not_preempted), np.bool_)
    trial = np.empty(movable, np.int64)
    return SearchWorkspace(scratch, trial, number[0], number[1], number[2], preempted)


@inner
def ceiling(queue: PlannedQueue, objective: Objective, workspace: SearchWorkspace) -> float:
    """Return what no plan exceeds: all get what they would alone, and nobody is preempted (SU)."""
    lone_starts(queue, workspace.start)
    most = planned_utility(workspace.start, objective.worth)
    for value in objective.not_preempted:
        most += value
    return most


@kernel
def refine(
    orders: Integers,
    queues: tuple[PlannedQueue, ...],
    objective: Objective,
    scratch: Scratch,
    start: Floats,
) -> Incumbent:
    """Search for the order that is worth most in each of several queues of the same jobs.

    Parameters
    ----------
    orders : (P, n - pinned) int64
        Orders to begin with, one after the other, as `utilitysched.kernels.plan.place` takes them.
        The rest are left out once every job of every queue gets what it would alone.
    queues : tuple of Q PlannedQueue
        They differ in the machine or the time, not in the jobs.
    objective : Objective
        What the jobs are worth.
    scratch : Scratch
        Working memory, enough for every queue.
    start : (Q, n) float64
        Filled with the planned starts of the best order found for each queue (s).

    Returns
    -------
    Incumbent
        These orders.
    """
    count, jobs = len(queues), start.shape[1]
    best = Incumbent(np.empty((count, orders.shape[1]), np.int64), np.full(count, -np.inf))
    workspace = blank_workspace(scratch, objective, orders.shape[1], jobs)
    for begin in range(len(orders)):
        # climb from this beginning in all queues
        incumbent = Incumbent(np.empty_like(best.order), np.full(count, -np.inf))
        climb_all(orders[begin], queues, objective, incumbent, workspace)
        # keep what is best in each, and stop once nothing can be better anywhere
        unreached = 0
        for k in range(count):
            if incumbent.value[k] > best.value[k]:
                best.value[k] = incumbent.value[k]
                best.order[k] = incumbent.order[k]
            unreached += best.value[k] < ceiling(queues[k], objective, workspace)
        if unreached == 0:
            break
    # plan the best orders
    for k in range(count):
        place(best.order[k], queues[k], scratch, start[k])
    return best
