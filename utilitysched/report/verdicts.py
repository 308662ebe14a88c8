"""Results of an experiment as one document: verdicts in words, intervals, tables, runs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from swfx.base.numbers import plural
from utilitysched.analysis.documents import (
    Column,
    Description,
    IntervalChart,
    IntervalRow,
    ResultTable,
)
from utilitysched.analysis.statistics import SIGNIFICANT, Comparison
from utilitysched.experiments.comparisons import MetricComparison, described, mean_of
from utilitysched.experiments.metric_names import METRICS
from utilitysched.experiments.results import PLACE, Finished
from utilitysched.experiments.specification import Experiment
from utilitysched.report.courses import course_charts
from utilitysched.report.ratios import beside
from utilitysched.report.tables.cells import (
    Estimate,
    Significance,
    estimate_text,
    number_text,
    significance_text,
)


def experiment_description(
    experiment: Experiment,
    runs: Sequence[Finished],
    compared: Sequence[MetricComparison],
    tables: Sequence[ResultTable],
) -> Description:
    """Return what an experiment found.

    Parameters
    ----------
    experiment : Experiment
        What was asked.
    runs : sequence of Finished
        Its simulations.
    compared : sequence of MetricComparison
        What they say of the schedulers.
    tables : sequence of ResultTable
        What is printed of that, and of bills and audits.
    """
    numbered = [
        replace(table, key=f"table-{i}", caption=_alone(experiment, table.caption))
        for i, table in enumerate(tables, 1)
    ]
    charts = [chart for i, one in enumerate(compared, 1) for chart in _chart(experiment, one, i)]
    return Description(
        experiment.name,
        [*charts, *course_charts(experiment, runs), *numbered, _runs(experiment, runs)],
        [sentence for one in compared for sentence in verdicts(experiment, one)],
    )


def _alone(experiment: Experiment, caption: str) -> str:
    """Return the caption of a table on a page that is headed by the experiment's name."""
    text = caption.removeprefix(experiment.name).removeprefix(": ")
    return text[:1].upper() + text[1:]


def verdicts(experiment: Experiment, one: MetricComparison) -> Iterator[str]:
    """Yield what a tested metric says of each scheduler beside the baseline."""
    baseline, metric = experiment.schedulers.baseline, METRICS[one.metric].title
    where = described(one.group)
    for name, found in one.by_scheduler.items():
        if one.is_tested and name != baseline and found.ratio is not None:
            said = f"{metric} of {name}{f' ({where})' if where else ''}: "
            if mean_of(experiment, one.metric) == "difference":
                said += f"{found.ratio:+.4g} {METRICS[one.metric].unit} beside {baseline}".replace(
                    "  ", " "
                )
            else:
                said += f"{beside(found.ratio)} {baseline}"
            yield f"{said}{_interval(found)}; {_chance(found)}."


def _interval(found: Comparison) -> str:
    if found.interval is None or found.ratio is None:
        return ""
    text = estimate_text(Estimate(found.ratio, *found.interval))
    return f", {text[text.index('[') :]}"


def _chance(found: Comparison) -> str:
    if found.corrected_p is None:
        return f"{plural(found.pairs, 'pair')}, too few to tell from chance"
    p = significance_text(Significance(found.p, found.corrected_p, found.pairs))
    told = "more than chance" if found.corrected_p < SIGNIFICANT else "not told from chance"
    return f"{told} (p {p}, {plural(found.pairs, 'pair')})"


def _chart(experiment: Experiment, one: MetricComparison, number: int) -> Iterator[IntervalChart]:
    """Yield intervals of all schedulers beside the baseline, if there are any."""
    baseline, metric = experiment.schedulers.baseline, METRICS[one.metric]
    difference = mean_of(experiment, one.metric) == "difference"
    rows = [
        IntervalRow(name, found.ratio, *(found.interval or ()))
        for name, found in one.by_scheduler.items()
        if name != baseline and found.ratio is not None
    ]
    if one.is_tested and rows:
        where = described(one.group)
        word = "difference" if difference else "ratio"
        yield IntervalChart(
            f"intervals-{number}",
            f"{metric.title.capitalize()} beside {baseline}{f', {where}' if where else ''}",
            "Lines: 95% bootstrap intervals, pairs drawn anew. Dashed: no difference.",
            f"{word}, {metric.unit}" if difference and metric.unit else word,
            rows,
            0.0 if difference else 1.0,
        )


def _runs(experiment: Experiment, runs: Sequence[Finished]) -> ResultTable:
    """Return a row per simulation, with what differs between them."""
    where = [(*row.entry.circumstances, row.entry.scheduler, row.entry.seed) for row in runs]
    names = (*PLACE, "scheduler", "seed")
    differs = [place for place in range(len(names)) if len({each[place] for each in where}) > 1]
    wanted = dict.fromkeys((*experiment.report.metrics, *experiment.report.compared))
    metrics = [METRICS[name] for name in wanted]
    columns = [Column(names[place].replace("_", " "), left=True) for place in differs]
    columns += [Column(each.title, each.unit, number_text) for each in metrics]
    rows = [
        [*(each[place] for place in differs), *(row.result.metrics.get(name) for name in wanted)]
        for each, row in zip(where, runs, strict=True)
    ]
    note = "Click on a heading to sort; type to see only rows with these words."
    return ResultTable(columns, rows, "All runs", [note], key="runs")
