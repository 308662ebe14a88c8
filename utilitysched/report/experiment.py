"""Report on an experiment: tables printed and written, plots drawn, one page of all."""

from __future__ import annotations

import re
import textwrap
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np

from swfx import InputError
from swfx.base.atomic import write_whole
from swfx.base.numbers import percent
from swfx.families.transforms.submit_at import KEEPS
from swfx.reading.notes import Echo
from utilitysched.analysis.documents import (
    Column,
    Description,
    Fact,
    Facts,
    IntervalChart,
    IntervalRow,
    Line,
    LineChart,
    ReferenceLine,
    ResultTable,
)
from utilitysched.analysis.metrics.catalogue import known_metrics
from utilitysched.analysis.statistics import correlations
from utilitysched.experiments.comparisons import MetricResult
from utilitysched.experiments.results import ExperimentResult, PlaceResult
from utilitysched.experiments.specification import BOX, CORRELATION, PARETO, RATIO, Experiment
from utilitysched.experiments.time_courses import PERCENTILES
from utilitysched.experiments.work import ExperimentWork, remove_sheets, result_of
from utilitysched.model.state import Floats
from utilitysched.model.versions import package_versions
from utilitysched.report.charts import experiments
from utilitysched.report.charts.catalogue import NamedFigure
from utilitysched.report.charts.comparison import ratios
from utilitysched.report.experiment_tables import (
    PLACE,
    comparisons_csv,
    experiment_tables,
    further_tables,
    write_sheets,
)
from utilitysched.report.standings import (
    at_places,
    lead_sentences,
    overview_tables,
)
from utilitysched.report.tables import latex, markdown, number_text
from utilitysched.report.templating import write_page
from utilitysched.report.terminal import print_tables, width

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
        One metric alone is compared, and a plot needs two.
    """
    report = experiment.report
    if PARETO in report.plots and len(report.compared) < 2:
        raise InputError(
            "a front needs two metrics that are compared",
            field="report.plots",
            remedy="name two or more in report.compare; the first two are drawn",
        )


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
        known = [other.ratio for other in others.values() if one.mean != "difference"]
        if all(ratio is None for ratio in known):
            echo(f"not drawn: ratio-{metric}{stem}, since no scheduler has a ratio to {baseline}")
            continue
        draw = partial(
            ratios,
            one.by_scheduler,
            baseline,
            metric,
            one.published_ratios,
            f"{name} ({place.title})" if place.title else name,
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
            draw = partial(experiments.boxes, values[name], titles[name], _published(one))
            yield NamedFigure(f"box-{name}", draw)
    if PARETO in wanted:
        up, across = (one.metric.name for one in compared[:2])
        points = {
            name: (float(values[across][name].mean()), float(values[up][name].mean()))
            for name in values[up]
            if len(values[up][name]) and len(values[across][name])
        }
        known = known_metrics()
        higher = [known[name].better == "higher" for name in (across, up)]
        better = higher[0] or across == MAKESPAN, higher[1]
        draw = partial(experiments.fronts, points, (titles[across], titles[up]), better)
        yield NamedFigure(f"pareto-{up}-{across}", draw)
    if CORRELATION in wanted:
        coefficients = correlations(_columns(list(values.values())))
        draw = partial(experiments.correlations, list(titles.values()), coefficients)
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
    """Return the values of each metric, of the schedulers that have every metric."""
    whole = [name for name in values[0] if len({len(each[name]) for each in values}) == 1]
    return [np.concatenate([np.empty(0), *(each[name] for name in whole)]) for each in values]


def report_on(
    work: ExperimentWork, echo: Echo, page: Path | None = None, *, full: bool = False
) -> None:
    """Print the verdict on what is finished, write the tables, and a page of all if one is named.

    Parameters
    ----------
    full : bool
        Print every table, not only the main one.

    Raises
    ------
    InputError
        Nothing is finished.
    """
    result = result_of(work)
    if result.finished < result.wanted:
        echo(f"{result.finished:,} of {result.wanted:,} results: those missing are left out")
    if any("submission_wait_mean" in run.result.metrics for run in result.runs):
        echo(
            "jobs are submitted when eligible (begin times, holds, dependencies, array limits);"
            f" the transformation {KEEPS} keeps the log's times"
        )
    tables = experiment_tables(result)
    if "terminal" in work.experiment.report.tables:
        _print_result(result, full=full)
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
            plot.draw().save(written[-1])
    if written:
        echo(f"wrote to {work.outputs}: {', '.join(path.name for path in written)}")


def _print_result(result: ExperimentResult, *, full: bool) -> None:
    """Print the verdict, the main table and what else the file asks for; every table if `full`."""
    sentences, overview = lead_sentences(result), overview_tables(result)
    for sentence in sentences:
        print(textwrap.fill(sentence, width(), break_on_hyphens=False))
    if sentences:
        print()
    if overview and not full:
        print_tables([overview[0], *further_tables(result)])
        return
    if overview:  # apart from the others, so that what is said about all of those stands once
        print_tables(overview)
        print()
    print_tables(experiment_tables(result))


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


TOGETHER = 7
"""Lines that can be told apart in one chart."""

DRAWN = 24
"""Rows of a chart that has its place beside the table; a longer one is folded."""

DAYS = 7
"""Days of a point in a chart of shares."""


def experiment_page(result: ExperimentResult, tables: Sequence[ResultTable]) -> Description:
    """Return a result as a document.

    Parameters
    ----------
    result : ExperimentResult
        What is finished.
    tables : sequence of ResultTable
        Its tables, as they are printed.
    """
    name = result.experiment.name
    overview, further = overview_tables(result), further_tables(result)
    shown = [*overview[:1], *(further if overview else tables)]
    details = [*overview[1:], *tables[: -len(further) or None]] if overview else []
    compared = result.experiment.report.compared
    charts = [chart for name in compared if (chart := interval_chart(result, name))]
    drawn = charts[:1] if charts and len(charts[0].rows) <= DRAWN else []
    curves = [chart for place in result.places for chart in _time_courses(place)]
    curves = [replace(chart, key=f"course-{i}") for i, chart in enumerate(curves, 1)]
    tabulated = [
        replace(table, key=f"table-{i}", caption=_without_name(name, table.caption))
        for i, table in enumerate([*shown, *details], 1)
    ]
    return Description(
        name,
        [*tabulated[:1], *drawn, *tabulated[1 : len(shown)]],
        lead_sentences(result),
        [
            *charts[len(drawn) :],
            *curves,
            *tabulated[len(shown) :],
            _runs(result),
            _settings(result),
        ],
    )


def _without_name(name: str, caption: str) -> str:
    """Return the caption of a table on a page that is headed by the experiment's name."""
    text = caption.removeprefix(name).removeprefix(": ")
    return text[:1].upper() + text[1:]


