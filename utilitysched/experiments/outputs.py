"""What an experiment leaves beside its cells: results, tables, plots."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple

from swfx.base.atomic import atomic_write
from utilitysched.experiments.comparisons import (
    Group,
    MetricComparison,
    described,
    published_ratios,
)
from utilitysched.experiments.specification import Experiment
from utilitysched.report.experiment import as_csv, as_latex, as_markdown
from utilitysched.report.figures.canvas import require_matplotlib, save
from utilitysched.report.figures.comparison import draw_comparisons
from utilitysched.report.tables import Table

INCHES = 3.5
"""Width of a plot: a column of a paper."""

LONGEST = 80
"""Characters of a name of a plot that say where it holds."""

_APART = re.compile("[^A-Za-z0-9._=+]+")

Say = Callable[[str], None]


def check_outputs(experiment: Experiment) -> None:
    """Refuse, before anything is run, what could not be written in the end.

    Raises
    ------
    InputError
        Plots are wanted, and matplotlib is not installed.
    """
    if experiment.report.plots:
        require_matplotlib()


class Findings(NamedTuple):
    """What is written.

    Attributes
    ----------
    compared : sequence of MetricComparison
        Every metric of all candidates.
    tables : sequence of Table
        All that is printed.
    """

    compared: Sequence[MetricComparison]
    tables: Sequence[Table]


def write_outputs(experiment: Experiment, found: Findings, directory: Path, say: Say) -> list[Path]:
    """Write the tables and plots wanted, each whole or not at all; tell of those left out.

    Raises
    ------
    InputError
        A file cannot be written.
    """
    written = _write_tables(experiment, found, directory)
    return written + _draw(experiment, found.compared, directory, say)


def _write_tables(experiment: Experiment, found: Findings, directory: Path) -> list[Path]:
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
    experiment: Experiment, found: Sequence[MetricComparison], directory: Path, say: Say
) -> list[Path]:
    if "ratio" not in experiment.report.plots:
        return []
    baseline = experiment.schedulers.baseline
    stems = _stems([one.group for one in found])
    written = []
    for one in (one for one in found if one.is_tested):
        stem = f"ratio-{one.metric}{stems[one.group]}"
        if not _has_ratios(experiment, one):
            say(f"not drawn: {stem}, since no scheduler has a ratio to {baseline}")
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
