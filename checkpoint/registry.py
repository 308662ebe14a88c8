"""Annotations: which jobs take checkpoints, how often, and what a restart costs them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from checkpoint.overhead import Overhead
from swfx.base.columns import Floats
from swfx.base.configured import Configured, option
from swfx.base.registry import Registry
from swfx.families.annotation import Annotated, seeded
from swfx.fields import MISSING
from swfx.workload import Workload

__all__ = ["ANNOTATIONS", "CheckpointAnnotation", "Intervals", "node_hours"]


class Intervals(NamedTuple):
    """Checkpoint interval of every job (s, -1: takes none), (n,), and what there is to say."""

    interval: Floats
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class CheckpointAnnotation(Configured, ABC):
    """Base of the annotations, with the option that all of them have.

    Attributes
    ----------
    overhead : Overhead
        What a restart of a job with checkpoints takes, by default 1 s per processor: proportional
        to the processors as LEE assumes (section 6.7.1), who gives no figure.
    """

    overhead: Overhead = option(Overhead.from_text, Overhead(1.0, per_processor=True))

    @abstractmethod
    def intervals(self, workload: Workload, seed: int) -> Intervals:
        """Interval of every job."""

    def annotate(self, workload: Workload, seed: int) -> Annotated:
        """Say of every job whether it takes checkpoints; what was said before is replaced.

        Parameters
        ----------
        workload : Workload
            n jobs.
        seed : int
            Fixes every draw, at least 0.

        Returns
        -------
        Annotated
            The jobs with `checkpoint_interval` and `restart_overhead`, both -1 for jobs that take
            none, and a header line `CheckpointModel`.

        Raises
        ------
        InputError
            The annotation cannot be made for these jobs.
        """
        header = seeded(workload, "CheckpointModel", self.label, seed)
        interval, notes = self.intervals(workload, seed)
        takes = interval != MISSING
        overhead = np.where(takes, self.overhead.of(workload.size), MISSING)
        replaced = int(np.count_nonzero(workload.checkpoint_interval != MISSING))
        annotated = workload.replace(
            checkpoint_interval=interval, restart_overhead=overhead, header=header
        )
        remarks = (f"{replaced:,} checkpoint intervals replaced",) if replaced else ()
        return Annotated(annotated, (_shares(annotated), *notes, *remarks))


ANNOTATIONS: Registry[CheckpointAnnotation] = Registry(
    "checkpoint annotation", "checkpoint.annotations"
)
"""Which jobs take checkpoints, by name."""


def node_hours(workload: Workload) -> Floats:
    """Hours times processors that each job runs for, (n,), all nodes being alike."""
    hours: Floats = workload.size * workload.effective_run / 3600
    return hours


def _shares(workload: Workload) -> str:
    takes = workload.checkpoint_interval != MISSING
    hours = node_hours(workload)
    of_hours = hours[takes].sum() / hours.sum() if hours.any() else 0.0
    return (
        f"{np.count_nonzero(takes):,} of {len(workload):,} jobs take checkpoints: "
        f"{takes.mean():.2%} of the jobs, {of_hours:.2%} of the node-hours "
        "(run times up to the request)"
    )
