"""Models of priorities, for logs that have no queues."""

from __future__ import annotations

from abc import ABC, abstractmethod

import numpy as np

from swfx.base.bounds import require_between
from swfx.base.columns import Ints
from swfx.base.configured import Configured
from swfx.base.options import as_int
from swfx.base.registry import Registry
from swfx.families.annotation import Annotated, seeded
from swfx.workload import Workload

__all__ = ["PRIORITY_MODELS", "QUEUES", "PriorityModel", "read_queue"]

QUEUES = ("interactive", "express", "high", "normal", "low", "standby")
"""Queues by number, 0 the most urgent: those that are priority classes of their own."""


def read_queue(text: str, field: str) -> int:
    """Read the number of a queue, 0 to 5.

    Raises
    ------
    InputError
        Anything else.
    """
    queue = as_int(text, "queues", field)
    require_between("queues", field, queue, 0, len(QUEUES) - 1)
    return queue


class PriorityModel(Configured, ABC):
    """Base of the models that put the jobs of a workload into queues 0 to 5."""

    @abstractmethod
    def rank(self, workload: Workload, seed: int) -> Ints:
        """Choose the queue of every job, shape (n,)."""

    def annotate(self, workload: Workload, seed: int) -> Annotated:
        """Put every job into a queue, 0 the most urgent.

        Parameters
        ----------
        workload : Workload
            n jobs; queues they have are replaced.
        seed : int
            Fixes every draw, at least 0.

        Returns
        -------
        Annotated
            The jobs with `queue`, header lines `Queue` for those that occur in place of former
            ones, and a header line `PriorityModel`.

        Raises
        ------
        InputError
            The jobs lack what the model goes by, or the seed is below 0.
        """
        header = seeded(workload, "PriorityModel", self.label, seed)
        queue = self.rank(workload, seed)
        present, jobs = np.unique(queue, return_counts=True)
        header = header.with_values("Queue", [f"{q} {QUEUES[q]}" for q in present.tolist()])
        notes = [
            f"{count} jobs in queue {number} {QUEUES[number]}"
            for number, count in zip(present.tolist(), jobs.tolist(), strict=True)
        ]
        if np.any(workload.queue >= 0):
            notes.append("the queues of the workload are replaced")
        return Annotated(workload.replace(queue=queue, header=header), tuple(notes))


PRIORITY_MODELS: Registry[PriorityModel] = Registry(
    "priority model", "swfx.queues", "swfx.families.queues"
)
