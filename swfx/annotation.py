"""What a model that adds something to given jobs returns."""

from __future__ import annotations

from typing import NamedTuple, Protocol

from swfx.workload import Workload

__all__ = ["Annotated", "Annotator"]


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
        """Add it; the same seed adds the same."""
