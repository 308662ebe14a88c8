"""Tables of an experiment: figures and published ones, then comparisons with the baseline."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from utilitysched.analysis.documents import Column, ResultTable
from utilitysched.experiments.comparisons import (
    Group,
    MetricComparison,
    described,
    published,
    published_ratios,
)
from utilitysched.experiments.metric_names import METRICS
from utilitysched.experiments.specification import Experiment
from utilitysched.report.ratios import ComparisonSetting, comparison_table
from utilitysched.report.tables.cells import number_text
from utilitysched.report.tables.delimited import csv_text
from utilitysched.report.tables.latex import latex
from utilitysched.report.tables.markdown import markdown

OURS, THEIRS = "here", "published"


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


def csv_table(experiment: Experiment, found: Sequence[MetricComparison]) -> ResultTable:
    """Return all comparisons in one table, to be written as CSV."""
    factors = list(dict.fromkeys(factor for one in found for factor, _ in one.group))
    names = ["metric", "unit", "scheduler", "pairs", "mean", "published", "ratio", "ratio_low"]
    names += ["ratio_high", "published_ratio", "p", "p_corrected", "pairs_unequal", "effect"]
    return ResultTable(
        [Column(name) for name in (*factors, *names)],
        [row for one in found for row in _csv_rows(experiment, one)],
    )


def as_csv(experiment: Experiment, found: Sequence[MetricComparison]) -> str:
    """Return all comparisons as CSV."""
    return csv_text(csv_table(experiment, found))


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
    known = [published(experiment, one.metric) for one in members]
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
        experiment.report.mean,
        experiment.report.correction,
    )
    return comparison_table(
        one.by_scheduler,
        setting,
        caption=caption(experiment, one.group, figure.title),
        published=published(experiment, one.metric),
        published_ratios=published_ratios(experiment, one.metric),
        remarks=one.remarks,
    )


def caption(experiment: Experiment, group: Group, what: str) -> str:
    """Return what a table is about, and where."""
    where = described(group)
    return f"{experiment.name}: {what}" + (f" ({where})" if where else "")


def _csv_rows(experiment: Experiment, one: MetricComparison) -> Iterator[list[Any]]:
    known = published(experiment, one.metric)
    ratios = published_ratios(experiment, one.metric)
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
