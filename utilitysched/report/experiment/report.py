"""Report on an experiment: tables printed and written, plots drawn, and a page of all."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path

import numpy as np

from swfx import InputError
from swfx.base.atomic import write_whole
from swfx.reading.notes import Echo
from utilitysched.analysis.documents import ResultTable
from utilitysched.analysis.statistics import correlations
from utilitysched.experiments.comparisons import MetricResult
from utilitysched.experiments.metric_names import MORE_IS_BETTER
from utilitysched.experiments.results import ExperimentResult, PlaceResult
from utilitysched.experiments.specification import BOX, CORRELATION, PARETO, RATIO, Experiment
from utilitysched.experiments.work import ExperimentWork, remove_sheets, result_of
from utilitysched.model.state import Floats
from utilitysched.report.experiment.page import experiment_page
from utilitysched.report.experiment.tables import comparisons_csv, experiment_tables, write_sheets
from utilitysched.report.figures.canvas import require_matplotlib, save
from utilitysched.report.figures.catalogue import NamedFigure
from utilitysched.report.figures.comparison import (
    draw_boxes,
    draw_comparisons,
    draw_correlations,
    draw_pareto,
)
from utilitysched.report.tables import latex, markdown
from utilitysched.report.templating import write_page
from utilitysched.report.terminal import print_tables

INCHES = 3.5
"""Width of a plot: a column of a paper."""

LONGEST = 80
"""Characters of a name of a plot that say where it holds."""

MAKESPAN = "makespan"
"""Drawn as a speedup: the baseline's over that of each scheduler, on the same load."""

_APART = re.compile("[^A-Za-z0-9._=+]+")


def check_plots(experiment: Experiment) -> None:
    """Refuse, before anything is run, plots that could not be drawn in the end.

    Raises
    ------
    InputError
        One metric alone is compared, and a plot needs two; or matplotlib is not installed.
    """
    report = experiment.report
    if PARETO in report.plots and len(report.compared) < 2:
        raise InputError(
            "a front needs two metrics that are compared",
            field="report.plots",
            remedy="name two or more in report.compare; the first two are drawn",
        )
    if report.plots:
        require_matplotlib()


def experiment_plots(result: ExperimentResult, echo: Echo) -> Iterator[NamedFigure]:
    """Yield the plots that the report asks for; those that cannot be drawn are said to `echo`."""
    stems = _stems(result.places)
    if RATIO in result.experiment.report.plots:
        for place, stem in zip(result.places, stems, strict=True):
            yield from _ratio_plots(result, place, stem, echo)
    for place, stem in zip(result.places, stems, strict=True):
        for plot in _scatter_plots(result.experiment.report.plots, place):
            yield plot._replace(name=f"{plot.name}{stem}")


def _stems(places: Sequence[PlaceResult]) -> list[str]:
    """Return what the names of a place's files end with: its words, a number if these are long."""
    stems: list[str] = []
    for number, place in enumerate(places, 1):
        words = " ".join(value or f"no {factor}" for factor, value in place.group)
        stem = f"-{_APART.sub('-', words)}" if words else ""
        taken = stem.lower() in map(str.lower, stems)
        stems.append(f"{stem[:LONGEST]}-{number}" if taken or len(stem) > LONGEST else stem)
    return stems


def _ratio_plots(
    result: ExperimentResult, place: PlaceResult, stem: str, echo: Echo
) -> Iterator[NamedFigure]:
    name, baseline = result.experiment.name, result.experiment.schedulers.baseline
    for one in (one for one in place.metrics if one.is_tested):
        metric, others = one.metric.name, {**one.by_scheduler}
        others.pop(baseline)
        ratios = [other.ratio for other in others.values() if one.mean != "difference"]
        if all(ratio is None for ratio in ratios):
            echo(f"not drawn: ratio-{metric}{stem}, since no scheduler has a ratio to {baseline}")
            continue
        draw = partial(
            draw_comparisons,
            {metric: one.by_scheduler},
            baseline,
            INCHES,
            f"{name} ({place.title})" if place.title else name,
            {metric: one.published_ratios},
        )
        yield NamedFigure(f"ratio-{metric}{stem}", draw)


