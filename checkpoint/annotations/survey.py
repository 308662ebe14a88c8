"""Checkpoints as frequent as in LEE's survey."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from checkpoint.answers import JOBS_SHARE, NODE_HOURS_SHARE
from checkpoint.pairing import KINDS, SHORTEST_RUN, interval_kind, paired_intervals
from checkpoint.registry import ANNOTATIONS, CheckpointAnnotation, Intervals
from checkpoint.selection import Quota, select
from swfx.base.columns import Floats, Ints
from swfx.base.configured import number
from swfx.base.errors import InputError
from swfx.families.generators.randomness import stream
from swfx.fields import MISSING
from swfx.workload import Workload

RUN_EXPONENT = 2.0
"""How much a long job is preferred to a wide one of the same area. With 0 the chosen jobs are too
short for the intervals of the survey: on SDSC-DS-2004 at most 45% could have 50 checkpoints in a
run, and in the survey 56% had. With 2 all its figures hold there and on KTH-SP2."""


@ANNOTATIONS.register("survey")
@dataclass(frozen=True, kw_only=True)
class SurveyAnnotation(CheckpointAnnotation):
    """Shares of jobs and node-hours, and intervals, as in LEE's survey of DataStar's users.

    The jobs are drawn without replacement, with probabilities proportional to run time^2 area^a,
    where area is processor-seconds and a is what gives the share of node-hours. Jobs of at most
    4 minutes, for which no interval is of use, are never drawn. Intervals are drawn by
    `paired_intervals`. Each job is drawn for itself: that users answer alike for like jobs is not
    modelled.

    Attributes
    ----------
    jobs : float, default 0.16
        Share of the jobs.
    node_hours : float, default 0.57
        Share of the node-hours, by actual run time.
    tolerance : float, default 0.0001
        How far from `node_hours` the share may be. Jobs are exact to half a job.

    References
    ----------
    LEE, sections 6.5.1 and 6.5.2.
    """

    jobs: float = number(JOBS_SHARE, (0, 1))
    node_hours: float = number(NODE_HOURS_SHARE, (0, 1))
    tolerance: float = number(1e-4, (0, 1))

    def intervals(self, workload: Workload, seed: int) -> Intervals:
        """Draw the jobs that take checkpoints, then their intervals."""
        run = workload.effective_run
        drawn = self._drawn(workload, seed)
        intervals = np.full(len(workload), float(MISSING))
        intervals[drawn] = paired_intervals(run[drawn], stream(seed, "checkpoint intervals"))
        return Intervals(intervals, (_kinds(intervals[drawn], run[drawn]),))

    def _drawn(self, workload: Workload, seed: int) -> Ints:
        run = workload.effective_run
        area = workload.size * run
        longer = np.flatnonzero(run > SHORTEST_RUN)
        count = round(self.jobs * len(workload))
        self._check(count, len(longer), len(workload))
        waiting = -np.log1p(-stream(seed, "checkpoint jobs").random(len(workload))[longer])
        taste = RUN_EXPONENT * np.log(run[longer]) - np.log(waiting)
        quota = Quota(count, self.node_hours, float(area.sum()), self.tolerance)
        return longer[select(area[longer], taste, quota)]

    def _check(self, count: int, longer: int, jobs: int) -> None:
        if not 0 < count <= longer:
            raise InputError(
                f"{self.jobs:.4g} of {jobs} jobs are {count}; {longer} run for more than "
                f"{SHORTEST_RUN:.0f} s and could take a checkpoint",
                source=self.name,
                field="jobs",
                remedy="give another share",
            )


def _kinds(interval: Floats, run: Floats) -> str:
    counts = np.bincount(interval_kind(interval, run), minlength=len(KINDS)) / len(run)
    surveyed = np.array(list(KINDS.values())) / sum(KINDS.values())
    return (
        f"intervals: {counts[0]:.1%} at most 1/50 of the run time (survey {surveyed[0]:.1%}), "
        f"{1 - counts[2]:.1%} below 1/4 (survey {1 - surveyed[2]:.1%}), "
        f"median {np.median(interval):.0f} s (survey 900 s)"
    )
