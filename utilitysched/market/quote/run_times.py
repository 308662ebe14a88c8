"""Run times drawn for quotes, as shares of requested times that earlier jobs used."""

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from utilitysched.model.state import Floats
from utilitysched.runs.snapshot.jobs import FinishedJob

ENOUGH = 8
"""Jobs of a user from which on only these are drawn from."""


class Ratios(NamedTuple):
    """Run time / requested time of jobs that ended, and the probability of each.

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
        """Return the quantiles at some shares, 0 to below 1; even draws of shares give samples."""
        place = np.searchsorted(self.cumulative, share, side="right")
        quantiles: Floats = self.ratio[place.clip(max=len(self.ratio) - 1)]
        return quantiles


class Past:
    """Distributions of run times by user, from jobs that ended.

    A job of a user of whom `ENOUGH` ended runs like one of these, each as likely; with n < `ENOUGH`
    that is so with probability n / `ENOUGH`, else it runs like a job of anybody. Where nothing is
    known, jobs run for as long as they request.

    Parameters
    ----------
    finished : iterable of FinishedJob
        The jobs.
    """

    def __init__(self, finished: Iterable[FinishedJob]) -> None:
        rows = [(job.user, min(1.0, job.run / max(job.request, 1.0))) for job in finished]
        self._user = np.array([user for user, _ in rows], dtype=np.int64)
        self._ratio = np.array([ratio for _, ratio in rows], dtype=np.float64)
        self._known: dict[tuple[int, float], Ratios] = {}

    def ratios(self, user: int, above: float = -np.inf) -> Ratios:
        """Return the ratios of a user's jobs, those above a bound only.

        Parameters
        ----------
        user : int
            As in the jobs that ended; below 0 for anybody.
        above : float
            Share of its request for which the job has run already. If no known one did, it runs
            for as long as it requests.
        """
        if (user, above) not in self._known:
            self._known[user, above] = self._ratios(user, above)
        return self._known[user, above]

    def _ratios(self, user: int, above: float) -> Ratios:
        longer = self._ratio > above
        others = self._ratio[longer]
        own = self._ratio[longer & (self._user == user) & (user >= 0)]
        if not len(others):
            return Ratios(np.ones(1), np.ones(1))
        weight = min(1.0, len(own) / ENOUGH)
        ratio = np.concatenate([own, others])
        likely = np.repeat(
            [weight / max(len(own), 1), (1 - weight) / len(others)], [len(own), len(others)]
        )
        order = np.argsort(ratio, kind="stable")
        return Ratios(ratio[order], np.cumsum(likely[order]))


class Draws:
    """Shares at which the run times of jobs are read, the same ones for all quotes of a moment.

    Of each job S samples are drawn, one out of each S-th of its distribution (Latin hypercube), in
    an order of its own: means and quantiles are surer than with as many independent ones.

    Parameters
    ----------
    others : int
        Jobs that wait or run, without the quoted one.
    samples : int
        S.
    seed : int
        Seed of the draws.

    Attributes
    ----------
    own : (S,) float64
        Shares of the quoted job, which are the same however many others there are.
    others : (S, n) float64
        Shares of the other jobs.
    """

    def __init__(self, others: int, samples: int, seed: int) -> None:
        self.own = _drawn(samples, 1, [seed, 0])[:, 0]
        self.others = _drawn(samples, others, [seed, 1])


def _drawn(samples: int, jobs: int, seed: list[int]) -> Floats:
    rng = np.random.default_rng(seed)
    strata = rng.permuted(np.tile(np.arange(samples), (jobs, 1)), axis=1).T
    shares: Floats = (strata + rng.random((samples, jobs))) / samples
    return shares
