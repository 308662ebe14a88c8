"""Ratios of run times to requested times, by what is known of jobs that ended."""

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from utilitysched.model.state import Floats
from utilitysched.runs.snapshot.jobs import FinishedJob

ENOUGH = 8
"""Jobs of a user from which on nobody else's are looked at."""


class Ratios(NamedTuple):
    """Run time / requested time of jobs that ended, and how likely each of them is.

    Attributes
    ----------
    ratio : (m,) float64
        Ascending.
    cumulative : (m,) float64
        Probability of a ratio up to each of them; the last is 1.
    """

    ratio: Floats
    cumulative: Floats

    def at(self, share: Floats) -> Floats:
        """Return the quantiles at some shares, 0 to below 1; what is drawn evenly gives samples."""
        place = np.searchsorted(self.cumulative, share, side="right")
        found: Floats = self.ratio[place.clip(max=len(self.ratio) - 1)]
        return found


class Past:
    """What is known of jobs that ended.

    A job of a user of whom `ENOUGH` ended runs like one of these, each as likely; with n < `ENOUGH`
    that is so with probability n / `ENOUGH`, else it runs like a job of anybody. Where nothing is
    known, jobs run for as long as they request.

    Parameters
    ----------
    finished : iterable of FinishedJob
        The jobs.
    """

    def __init__(self, finished: Iterable[FinishedJob]) -> None:
        self._all: list[float] = []
        self._of: dict[int, list[float]] = {}
        for job in finished:
            ratio = min(1.0, job.run / max(job.request, 1.0))
            self._all.append(ratio)
            self._of.setdefault(job.user, []).append(ratio)

    def ratios(self, user: int, above: float = -np.inf) -> Ratios:
        """Return the ratios of a user's jobs, those above a bound only.

        Parameters
        ----------
        user : int
            As in the jobs that ended; below 0 for anybody.
        above : float
            The job has run for longer than this share of its request. If no known one did, it runs
            for as long as it requests.
        """
        own = [ratio for ratio in self._of.get(user, ()) if user >= 0 and ratio > above]
        others = [ratio for ratio in self._all if ratio > above]
        if not others:
            return Ratios(np.ones(1), np.ones(1))
        weight = min(1.0, len(own) / ENOUGH)
        ratio = np.array(own + others)
        likely = [weight / max(len(own), 1)] * len(own) + [(1 - weight) / len(others)] * len(others)
        order = np.argsort(ratio, kind="stable")
        return Ratios(ratio[order], np.cumsum(np.array(likely)[order]))
