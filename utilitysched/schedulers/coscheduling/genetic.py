"""Genetic search for plans of nodes that jobs share: who goes first, and who may share."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from utilitysched.kernels.fitness import Worth, readable_part
from utilitysched.kernels.operators import job_keys, random_orders
from utilitysched.kernels.seeding import DENSEST, GUESSES, WORTHIEST, informed_orders
from utilitysched.kernels.shared_plans import (
    AIMS,
    SharingProblem,
    carry_out,
    copy_present,
    have_wait,
    measure,
    measure_plans,
    play_out,
    take_as_known,
)
from utilitysched.kernels.sharing import (
    ARRIVED,
    QUEUED,
    RUNNING,
    Beliefs,
    SharedRun,
    SharingJobs,
    SharingPolicy,
    SharingState,
)
from utilitysched.kernels.stream import Words, decision_stream
from utilitysched.model.forecast import Forecast
from utilitysched.model.state import Floats, Integers, JobTable
from utilitysched.schedulers.genetic.front import Front, costs, search_front
from utilitysched.schedulers.genetic.options import GeneticOptions
from utilitysched.schedulers.genetic.toolbox import Operators


class PlanSearch:
    """Non-dominated sorting of plans whenever jobs have been submitted; see `search_front`.

    It begins with the plan last decided on, those of the other policies, and random ones.

    Parameters
    ----------
    run : SharedRun
        What is to be played; turns and sharing of its jobs are where plans are decided on.
    known : JobTable
        What jobs are worth.
    policies : list of SharingPolicy
        Whose plans the first generation has. The one that is taken is no worse in any aim than what
        the first of them does, where such a plan is found.
    aims : (tuple of str, str)
        What plans are compared by, of `AIMS`, and the one by which the best is taken, or ``knee``.
    options : GeneticOptions
        How to search.
    seed : int
        Of what is drawn.

    Attributes
    ----------
    patience : int
        Stop after so many generations without another front; 0 for never.
    """

    patience = 0

    def __init__(
        self,
        run: SharedRun,
        known: JobTable,
        policies: list[SharingPolicy],
        aims: tuple[tuple[str, ...], str],
        options: GeneticOptions,
        seed: int,
    ) -> None:
        self.run, self.known, self.policies = run, known, policies
        self.aims, self.pick = aims
        self._columns = [AIMS.index(aim) for aim in self.aims]
        self._bred = Operators(options), options
        self._seed = seed
        run.jobs.turn[:] = np.inf

    def decide(self, now: float, submitted: int) -> None:
        """Set the turns of those queued now that so many jobs have been submitted (s)."""
        problem = problem_at(now, submitted, self.run, self.known)
        queue, jobs = problem.queue, self.run.jobs
        stream = np.empty(1, dtype=np.uint64)
        decision_stream(self._seed, now, stream)
        scratch = working_memory(problem)
        plans, first = self._first(now, problem, scratch, stream)

        def measured(orders: Integers) -> Floats:
            values = np.empty((len(orders), len(AIMS)))
            measure_plans(orders, problem, scratch, values)
            asked: Floats = values[:, self._columns]
            return asked

        front = search_front(self.aims, plans, measured, self._bred, stream, self.patience)
        front = no_worse(front, first[self._columns])
        carry_out(front.orders[front.pick(self.pick)], queue, jobs)

    def _first(
        self, now: float, problem: SharingProblem, scratch: SharingState, stream: Words
    ) -> tuple[Integers, Floats]:
        """Return the plans to begin with, and what the first policy has of each of `AIMS`."""
        queue, jobs = problem.queue, self.run.jobs
        plans = [as_plan(jobs.turn[queue], jobs.apart[queue])]
        first = np.empty(len(AIMS))
        for policy in reversed(self.policies):
            play_out(problem.run, policy, scratch)
            plans.append(as_plan(scratch.start[queue], scratch.compact[queue]))
        measure(problem, scratch, first)
        if "utility" in self.aims and self.known.values.any():
            plans.extend(plans_by_value(now, problem, self.known))
        keys = job_keys(jobs.submit[queue], jobs.known[queue], jobs.size[queue])
        drawn = np.empty((max(0, self._bred[1].population - len(plans)), 2 * len(queue)), np.int64)
        random_orders(stream, np.concatenate([keys, ~keys]), drawn)
        return np.vstack([*plans, drawn]), first


def no_worse(front: Front, values: Floats) -> Front:
    """Return the plans of a front that are no worse than some values in any aim, all if none is."""
    good = (costs(front.terms, front.values) <= costs(front.terms, values)).all(axis=1)
    kept = good if good.any() else np.ones_like(good)
    return Front(front.terms, front.orders[kept], front.values[kept])


def plans_by_value(now: float, problem: SharingProblem, known: JobTable) -> Iterator[Integers]:
    """Yield plans by value density and by value, most first, with sharing and without."""
    queue, times = problem.queue, problem.run.jobs.known
    forecast = Forecast(times[:, np.newaxis], times)
    orders = np.empty((GUESSES, len(queue)), dtype=np.int64)
    informed_orders(known.submit[0] + now, queue, known, forecast, orders)
    for order in orders[[DENSEST, WORTHIEST]]:
        turn = np.argsort(order).astype(float)
        for compact in (False, True):
            yield as_plan(turn, np.full(len(queue), compact))


def as_plan(turn: Floats, compact: NDArray[np.bool_]) -> Integers:
    """Return the plan of jobs in their turn, ties as they come, with or without sharing."""
    sharing, apart = np.flatnonzero(~compact), np.flatnonzero(compact)
    order = np.argsort(turn, kind="stable")
    return np.concatenate([len(turn) + sharing, order, len(turn) + apart])


def working_memory(problem: SharingProblem) -> SharingState:
    """Return a state to play out plans in."""
    run = problem.run
    return SharingState.blank(run.nodes, run.policy, run.jobs, run.state.beliefs)


def problem_at(now: float, submitted: int, run: SharedRun, known: JobTable) -> SharingProblem:
    """Return what a search is about now that so many jobs have been submitted (s).

    Those beyond the policy's window, by arrival, are not planned.
    """
    columns: Any = (column[:submitted].copy() for column in run.jobs)
    jobs = SharingJobs(*columns)
    believed = run.state.beliefs.speeds
    beliefs = Beliefs.sure_of(believed, run.policy.threshold)
    state = SharingState.blank(run.nodes, run.policy, jobs, beliefs)
    copy_present(run.state, state)
    arrived, queued, running = run.state.counts[[ARRIVED, QUEUED, RUNNING]].tolist()
    waiting = np.concatenate([run.state.queue[:queued], np.arange(arrived, submitted)])
    queue = waiting[: run.policy.window]
    take_as_known(jobs, state, now)
    state.counts[ARRIVED] = submitted
    have_wait(state, queue, now)
    present = np.concatenate([queue, state.running[:running]])
    ends = np.zeros((len(present), 1))
    first, last = np.empty((2, len(present)), dtype=np.int64)
    readable_part(known.submit[0] + now, present, known, ends, first, last)
    worth = Worth(jobs.submit[present], ends, first, last, known.times, known.values)
    jobs = jobs._replace(work=jobs.known)
    planned = SharedRun(run.nodes, run.policy, jobs, beliefs.speeds, state)
    return SharingProblem(planned, queue, present, worth)
