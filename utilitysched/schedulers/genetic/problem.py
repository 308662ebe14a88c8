"""From the state of the queue to the problem that the search solves."""

from dataclasses import replace

import numpy as np

from utilitysched.kernels.fitness import TERMS, FitnessTerms, Problem
from utilitysched.kernels.plan import place
from utilitysched.kernels.planned_queue import PlannedQueue, Scratch
from utilitysched.model.forecast import Forecast
from utilitysched.model.state import Floats, Integers, QueueState
from utilitysched.schedulers.amounts import amounts_of
from utilitysched.schedulers.genetic.genome_map import GenomeMap, Memory, Preemptible
from utilitysched.schedulers.genetic.options import GeneticOptions
from utilitysched.schedulers.value import worth_of

_HOUR = 3600.0  # s


def problem_of(
    state: QueueState, line: GenomeMap, forecast: Forecast, memory: Memory, options: GeneticOptions
) -> Problem:
    """Return the problem of ordering a line of jobs.

    Parameters
    ----------
    state : QueueState
        What is known.
    line : GenomeMap
        The jobs.
    forecast : Forecast
        How long they may run; of running ones, how much longer.
    memory : Memory
        The plan last decided on.
    options : GeneticOptions
        Weights of the fitness, and when it reads utility functions.
    """
    queue = queue_of(state, line, forecast, options)
    # references of the terms are worked out only where a weight asks for them
    weight, nothing = {name: options.weight(name) for name in TERMS}, FitnessTerms()
    weighed = {name for name in TERMS if weight[name]}
    terms = FitnessTerms(
        **weight,
        fair_start=_fair_start(queue) if "fairness" in weighed else nothing.fair_start,
        reserved_start=(
            _reserved(queue, line, memory)
            if "predictability" in weighed
            else nothing.reserved_start
        ),
    )
    worth = worth_of(replace(state, queued=line.job), forecast, options.delays)
    return Problem(queue, worth, terms, _not_preempted(state, line.preemptible, options))


def placed(
    order: Integers, queue: PlannedQueue, job: Integers, *, now_only: bool = False
) -> tuple[Floats, Integers]:
    """Return the planned start of each job in a queue (s), and which of `job` start now.

    With `now_only`, only the latter are planned.
    """
    scratch = Scratch.empty(len(job), len(queue.release_time))
    start = np.empty(len(job))
    immediate = place(order, queue, scratch, start, now_only)
    return start, job[scratch.placed[:immediate]]


def queue_of(
    state: QueueState, line: GenomeMap, forecast: Forecast, options: GeneticOptions
) -> PlannedQueue:
    """Return the queue of a plan: jobs of the line, releases of all other running jobs."""
    queue = _requested_queue(state, line)
    if options.planning == "expected":
        return _expected_queue(queue, state, line, forecast)
    return queue


def _requested_queue(state: QueueState, line: GenomeMap) -> PlannedQueue:
    known, preemptible = state.known, line.preemptible
    size, request, count = known.size[line.job], known.request[line.job], len(preemptible.job)
    free, end, running = int(state.free), state.expected_end, state.running
    # processors of preemptible jobs count as free
    if count:
        request[-count:] = preemptible.left
        free += int(size[-count:].sum())
        fixed = preemptible.spares(running)
        end, running = end[fixed], running[fixed]
    amounts = amounts_of(state, line.job, running)
    if len(amounts.free) and count:
        amounts.free[:] += amounts.demand[len(line.job) - count : len(line.job)].sum(axis=0)
    now, later = float(state.now), preemptible.later
    held = known.size[running]
    return PlannedQueue(now, free, line.pinned, size, request, later, end, held, amounts)


def _not_preempted(state: QueueState, preemptible: Preemptible, options: GeneticOptions) -> Floats:
    """Return what plans are worth more for not preempting each of the running jobs."""
    known, job = state.known, preemptible.job
    worth: Floats = known.size[job] * preemptible.wasted * (options.lost / _HOUR)
    if "boost" in options.damping:
        begin, end = known.offsets[job], known.offsets[job + 1]
        has_curve = begin < end
        worth[has_curve] += options.weight("utility") * known.values[begin[has_curve]]
    return worth


def _reserved(queue: PlannedQueue, line: GenomeMap, memory: Memory) -> Floats:
    """Return each job's start in the plan last decided on (s); running jobs have theirs."""
    reserved = memory.reserved(line.job)
    reserved[len(reserved) - len(line.preemptible.job) :] = queue.now
    return reserved


def _fair_start(queue: PlannedQueue) -> Floats:
    """Return each job's start if the queue were placed in arrival order (s)."""
    start = np.empty(len(queue.size))
    movable, running = len(queue.size) - queue.pinned, len(queue.later)
    arrival_order = np.roll(np.arange(movable), running)  # who runs is first
    place(arrival_order, queue, Scratch.empty(len(start), len(queue.release_time)), start)
    return start


def _expected_queue(
    queue: PlannedQueue, state: QueueState, line: GenomeMap, forecast: Forecast
) -> PlannedQueue:
    """Return a queue in which every job, queued or running, takes what it is expected to."""
    preemptible = line.preemptible
    request = _expected(state, line.job, queue.request, forecast)
    later = request[len(request) - len(preemptible.job) :] + preemptible.wasted
    fixed = preemptible.spares(state.running)
    running, left = state.running[fixed], state.expected_end[fixed] - state.now
    end = state.now + _expected(state, running, left, forecast)
    by_end = np.argsort(end, kind="stable")
    return queue._replace(
        request=request,
        later=later,
        release_time=end[by_end],
        release_size=state.known.size[running][by_end],
        amounts=queue.amounts._replace(released=queue.amounts.released[by_end])
        if len(queue.amounts.free)
        else queue.amounts,
    )


def _expected(state: QueueState, jobs: Integers, left: Floats, forecast: Forecast) -> Floats:
    """Return the mean of the samples that are not over yet (s).

    The requested time left where none of them is, and of jobs of nobody in particular, such as
    processors that are down.
    """
    # samples that are over already say nothing about the rest
    samples = forecast.duration[jobs]
    ahead = np.count_nonzero(samples > 0.0, axis=1)
    mean = samples.sum(axis=1) / np.maximum(ahead, 1)
    unknown = (ahead == 0) | (state.known.user[jobs] < 0)
    expected: Floats = np.where(unknown, left, np.minimum(mean, left))
    return expected
