"""A scheduler's memory of completed jobs."""

from copy import copy

import numpy as np
from numpy.typing import NDArray

from utilitysched.kernels.history import fill, learn, outlast
from utilitysched.model.forecast import SAMPLES, Forecast, ForecastRule, RuntimeHistory
from utilitysched.model.state import Floats, Integers, JobTable, QueueState


class History:
    """A scheduler's own memory of completed jobs, for schedulers that decide in Python.

    Parameters
    ----------
    rule : ForecastRule
        What to forecast.

    Examples
    --------
    In ``decide``: ``history.observe(state)``, then ``history.forecast(state)``.
    """

    def __init__(self, rule: ForecastRule) -> None:
        self.rule = rule
        self._history = RuntimeHistory.blank(16)
        self._forecast = rule.blank(16)

    def observe(self, state: QueueState) -> None:
        """Learn from the jobs that ended since the last pass."""
        self._grow(state.known)
        for job, run in zip(state.finished.tolist(), state.finished_run.tolist(), strict=True):
            learn(self._history, state.known.user[job], run, state.known.request[job])

    def forecast(self, state: QueueState) -> Forecast:
        """Return the forecast of the queued jobs; other rows hold nothing of use."""
        self._grow(state.known)
        fill(state.queued, state.known, self._history, self.rule.codes, self._forecast)
        if state.outlasted is not None:
            outlast(state.queued, state.known, state.outlasted, self._forecast)
        return self._forecast

    def fork(self) -> "History":
        """Return an independent memory with equal contents."""
        other = copy(self)
        other._history = RuntimeHistory._make(column.copy() for column in self._history)
        return other

    def memory(self) -> tuple[bytes, ...]:
        """Return all that has been learnt; equal memories make equal forecasts."""
        return memory_of(self._history, self.rule)

    def _grow(self, known: JobTable) -> None:
        jobs = len(known.submit)
        if jobs > len(self._forecast.occupancy):
            self._forecast = self.rule.blank(2 * jobs)
            # Users are numbered as they first appear, so there are never more than jobs.
            self._history = _enlarged(self._history, 2 * jobs)


def memory_of(
    history: RuntimeHistory, rule: ForecastRule, users: NDArray[np.bool_] | None = None
) -> tuple[bytes, ...]:
    """Return the history that forecasts by `rule` read, counts capped where more is alike.

    Parameters
    ----------
    history : RuntimeHistory
        Of u users.
    rule : ForecastRule
        What is forecast.
    users : (u,) bool, optional
        Whose jobs; default: everybody's who has completed any.
    """
    known = history.completed > 0 if users is None else users
    columns: list[Floats | Integers] = [np.flatnonzero(known)] if users is None else []
    if "predicted" in (rule.duration, rule.occupancy):
        columns += [history.runs[known], history.completed[known].clip(max=2)]
    if rule.duration == "expected":
        columns += [history.ratios[known], history.completed[known].clip(max=SAMPLES)]
        columns += [history.log_ratios, history.log_count.clip(max=SAMPLES)]
    return tuple(column.tobytes() for column in columns)


def _enlarged(history: RuntimeHistory, users: int) -> RuntimeHistory:
    larger = RuntimeHistory.blank(users)
    for old, new in zip(history, larger, strict=True):
        new[: len(old)] = old
    return larger
