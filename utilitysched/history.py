"""A scheduler's memory of completed jobs."""

from utilitysched.forecast import Forecast, ForecastRule, Recollection
from utilitysched.kernels.history import fill, learn
from utilitysched.state import Known, QueueState


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
        self._learnt = Recollection.blank(16)
        self._forecast = rule.blank(16)

    def observe(self, state: QueueState) -> None:
        """Learn from the jobs that ended since the last pass."""
        self._grow(state.known)
        for job, run in zip(state.finished.tolist(), state.finished_run.tolist(), strict=True):
            learn(self._learnt, state.known.user[job], run, state.known.request[job])

    def forecast(self, state: QueueState) -> Forecast:
        """Return the forecast of the queued jobs; other rows hold nothing of use."""
        self._grow(state.known)
        fill(state.queued, state.known, self._learnt, self.rule.codes, self._forecast)
        return self._forecast

    def _grow(self, known: Known) -> None:
        jobs = len(known.submit)
        if jobs > len(self._forecast.occupancy):
            self._forecast = self.rule.blank(2 * jobs)
            # Users are numbered as they first appear, so there are never more than jobs.
            self._learnt = _enlarged(self._learnt, 2 * jobs)


def _enlarged(learnt: Recollection, users: int) -> Recollection:
    larger = Recollection.blank(users)
    for old, new in zip(learnt, larger, strict=True):
        new[: len(old)] = old
    return larger