def _scatter_plots(wanted: Sequence[str], place: PlaceResult) -> Iterator[NamedFigure]:
    """Yield plots of the values of all runs of a place."""
    values = {one.metric.name: _drawn(one) for one in place.metrics}
    titles = {one.metric.name: _title(one) for one in place.metrics}
    compared = [one for one in place.metrics if one.is_tested]
    if BOX in wanted:
        for one in compared:
            name = one.metric.name
            draw = partial(draw_boxes, values[name], titles[name], INCHES, _published(one))
            yield NamedFigure(f"box-{name}", draw)
    if PARETO in wanted:
        up, across = (one.metric.name for one in compared[:2])
        points = {
            name: (float(values[across][name].mean()), float(values[up][name].mean()))
            for name in values[up]
            if len(values[up][name]) and len(values[across][name])
        }
        better = across in MORE_IS_BETTER or across == MAKESPAN, up in MORE_IS_BETTER
        draw = partial(draw_pareto, points, (titles[across], titles[up]), better, INCHES)
        yield NamedFigure(f"pareto-{up}-{across}", draw)
    if CORRELATION in wanted:
        coefficients = correlations(_columns(list(values.values())))
        draw = partial(draw_correlations, list(titles.values()), coefficients)
        yield NamedFigure("correlation", draw)


def _title(one: MetricResult) -> str:
    return "makespan speedup" if one.metric.name == MAKESPAN else one.metric.title


def _drawn(one: MetricResult) -> dict[str, Floats]:
    return {
        name: pairs.baseline / pairs.values if one.metric.name == MAKESPAN else pairs.values
        for name, pairs in one.pairs.items()
    }


def _published(one: MetricResult) -> Mapping[str, float]:
    if one.metric.name != MAKESPAN:
        return one.published
    return {name: 1.0 / ratio for name, ratio in one.published_ratios.items()}


def _columns(values: Sequence[Mapping[str, Floats]]) -> list[Floats]:
    """Return the values of each metric, those of schedulers that have all of them."""
    whole = [name for name in values[0] if len({len(each[name]) for each in values}) == 1]
    return [np.concatenate([np.empty(0), *(each[name] for name in whole)]) for each in values]


def report_on(work: ExperimentWork, echo: Echo, page: Path | None = None) -> None:
    """Print and write the tables of what is finished, and a page of all if one is named.

    Raises
    ------
    InputError
        Nothing is finished.
    """
    result = result_of(work)
    if result.finished < result.wanted:
        echo(f"{result.finished:,} of {result.wanted:,} results: those missing are left out")
    tables = experiment_tables(result)
    if "terminal" in work.experiment.report.tables:
        print_tables(tables)
    if page is not None:
        write_page(experiment_page(result, tables), page)
        echo(f"wrote {page}")
    if work.outputs is None:
        return
    if result.finished == result.wanted:
        written = write_sheets(result, work.outputs)
    else:
        written = []
        remove_sheets(work.outputs)
        echo("wrote no results.csv: it holds whole grids only")
    written += _write_tables(result, tables, work.outputs)
    for plot in experiment_plots(result, echo):
        for kind in work.experiment.report.plot_formats:
            written.append(work.outputs / f"{plot.name}.{kind}")
            save(plot.draw, written[-1])
    if written:
        echo(f"wrote to {work.outputs}: {', '.join(path.name for path in written)}")


def _write_tables(
    result: ExperimentResult, tables: Sequence[ResultTable], directory: Path
) -> list[Path]:
    """Write the tables wanted, each whole or not at all."""
    written = []
    for name in result.experiment.report.tables:
        if name == "csv":
            written.append(write_whole(directory / "comparisons.csv", comparisons_csv(result)))
        elif name == "markdown":
            content = f"# {result.experiment.name}\n\n" + "\n".join(map(markdown, tables))
            written.append(write_whole(directory / "tables.md", content))
        elif name == "latex":
            content = "\n".join(map(latex, tables))
            written.append(write_whole(directory / "tables.tex", content))
    return written
