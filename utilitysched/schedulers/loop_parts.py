"""Columns that the compiled event loop takes of a list scheduler."""

import math
from typing import NamedTuple

import numpy as np

from utilitysched.kernels.history import fill
from utilitysched.kernels.policy import Policy
from utilitysched.kernels.progress import Progress
from utilitysched.kernels.replay import advance
from utilitysched.model.arrivals import Arrivals
from utilitysched.model.forecast import Forecast, RuntimeHistory
from utilitysched.model.scheduling_pass import Plan
from utilitysched.model.state import JobTable
from utilitysched.schedulers.list_scheduler import ListScheduler


class LoopParts(NamedTuple):
    """What the compiled event loop takes of a list scheduler; see `advance`."""

    forecast: Forecast
    history: RuntimeHistory
    policy: Policy
    plan: Plan

    @classmethod
    def of(
        cls, arrivals: Arrivals, scheduler: ListScheduler, changing: JobTable | None = None
    ) -> "LoopParts":
        """Return the parts for a scheduler that is prepared and has decided nothing yet.

        `changing` is the job table where its rows change, so that nothing is worked out beforehand.
        """
        known = arrivals.known if changing is None else changing
        jobs, rows = len(arrivals.run), len(known.submit)
        forecast = scheduler.rule.blank(jobs)
        history = RuntimeHistory.blank(int(known.user.max(initial=0)) + 1)
        policy = scheduler.policy(known, once=changing is None)
        if changing is None and not policy.learns:
            fill(np.arange(jobs), known, history, scheduler.rule.codes, forecast)
        plan = scheduler.placement.blank_plan(rows, known.machine_size)
        return cls(forecast, history, policy, plan)

    def advance(
        self, arrivals: Arrivals, progress: Progress, passes: int, until: float = math.inf
    ) -> bool:
        """Process events; see `utilitysched.kernels.replay.advance`."""
        return bool(advance(arrivals.run, arrivals.known, *self, progress, passes, until))
