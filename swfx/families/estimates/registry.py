"""Models of what users request: how long they say their jobs will run."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import NamedTuple

import numpy as np

from swfx.base.columns import Floats
from swfx.base.configured import Configured
from swfx.base.errors import InputError
from swfx.base.registry import Registry
from swfx.families.annotation import Annotated, seeded
from swfx.workload import Workload

__all__ = ["ESTIMATE_MODELS", "EstimateModel", "Estimates"]

LEAST = 1.0
"""Shortest request, in s: in SWF a request of 0 is none."""


class Estimates(NamedTuple):
    """Requested time of every job (s, not yet rounded), (n,), and what there is to say of them."""

    requested: Floats
    notes: tuple[str, ...] = ()


class EstimateModel(Configured, ABC):
    """Base of the models that give every job a requested time."""

    @abstractmethod
    def estimate(self, run: Floats, seed: int) -> Estimates:
        """Estimate run times (s, whole or not, at least 0), shape (n,)."""

    def annotate(self, workload: Workload, seed: int) -> Annotated:
        """Give every job a requested time, in whole seconds and at least 1 s.

        Times are rounded up, so that no job is killed at a request that its model meant to be
        long enough. A job that runs longer than the longest estimate is cut to it.

        Parameters
        ----------
        workload : Workload
            n jobs; requested times they have are replaced.
        seed : int
            Fixes every draw, at least 0.

        Returns
        -------
        Annotated
            The jobs with `requested_time`, and a header line `EstimateModel`.

        Raises
        ------
        InputError
            A job without run time, or jobs that the model cannot give estimates.
        """
        header = seeded(workload, "EstimateModel", self.label, seed)
        run = _run_times(workload)
        estimates, notes = self.estimate(run, seed)
        requested = np.maximum(_whole_seconds(estimates), LEAST)
        replaced = int(np.count_nonzero(workload.requested_time > 0))
        annotated = workload.replace(
            requested_time=requested, run=np.minimum(run, requested), header=header
        )
        remarks = (f"{replaced} requested times replaced",) if replaced else ()
        return Annotated(annotated, (*notes, *remarks))


ESTIMATE_MODELS: Registry[EstimateModel] = Registry(
    "estimate model", "swfx.estimates", "swfx.families.estimates"
)


def _run_times(workload: Workload) -> Floats:
    unknown = workload.run < 0
    if unknown.any():
        raise InputError(
            f"the job at position {int(np.argmax(unknown))} has no run time to estimate",
            field="run",
            remedy="read the log with standard cleaning",
        )
    return workload.run


def _whole_seconds(estimates: Floats) -> Floats:
    """Next whole second; a few roundings above one (1.1 * 70 s) are that one."""
    nearest = np.rint(estimates)
    close = np.abs(estimates - nearest) <= 4 * np.spacing(np.abs(estimates))
    seconds: Floats = np.where(close, nearest, np.ceil(estimates))
    return seconds
