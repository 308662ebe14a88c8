"""A scheduler that chooses its ordering anew at the start of every period (GAUSSIER 5)."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict

import numpy as np

from utilitysched.kernels.progress import Progress
from utilitysched.kernels.trials import AIMS, costs
from utilitysched.model.arrivals import Arrivals
from utilitysched.model.scheduler import Scheduler, Setting
from utilitysched.model.state import Decision, Floats, Integers, JobTable, QueueState
from utilitysched.model.threshold import NEVER_STARVED
from utilitysched.schedulers.list_options import list_scheduler
from utilitysched.schedulers.list_scheduler import ListScheduler
from utilitysched.schedulers.loop_parts import LoopParts
from utilitysched.schedulers.selection.bandits import CHOICES, Evidence, exp3_update
from utilitysched.schedulers.selection.options import SelectionOptions

NOISE = (0.85, 1.15)
"""By what simulated costs are multiplied under noisy feedback (GAUSSIER 5.2)."""

_ALL = 2**62
"""Passes of a period that is played to its end."""


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
    choices : list of (float, str)
        When a period began (s), and the ordering chosen for it.
    """

    def __init__(self, settings: SelectionOptions, label: str) -> None:
        self.settings = settings
        self.label = label
        limit = settings.threshold
        given = {} if limit == NEVER_STARVED else {"threshold": str(limit)}
        self._members = [list_scheduler(name, name, dict(given)) for name in settings.policies]
        self.stochastic = settings.epsilon > 0 or settings.choose in ("thompson", "exp3")
        if settings.feedback != "bandit":
            self.stochastic = settings.feedback == "noisy"
        self.prepare(Setting(machine_size=1, longest_request=0.0, seed=0))

    @property
    def options(self) -> Mapping[str, object]:
        """Every option in force."""
        found = asdict(self.settings)
        policies = "+".join(self.settings.policies)
        return {**found, "policies": policies, "threshold": str(self.settings.threshold)}

    def prepare(self, setting: Setting) -> None:
        """Forget everything and get ready for a new workload."""
        for member in self._members:
            member.prepare(setting)
        self.starvation_threshold = self._members[0].starvation_threshold
        self._seed = setting.seed
        self._evidence = Evidence.none(len(self._members))
        self._costs = np.zeros(len(self._members))
        self._period, self._first = -1, math.nan
        self._used, self._spent, self._ended = 0, 0.0, 0
        self._start, self._run = np.empty(0), np.empty(0)
        self.choices: list[tuple[float, str]] = []

    def decide(self, state: QueueState) -> Decision:
        """Return what the ordering in use starts now."""
        self._observe(state)
        if math.isnan(self._first):
            self._first = state.now
        period = int((state.now - self._first) // self.settings.period)
        while self._period < period:
            self._begin(self._period + 1, state.known)
        decision = self._members[self._used].decide(state)
        self._start[decision.starts] = state.now
        return decision

    def _observe(self, state: QueueState) -> None:
        """Note what ended, and what it cost under the ordering in use."""
        jobs, ended = len(state.known.submit), state.finished
        if jobs > len(self._start):
            more = np.full(jobs - len(self._start) + jobs, np.nan)
            self._start = np.concatenate([self._start, more])
            self._run = np.concatenate([self._run, more])
        self._run[ended] = state.finished_run
        # jobs that ran before the first pass have no known start
        ended = ended[np.isfinite(self._start[ended])]
        spent = self._cost(state.known, ended, self._start[ended], self._run[ended])
        self._spent += float(spent.sum())
        self._ended += len(ended)

    def _begin(self, period: int, known: JobTable) -> None:
        """Close the period before, and choose the ordering of this one."""
        settings = self.settings
        if period > 0:
            self._close(period - 1, known)
        random = np.random.default_rng([self._seed, period])
        if settings.feedback == "bandit":
            choose = CHOICES[settings.choose]
            self._used = choose(self._evidence, random, settings.epsilon)
        else:
            self._used = int(np.argmin(self._costs))
        self._period = period
        begin = self._first + period * settings.period
        self.choices.append((begin, settings.policies[self._used]))

    def _close(self, period: int, known: JobTable) -> None:
        settings, spent, ended = self.settings, self._spent, self._ended
        self._spent, self._ended = 0.0, 0
        if settings.feedback != "bandit":
            self._costs = settings.decay * self._costs + self._played(period, known)
            return
        self._evidence.add(self._used, spent, ended, settings.decay)
        if ended and settings.choose == "exp3":
            exp3_update(self._evidence, self._used, spent / ended, settings.epsilon)

    def _played(self, period: int, known: JobTable) -> Floats:
        """Return what every ordering would have cost the jobs submitted in a period, (k,).

        From an empty machine. A job that has not ended runs as long as it requested.
        """
        begin = self._first + period * self.settings.period
        first, last = np.searchsorted(known.submit, [begin, begin + self.settings.period])
        jobs = np.arange(first, last)
        if not len(jobs):
            return np.zeros(len(self._members))
        run = np.where(np.isnan(self._run[jobs]), known.request[jobs], self._run[jobs])
        table = known.of(jobs)._replace(arrival=known.submit[jobs] - known.submit[first])
        arrivals = Arrivals(jobs, table, run, jobs)
        random = np.random.default_rng([self._seed, period, 1])
        found = np.empty(len(self._members))
        for k, member in enumerate(self._members):
            waits = self._cost(table, np.arange(len(jobs)), _starts(arrivals, member), run)
            if self.settings.feedback == "noisy":
                waits = waits * random.uniform(*NOISE, len(waits))
            found[k] = waits.sum()
        return found

    def _cost(self, known: JobTable, jobs: Integers, start: Floats, run: Floats) -> Floats:
        """Return what each job costs, (n,)."""
        wait = start - known.submit[jobs]
        found: Floats = costs(known, jobs, wait, run, AIMS[self.settings.cost])
        return found


def _starts(arrivals: Arrivals, scheduler: ListScheduler) -> Floats:
    """Return when each job starts from an empty machine."""
    progress = Progress.blank(len(arrivals.run), arrivals.known.machine_size)
    LoopParts.of(arrivals, scheduler).advance(arrivals, progress, _ALL)
    return progress.start
