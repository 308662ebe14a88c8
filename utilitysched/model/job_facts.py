"""Labels and other columns of submitted jobs, for schedulers that decide in Python."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from swfx import MISSING, InputError, Workload
from swfx.base.columns import Column
from swfx.labels import JobLabels
from utilitysched.model.state import Integers

OUTCOMES = frozenset(
    ("wait", "run", "processors", "cpu_time", "memory", "status", "state", "suspended", "eligible")
)
"""Columns and labels that say what became of a job, which no scheduler can know."""


class JobFacts(NamedTuple):
    """Rows of the submitted jobs in the workload.

    Attributes
    ----------
    workload : Workload
        The jobs.
    order : (n,) int64
        Position in the workload of each job in arrival order.
    places : sequence of int
        Place in arrival order of each job, by the number that schedulers know.
    arrived : int
        Number of submitted jobs.
    """

    workload: Workload
    order: Integers
    places: Sequence[int]
    arrived: int

    def column(self, name: str, jobs: Integers) -> Column:
        """Return a column of the workload for some jobs; see `QueueState.column`."""
        _check(name)
        return self._of(self.workload.column(name), jobs)

    def labels(self, kind: str, jobs: Integers) -> JobLabels:
        """Return the labels of one kind of some jobs; see `QueueState.labels`."""
        _check(kind)
        labels = self.workload.labels.required(kind)
        return JobLabels(kind, labels.names, self._of(labels.numbers, jobs))

    def positions(self, jobs: Integers) -> Integers:
        """Return the position of each job in the workload, -1 of outages and jobs to come."""
        places, arrived = self.places, self.arrived
        arrivals = [places[job] if 0 <= job < arrived else MISSING for job in jobs.tolist()]
        place = np.array(arrivals, dtype=np.int64)
        return np.where(place < 0, MISSING, self.order[place]) if len(self.order) else place

    def _of(self, column: Column, jobs: Integers) -> NDArray[Any]:
        position = self.positions(jobs)
        return np.where(position < 0, MISSING, column[position]).astype(column.dtype)


def _check(name: str) -> None:
    if name in OUTCOMES:
        raise InputError(
            f"{name} is not known before a job has ended",
            field=name,
            remedy="read state.known.size, state.known.request, or what the user requested",
        )
