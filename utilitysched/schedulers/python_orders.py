"""Orderings in Python: classes that may remember what they have seen, and read any label."""

from textwrap import shorten
from typing import Any

import numpy as np

from swfx import InputError
from utilitysched.kernels.policy import Policy, Ranking
from utilitysched.kernels.signatures import compiled_score
from utilitysched.model.forecast import Forecast
from utilitysched.model.scheduler import Setting
from utilitysched.model.scheduling_pass import SchedulingPass
from utilitysched.model.state import Floats, Integers, JobTable, QueueState
from utilitysched.schedulers.list_scheduler import ListScheduler
from utilitysched.schedulers.orders import Order


def scores_by_job(
    moment: SchedulingPass,  # noqa: ARG001
    queue: Integers,
    known: JobTable,  # noqa: ARG001
    forecast: Forecast,  # noqa: ARG001
    parameters: Floats,
    out: Floats,
) -> None:
    """Score each job by what Python has written to `parameters` for it."""
    for i, job in enumerate(queue):
        out[i] = parameters[job]


class PythonOrder(Order):
    """An ordering in Python with parameters."""

    def rule(self, setting: Setting) -> Any:
        """Return an object of the ordering's class, prepared."""
        names = self.ordering.parameters
        rule = self.ordering.score(**dict(zip(names, self.parameters, strict=True)))
        if hasattr(rule, "prepare"):
            rule.prepare(setting)
        return rule

    def ranking(self, known: JobTable, *, once: bool) -> Ranking:  # noqa: ARG002 - scores change
        """Return the ordering in the form of the kernels, before any job has a score."""
        blank = np.zeros(len(known.submit))
        return Ranking(np.empty(0), compiled_score(scores_by_job), blank)

    def write(self, rule: Any, state: QueueState, ranking: Ranking) -> None:
        """Write the scores of the queued jobs into the ranking.

        Raises
        ------
        InputError
            The rule returned something else than a number for each queued job.
        """
        returned = rule.score(state)
        remedy = "return one number for each job of state.queued; it may be infinite"
        try:
            scores = np.asarray(returned, dtype=np.float64)
        except (TypeError, ValueError) as error:
            problem = f"score() returned {shorten(repr(returned), 60)}, which is not numbers"
            raise InputError(problem, source=self.ordering.name, remedy=remedy) from error
        if scores.shape != state.queued.shape or np.isnan(scores).any():
            nan = ", NaN among them," if np.isnan(scores).any() else ""
            raise InputError(
                f"score() returned {scores.size} numbers{nan} for {len(state.queued)} jobs",
                source=self.ordering.name,
                remedy=remedy,
            )
        ranking.parameters[state.queued] = scores


class PythonListScheduler(ListScheduler):
    """Ordering x placement where a class in Python scores the queue once at every pass."""

    _rules: list[Any] | None

    def prepare(self, setting: Setting) -> None:
        """Forget everything and get ready for a new workload."""
        super().prepare(setting)
        # rules are made at the first pass: schedulers are prepared before there is a workload, too
        self._setting, self._rules = setting, None

    def policy_at(self, state: QueueState) -> Policy:
        """Return the scheduler in the form of the kernels, with the scores of the queued jobs."""
        policy = super().policy_at(state)
        rankings = policy.primary, policy.secondary
        orders = self.order, self.backfill
        if self._rules is None:
            self._rules = [
                each.rule(self._setting) if isinstance(each, PythonOrder) else None
                for each in orders
            ]
        for order, rule, ranking in zip(orders, self._rules, rankings, strict=True):
            if isinstance(order, PythonOrder):
                order.write(rule, state, ranking)
        return policy

    def planner(self) -> None:
        """Return None, so that plans are made by playing the queue out."""
