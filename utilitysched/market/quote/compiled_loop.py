"""The compiled event loop, from a moment on."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from utilitysched.kernels.history import fill, learn
from utilitysched.kernels.policy import Policy
from utilitysched.kernels.progress import Progress
from utilitysched.kernels.replay import advance
from utilitysched.market.quote.futures import Times
from utilitysched.market.quote.scenario import Scenario
from utilitysched.model.forecast import RuntimeHistory
from utilitysched.model.state import Floats
from utilitysched.schedulers.list_scheduler import ListScheduler

_NO_LIMIT = np.iinfo(np.int64).max


class Turn(NamedTuple):
    """From an instant on somebody decides otherwise.

    Attributes
    ----------
    at : float
        The instant (s).
    policy : Policy
        Who decides then.
    """

    at: float
    policy: Policy


class CompiledLoop:
    """What list schedulers do that keep no reservations.

    Parameters
    ----------
    scenario : Scenario
        What it begins with.
    scheduler : ListScheduler
        Prepared.
    """

    def __init__(self, scenario: Scenario, scheduler: ListScheduler) -> None:
        known, jobs = scenario.known, len(scenario.known.submit)
        self.scenario = scenario
        self._plan = scheduler.placement.blank_plan(jobs, known.machine_size)
        self._forecast = scheduler.rule.blank(jobs)
        self._history = RuntimeHistory.blank(int(known.user.max(initial=0)) + 1)
        state = scenario.snapshot.state()
        for job, run in zip(state.finished.tolist(), state.finished_run.tolist(), strict=True):
            learn(self._history, known.user[job], run, known.request[job])
        fill(np.arange(jobs), known, self._history, scheduler.rule.codes, self._forecast)

    def play(self, run: Floats, policy: Policy, turns: Sequence[Turn] = ()) -> Times:
        """Play the scenario.

        Parameters
        ----------
        run : (n,) float64
            Run times (s); of running jobs since `Scenario.begun`.
        policy : Policy
            Who decides.
        turns : sequence of Turn
            Who decides later, by time.
        """
        scenario, begun = self.scenario, self.scenario.begun
        running = scenario.running, begun, begun + run[scenario.running]
        now = scenario.snapshot.now
        progress = Progress.resumed(scenario.known, now, scenario.queued, running)
        for turn in turns:
            self._advance(run, policy, progress, turn.at)
            policy = turn.policy
        self._advance(run, policy, progress, np.inf)
        return progress.start, progress.end

    def _advance(self, run: Floats, policy: Policy, progress: Progress, until: float) -> None:
        history = self._history
        if policy.learns:
            history = RuntimeHistory._make(column.copy() for column in history)
        known, forecast, plan = self.scenario.known, self._forecast, self._plan
        advance(run, known, forecast, history, policy, plan, progress, _NO_LIMIT, until)
