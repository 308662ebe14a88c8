"""Online selection: the ordering is chosen anew at the start of every period (GAUSSIER 5)."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import NamedTuple, Self

import numpy as np

from swfx import InputError
from swfx.base.configured import SHARE, Configured, choice, number, option, seconds
from utilitysched.kernels.progress import ALL_PASSES, Progress
from utilitysched.kernels.trials import AIMS, costs
from utilitysched.model.arrivals import Arrivals
from utilitysched.model.scheduler import Scheduler, Setting
from utilitysched.model.scheduling_pass import NEVER_STARVED, Threshold, threshold_text
from utilitysched.model.state import Decision, Floats, Integers, JobTable, QueueState
from utilitysched.schedulers.list_options import list_scheduler
from utilitysched.schedulers.list_scheduler import ListScheduler
from utilitysched.schedulers.loop_parts import LoopParts
from utilitysched.schedulers.orderings import orderings
from utilitysched.schedulers.registry import scheduler
from utilitysched.schedulers.selection.bandits import CHOICES, Evidence, exp3_update

FAMILY = "select"

FEEDBACK = ("bandit", "full", "noisy")
CHOOSERS = ("greedy", "ucb1", "thompson", "exp3")
COSTS = ("wait", "slowdown", "lost-value")

PUBLISHED = ("fcfs", "lcfs", "spf", "lpf", "lqf", "sqf", "lexp", "sexp", "lrf", "srf", "laf", "saf")
"""Orderings of GAUSSIER 4.1."""


def policy(name: str, limit: Threshold = NEVER_STARVED) -> Scheduler:
    """Make what a policy is: an ordering with EASY placement, or any scheduler by its text."""
    # the registry imports this family
    from utilitysched.schedulers.registry import make_scheduler  # noqa: PLC0415

    if name in orderings():
        if orderings()[name].in_python or orderings()[name].reads_usage:
            problem, remedy = "has to be asked at every pass", "choose among compiled orderings"
            raise InputError(problem, source=name, field="policies", remedy=remedy)
        limited = {} if limit == NEVER_STARVED else {"threshold": str(limit)}
        return list_scheduler(name, name, {"placement": "easy", **limited})
    scheduler = make_scheduler(name)
    if scheduler.preempts:
        raise InputError(f"{name} preempts jobs", remedy="give schedulers that do not")
    return scheduler


def _policies(text: str) -> tuple[str, ...]:
    names = tuple(text.split("+"))
    if len(set(names)) < max(2, len(names)):
        raise InputError(f"{text!r} is not two orderings or more", remedy="write fcfs+saf")
    for name in names:
        policy(name)
    return names


@dataclass(frozen=True, kw_only=True)
class SelectionOptions(Configured):
    """Options of online selection: policies, feedback, choice, and cost of a job.

    Attributes
    ----------
    policies : tuple of str
        Orderings with EASY placement, as in ``fcfs+spf+saf``, or schedulers with their options.
    feedback : str
        What is known of a period that is over: what the jobs that ended in it cost under the
        ordering in use (``bandit``), or what every ordering would have cost the jobs submitted in
        it, simulated from an empty machine (``full``), each cost times a number drawn between 0.85
        and 1.15 (``noisy``).
    choose : str
        How bandits choose: ``greedy``, ``ucb1``, ``thompson`` or ``exp3``.
    cost : str
        Of a job: its wait (s), its bounded slowdown, or the value lost by waiting (SU).
    period : float
        Between two choices (s).
    epsilon : float
        How often ``greedy`` chooses at random; the mixing rate of ``exp3``.
    decay : float
        What a period's costs count for in the next one.
    threshold : Threshold
        Jobs that have waited longer go first.

    Examples
    --------
    >>> SelectionOptions.from_text("policies=fcfs+saf,period=7d").period
    604800.0
    """

    LISTED = "utilitysched list schedulers"
    name = FAMILY

    policies: tuple[str, ...] = option(_policies, PUBLISHED, "+".join)
    feedback: str = choice(FEEDBACK, "bandit")
    choose: str = choice(CHOOSERS, "greedy")
    cost: str = choice(COSTS, "wait")
    period: float = seconds(86_400.0, (60.0, math.inf))
    epsilon: float = number(0.1, SHARE)
    decay: float = number(1.0, SHARE)
    threshold: Threshold = option(Threshold.parse, NEVER_STARVED, threshold_text)

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.feedback != "bandit" and self.choose != "greedy":
            raise InputError(
                "all orderings are known, none has to be tried",
                source=FAMILY,
                field="choose",
                remedy="leave it out, or give feedback=bandit",
            )
        plain = all(name in orderings() for name in self.policies)
        if not plain and self.threshold != NEVER_STARVED:
            raise InputError(
                "is for orderings alone",
                source=FAMILY,
                field="threshold",
                remedy="write it into policies, as in [saf:threshold=1d+ga]",
            )
        if self.feedback != "bandit" and any(policy(p).compiled is None for p in self.policies):
            raise InputError(
                "what a search would have cost is not simulated",
                source=FAMILY,
                field="feedback",
                remedy="give feedback=bandit",
            )


NOISE = (0.85, 1.15)
"""By what simulated costs are multiplied under noisy feedback (GAUSSIER 5.2)."""


class PastJobs(NamedTuple):
    """Starts, ends and run times of jobs in arrival order; NaN where unknown.

    Attributes
    ----------
    start, end : (n,) float64
        When each started and ended (s).
    run : (n,) float64
        For how long each ran (s).
    """

    start: Floats
    end: Floats
    run: Floats


@scheduler(
    FAMILY,
    options=SelectionOptions,
    summary="the ordering that cost least so far, chosen anew every day or week",
    kind="selection",
)
class SelectionScheduler(Scheduler):
    """Orderings with EASY placement, one at a time.

    Parameters
    ----------
    settings : SelectionOptions
        What is chosen among, and by what.
    label : str
        What it is called.

    Attributes
    ----------
    members : list of Scheduler
        The policies.
    choices : list of (float, str)
        When a period began (s), and the ordering chosen for it.
    """

    def __init__(self, settings: SelectionOptions, label: str) -> None:
        self.settings = settings
        self.label = label
        self.members = [policy(name, settings.threshold) for name in settings.policies]
        self.stochastic = settings.epsilon > 0 or settings.choose in ("thompson", "exp3")
        if settings.feedback != "bandit":
            self.stochastic = settings.feedback == "noisy"
        self.stochastic = self.stochastic or any(member.stochastic for member in self.members)
        self.prepare(Setting(machine_size=1, longest_request=0.0, seed=0))

    @property
    def options(self) -> Mapping[str, object]:
        """Every option in force."""
        options = asdict(self.settings)
        policies = "+".join(self.settings.policies)
        return {**options, "policies": policies, "threshold": str(self.settings.threshold)}

    def prepare(self, setting: Setting) -> None:
        """Forget everything and get ready for a new workload."""
        for member in self.members:
            member.prepare(setting)
        self.starvation_threshold = self.members[0].starvation_threshold
        self._seed = setting.seed
        self._evidence = Evidence.none(len(self.members))
        self._costs = np.zeros(len(self.members))
        self._period, self._first, self._used = -1, math.nan, 0
        self._past = PastJobs(*(np.empty(0) for _ in PastJobs._fields))
        self.choices: list[tuple[float, str]] = []

    @property
    def in_turns(self) -> Self | None:
        """Itself, where all policies can take their turns in the compiled loop.

        One that remembers what ran has to see every pass, those of others, too.
        """
        return None if any(member.remembers for member in self.members) else self

    @property
    def notes(self) -> Mapping[str, object]:
        """Changes of the ordering in use: time (s) and name."""
        before = [None, *(name for _, name in self.choices)]
        changed = zip(self.choices, before, strict=False)
        return {"choices": [[begin, name] for (begin, name), was in changed if name != was]}

    def decide(self, state: QueueState) -> Decision:
        """Return what the ordering in use starts now."""
        self._observe(state)
        until = self._until if self._period >= 0 else state.now
        while until <= state.now:
            self._used, until = self.turn(until, state.known, self._past)
        decision = self.members[self._used].decide(state)
        self._past.start[decision.starts] = state.now
        return decision

    def turn(self, now: float, known: JobTable, past: PastJobs) -> tuple[int, float]:
        """Choose the policy in use for the next period.

        Parameters
        ----------
        now : float
            When it begins (s): when the jobs begin, then always when the one before has ended.
        known : JobTable
            Jobs; those submitted from `now` on do not count.
        past : PastJobs
            What became of them; whatever is later than `now` does not count.

        Returns
        -------
        member : int
            Who of `members`.
        until : float
            End of the period (s).
        """
        # costs of the period that ended
        if self._period < 0:
            self._first = float(now)
        else:
            self._close(known, past)
        self._period += 1
        # choice, with draws of the period
        settings = self.settings
        random = np.random.default_rng([self._seed, self._period])
        if settings.feedback == "bandit":
            self._used = CHOICES[settings.choose](self._evidence, random, settings.epsilon)
        else:
            self._used = int(np.argmin(self._costs))
        self.choices.append((self._begin, settings.policies[self._used]))
        return self._used, self._until

    @property
    def _begin(self) -> float:
        """Beginning of the present period (s)."""
        return self._first + self._period * self.settings.period

    @property
    def _until(self) -> float:
        """End of the present period (s)."""
        return self._first + (self._period + 1) * self.settings.period

    def _observe(self, state: QueueState) -> None:
        """Add the cost of the jobs that ended to the period's total."""
        jobs, ended = len(state.known.submit), state.finished
        if jobs > len(self._past.run):
            more = np.full(jobs - len(self._past.run) + jobs, np.nan)
            self._past = PastJobs(*(np.concatenate([column, more]) for column in self._past))
        self._past.run[ended] = state.finished_run
        self._past.end[ended] = state.now if state.finished_end is None else state.finished_end

    def _close(self, known: JobTable, past: PastJobs) -> None:
        """Update the evidence with the costs of the period that ended."""
        settings, begin, until = self.settings, self._begin, self._until
        # full feedback: every policy replayed on the period
        if settings.feedback != "bandit":
            self._costs = settings.decay * self._costs + self._played(known, past)
            return
        # jobs that ran before the first pass have no known start
        ended = (past.end >= begin) & (past.end < until) & np.isfinite(past.start)
        jobs = np.flatnonzero(ended)
        spent = float(self._cost(known, jobs, past.start[jobs], past.run[jobs]).sum())
        self._evidence.add(self._used, spent, len(jobs), settings.decay)
        if len(jobs) and settings.choose == "exp3":
            exp3_update(self._evidence, self._used, spent / len(jobs), settings.epsilon)

    def _played(self, known: JobTable, past: PastJobs) -> Floats:
        """Return what every ordering would have cost the jobs submitted in this period, (k,).

        From an empty machine. A job that has not ended runs as long as it requested.
        """
        # jobs submitted in the period, on an empty machine
        first, last = np.searchsorted(known.submit, [self._begin, self._until])
        jobs = np.arange(first, last)
        if not len(jobs):
            return np.zeros(len(self.members))
        # jobs of the period, by their run times if these are known by now
        run = np.where(past.end[jobs] < self._until, past.run[jobs], known.request[jobs])
        table = known.of(jobs)._replace(arrival=known.submit[jobs] - known.submit[first])
        arrivals = Arrivals(jobs, table, run, jobs)
        random = np.random.default_rng([self._seed, self._period, 1])
        costs = np.empty(len(self.members))
        # every member plays the period, and is charged for its waits
        for k, member in enumerate(self.members):
            waits = self._cost(table, np.arange(len(jobs)), _starts(arrivals, member.compiled), run)
            if self.settings.feedback == "noisy":
                waits = waits * random.uniform(*NOISE, len(waits))
            costs[k] = waits.sum()
        return costs

    def _cost(self, known: JobTable, jobs: Integers, start: Floats, run: Floats) -> Floats:
        """Return the cost of each job, (n,)."""
        wait = start - known.submit[jobs]
        per_job: Floats = costs(known, jobs, wait, run, AIMS[self.settings.cost])
        return per_job


def _starts(arrivals: Arrivals, scheduler: ListScheduler) -> Floats:
    """Return when each job starts from an empty machine."""
    progress = Progress.blank(len(arrivals.run), arrivals.known.machine_size)
    LoopParts.of(arrivals, scheduler).advance(arrivals, progress, ALL_PASSES)
    return progress.start
