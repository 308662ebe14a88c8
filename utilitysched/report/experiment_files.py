"""Files of an experiment beside its cells: tables and plots, and the tables on the terminal."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple

from swfx.base.atomic import atomic_write
from swfx.reading.notes import Echo
from utilitysched.experiments.comparisons import (
    Group,
    MetricComparison,
    compared,
    described,
    published_ratios,
)
from utilitysched.experiments.results import audited, billed
from utilitysched.experiments.specification import Experiment
from utilitysched.experiments.work import ExperimentWork, FinishedRows, finished_rows, write_rows
from utilitysched.report.experiment import as_csv, as_latex, as_markdown, tables
from utilitysched.report.figures.canvas import require_matplotlib, save
from utilitysched.report.figures.comparison import draw_comparisons
from utilitysched.report.prices import audit_tables, bill_tables
from utilitysched.report.tables import ResultTable, print_table

INCHES = 3.5
"""Width of a plot: a column of a paper."""

LONGEST = 80
"""Characters of a name of a plot that say where it holds."""

_APART = re.compile("[^A-Za-z0-9._=+]+")


def check_outputs(experiment: Experiment) -> None:
    """Refuse, before anything is run, what could not be written in the end.

    Raises
    ------
    InputError
        Plots are wanted, and matplotlib is not installed.
    """
    if experiment.report.plots:
        require_matplotlib()


class ExperimentFindings(NamedTuple):
    """What is written.

    Attributes
    ----------
    compared : sequence of MetricComparison
        Every metric of all candidates.
    tables : sequence of ResultTable
        All that is printed.
    """

    compared: Sequence[MetricComparison]
    tables: Sequence[ResultTable]


def findings_of(experiment: Experiment, found: FinishedRows) -> ExperimentFindings:
    """Compare what is finished, and make tables."""
    every = compared(experiment, found.simulated)
    made = [
        *tables(experiment, every),
        *bill_tables(experiment, billed(found.billed)),
        *audit_tables(experiment, audited(found.audited)),
    ]
    return ExperimentFindings(every, made)


def report_on(work: ExperimentWork, echo: Echo) -> None:
    """Print and write the tables of what is finished.

    Raises
    ------
    InputError
        Nothing is.
    """
    found = finished_rows(work)
    if found.number < work.wanted:
        echo(f"{found.number:,} of {work.wanted:,} results: what is missing is left out")
    findings = findings_of(work.experiment, found)
    if "terminal" in work.experiment.report.tables:
        for i, table in enumerate(findings.tables):
            print("\n" if i else "", end="")
            print_table(table)
    if work.outputs:
        written = write_rows(work, found, echo)
        written += write_outputs(work.experiment, findings, work.outputs, echo)
        if written:
            echo(f"wrote to {work.outputs}: {', '.join(path.name for path in written)}")


def write_outputs(
    experiment: Experiment, found: ExperimentFindings, directory: Path, echo: Echo
) -> list[Path]:
    """Write the tables and plots wanted, each whole or not at all; tell of those left out.

    Raises
    ------
    InputError
        A file cannot be written.
    """
    written = _write_tables(experiment, found, directory)
    return written + _draw(experiment, found.compared, directory, echo)


def _write_tables(experiment: Experiment, found: ExperimentFindings, directory: Path) -> list[Path]:
    contents: dict[str, tuple[str, Callable[[], str]]] = {
        "csv": ("comparisons.csv", lambda: as_csv(experiment, found.compared)),
        "markdown": ("tables.md", lambda: as_markdown(experiment.name, found.tables)),
        "latex": ("tables.tex", lambda: as_latex(found.tables)),
    }
    written = []
    for name in experiment.report.tables:
        if name in contents:
            file, content = contents[name]
            with atomic_write(directory / file, parents=True) as stream:
                stream.write(content().encode())
            written.append(directory / file)
    return written


def _draw(
    experiment: Experiment, found: Sequence[MetricComparison], directory: Path, echo: Echo
) -> list[Path]:
    if "ratio" not in experiment.report.plots:
        return []
    baseline = experiment.schedulers.baseline
    stems = _stems([one.group for one in found])
    written = []
    for one in (one for one in found if one.is_tested):
        stem = f"ratio-{one.metric}{stems[one.group]}"
        if not _has_ratios(experiment, one):
            echo(f"not drawn: {stem}, since no scheduler has a ratio to {baseline}")
            continue
        where = described(one.group)
        title = f"{experiment.name} ({where})" if where else experiment.name
        draw = partial(
            draw_comparisons,
            {one.metric: one.by_scheduler},
            baseline,
            INCHES,
            title,
            {one.metric: published_ratios(experiment, one.metric)},
        )
        for kind in experiment.report.plot_formats:
            file = directory / f"{stem}.{kind}"
            save(draw, file)
            written.append(file)
    return written


def _stems(groups: Sequence[Group]) -> dict[Group, str]:
    """Return what the names of a group's files end with: its words, a number if these are long."""
    stems: dict[Group, str] = {}
    for number, group in enumerate(dict.fromkeys(groups), 1):
        words = _APART.sub("-", " ".join(value or f"no {factor}" for factor, value in group))
        stem = f"-{words}" if words else ""
        taken = stem.lower() in (each.lower() for each in stems.values())
        stems[group] = f"{stem[:LONGEST]}-{number}" if taken or len(stem) > LONGEST else stem
    return stems


def _has_ratios(experiment: Experiment, one: MetricComparison) -> bool:
    baseline = experiment.schedulers.baseline
    return any(row.ratio is not None for name, row in one.by_scheduler.items() if name != baseline)
