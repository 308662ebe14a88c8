"""Readings of utility functions in futures, by whoever decides there."""

import math
from dataclasses import dataclass, field, replace

import numpy as np

from pricing.reader import WorkStarts
from utilitysched.market.quote.futures import Futures
from utilitysched.model.forecast import ForecastRule
from utilitysched.model.state import Floats, Integers
from utilitysched.schedulers.history import History


@dataclass(frozen=True, eq=False)
class FutureReadings:
    """What jobs are taken to be worth in samples; see `pricing.reader.CurveReader`.

    Attributes
    ----------
    futures : Futures
        The samples.
    rule : ForecastRule
        By which forecast the scheduler reads utility functions.
    sample, job : (m,) int64
        The job of the scenario and the sample that each job of the outcome that is priced is.
    """

    futures: Futures
    rule: ForecastRule
    sample: Integers
    job: Integers
    _of_pass: dict[tuple[int, int], Floats] = field(default_factory=dict)

    def starts(self, jobs: Integers) -> WorkStarts:
        """Return the starts of jobs, each the one that somebody asks about."""
        rows = [
            (row, decided.state.now, 1.0 if math.isnan(decided.held.kept) else decided.held.kept)
            for row in jobs.tolist()
            for decided in self.futures.decided(self.sample.item(row))
        ]
        job, at, kept = zip(*rows, strict=True)
        return WorkStarts(np.array(job), np.array(at), np.array(kept))

    def forecasts(self, jobs: Integers, at: Floats) -> Floats:
        """Return for how long jobs are taken to run, when that starts which is asked about (s)."""
        return np.array(
            [
                self._at(self.sample.item(row), now)[self.job[row]]
                for row, now in zip(jobs.tolist(), at.tolist(), strict=True)
            ]
        )

    def _at(self, sample: int, now: float) -> Floats:
        """Return forecasts at the latest pass up to an instant in which that job starts (s)."""
        passes = self.futures.decided(sample)
        place = max(number for number, each in enumerate(passes) if each.state.now <= now)
        if (sample, place) not in self._of_pass:
            state, history = passes[place].state, History(self.rule)
            if self.rule.learns:
                ended = self.futures.scenario.ended_until(self.futures.end[sample], state.now)
                run = self.futures.runs[sample, ended]
                history.observe(replace(state, finished=ended, finished_run=run))
            self._of_pass[sample, place] = history.forecast(state).duration
        return self._of_pass[sample, place]
