"""Base of the sections of a description."""

from collections.abc import Iterator
from typing import Protocol

import numpy as np

from swfx import Workload
from utilitysched.analysis.documents import Panel
from utilitysched.model.state import Floats

SECONDS_PER_HOUR = 3600.0


class Section(Protocol):
    """Some tables and charts of a description; sees the workload part by part, once."""

    def add(self, part: Workload) -> None:
        """Take the next jobs into account."""
        ...

    def panels(self) -> Iterator[Panel]:
        """Yield what there is to show."""
        ...


def shares(sums: Floats) -> Floats:
    """Return sums as shares of their columns' totals; 0 where a total is."""
    totals = sums.sum(axis=0)
    parts: Floats = np.divide(sums, totals, out=np.zeros_like(sums), where=totals > 0)
    return parts
