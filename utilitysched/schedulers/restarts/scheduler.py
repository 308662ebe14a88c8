"""Holes and priced restarts around any scheduler that preempts nobody by itself."""

from collections.abc import Mapping
from copy import copy
from dataclasses import replace
from typing import Any, Self

import numpy as np

from utilitysched.kernels.restarts import (
    KILLS,
    STARTS,
    RestartPass,
    RunningJobs,
    blank_moves,
    note_end,
    take_back,
)
from utilitysched.kernels.selection import first_waiting
from utilitysched.model.forecast import ForecastRule
from utilitysched.model.restarts import RestartMemory, RestartTerms
from utilitysched.model.scheduler import Scheduler, Setting
from utilitysched.model.state import Decision, Integers, JobTable, QueueState
from utilitysched.schedulers.restarts.options import RestartOptions


class RestartingScheduler(Scheduler):
    """A scheduler that takes processors back from jobs that may be run again.

    At every pass the scheduler decides as if jobs in holes were queued and their processors free.
    Then jobs in holes give way to those that start, other re-runnable jobs start in what is left,
    and jobs that gain more by starting at once than others lose by it displace these.

    Parameters
    ----------
    scheduler : Scheduler
        What decides; it preempts nobody.
    settings : RestartOptions
        On what terms.
    label : str
        Text that makes this scheduler.
    """

    label = "restarts"
    preempts = True

    def __init__(self, scheduler: Scheduler, settings: RestartOptions, label: str) -> None:
        self.scheduler = scheduler
        self.settings = settings
        self.label = label
        self.stochastic = scheduler.stochastic
        self.rule = scheduler.rule
        self._terms = settings.terms(valued=scheduler.bids_matter)
        self.prepare(Setting(machine_size=1, longest_request=0.0, seed=0))

    @property
    def options(self) -> Mapping[str, object]:
        """Every option in force."""
        return {**self.scheduler.options, **vars(self.settings)}

    @property
    def notes(self) -> Mapping[str, object]:
        """What the wrapped scheduler notes of its decisions."""
        return self.scheduler.notes

    @property
    def reading(self) -> ForecastRule | None:
        """Forecast rule of the wrapped scheduler, which ranks the queue."""
        return self.scheduler.reading

    @property
    def restart_terms(self) -> RestartTerms:
        """The settings as the kernels take them."""
        return self._terms

    @property
    def compiled_base(self) -> Any:
        """The scheduler itself, if it can be compiled."""
        return self.scheduler.compiled

    def prepare(self, setting: Setting) -> None:
        """Forget everything and get ready for a new workload."""
        self.scheduler.prepare(setting)
        self.starvation_threshold = self.scheduler.starvation_threshold
        self._memory = RestartMemory.blank(16)
        self._come = 0

    def fork(self, seed: int | None = None) -> Self:
        """Return a scheduler that remembers as much, and draws as for `seed` from now on."""
        other = copy(self)
        other.scheduler = self.scheduler.fork(seed)
        other._memory = self._memory.longer(len(self._memory.soft))
        return other

    def withdraw(self, jobs: Integers, known: JobTable) -> None:
        """Have the wrapped scheduler forget queued jobs that are taken back."""
        self.scheduler.withdraw(jobs, known)

    def decide(self, state: QueueState) -> Decision:
        """Return the jobs to kill and to start now."""
        self._observe(state)
        memory = self._memory
        memory.soft[state.queued] = False
        soft = state.running[memory.soft[state.running]]
        jobs = np.sort(np.concatenate([state.queued, soft]))
        decision = self.scheduler.decide(self._past(state, jobs, soft))
        started = np.zeros(len(memory.soft), np.bool_)
        started[decision.starts] = True
        order = _completed(decision.order, jobs)
        rank = np.empty(len(memory.soft))
        rank[order] = np.arange(len(order))
        moves = blank_moves(len(jobs), len(state.running), state.free)
        at = RestartPass(
            state.now,
            jobs,
            state.known,
            self._running(state),
            memory,
            self.restart_terms,
            moves,
        )
        wake_up = take_back(at, first_waiting(jobs, rank[jobs], started), started)
        if decision.wake_up is not None:
            wake_up = min(wake_up, decision.wake_up)
        kills = moves.counts[KILLS]
        return Decision(
            np.sort(moves.start[: moves.counts[STARTS]]),
            None if wake_up == np.inf else wake_up,
            order[np.isin(order, state.queued)],
            moves.kill[:kills],
            moves.cause[:kills],
            moves.loss[:kills],
        )

    def _observe(self, state: QueueState) -> None:
        """Learn from the jobs that ended, and enter those that came."""
        self._come = max(self._come, int(state.queued[-1]) + 1)
        jobs = len(state.known.submit)
        if jobs > len(self._memory.soft):
            self._memory = self._memory.longer(2 * jobs)
        memory, rules = self._memory, state.stops
        # it may take over a queue: who was there before is known by what is left of it
        for seen in (state.queued, state.running[state.running < self._come], state.finished):
            new = seen[memory.requested[seen] == 0.0]
            memory.requested[new] = state.known.request[new]
            memory.kills[new] = rules.preemptions[new]
        ended = state.finished_end
        if ended is None:
            ended = np.full(len(state.finished), state.now)
        columns = state.finished.tolist(), state.finished_run.tolist(), ended.tolist()
        for job, run, end in zip(*columns, strict=True):
            note_end(state.known, memory, self.restart_terms, job, run, end)

    def _past(self, state: QueueState, jobs: Integers, soft: Integers) -> QueueState:
        """Return the state in which jobs in holes are queued, with the rest of their requests."""
        stays = ~np.isin(state.running, soft)
        known, rules = state.known, state.stops
        if len(soft):
            request = known.request.copy()
            request[soft] = np.maximum(request[soft] - (state.now - rules.last_start[soft]), 0.0)
            known = known._replace(request=request)
        return replace(
            state,
            free=state.free + int(known.size[soft].sum()),
            queued=jobs,
            running=state.running[stays],
            expected_end=state.expected_end[stays],
            known=known,
            preemption=None,
            disrupted=True,
            outlasted=self._memory.outlasted,
        )

    def _running(self, state: QueueState) -> RunningJobs:
        rules = state.stops
        # outages under way have rows behind all jobs
        stopped = ~np.isnan(rules.last_start[: self._come])
        number = np.arange(self._come)
        columns = rules.last_start, rules.interval, rules.overhead, rules.paid
        return RunningJobs(state.running, state.expected_end, *columns, stopped, number)


def _completed(order: Integers | None, jobs: Integers) -> Integers:
    """Return the queue order, jobs that it does not name behind all others."""
    if order is None or len(order) == len(jobs):
        return jobs if order is None else order
    return np.concatenate([order, jobs[~np.isin(jobs, order)]])
