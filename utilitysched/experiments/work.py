"""Work of an experiment: its grid, its store, what is missing and what is finished."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from swfx import InputError
from swfx.base.numbers import plural
from swfx.reading.notes import Echo
from utilitysched.experiments.cell import Cell
from utilitysched.experiments.execution import Failure, run_missing
from utilitysched.experiments.experiment_file import read_experiment
from utilitysched.experiments.grid import GridEntry, audits, bills, cells, grid
from utilitysched.experiments.results import (
    AUDITED,
    BILLED,
    Finished,
    audited,
    billed,
    finished,
    remove_results,
    with_means,
    write_priced,
    write_results,
)
from utilitysched.experiments.specification import Experiment
from utilitysched.experiments.store import Store
from utilitysched.runs.simulation import Watch, unwatched
from utilitysched.workers.executor import Executor

LISTED = 5
"""Failures that are told one by one."""


class ExperimentWork(NamedTuple):
    """An experiment ready to be run or reported on.

    Attributes
    ----------
    experiment : Experiment
        What is wanted.
    entries : sequence of GridEntry
        Its grid.
    store : Store
        Where its results are.
    outputs : Path or None
        Directory of its tables; None to print them only.
    bills : sequence of GridEntry
        The grid once per mechanism by which the schedules are charged.
    audits : sequence of GridEntry
        The grid, its schedules audited, or nothing.
    """

    experiment: Experiment
    entries: Sequence[GridEntry]
    store: Store
    outputs: Path | None
    bills: Sequence[GridEntry] = ()
    audits: Sequence[GridEntry] = ()

    @property
    def cells(self) -> list[Cell]:
        """All that is to be run, each once; first what takes longest."""
        return cells([*self.audits, *self.entries, *self.bills])

    @property
    def wanted(self) -> int:
        """How many results a whole grid has."""
        return len(self.entries) + len(self.bills) + len(self.audits)

    @property
    def kind(self) -> str:
        """What its cells are called."""
        return "result" if self.bills or self.audits else "simulation"


def open_work(file: Path, store: Path | None, echo: Echo) -> ExperimentWork:
    """Read an experiment file.

    Raises
    ------
    InputError
        Whatever is wrong in it.
    """
    experiment = read_experiment(file)
    try:
        entries = grid(experiment)
    except InputError as error:
        raise InputError(str(error), source=str(file)) from error
    directory = store or experiment.store or file.with_suffix(".store")
    return ExperimentWork(
        experiment,
        entries,
        Store(directory, echo),
        directory / file.stem,
        bills(experiment, entries),
        audits(experiment, entries),
    )


def complete(
    work: ExperimentWork,
    executor: Executor,
    echo: Echo = lambda _: None,
    complain: Echo = lambda _: None,
    watch: Watch = unwatched,
) -> None:
    """Run what is missing.

    Parameters
    ----------
    work : ExperimentWork
        An experiment.
    executor : Executor
        Where cells are run.
    echo, complain : callable
        Take lines about what is in the store already, and about what failed.
    watch : callable
        Shows how far it is.

    Raises
    ------
    InputError
        Some cells failed; the others are kept.
    """
    whole = work.cells
    with work.store:
        missing = work.store.missing(whole)
        if missing and work.outputs:
            remove_results(work.outputs)
        if len(missing) < len(whole):
            found = f"{len(whole) - len(missing):,} of {plural(len(whole), work.kind)}"
            echo(f"{found} in {work.store.path} already")
        with watch(work.experiment.name) as progress:
            failures = run_missing(missing, work.store, executor, progress)
    if failures:
        for line in _failure_lines(failures):
            complain(line)
        raise InputError(
            f"{len(failures):,} of {plural(len(whole), work.kind)} failed",
            remedy="the others are kept; correct the experiment and run it again",
        )


def _failure_lines(failures: Sequence[Failure]) -> Iterator[str]:
    for failure in failures[:LISTED]:
        yield f"{failure.cell.title}: {failure.reason}"
    if len(failures) > LISTED:
        yield f"and {len(failures) - LISTED:,} more"


class FinishedRows(NamedTuple):
    """What is finished.

    Attributes
    ----------
    simulated, billed, audited : list of Finished
        Rows of the three grids.
    """

    simulated: list[Finished]
    billed: list[Finished]
    audited: list[Finished]

    @property
    def number(self) -> int:
        """How many results there are."""
        return sum(map(len, self))

    def write(self, outputs: Path) -> list[Path]:
        """Write results.csv, and where there are any, bills.csv and audits.csv."""
        return [
            *write_results(self.simulated, outputs),
            *write_priced(BILLED, billed(self.billed), outputs),
            *write_priced(AUDITED, with_means(audited(self.audited)), outputs),
        ]


def finished_rows(work: ExperimentWork) -> FinishedRows:
    """Return what is finished.

    Raises
    ------
    InputError
        Nothing is.
    """
    grids = (work.entries, work.bills, work.audits)
    found = FinishedRows(*(finished(entries, work.store) for entries in grids))
    if not found.simulated:
        if work.outputs:
            remove_results(work.outputs)
        raise InputError(
            "holds no result of this experiment",
            source=str(work.store.path),
            remedy="run it: utilitysched experiment run FILE",
        )
    return found


def write_rows(work: ExperimentWork, found: FinishedRows, echo: Echo) -> list[Path]:
    """Write the tables of results if the grid is whole; say so if it is not."""
    if work.outputs is None:
        return []
    if found.number == work.wanted:
        return found.write(work.outputs)
    remove_results(work.outputs)
    echo("wrote no results.csv: it holds whole grids only")
    return []


def status(work: ExperimentWork) -> Iterator[str]:
    """Yield lines that say what is finished, by scheduler."""
    whole = work.cells
    missing = {cell.key for cell in work.store.missing(whole)}
    by_scheduler = Counter(cell.scheduler for cell in whole)
    left = Counter(cell.scheduler for cell in whole if cell.key in missing)
    yield f"{len(whole) - len(missing):,} of {plural(len(whole), work.kind)} finished"
    for scheduler, number in by_scheduler.items():
        yield f"  {scheduler}: {number - left[scheduler]:,} of {number:,}"
