"""Tables and plots of an experiment: metrics beside published ones, and comparisons."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from swfx.base.atomic import write_whole
from swfx.reading.notes import Echo
from utilitysched.analysis.documents import Column, ResultTable
from utilitysched.experiments.comparisons import (
    Group,
    MetricComparison,
    compared,
    described,
    grouped,
    mean_of,
    published,
    published_ratios,
)
from utilitysched.experiments.metric_names import METRICS
from utilitysched.experiments.results import Finished, audited, billed
from utilitysched.experiments.specification import RATIO, Experiment
from utilitysched.experiments.work import ExperimentWork, FinishedRows, finished_rows, write_rows
from utilitysched.report.courses import course_tables
from utilitysched.report.description import write_page
from utilitysched.report.figures.canvas import require_matplotlib, save
from utilitysched.report.figures.catalogue import NamedFigure
from utilitysched.report.figures.comparison import draw_comparisons
from utilitysched.report.prices import OURS, THEIRS, audit_tables, bill_tables, caption
from utilitysched.report.ratios import ComparisonSetting, comparison_table
from utilitysched.report.scatter import check_plots, scatter_plots
from utilitysched.report.tables.cells import number_text
from utilitysched.report.tables.formats import csv_text, latex, markdown
from utilitysched.report.terminal import print_tables
from utilitysched.report.verdicts import experiment_description

INCHES = 3.5
"""Width of a plot: a column of a paper."""

LONGEST = 80
"""Characters of a name of a plot that say where it holds."""

_APART = re.compile("[^A-Za-z0-9._=+]+")


def tables(experiment: Experiment, found: Sequence[MetricComparison]) -> list[ResultTable]:
    """Return tables of figures, one for each place, and of comparisons, one for each figure there.

    Every table has all of its notes.
    """
    groups = list(dict.fromkeys(one.group for one in found))
    made: list[ResultTable] = []
    for group in groups:
        members = [one for one in found if one.group == group]
        shown = [one for one in members if one.metric in experiment.report.metrics]
        if len(shown) > 1 or not all(one.is_tested for one in shown):
            made.append(_figures(experiment, group, shown))
        made += [_comparison(experiment, one) for one in members if one.is_tested]
    return made


def as_csv(experiment: Experiment, found: Sequence[MetricComparison]) -> str:
    """Return all comparisons as CSV, in one table."""
    factors = list(dict.fromkeys(factor for one in found for factor, _ in one.group))
    names = ["metric", "unit", "scheduler", "pairs", "mean", "published", "ratio", "ratio_low"]
    names += ["ratio_high", "published_ratio", "p", "p_corrected", "pairs_unequal", "effect"]
    columns = [Column(name) for name in (*factors, *names)]
    rows = [row for one in found for row in _csv_rows(experiment, one)]
    return csv_text(ResultTable(columns, rows))


def as_markdown(name: str, made: Iterable[ResultTable]) -> str:
    """Return tables as Markdown, under a heading."""
    return f"# {name}\n\n" + "\n".join(map(markdown, made))


def as_latex(made: Iterable[ResultTable]) -> str:
    """Return tables as LaTeX, to be included in a document."""
    return "\n".join(map(latex, made))


def _figures(
    experiment: Experiment, group: Group, members: Sequence[MetricComparison]
) -> ResultTable:
    """Table of means: a line per scheduler, and one below it with what was published."""
    figures = [METRICS[one.metric] for one in members]
    known = [published(experiment, one) for one in members]
    either = any(known)
    columns = [Column("scheduler", left=True)]
    columns += [Column("", left=True)] if either else []
    columns += [Column(figure.title, figure.unit, number_text) for figure in figures]
    rows: list[list[Any]] = []
    for candidate in experiment.schedulers.candidates:
        name = candidate.label
        means = [one.by_scheduler[name].mean for one in members]
        rows.append([name, *([OURS] if either else []), *means])
        theirs = [values.get(name) for values in known]
        if any(value is not None for value in theirs):
            rows.append(["", THEIRS, *theirs])
    return ResultTable(columns, rows, caption=caption(experiment, group, "means over the pairs"))


def _comparison(experiment: Experiment, one: MetricComparison) -> ResultTable:
    figure = METRICS[one.metric]
    setting = ComparisonSetting(
        figure.title,
        figure.unit,
        experiment.schedulers.baseline,
        mean_of(experiment, one.metric),
        experiment.report.correction,
    )
    return comparison_table(
        one.by_scheduler,
        setting,
        caption=caption(experiment, one.group, figure.title),
        published=published(experiment, one),
        published_ratios=published_ratios(experiment, one),
        remarks=one.remarks,
    )


def _csv_rows(experiment: Experiment, one: MetricComparison) -> Iterator[list[Any]]:
    known = published(experiment, one)
    ratios = published_ratios(experiment, one)
    where = [value for _, value in one.group]
    for name, found in one.by_scheduler.items():
        low, high = found.interval or (None, None)
        yield [
            *where,
            one.metric,
            METRICS[one.metric].unit,
            name,
            found.pairs,
            found.mean,
            known.get(name),
            found.ratio,
            low,
            high,
            ratios.get(name),
            found.p,
            found.corrected_p,
            found.unequal,
            found.rank_biserial,
        ]


def check_outputs(experiment: Experiment) -> None:
    """Refuse, before anything is run, plots that could not be drawn in the end."""
    check_plots(experiment)
    if experiment.report.plots:
        require_matplotlib()


def all_tables(
    experiment: Experiment, found: FinishedRows, every: Sequence[MetricComparison]
) -> list[ResultTable]:
    """Return all that is printed of what is finished: comparisons, bills, audits."""
    return [
        *tables(experiment, every),
        *course_tables(experiment, found.simulated),
        *bill_tables(experiment, billed(found.billed)),
        *audit_tables(experiment, audited(found.audited)),
    ]


def report_on(work: ExperimentWork, echo: Echo, page: Path | None = None) -> None:
    """Print and write the tables of what is finished, and a page of all if one is named.

    Raises
    ------
    InputError
        Nothing is.
    """
    found = finished_rows(work)
    if found.number < work.wanted:
        echo(f"{found.number:,} of {work.wanted:,} results: what is missing is left out")
    experiment = work.experiment
    every = compared(experiment, found.simulated)
    made = all_tables(experiment, found, every)
    if "terminal" in experiment.report.tables:
        print_tables(made)
    if page is not None:
        write_page(experiment_description(experiment, found.simulated, every, made), page)
        echo(f"wrote {page}")
    if work.outputs:
        written = write_rows(work, found, echo)
        written += _write_tables(experiment, every, made, work.outputs)
        written += _draw(_plots(experiment, found.simulated, every, echo), experiment, work.outputs)
        if written:
            echo(f"wrote to {work.outputs}: {', '.join(path.name for path in written)}")


def _write_tables(
    experiment: Experiment,
    found: Sequence[MetricComparison],
    made: Sequence[ResultTable],
    directory: Path,
) -> list[Path]:
    """Write the tables wanted, each whole or not at all."""
    contents: dict[str, tuple[str, Callable[[], str]]] = {
        "csv": ("comparisons.csv", lambda: as_csv(experiment, found)),
        "markdown": ("tables.md", lambda: as_markdown(experiment.name, made)),
        "latex": ("tables.tex", lambda: as_latex(made)),
    }
    written = []
    for name in experiment.report.tables:
        if name in contents:
            file, content = contents[name]
            written.append(write_whole(directory / file, content()))
    return written


def _draw(plots: Iterable[NamedFigure], experiment: Experiment, directory: Path) -> list[Path]:
    written = []
    for plot in plots:
        for kind in experiment.report.plot_formats:
            file = directory / f"{plot.name}.{kind}"
            save(plot.draw, file)
            written.append(file)
    return written


def _plots(
    experiment: Experiment, rows: Sequence[Finished], found: Sequence[MetricComparison], echo: Echo
) -> Iterator[NamedFigure]:
    stems = _stems([one.group for one in found])
    if RATIO in experiment.report.plots:
        yield from _ratio_plots(experiment, found, stems, echo)
    for group, members in grouped(experiment, rows).items():
        there = [one for one in found if one.group == group]
        for name, draw in scatter_plots(experiment, members, there, INCHES):
            yield NamedFigure(f"{name}{stems[group]}", draw)


def _ratio_plots(
    experiment: Experiment,
    found: Sequence[MetricComparison],
    stems: Mapping[Group, str],
    echo: Echo,
) -> Iterator[NamedFigure]:
    baseline = experiment.schedulers.baseline
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
            {one.metric: published_ratios(experiment, one)},
        )
        yield NamedFigure(stem, draw)


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
    if mean_of(experiment, one.metric) == "difference":
        return False
    baseline = experiment.schedulers.baseline
    return any(row.ratio is not None for name, row in one.by_scheduler.items() if name != baseline)
