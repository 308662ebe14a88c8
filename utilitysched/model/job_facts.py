"""Labels and other columns of submitted jobs, for schedulers that decide in Python."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from swfx import MISSING, InputError, Workload
from swfx.base.columns import Column
from swfx.base.options import nearest
from swfx.labels import JobLabels
from utilitysched.model.state import Integers

OUTCOMES = frozenset(
    (
        *("wait", "run", "processors", "cpu_time", "memory", "status", "state", "suspended"),
        *("eligible", "tres/energy"),
    )
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

    def column(self, name: str, jobs: ArrayLike) -> Column:
        """Return a column of the workload for some jobs; see `QueueState.column`."""
        _check(name)
        if name not in self.workload.columns:
            remedy = nearest(name, self.workload.columns.keys() - OUTCOMES)
            raise InputError("no job has it", field=name, remedy=remedy)
        return self._of(self.workload.column(name), jobs)

    def labels(self, kind: str, jobs: ArrayLike) -> JobLabels:
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

    def _of(self, column: Column, jobs: ArrayLike) -> NDArray[Any]:
        chosen = np.asarray(jobs)
        if chosen.dtype == np.bool_:
            chosen = np.flatnonzero(chosen)
        position = self.positions(chosen.astype(np.int64))
        return np.where(position < 0, MISSING, column[position]).astype(column.dtype)


def _check(name: str) -> None:
    if name in OUTCOMES:
        raise InputError(
            f"{name} is not known before a job has ended",
            field=name,
            remedy="read state.known.size, state.known.request, or what the user requested",
        )
