"""Compiled fitness of queue orders: what the plan that each order leads to is worth.

Jobs are added up in queue order, never in the order being judged, so that two orders with the
same plan have the same fitness to the last bit.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from utilitysched.kernels.compiling import kernel, leaf, leaf_kernel
from utilitysched.kernels.curves import between
from utilitysched.kernels.machine.plan import lone_starts_of_amounts
from utilitysched.kernels.plan import place
from utilitysched.kernels.planned_queue import PlannedAmounts, PlannedQueue, Scratch
from utilitysched.kernels.selection import stable_order
from utilitysched.model.state import Floats, Integers, JobTable

_SLOWDOWN_FLOOR = 10.0  # s; semantics, section 9: tau of the bounded slowdown

TERMS = ("utility", "wait", "slowdown", "longest", "fairness", "predictability", "large")
"""Terms of the fitness, in the order of `measure`: all but the first are charged for."""

_NOTHING = np.empty(0)


class FitnessTerms(NamedTuple):
    """Weights of the terms of the fitness, and what some of them compare with.

    Terms that compare with nothing given are 0.

    Attributes
    ----------
    utility : float
        Weight of the planned aggregate utility (SU).
    wait : float
        Charge per second of mean wait.
    slowdown : float
        Charge per unit of mean bounded slowdown.
    longest : float
        Charge per second of the longest wait.
    fairness : float
        Charge per second of mean delay beyond `fair_start`.
    predictability : float
        Charge per second of mean delay beyond `reserved_start`.
    large : float
        Charge per second of mean wait, the jobs weighted by their processors.
    fair_start : (n,) float64
        Start of each job if the queue were placed in arrival order (s).
    reserved_start : (n,) float64
        Start of each job in the plan last decided on (s), infinity for a job that was not in it.
    """

    utility: float = 1.0
    wait: float = 0.0
    slowdown: float = 0.0
    longest: float = 0.0
    fairness: float = 0.0
    predictability: float = 0.0
    large: float = 0.0
    fair_start: Floats = _NOTHING
    reserved_start: Floats = _NOTHING


class Worth(NamedTuple):
    """What each queued job is worth if it starts at some time from now on.

    Attributes
    ----------
    submit : (n,) float64
        Submit times (s).
    duration : (n, K) float64
        Samples of how long each job may run (s).
    first, last : (n,) int64
        The part of `times` (s since submit) and `values` (SU) in which job i's utility function
        can still be read: `times[first[i]:last[i]]`, empty if it is worth nothing any more.
    times, values : (m,) float64
        Points of all utility functions.
    """

    submit: Floats
    duration: Floats
    first: Integers
    last: Integers
    times: Floats
    values: Floats


class Problem(NamedTuple):
    """What a search for the best order is about.

    Attributes
    ----------
    queue : PlannedQueue
        The queue.
    worth : Worth
        What its jobs are worth.
    terms : FitnessTerms
        What a plan is worth.
    not_preempted : (b,) float64
        What each of the b running jobs that may be preempted adds to the fitness of plans in which
        it goes on running.
    """

    queue: PlannedQueue
    worth: Worth
    terms: FitnessTerms
    not_preempted: Floats


class Workspace(NamedTuple):
    """Working memory of `evaluate`.

    For `place`, for the planned starts (n,) (s), and for who is preempted (n,).
    """

    scratch: Scratch
    start: Floats
    preempted: NDArray[np.bool_]

    @classmethod
    def empty(cls, queued: int, running: int) -> "Workspace":
        """Return working memory for so many jobs."""
        preempted = np.empty(queued, dtype=np.bool_)
        return cls(Scratch.empty(queued, running), np.empty(queued), preempted)


@leaf_kernel
def readable_part(
    now: float, jobs: Integers, known: JobTable, duration: Floats, first: Integers, last: Integers
) -> None:
    """Fill the ranges of `Worth`: leave out what lies before every start from `now` (s) on."""
    for i in range(len(jobs)):
        job = jobs[i]
        least = duration[i, 0]
        for k in range(1, duration.shape[1]):
            least = min(least, duration[i, k])
        age = now - known.submit[job] + least
        low, high = known.offsets[job], known.offsets[job + 1]
        while low < high - 1 and known.times[low + 1] <= age:
            low += 1
        over = low == high or age > known.times[high - 1]
        first[i] = low
        last[i] = low if over else high


@leaf_kernel
def planned_utility(start: Floats, worth: Worth) -> float:
    """Return the aggregate utility of planned starts: sum_j mean_k u_j(start + d_jk - r_j) (SU).

    Curves are read as in `utilitysched.kernels.curves`, zero after the last point.
    """
    times, values = worth.times, worth.values
    submit, duration, first, behind = worth.submit, worth.duration, worth.first, worth.last
    samples = duration.shape[1]
    total = 0.0
    for i in range(len(start)):
        last = behind[i] - 1
        point = first[i]
        if last < point:
            continue
        # the mean over the samples of how long the job may run
        wait = start[i] - submit[i]
        value = 0.0
        for k in range(samples):
            age = wait + duration[i, k]
            if age >= times[last]:
                value += values[last] if age == times[last] else 0.0
                continue
            # the segment of the curve in which the job would end
            after = point + 1
            while times[after] <= age:
                after += 1
            value += between(times[after - 1], values[after - 1], times[after], values[after], age)
        total += value / samples
    return total


@kernel
def planned_values(start: Floats, worth: Worth, value: Floats) -> None:
    """Fill in what each job adds to `planned_utility` (SU)."""
    for i in range(len(start)):
        only = slice(i, i + 1)
        one = Worth(
            worth.submit[only],
            worth.duration[only],
            worth.first[only],
            worth.last[only],
            worth.times,
            worth.values,
        )
        value[i] = planned_utility(start[only], one)


@kernel
def measure(start: Floats, problem: Problem, value: Floats) -> None:
    """Fill in what planned starts have of each of `TERMS`, (7,).

    The planned utility (SU); then, with w = start - submit and p~ how long plans take a job to run,
    means over the queued jobs: mean w, mean s with s = max(1, (w + p~) / max(p~, 10 s)), max w,
    mean max(0, start - fair start), mean max(0, start - reserved start), sum q w / sum q.
    """
    queue, terms = problem.queue, problem.terms
    submit, jobs = problem.worth.submit, len(start)
    value[:] = 0.0
    value[0] = planned_utility(start, problem.worth)
    area = processors = 0.0
    for i in range(jobs):
        waited = start[i] - submit[i]
        request = queue.request[i]
        value[1] += waited / jobs
        value[2] += max(1.0, (waited + request) / max(request, _SLOWDOWN_FLOOR)) / jobs
        value[3] = max(value[3], waited)
        if len(terms.fair_start) > 0:
            value[4] += max(0.0, start[i] - terms.fair_start[i]) / jobs
        if len(terms.reserved_start) > 0:
            value[5] += max(0.0, start[i] - terms.reserved_start[i]) / jobs
        area += queue.size[i] * waited
        processors += queue.size[i]
    value[6] = area / processors


@leaf
def are_charged(terms: FitnessTerms) -> bool:
    """Return whether any term but the utility has a weight."""
    return (
        terms.wait != 0.0
        or terms.slowdown != 0.0
        or terms.longest != 0.0
        or terms.fairness != 0.0
        or terms.predictability != 0.0
        or terms.large != 0.0
    )


@leaf
def weighted(value: Floats, terms: FitnessTerms) -> float:
    """Return the fitness of what `measure` finds."""
    charged = (
        terms.wait * value[1]
        + terms.slowdown * value[2]
        + terms.longest * value[3]
        + terms.fairness * value[4]
        + terms.predictability * value[5]
        + terms.large * value[6]
    )
    return terms.utility * value[0] - charged


@leaf_kernel
def mark_preempted(
    immediate: int, queue: PlannedQueue, scratch: Scratch, preempted: NDArray[np.bool_]
) -> None:
    """Mark the running jobs that are not among the first `immediate` that the plan starts."""
    running = len(queue.size) - len(queue.later)
    preempted[: len(queue.later)] = True
    for k in range(immediate):
        if scratch.placed[k] >= running:
            preempted[scratch.placed[k] - running] = False


@kernel
def evaluate(population: Integers, problem: Problem, workspace: Workspace, fitness: Floats) -> None:
    """Place every order of a (P, n - pinned) population and fill `fitness` (P,)."""
    terms = problem.terms
    charged, value = are_charged(terms), np.empty(7)
    # a literal would be compiled for anew
    now_only: Any = np.bool_(False)
    start = workspace.start
    for row in range(len(population)):
        immediate = place(population[row], problem.queue, workspace.scratch, start, now_only)
        if charged:
            measure(start, problem, value)
            fitness[row] = weighted(value, terms)
        else:
            fitness[row] = terms.utility * planned_utility(start, problem.worth)
        # who goes on running adds what stopping would lose
        if len(problem.not_preempted) > 0:
            mark_preempted(immediate, problem.queue, workspace.scratch, workspace.preempted)
            for i in range(len(problem.not_preempted)):
                if not workspace.preempted[i]:
                    fitness[row] += problem.not_preempted[i]


def worth_of_order(order: Integers, problem: Problem) -> float:
    """Return the fitness of one order."""
    fitness = np.empty(1)
    jobs, running = len(problem.queue.size), len(problem.queue.release_time)
    evaluate(order[np.newaxis], problem, Workspace.empty(jobs, running), fitness)
    return float(fitness[0])


@leaf_kernel
def ceiling(problem: Problem, start: Floats) -> float:
    """Return a fitness that no order exceeds: each job starts as if no other were in the queue.

    Curves never rise, so an earlier start is never worth less, and sums of rounded numbers keep
    that. Where there are charges nothing is known: infinity. `start` is working memory.
    """
    queue, terms = problem.queue, problem.terms
    if are_charged(terms) or terms.utility < 0.0:
        return np.inf
    lone_starts(queue, start)
    most = terms.utility * planned_utility(start, problem.worth)
    for value in problem.not_preempted:
        most += value
    return most


@leaf
def lone_starts(queue: PlannedQueue, start: Floats) -> None:
    """Fill in when each job would start if no other were in the queue (s)."""
    if len(queue.amounts.free) > 0:
        lone_starts_of_amounts(queue, start)
        return
    release_time, release_size = queue.release_time, queue.release_size
    for i in range(len(start)):
        start[i] = queue.now
        free = queue.free
        k = 0
        while free < queue.size[i]:
            start[i] = release_time[k]
            free += release_size[k]
            k += 1


@kernel
def lone_values(queue: PlannedQueue, worth: Worth) -> Floats:
    """Return what each job would get if no other were in the queue (SU): the most it can."""
    start = np.empty(len(queue.size))
    lone_starts(queue, start)
    values = np.empty(len(start))
    planned_values(start, worth, values)
    return values


@kernel
def only(queue: PlannedQueue, kept: NDArray[np.bool_]) -> PlannedQueue:
    """Return the queue of some of its jobs."""
    amounts = queue.amounts
    if len(amounts.free) > 0:
        rows = np.concatenate((kept, np.ones(len(amounts.released), np.bool_)))
        amounts = PlannedAmounts(
            amounts.demand[rows],
            amounts.exempt[rows],
            amounts.released - np.count_nonzero(~kept),
            amounts.free,
            amounts.begin,
            amounts.end,
            amounts.left,
            amounts.work,
        )
    return PlannedQueue(
        queue.now,
        queue.free,
        int(np.count_nonzero(kept[: queue.pinned])),
        queue.size[kept],
        queue.request[kept],
        queue.later[kept[len(kept) - len(queue.later) :]],
        queue.release_time,
        queue.release_size,
        amounts,
    )


@kernel
def worth_of_only(worth: Worth, kept: NDArray[np.bool_]) -> Worth:
    """Return what some of the jobs are worth."""
    return Worth(
        worth.submit[kept],
        worth.duration[kept],
        worth.first[kept],
        worth.last[kept],
        worth.times,
        worth.values,
    )


@kernel
def occupied(queue: PlannedQueue, size: Integers, duration: Floats) -> PlannedQueue:
    """Return the queue with free processors in use from now on: `size` each for `duration` (s).

    Several resources are left as they are: see `PlannedAmounts.occupied`.
    """
    time = np.concatenate((queue.release_time, queue.now + duration))
    held = np.concatenate((queue.release_size, size))
    by_time = stable_order(time)
    return PlannedQueue(
        queue.now,
        queue.free - size.sum(),
        queue.pinned,
        queue.size,
        queue.request,
        queue.later,
        time[by_time],
        held[by_time],
        queue.amounts,
    )
