"""Quantiles of run times: what is drawn for each job of a scenario."""

import numpy as np

from utilitysched.market.quote.scenario import Scenario
from utilitysched.model.state import Floats
from utilitysched.runs.snapshot import Snapshot


class Quantiles:
    """The same draws for every scenario that begins at a moment, job by job.

    Of each job S samples are drawn, one out of each S-th of its distribution (Latin hypercube), in
    an order of its own: means and quantiles are surer than with as many independent ones.

    Parameters
    ----------
    snapshot : Snapshot
        The moment, without the job that is asked about.
    samples : int
        S.
    seed : int
        Of the draws.
    """

    def __init__(self, snapshot: Snapshot, samples: int, seed: int) -> None:
        self.samples = samples
        self._seed = seed
        # the job's own draws stay the same however many others there are
        self._own = _drawn(samples, 1, [seed, 0])
        self._others = _drawn(samples, len(snapshot.queued) + len(snapshot.running), [seed, 1])

    def shares(self, scenario: Scenario) -> Floats:
        """Return the draws for `Scenario.runs`, shape (S, n)."""
        jobs = len(scenario.known.submit)
        shares = np.zeros((self.samples, jobs))
        there = scenario.contenders
        coming = there[(there >= scenario.present) & (there != scenario.job)]
        others = there[(there < scenario.present) & (there != scenario.job)]
        shares[:, others] = self._others
        shares[:, coming] = _drawn(self.samples, len(coming), [self._seed, 2])
        shares[:, scenario.job] = self._own[:, 0]
        return shares


def _drawn(samples: int, jobs: int, seed: list[int]) -> Floats:
    rng = np.random.default_rng(seed)
    strata = rng.permuted(np.tile(np.arange(samples), (jobs, 1)), axis=1).T
    shares: Floats = (strata + rng.random((samples, jobs))) / samples
    return shares