def interval_chart(result: ExperimentResult, name: str) -> IntervalChart | None:
    """Return a metric of all schedulers beside the baseline, place by place; None without any."""
    baseline = result.experiment.schedulers.baseline
    places = at_places(result, name)
    rows = [
        IntervalRow(
            f"{scheduler}, {place.title}" if place.title else scheduler,
            comparison.ratio,
            *(comparison.interval or ()),
        )
        for place, one in places
        for scheduler, comparison in one.by_scheduler.items()
        if scheduler != baseline and comparison.ratio is not None
    ]
    if not rows:
        return None
    one = places[0][1]
    null = one.by_scheduler[baseline].null
    word = "ratio" if null else "difference"
    unit = f"{word}, {one.metric.unit}" if one.metric.unit and not null else word
    return IntervalChart(
        f"intervals-{name}",
        f"{one.metric.title.capitalize()} beside {baseline}",
        "Lines: intervals as in the table. Grey: no difference.",
        unit,
        rows,
        null,
    )


def _time_courses(place: PlaceResult) -> Iterator[LineChart]:
    """Yield waits over time, and what selections had in use."""
    where = f", {place.title}" if place.title else ""
    low, high = PERCENTILES
    for waits in place.waits:
        lines = [
            Line(name, *(each.tolist() for each in curve)) for name, curve in waits.courses.items()
        ]
        for first in range(0, len(lines), TOGETHER):
            yield LineChart(
                "",
                f"{waits.title}{where}",
                f"By week of submission; thin lines: {low:g}% and {high:g}% of the pairs.",
                "ratio",
                "week",
                lines[first : first + TOGETHER],
                [ReferenceLine("", 1.0)],
            )
    for name, runs in place.choices.items():
        yield LineChart(
            "",
            f"Orderings that {name} had in use{where}",
            "Shares of the runs, means over weeks; the most used ones.",
            "share",
            "week",
            _most_used(runs),
        )


def _most_used(runs: Sequence[Sequence[str]]) -> list[Line]:
    """Return the share of each ordering week by week, of those most in use."""
    counts = Counter(day for run in runs for day in run)
    days = min(map(len, runs)) // DAYS * DAYS or min(map(len, runs))
    table = np.array([run[:days] for run in runs])
    lines = []
    for name, _ in counts.most_common(TOGETHER):
        share = (table == name).mean(axis=0)
        weeks = share.reshape(-1, DAYS).mean(axis=1) if days >= DAYS else share
        lines.append(Line(name, weeks.tolist()))
    return lines


def _runs(result: ExperimentResult) -> ResultTable:
    """Return the table of all simulations, with the circumstances that vary."""
    entries = [run.entry for run in result.runs]
    where = [(*entry.circumstances, entry.scheduler, entry.seed) for entry in entries]
    names = (*PLACE, "scheduler", "seed")
    differs = [place for place in range(len(names)) if len({each[place] for each in where}) > 1]
    report = result.experiment.report
    known = known_metrics()
    metrics = [known[name] for name in dict.fromkeys((*report.metrics, *report.compared))]
    columns = [Column(names[place].replace("_", " "), left=True) for place in differs]
    columns += [Column(each.title, each.unit, number_text) for each in metrics]
    rows = [
        [*(each[place] for place in differs), *(run.result.metrics.get(m.name) for m in metrics)]
        for each, run in zip(where, result.runs, strict=True)
    ]
    note = "Click on a heading to sort; type to see only rows with these words."
    return ResultTable(columns, rows, "All runs", [note], key="runs")


def _settings(result: ExperimentResult) -> Facts:
    """Return what was run, and the versions that report on it."""
    experiment = result.experiment
    workloads = [source.name for each in experiment.workloads for source in each.sources]
    versions = ", ".join(f"{name} {version}" for name, version in package_versions().items())
    simulation, utilities = experiment.simulation, experiment.utilities
    facts = {
        "workloads": ("workloads", "; ".join(workloads)),
        "utilities": ("utility functions", "; ".join(map(str, utilities.specifications))),
        "draws": ("seeds of utility functions", ", ".join(map(str, utilities.seeds))),
        "baseline": ("baseline", experiment.schedulers.baseline),
        "repeats": ("runs of stochastic schedulers", f"{experiment.schedulers.repeats}"),
        "tau": ("tau of bounded slowdowns", f"{simulation.tau:g} s"),
        "trim": ("jobs left out at either end", f"{percent(simulation.trim)}%"),
        "finished": ("results", f"{result.finished:,} of {result.wanted:,}"),
        "versions": ("versions", versions),
    }
    rows = [Fact(key, name, text, text) for key, (name, text) in facts.items()]
    return Facts("settings", "Settings and versions", rows)
