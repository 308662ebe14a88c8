"""The search for plans in which running jobs are preempted (LEE 6.7)."""

from typing import NamedTuple

import numpy as np

from utilitysched.kernels.fitness import Problem, Workspace, ceiling, evaluate
from utilitysched.kernels.plan import place
from utilitysched.kernels.stream import Words
from utilitysched.model.forecast import Forecast
from utilitysched.model.state import Integers, QueueState
from utilitysched.schedulers.amounts import demand_of
from utilitysched.schedulers.genetic.genome_map import GenomeMap, Memory, not_preempted_first
from utilitysched.schedulers.genetic.initial import Seed, completed, first_generation, guessed
from utilitysched.schedulers.genetic.options import GeneticOptions
from utilitysched.schedulers.genetic.toolbox import FirstGeneration


class PreemptingPlan(NamedTuple):
    """Decisions of a preempting plan at this pass, by index in arrival order.

    Attributes
    ----------
    memory : Memory
        The plan.
    starts : (s,) int64
        Queued jobs that it starts.
    preempts : (b,) int64
        Running jobs that it preempts for them.
    """

    memory: Memory
    starts: Integers
    preempts: Integers


def nobody_preempted(line: GenomeMap, memory: Memory) -> Integers:
    """Return the order in which all running jobs stay, the queued ones as in a plan before."""
    order = completed(memory.remembered(line.movable), len(line.movable))
    first: Integers = not_preempted_first(order[np.newaxis], line.waiting)[0]
    return first


def cannot_pay(problem: Problem, without: float) -> bool:
    """Say whether no plan with a preemption is worth more than one without.

    No order is worth more than the ceiling, and one with a preemption lacks what the job adds by
    staying.
    """
    most = ceiling(problem, np.empty(len(problem.queue.size))) - problem.not_preempted.min()
    return bool(most <= without)


def first_preempting_generation(
    state: QueueState,
    forecast: Forecast,
    line: GenomeMap,
    given: list[Seed],
    options: GeneticOptions,
    stream: Words,
) -> FirstGeneration:
    """Return orders of queued and running jobs to begin with, as `first_generation` does.

    In the first of those given all running jobs stay. They stay, too, in LEE's guesses made once
    more, and in every other one of the orders drawn.
    """
    # LEE's guesses, as they are and with all running jobs staying
    waiting = line.waiting
    guesses = guessed(state, forecast, line.movable)
    staying = [
        (name, not_preempted_first(order[np.newaxis], waiting)[0]) for name, order in guesses
    ]
    seeds = [*given, *guesses, *staying]
    first = first_generation(state.known, line.movable, seeds, options, stream)
    # every other random order lets all running jobs stay
    drawn = np.arange(options.population) >= len(seeds)
    drawn[::2] = False
    first.orders[drawn] = not_preempted_first(first.orders[drawn], waiting)
    return first


def pays(order: Integers, problem: Problem, without: Integers) -> bool:
    """Say whether an order is worth more than one in which all running jobs stay.

    Compared are `without` and the order itself with all of them moved to its front.
    """
    queue = problem.queue
    waiting = len(queue.size) - queue.pinned - len(queue.later)
    not_preempted = not_preempted_first(order[np.newaxis], waiting)
    # one evaluation of the order and of both alternatives
    trial = np.vstack([order, not_preempted, without])
    fitness = np.empty(len(trial))
    evaluate(trial, problem, Workspace.empty(len(queue.size), len(queue.release_time)), fitness)
    return bool(fitness[0] > fitness[1:].max())


def carried_out(
    order: Integers, problem: Problem, line: GenomeMap, state: QueueState, memory: Memory
) -> PreemptingPlan:
    """Return what the plan of an order does now.

    Running jobs that it starts later make room only as far as is needed: in the order of their
    planned starts, each that still fits beside those that start now goes on running.

    Parameters
    ----------
    order : (n - pinned,) int64
        As `utilitysched.kernels.plan.place` takes it.
    problem, line, state : Problem, GenomeMap, QueueState
        What it is about.
    memory : Memory
        What was remembered before.
    """
    queue, jobs = problem.queue, line.job
    workspace = Workspace.empty(len(jobs), len(queue.release_time))
    start = workspace.start
    # plan of the order: which jobs start now
    immediate = place(order, queue, workspace.scratch, start, now_only=False)
    running = len(jobs) - len(line.preemptible.job)
    placed = workspace.scratch.placed[:immediate]
    starts = jobs[placed[placed < running]]
    # running jobs that the plan would start later, in that order
    later = np.setdiff1d(np.arange(running, len(jobs)), placed)
    later = later[np.argsort(start[later], kind="stable")]
    demand, free = demand_of(queue)
    preempted = jobs[_squeezed_out(later, demand, free - demand[placed].sum(axis=0))]
    # turns of preempted jobs: those still waiting, then the new ones
    by_arrival = np.argsort(jobs)
    waiting = np.setdiff1d(state.queued, starts)
    turn = np.concatenate([memory.preempted[np.isin(memory.preempted, waiting)], preempted])
    remembered = Memory(line.jobs_of(order), jobs[by_arrival], start[by_arrival], turn)
    return PreemptingPlan(remembered, starts, preempted)


def _squeezed_out(jobs: Integers, demand: Integers, free: Integers) -> Integers:
    """Return the jobs that do not fit when jobs take amounts in the given order."""
    out = []
    for job in jobs.tolist():
        if (demand[job] <= free).all():
            free = free - demand[job]
        else:
            out.append(job)
    return np.array(out, dtype=np.int64)
