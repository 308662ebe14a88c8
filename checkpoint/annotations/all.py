"""Checkpoints for every job."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from checkpoint.registry import ANNOTATIONS, CheckpointAnnotation, Intervals
from swfx.base.configured import seconds
from swfx.workload import Workload


@ANNOTATIONS.register("all")
@dataclass(frozen=True, kw_only=True)
class AllJobs(CheckpointAnnotation):
    """Every job takes checkpoints at one interval: what scheduling could gain at most.

    Attributes
    ----------
    interval : float
        Seconds of work from one checkpoint to the next; 15 minutes by default, the median of LEE's
        survey (section 6.5.2).

    Examples
    --------
    >>> log = Workload.from_columns(run=[60, 7200], processors=[2, 8])
    >>> AllJobs.from_text("overhead=0.5/processor").annotate(log, 0).workload.restart_overhead
    array([1., 4.])
    """

    interval: float = seconds(900.0, (1e-3, 1e9))

    def intervals(self, workload: Workload, seed: int) -> Intervals:  # noqa: ARG002  not random
        """Give every job the same."""
        return Intervals(np.full(len(workload), self.interval))
