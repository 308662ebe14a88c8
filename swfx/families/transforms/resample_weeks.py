"""A log with its weeks shuffled."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from swfx.base.columns import Ints
from swfx.base.configured import option
from swfx.families.generators.randomness import stream
from swfx.families.resampling import read_weeks, rearranged, weeks_of
from swfx.families.transformation import TRANSFORMS, Transformation, Transformed, lost_links
from swfx.workload import Workload


@TRANSFORMS.register("resample-weeks")
@dataclass(frozen=True)
class ResampleWeeks(Transformation):
    """Shuffle the weeks of the log.

    Weeks are counted from the first submission; the last may be short, and counts as one. Jobs keep
    their time of the week and get new numbers; their own are kept as `original_job`. Links within
    a week hold, others are cut (GAUSSIER 6.1.3).

    Parameters
    ----------
    weeks : int, optional
        Weeks of the new log, by default as many as there are. Fewer are a random part, more begin
        another shuffle.
    """

    weeks: int | None = option(read_weeks, None)
    keeps_jobs = False

    @property
    def stochastic(self) -> bool:
        """The order is random."""
        return True

    def apply(self, workload: Workload, seed: int) -> Transformed:
        """Shuffle the weeks."""
        week = weeks_of(workload)
        there = int(week.max()) + 1
        order = self._order(there, seed)
        jobs = np.argsort(week, kind="stable")
        bounds = np.searchsorted(week[jobs], np.arange(there + 1))
        taken = [jobs[bounds[old] : bounds[old + 1]] for old in order.tolist()]
        new = np.repeat(np.arange(len(order)), [len(rows) for rows in taken])
        drawn, lost = rearranged(workload, np.concatenate(taken), new, new)
        never = int((~np.isin(week, order)).sum())
        note = f"{len(order)} weeks from {there}: {len(drawn):,} jobs from {len(workload):,}"
        dropped = {"in weeks not drawn": never} if never else {}
        return Transformed(drawn, (note,), dropped, lost_links(lost))

    def _order(self, there: int, seed: int) -> Ints:
        rng = stream(seed, "resample weeks")
        wanted = self.weeks or there
        shuffles = [rng.permutation(there) for _ in range(-(-wanted // there))]
        return np.concatenate(shuffles)[:wanted]
