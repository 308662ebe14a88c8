"""Where cells are run: what all such places have in common."""

from collections.abc import Iterable, Iterator
from typing import Protocol

from utilitysched.experiments.cell import Cell, CellResult


class Runner(Protocol):
    """Runs cells somewhere.

    Workers call `utilitysched.experiments.cell.run_cell` and nothing else of ours; the process that
    iterates writes the store.
    """

    def __call__(self, cells: Iterable[Cell]) -> Iterator[tuple[Cell, CellResult]]:
        """Yield every cell with its result as it finishes, in any order.

        A cell is claimed, so that no other process runs it, at the moment it is taken from `cells`:
        take one when there is room for it, two or so per worker, not all at once. Taking one never
        waits. Closing the iterator stops what still runs.
        """
        ...
