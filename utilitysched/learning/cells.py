"""Training cells: pieces of logs on which candidates are simulated."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from functools import cache
from typing import NamedTuple

import numpy as np

from swfx import Workload
from swfx.families.transforms.submit_at import simulated
from utilitysched.engine.valued import ensure
from utilitysched.experiments.files import on_any_machine
from utilitysched.experiments.inputs import Log, read_log, require_machine_of


class TrainingPool(NamedTuple):
    """What training cells are drawn from.

    Attributes
    ----------
    logs : tuple of Log
        Each as often as every other.
    jobs : int
        Consecutive jobs of a cell.
    loads : (float, float)
        Least and largest offered load: that of a cell is drawn between them, and its arrivals are
        moved closer or apart.
    apply : tuple of str
        Transformations of each cell, in order.
    utilities : str
        Specification, drawn anew for each cell.
    """

    logs: tuple[Log, ...]
    jobs: int
    loads: tuple[float, float]
    apply: tuple[str, ...] = ()
    utilities: str = "default"

    def draw(self, count: int, seed: Sequence[int]) -> list[TrainingCell]:
        """Draw cells, of the logs in turn, of any of them first."""
        random = np.random.default_rng(seed)
        first = int(random.integers(len(self.logs)))
        return [
            TrainingCell(
                self.logs[i % len(self.logs)],
                float(random.random()),
                float(random.uniform(*self.loads)),
                int(random.integers(2**31)),
            )
            for i in range(first, first + count)
        ]

    def workload(self, cell: TrainingCell) -> Workload:
        """Return the jobs of a cell with their utility functions.

        Raises
        ------
        InputError
            The log cannot be read, or a transformation refuses the jobs.
        """
        whole = read_once(cell.log)
        first = int(cell.place * max(len(whole) - self.jobs, 0))
        steps = (*self.apply, f"scale-load:load={cell.load!r}")
        moved = simulated(whole[first : first + self.jobs], steps, cell.seed).workload
        return ensure(moved, self.utilities, cell.seed, classes=None, say=lambda _: None).workload


class TrainingCell(NamedTuple):
    """One piece of a log.

    Attributes
    ----------
    log : Log
        Which log.
    place : float
        Where it begins, from 0 for the first job to 1 for the last place that leaves enough jobs.
    load : float
        Offered load.
    seed : int
        Of transformations and utility functions.
    """

    log: Log
    place: float
    load: float
    seed: int


@cache
def read_once(log: Log) -> Workload:
    """Read a log, once in a process."""
    workload = read_log(log)
    require_machine_of(workload, log)
    return workload


def without_paths(log: Log, apply: Sequence[str], utilities: str) -> dict[str, object]:
    """Return where jobs of trials come from, as settings of a journal on any machine."""
    return {
        "log": {**asdict(log), "source": on_any_machine(log.source)},
        "apply": [on_any_machine(text) for text in apply],
        "utilities": on_any_machine(utilities),
    }
