"""What an experiment leaves beside its cells: results, tables, plots."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path

from swfx.atomic import atomic_write
from utilitysched.experiments.comparisons import Compared
from utilitysched.experiments.specification import Experiment
from utilitysched.report.experiment import FILES
from utilitysched.report.figures.canvas import require_matplotlib, save
from utilitysched.report.figures.comparison import draw_comparisons

INCHES = 3.5
"""Width of a plot: a column of a paper."""


def check_outputs(experiment: Experiment) -> None:
    """Refuse, before anything is run, what could not be written in the end.

    Raises
    ------
    InputError
        Plots are wanted, and matplotlib is not installed.
    """
    if experiment.report.plots:
        require_matplotlib()


def write_outputs(experiment: Experiment, found: Sequence[Compared], directory: Path) -> list[Path]:
    """Write the tables and plots wanted, each whole or not at all.

    Raises
    ------
    InputError
        A file cannot be written.
    """
    return _write_tables(experiment, found, directory) + _draw(experiment, found, directory)


def _write_tables(experiment: Experiment, found: Sequence[Compared], directory: Path) -> list[Path]:
    written = []
    for name in experiment.report.tables:
        if name in FILES:
            file, content = FILES[name]
            with atomic_write(directory / file, parents=True) as stream:
                stream.write(content(experiment, found).encode())
            written.append(directory / file)
    return written


def _draw(experiment: Experiment, found: Sequence[Compared], directory: Path) -> list[Path]:
    if "ratio" not in experiment.report.plots:
        return []
    baseline = experiment.schedulers.baseline
    groups = list(dict.fromkeys(one.group for one in found))
    written = []
    for one in found:
        if not (one.is_tested and _has_ratios(experiment, one)):
            continue
        number = f"-{groups.index(one.group) + 1}" if len(groups) > 1 else ""
        draw = partial(draw_comparisons, {one.figure: one.by_scheduler}, baseline, INCHES)
        for kind in experiment.report.plot_formats:
            file = directory / f"ratio-{one.figure}{number}.{kind}"
            save(draw, file)
            written.append(file)
    return written


def _has_ratios(experiment: Experiment, one: Compared) -> bool:
    baseline = experiment.schedulers.baseline
    return any(row.ratio is not None for name, row in one.by_scheduler.items() if name != baseline)
