"""Execution of what is missing of a grid, beside other processes that do the same."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from typing import NamedTuple

from utilitysched.experiments.cell import Cell, CellResult, run_cell
from utilitysched.experiments.files import require_files
from utilitysched.experiments.store import Store
from utilitysched.workers.executor import Executor, Work

POLL = 0.5
"""Seconds between looks at what other processes have finished."""


def _runs_cells() -> Callable[[Cell], CellResult]:
    return run_cell


def _given_up(reason: str) -> CellResult:
    return CellResult({}, error=reason)


def _check_files(cell: Cell) -> None:
    require_files(cell.inputs.files)


CELLS = Work("cell", _runs_cells, _given_up, _check_files)
"""Workers run cells and nothing else of ours; the process that asks writes the store."""


class Failure(NamedTuple):
    """A cell without a result.

    Attributes
    ----------
    cell : Cell
        Which.
    reason : str
        Why.
    """

    cell: Cell
    reason: str


def run_missing(
    cells: Iterable[Cell],
    store: Store,
    executor: Executor,
    on_progress: Callable[[float], None] = lambda _: None,
) -> list[Failure]:
    """Run the cells that the store does not hold, and return those that failed.

    Every result is in the store as soon as it is there. Cells that another process has claimed are
    left to it, and waited for; those of a process that died are run here.

    Parameters
    ----------
    cells : iterable of Cell
        Whole grid.
    store : Store
        Holds results of earlier runs, and gets the new ones.
    executor : Executor
        Where cells are run.
    on_progress : callable
        Takes the share of what was missing that is done.
    """
    missing = store.missing(cells)
    total = len(missing)
    failures: list[Failure] = []
    while missing:
        over: set[str] = set()
        for cell, result in _results(missing, store, executor):
            store.put(cell, result)
            if result.error is not None:
                failures.append(Failure(cell, result.error))
            over.add(cell.key)
            on_progress((total - len(missing) + len(over)) / total)
        if not over:
            time.sleep(POLL)
        missing = store.missing(cell for cell in missing if cell.key not in over)
    return failures


def _results(
    missing: Iterable[Cell], store: Store, executor: Executor
) -> Iterator[tuple[Cell, CellResult]]:
    """Run what nobody else runs; the executor is not troubled for nothing."""
    mine = _claimed(missing, store)
    first = next(mine, None)
    if first is not None:
        yield from executor.run(CELLS, chain([first], mine))


def _claimed(cells: Iterable[Cell], store: Store) -> Iterator[Cell]:
    return (cell for cell in cells if store.claim(cell))
