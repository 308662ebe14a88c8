"""Result of an experiment as one document: verdicts in words, charts, tables, runs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from swfx.base.numbers import plural
from utilitysched.analysis.documents import (
    Column,
    Description,
    Estimate,
    IntervalChart,
    IntervalRow,
    Line,
    LineChart,
    ResultTable,
)
from utilitysched.analysis.statistics import SIGNIFICANT, Comparison
from utilitysched.experiments.comparisons import MetricResult
from utilitysched.experiments.metric_names import METRICS
from utilitysched.experiments.results import ExperimentResult, PlaceResult
from utilitysched.experiments.time_courses import PERCENTILES
from utilitysched.report.comparison import beside
from utilitysched.report.experiment.tables import PLACE
from utilitysched.report.tables import (
    Significance,
    estimate_text,
    number_text,
    significance_text,
)

TOGETHER = 7
"""Lines that can be told apart in one chart."""

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
    numbered = [
        replace(table, key=f"table-{i}", caption=_without_name(name, table.caption))
        for i, table in enumerate(tables, 1)
    ]
    every = [(place, one) for place in result.places for one in place.metrics]
    charts = [chart for i, each in enumerate(every, 1) for chart in _intervals(result, *each, i)]
    courses = [chart for place in result.places for chart in _time_courses(place)]
    courses = [replace(chart, key=f"course-{i}") for i, chart in enumerate(courses, 1)]
    return Description(
        name,
        [*charts, *courses, *numbered, _runs(result)],
        [sentence for each in every for sentence in verdicts(result, *each)],
    )


def _without_name(name: str, caption: str) -> str:
    """Return the caption of a table on a page that is headed by the experiment's name."""
    text = caption.removeprefix(name).removeprefix(": ")
    return text[:1].upper() + text[1:]


def verdicts(result: ExperimentResult, place: PlaceResult, one: MetricResult) -> Iterator[str]:
    """Yield what a tested metric says of each scheduler beside the baseline."""
    baseline, metric = result.experiment.schedulers.baseline, one.metric
    where = f" ({place.title})" if place.title else ""
    for name, comparison in one.by_scheduler.items():
        if one.is_tested and name != baseline and comparison.ratio is not None:
            difference = " ".join(f"{comparison.ratio:+.4g} {metric.unit} beside".split())
            amount = difference if one.mean == "difference" else beside(comparison.ratio)
            yield (
                f"{metric.title} of {name}{where}: {amount} {baseline}{_interval(comparison)};"
                f" {_chance(comparison)}."
            )


def _interval(comparison: Comparison) -> str:
    if comparison.interval is None or comparison.ratio is None:
        return ""
    text = estimate_text(Estimate(comparison.ratio, *comparison.interval))
    return f", {text[text.index('[') :]}"


def _chance(comparison: Comparison) -> str:
    pairs = plural(comparison.pairs, "pair")
    if comparison.corrected_p is None:
        return f"could be chance ({pairs}, too few for a test)"
    p = significance_text(Significance(comparison.p, comparison.corrected_p, comparison.pairs))
    equals = "p < " if p.startswith("<") else "p = "
    verdict = "more than chance" if comparison.corrected_p < SIGNIFICANT else "could be chance"
    return f"{verdict} ({equals}{p.removeprefix('<')}, {pairs})"


def _intervals(
    result: ExperimentResult, place: PlaceResult, one: MetricResult, number: int
) -> Iterator[IntervalChart]:
    """Yield intervals of all schedulers beside the baseline, if there are any."""
    baseline, metric = result.experiment.schedulers.baseline, one.metric
    rows = [
        IntervalRow(name, comparison.ratio, *(comparison.interval or ()))
        for name, comparison in one.by_scheduler.items()
        if name != baseline and comparison.ratio is not None
    ]
    if one.is_tested and rows:
        difference = one.mean == "difference"
        word = "difference" if difference else "ratio"
        where = f", {place.title}" if place.title else ""
        yield IntervalChart(
            f"intervals-{number}",
            f"{metric.title.capitalize()} beside {baseline}{where}",
            "Lines: 95% bootstrap intervals, pairs drawn anew. Dashed: no difference.",
            f"{word}, {metric.unit}" if difference and metric.unit else word,
            rows,
            0.0 if difference else 1.0,
        )


def _time_courses(place: PlaceResult) -> Iterator[LineChart]:
    """Yield waits over time, and what selections had in use."""
    where = f", {place.title}" if place.title else ""
    low, high = PERCENTILES
    for waits in place.waits:
        lines = [
            Line(name, *(each.tolist() for each in course))
            for name, course in waits.courses.items()
        ]
        for first in range(0, len(lines), TOGETHER):
            yield LineChart(
                "",
                f"{waits.title}{where}",
                f"By week of submission; thin lines: {low:g}% and {high:g}% of the pairs.",
                "ratio",
                "week",
                lines[first : first + TOGETHER],
                1.0,
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
    """Return a row per simulation, with what differs between them."""
    entries = [run.entry for run in result.runs]
    where = [(*entry.circumstances, entry.scheduler, entry.seed) for entry in entries]
    names = (*PLACE, "scheduler", "seed")
    differs = [place for place in range(len(names)) if len({each[place] for each in where}) > 1]
    report = result.experiment.report
    metrics = [METRICS[name] for name in dict.fromkeys((*report.metrics, *report.compared))]
    columns = [Column(names[place].replace("_", " "), left=True) for place in differs]
    columns += [Column(each.title, each.unit, number_text) for each in metrics]
    rows = [
        [*(each[place] for place in differs), *(run.result.metrics.get(m.name) for m in metrics)]
        for each, run in zip(where, result.runs, strict=True)
    ]
    note = "Click on a heading to sort; type to see only rows with these words."
    return ResultTable(columns, rows, "All runs", [note], key="runs")
