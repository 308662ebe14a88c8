"""Work of an experiment: its grid, its store, what is missing, and the result of what is there."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain
from pathlib import Path
from typing import NamedTuple

from swfx import InputError
from swfx.base.numbers import plural
from swfx.base.plugin_file import is_digested
from swfx.reading.notes import Echo
from utilitysched.analysis.metrics.catalogue import known_metrics
from utilitysched.analysis.statistics import scipy_stats
from utilitysched.experiments.cell import Cell, CellResult, run_cell
from utilitysched.experiments.experiment_file import read_experiment
from utilitysched.experiments.files import require_files
from utilitysched.experiments.grid import FinishedCell, GridEntry, audits, bills, cells, grid
from utilitysched.experiments.results import ExperimentResult, experiment_result
from utilitysched.experiments.specification import Experiment
from utilitysched.experiments.store import Store
from utilitysched.runs.simulation import Watch, unwatched
from utilitysched.workers.executor import Executor, Work
from utilitysched.workers.places import Workplace

LISTED = 5
"""Failures that are told one by one."""

POLL = 0.5
"""Seconds between looks at what other processes have finished."""

SHEETS = ("results", "bills", "audits")
"""Names of the files of a whole grid's cells, before ``.csv``."""


def _runs_cells() -> Callable[[Cell], CellResult]:
    return run_cell


def _given_up(reason: str) -> CellResult:
    return CellResult({}, error=reason)


def _check_files(cell: Cell) -> None:
    require_files(cell.inputs.files)


CELLS = Work("cell", _runs_cells, _given_up, _check_files)
"""Workers run cells and nothing else of ours; the process that asks writes the store."""


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
    def kind(self) -> str:
        """Noun for the cells in messages."""
        return "result" if self.bills or self.audits else "simulation"


def run_experiment(
    file: str | Path,
    store: str | Path | None = None,
    *,
    processes: int | None = None,
    echo: Echo = lambda _: None,
) -> ExperimentResult:
    """Run what an experiment lacks in its store, and return its result.

    Parameters
    ----------
    file : path
        Experiment file, see docs/experiments.md.
    store : path, optional
        Where results are kept; default: the file's own, else its name with ``.store``.
    processes : int, optional
        Processes that simulate, one per processor by default; the result does not depend on it.
    echo : callable
        Takes lines for people.

    Returns
    -------
    ExperimentResult
        Comparisons, bills and audits.

    Raises
    ------
    InputError
        Whatever is wrong in the file; or some simulations failed, and the others are kept.
    """
    work = open_work(Path(file), None if store is None else Path(store), echo)
    complete(work, Workplace(processes).executor(echo), echo, echo)
    return result_of(work)


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
    _check_metrics(experiment, file)
    directory = store or experiment.store or file.with_suffix(".store")
    return ExperimentWork(
        experiment,
        entries,
        Store(directory, echo),
        directory / file.stem,
        bills(experiment, entries),
        audits(experiment, entries),
    )


def _check_metrics(experiment: Experiment, file: Path) -> None:
    """Refuse a metric whose edits the store would not notice."""
    known = known_metrics()
    for name in (*experiment.report.metrics, *experiment.report.compared):
        function = known[name].function
        if function and not is_digested(function.__module__):
            raise InputError(
                f"the metric {name!r} is of no plug-in, so the store would not notice its edits",
                source=str(file),
                field="report.metrics",
                remedy="put it in a file of its own, and name the file in `plugins`",
            )


def complete(
    work: ExperimentWork,
    executor: Executor,
    echo: Echo = lambda _: None,
    complain: Echo = lambda _: None,
    watch: Watch = unwatched,
) -> None:
    """Run the missing cells of an experiment.

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
        Some cells failed; the others are kept. Or schedulers are to be compared without scipy.
    """
    if len(work.experiment.schedulers.candidates) > 1:
        scipy_stats()  # which the comparisons need in the end
    whole = work.cells
    with work.store:
        missing = work.store.missing(whole)
        if missing and work.outputs:
            remove_sheets(work.outputs)
        if len(missing) < len(whole):
            finished = f"{len(whole) - len(missing):,} of {plural(len(whole), work.kind)}"
            echo(f"{finished} in {work.store.path} already")
        with watch(work.experiment.name) as progress:
            failures = run_missing(missing, work.store, executor, progress)
    for failure in failures[:LISTED]:
        complain(f"{failure.cell.title}: {failure.reason}")
    if len(failures) > LISTED:
        complain(f"and {len(failures) - LISTED:,} more")
    if failures:
        raise InputError(
            f"{len(failures):,} of {plural(len(whole), work.kind)} failed",
            remedy="the others are kept; correct the experiment and run it again",
        )


class Failure(NamedTuple):
    """A cell without a result, and the reason."""

    cell: Cell
    reason: str


def run_missing(
    cells: Iterable[Cell],
    store: Store,
    executor: Executor,
    on_progress: Callable[[float], None] = lambda _: None,
) -> list[Failure]:
    """Run the cells without a result in the store, and return the failures.

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
        claimed = (cell for cell in missing if store.claim(cell))
        first = next(claimed, None)
        # the executor is not started for nothing
        results = [] if first is None else executor.run(CELLS, chain([first], claimed))
        for cell, result in results:
            store.put(cell, result)
            if result.error is not None:
                failures.append(Failure(cell, result.error))
            over.add(cell.key)
            on_progress((total - len(missing) + len(over)) / total)
        if not over:
            time.sleep(POLL)
        missing = store.missing(cell for cell in missing if cell.key not in over)
    return failures


def result_of(work: ExperimentWork) -> ExperimentResult:
    """Return the result of what is finished.

    Raises
    ------
    InputError
        No simulation is.
    """
    grids = (work.entries, work.bills, work.audits)
    simulated, billed, audited = (_finished(entries, work.store) for entries in grids)
    if not simulated:
        if work.outputs:
            remove_sheets(work.outputs)
        raise InputError(
            "holds no result of this experiment",
            source=str(work.store.path),
            remedy="run it: utilitysched experiment run FILE",
        )
    wanted = sum(map(len, grids))
    return experiment_result(work.experiment, simulated, billed, audited, wanted)


def _finished(entries: Iterable[GridEntry], store: Store) -> list[FinishedCell]:
    results = ((entry, store.get(entry.cell)) for entry in entries)
    return [FinishedCell(entry, result) for entry, result in results if result is not None]


def remove_sheets(directory: Path) -> None:
    """Remove the files of the cells of a grid that is no longer complete."""
    for stem in SHEETS:
        (directory / f"{stem}.csv").unlink(missing_ok=True)


def status(work: ExperimentWork) -> Iterator[str]:
    """Yield lines of numbers of finished cells, by scheduler."""
    whole = work.cells
    missing = {cell.key for cell in work.store.missing(whole)}
    by_scheduler = Counter(cell.scheduler for cell in whole)
    left = Counter(cell.scheduler for cell in whole if cell.key in missing)
    yield f"{len(whole) - len(missing):,} of {plural(len(whole), work.kind)} finished"
    for scheduler, number in by_scheduler.items():
        yield f"  {scheduler}: {number - left[scheduler]:,} of {number:,}"
