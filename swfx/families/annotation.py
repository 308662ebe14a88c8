"""Results of models that add something to given jobs."""

from __future__ import annotations

from typing import NamedTuple, Protocol

from swfx.base.bounds import require_whole
from swfx.header import Header
from swfx.workload import Workload

__all__ = ["Annotated", "Annotator", "seeded"]


class Annotated(NamedTuple):
    """The same jobs in the same order with more known about them.

    Attributes
    ----------
    workload : Workload
        The jobs; a header line says what was added, how, and with which seed.
    notes : tuple of str
        What there is to say about it, one sentence each.
    """

    workload: Workload
    notes: tuple[str, ...] = ()


class Annotator(Protocol):
    """Anything that adds something to the jobs of a workload."""

    def annotate(self, workload: Workload, seed: int) -> Annotated:
        """Annotate jobs, equally for equal seeds."""


def seeded(workload: Workload, key: str, label: str, seed: int) -> Header:
    """Header of a workload with the line that says which model and seed are at work.

    Raises
    ------
    InputError
        The seed is no whole number of at least 0.
    """
    require_whole(key, "seed", seed, 0, 2**63)
    return workload.header.with_value(key, f"{label}; seed {seed}")
