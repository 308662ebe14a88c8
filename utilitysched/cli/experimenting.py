"""What the commands that run experiments share."""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from swfx import InputError
from utilitysched.cli.progress import Progress
from utilitysched.cli.say import Say, speaker, told_of_compilation
from utilitysched.experiments.cell import Cell
from utilitysched.experiments.comparisons import compared
from utilitysched.experiments.execution import Failure, run_missing
from utilitysched.experiments.experiment_file import read_experiment
from utilitysched.experiments.grid import GridEntry, audits, bills, cells, grid
from utilitysched.experiments.outputs import Findings, check_outputs, write_outputs
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
from utilitysched.report.experiment import tables
from utilitysched.report.numbers import plural
from utilitysched.report.prices import audit_tables, bill_tables
from utilitysched.report.tables import print_table
from utilitysched.workers.executor import Executor

LISTED = 5
"""Failures that are told one by one."""


class Opened(NamedTuple):
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
        """What its cells are called."""
        return "result" if self.bills or self.audits else "simulation"


def opened(file: Path, store: Path | None, say: Say) -> Opened:
    """Read an experiment file.

    Raises
    ------
    InputError
        Whatever is wrong in it.
    """
    experiment = read_experiment(file)
    check_outputs(experiment)
    try:
        entries = grid(experiment)
    except InputError as error:
        raise InputError(str(error), source=str(file)) from error
    directory = store or experiment.store or file.with_suffix(".store")
    return Opened(
        experiment,
        entries,
        Store(directory, say),
        directory / file.stem,
        bills(experiment, entries),
        audits(experiment, entries),
    )


def execute(work: Opened, executor: Executor, say: Say, *, quiet: bool) -> None:
    """Run what is missing, write and print what came out.

    Raises
    ------
    InputError
        Some cells failed; the others are kept.
    """
    whole = work.cells
    with work.store, told_of_compilation(say):
        missing = work.store.missing(whole)
        if missing and work.outputs:
            remove_results(work.outputs)
        if len(missing) < len(whole):
            found = f"{len(whole) - len(missing):,} of {plural(len(whole), work.kind)}"
            say(f"{found} in {work.store.path} already")
        with Progress(work.experiment.name, quiet=quiet) as progress:
            failures = run_missing(missing, work.store, executor, progress)
    if failures:
        _tell(failures, speaker(quiet=False))
        raise InputError(
            f"{len(failures):,} of {plural(len(whole), work.kind)} failed",
            remedy="the others are kept; correct the experiment and run it again",
        )
    report_on(work, say)


def report_on(work: Opened, say: Say) -> None:
    """Print and write the tables of what is finished.

    Raises
    ------
    InputError
        Nothing is.
    """
    found = _found(work)
    wanted = len(work.entries) + len(work.bills) + len(work.audits)
    if found.number < wanted:
        say(f"{found.number:,} of {wanted:,} results: what is missing is left out")
    findings = found.findings(work.experiment)
    if "terminal" in work.experiment.report.tables:
        for i, table in enumerate(findings.tables):
            print("\n" if i else "", end="")
            print_table(table)
    if work.outputs:
        written = _write(found, work.outputs) if found.number == wanted else []
        if found.number < wanted:
            remove_results(work.outputs)
            say("wrote no results.csv: it holds whole grids only")
        written += write_outputs(work.experiment, findings, work.outputs, say)
        if written:
            say(f"wrote to {work.outputs}: {', '.join(path.name for path in written)}")


class Found(NamedTuple):
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

    def findings(self, experiment: Experiment) -> Findings:
        """Compare, and make tables."""
        figures = compared(experiment, self.simulated)
        made = [
            *tables(experiment, figures),
            *bill_tables(experiment, billed(self.billed)),
            *audit_tables(experiment, audited(self.audited)),
        ]
        return Findings(figures, made)


def _found(work: Opened) -> Found:
    grids = (work.entries, work.bills, work.audits)
    found = Found(*(finished(entries, work.store) for entries in grids))
    if not found.simulated:
        if work.outputs:
            remove_results(work.outputs)
        raise InputError(
            "holds no result of this experiment",
            source=str(work.store.path),
            remedy="run it: utilitysched experiment run FILE",
        )
    return found


def _write(found: Found, outputs: Path) -> list[Path]:
    return [
        *write_results(found.simulated, outputs),
        *write_priced(BILLED, billed(found.billed), outputs),
        *write_priced(AUDITED, with_means(audited(found.audited)), outputs),
    ]


def print_status(work: Opened) -> None:
    """Print what is finished, by scheduler."""
    whole = work.cells
    missing = {cell.key for cell in work.store.missing(whole)}
    by_scheduler = Counter(cell.scheduler for cell in whole)
    left = Counter(cell.scheduler for cell in whole if cell.key in missing)
    print(f"{len(whole) - len(missing):,} of {plural(len(whole), work.kind)} finished")
    for scheduler, number in by_scheduler.items():
        print(f"  {scheduler}: {number - left[scheduler]:,} of {number:,}")


def _tell(failures: Sequence[Failure], say: Say) -> None:
    for failure in failures[:LISTED]:
        say(f"{failure.cell.title}: {failure.reason}")
    if len(failures) > LISTED:
        say(f"and {len(failures) - LISTED:,} more")
