"""Holes and priced restarts: processors taken back from jobs that may be run again."""

from collections.abc import Mapping
from copy import copy
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from swfx import InputError
from swfx.base.configured import SHARE, Configured, flag, number, seconds, whole
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

if TYPE_CHECKING:
    from utilitysched.model.machine import ShareTable

_ANY = (0.0, 1e18)
_HOUR = 3600.0
_SWITCHES = "holes", "restarts"


@dataclass(frozen=True, kw_only=True)
class RestartOptions(Configured):
    """Terms on which re-runnable jobs run in holes, and are killed for others.

    Attributes
    ----------
    holes : bool
        Start re-runnable jobs softly on processors that stand idle in front of a reservation.
    restarts : bool
        Kill re-runnable jobs for jobs that are worth it, at a price.
    kills : int
        How often one job may be killed; after that it runs to its end.
    theta : float
        Share of what a processor-second earns at which lost work is charged.
    hole_alpha, hole_tau : float
        Weight of the value that is lost by a delay of so long (s) where holes are filled.
    horizon : float
        A displacing job's gain is over so many times the wait expected without, and 10 minutes.
    protection : float
        For how long who displaced others is not killed (s).
    kill_age : float
        Longest run that is killed of a job without checkpoints (s).
    kill_area : float
        Most that one kill loses (processor-hours).

    Examples
    --------
    >>> RestartOptions.from_text("holes=true,kills=1").kills
    1
    """

    LISTED = "utilitysched list schedulers"
    name = "restarts"

    holes: bool = flag()
    restarts: bool = flag()
    kills: int = whole(3, _ANY)
    theta: float = number(0.4, _ANY)
    hole_alpha: float = number(0.5, SHARE)
    hole_tau: float = seconds(43200.0, _ANY)
    horizon: float = number(2.0, _ANY)
    protection: float = seconds(300.0, _ANY)
    kill_age: float = seconds(43200.0, _ANY)
    kill_area: float = number(500.0, _ANY)

    @classmethod
    def split(cls, options: Mapping[str, str], source: str) -> tuple[Self, dict[str, str]]:
        """Return the options of restarts, and the other options of a scheduler.

        Raises
        ------
        InputError
            A value that does not fit, or an option that has no effect without holes and restarts.
        """
        names = cls.defaults()
        own = {name: text for name, text in options.items() if name in names}
        settings = cls.from_texts(own)
        terms = [name for name in own if name not in _SWITCHES]
        if terms and not settings.switch:
            raise InputError(
                "nobody is killed",
                source=source,
                field=terms[0],
                remedy="give holes=true or restarts=true, too",
            )
        return settings, {name: text for name, text in options.items() if name not in names}

    @property
    def switch(self) -> str:
        """The first option that is switched on, ``holes`` or ``restarts``; empty for neither."""
        return next((name for name in _SWITCHES if getattr(self, name)), "")

    def around(self, scheduler: Scheduler, label: str) -> Scheduler:
        """Return the scheduler with holes and restarts, itself if both are off.

        Raises
        ------
        InputError
            It preempts jobs itself, decides nothing, or keeps reservations that this would break.
        """
        if not self.switch:
            return scheduler
        problem, field, remedy = "", self.switch, "leave it out"
        if scheduler.preempts or not scheduler.decides:
            problem = f"{scheduler.label} decides itself who is stopped"
        elif scheduler.options.get("reserve"):
            problem = "jobs that wait for idle time are not stopped for others"
            field, remedy = "reserve", f"leave it out, or {self.switch}"
        elif scheduler.keeps_reservations:
            problem = "reservations cannot be kept where processors are taken back"
            remedy = "add replan=true"
        if problem:
            raise InputError(problem, source=label, field=field, remedy=remedy)
        return RestartingScheduler(scheduler, self, label)

    def terms(self, *, valued: bool) -> RestartTerms:
        """Return the options in the form of the kernels."""
        return RestartTerms(
            self.holes,
            self.restarts,
            valued,
            self.kills,
            self.theta,
            self.hole_alpha,
            self.hole_tau,
            self.horizon,
            self.protection,
            self.kill_age,
            self.kill_area * _HOUR,
        )


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
        """Notes of the wrapped scheduler."""
        return self.scheduler.notes

    @property
    def reading(self) -> ForecastRule | None:
        """Forecast rule of the wrapped scheduler, which ranks the queue."""
        return self.scheduler.reading

    @property
    def restart_terms(self) -> RestartTerms:
        """Restart options in the form of the kernels."""
        return self._terms

    @property
    def compiled_base(self) -> Any:
        """The scheduler itself, if it can be compiled."""
        return self.scheduler.compiled

    @property
    def reads_usage(self) -> bool:
        """Whether the wrapped scheduler reads usage."""
        return self.scheduler.reads_usage

    def shares(self, table: "ShareTable") -> "ShareTable":
        """Return shares with the weights of the wrapped scheduler."""
        return self.scheduler.shares(table)

    def prepare(self, setting: Setting) -> None:
        """Forget everything and get ready for a new workload."""
        self.scheduler.prepare(setting)
        self.starvation_threshold = self.scheduler.starvation_threshold
        self._memory = RestartMemory.blank(16)
        self._come = 0

    def fork(self, seed: int | None = None) -> Self:
        """Return a copy with the same memory, seeded anew where `seed` is given."""
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
        # decision as if jobs in holes were queued
        soft = state.running[memory.soft[state.running]]
        jobs = np.sort(np.concatenate([state.queued, soft]))
        decision = self.scheduler.decide(self._past(state, jobs, soft))
        started = np.zeros(len(memory.soft), np.bool_)
        started[decision.starts] = True
        # rank of every job for what follows
        order = _completed(decision.order, jobs)
        rank = np.empty(len(memory.soft))
        rank[order] = np.arange(len(order))
        # holes and displacements around the starts decided on
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
        # next pass: the earlier wish of both
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
        """Update the restart memory with the jobs that ended and the jobs that arrived."""
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
    """Return the queue order with unnamed jobs at the end."""
    if order is None or len(order) == len(jobs):
        return jobs if order is None else order
    return np.concatenate([order, jobs[~np.isin(jobs, order)]])
