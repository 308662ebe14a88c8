"""Tables of the result of an experiment: means, comparisons, waits over time, bills, audits."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from utilitysched.analysis.documents import Column, Estimate, ResultTable
from utilitysched.experiments.comparisons import MetricResult
from utilitysched.experiments.metric_names import BILL_METRICS
from utilitysched.experiments.results import ExperimentResult, PlaceResult
from utilitysched.experiments.time_courses import PERCENTILES, Course, WaitsBeside
from utilitysched.report.ratios import ComparisonSetting, comparison_table
from utilitysched.report.tables.cells import estimate_text, number_text

OURS, THEIRS = "here", "published"

STEPS = (0.25, 0.5, 0.75, 1.0)
"""Shares of the time that have a column in tables of waits."""

SHOWN = (
    "revenue",
    "revenue_share",
    "revenue_per_hour",
    "share_free",
    "share_overcharged",
    "jobs_overcharged",
    "overcharge",
    "charge_error",
)
"""Metrics of a bill that have a column."""

BILL_NOTES = (
    "value: what jobs turned out to be worth; free: charged nothing; overcharged: above that value",
    "standard error of a charge: from seed to seed, mean over the jobs; -: one draw, or none",
)

AUDIT_NOTES = (
    "gain: what a user gains over the truth, mean over sampled jobs; 95% bootstrap interval",
    "value: of such a job under the truth; misreporting: share of jobs for which it seemed better",
    "best misreport: chosen per job on one set of seeds, scored on another, if anything is drawn",
    "placebo: the truth on the seeds of choosing instead of those of scoring: chance alone",
)


def experiment_tables(result: ExperimentResult) -> list[ResultTable]:
    """Return all tables of a result; each has all of its notes."""
    makers = (_comparisons, _time_courses, _bills, _audits)
    return [table for make in makers for place in result.places for table in make(result, place)]


def _caption(result: ExperimentResult, place: PlaceResult, what: str) -> str:
    return f"{result.experiment.name}: {what}" + (f" ({place.title})" if place.title else "")


def _comparisons(result: ExperimentResult, place: PlaceResult) -> Iterator[ResultTable]:
    """Yield a table of means if comparisons do not have all of them, and one per comparison."""
    report = result.experiment.report
    shown = [one for one in place.metrics if one.metric.name in report.metrics]
    if len(shown) > 1 or not all(one.is_tested for one in shown):
        yield _means(result, place, shown)
    for one in place.metrics:
        if one.is_tested:
            yield comparison_table(
                one.by_scheduler,
                ComparisonSetting(
                    one.metric.title,
                    one.metric.unit,
                    result.experiment.schedulers.baseline,
                    one.mean,
                    report.correction,
                ),
                caption=_caption(result, place, one.metric.title),
                published=one.published,
                published_ratios=one.published_ratios,
                remarks=one.remarks,
            )


def _means(
    result: ExperimentResult, place: PlaceResult, metrics: list[MetricResult]
) -> ResultTable:
    """Table of means: a line per scheduler, and one below it with what was published."""
    either = any(one.published for one in metrics)
    columns = [Column("scheduler", left=True)]
    columns += [Column("", left=True)] if either else []
    columns += [Column(one.metric.title, one.metric.unit, number_text) for one in metrics]
    rows: list[list[Any]] = []
    for candidate in result.experiment.schedulers.candidates:
        name = candidate.label
        means = [one.by_scheduler[name].mean for one in metrics]
        rows.append([name, *([OURS] if either else []), *means])
        theirs = [one.published.get(name) for one in metrics]
        if any(value is not None for value in theirs):
            rows.append(["", THEIRS, *theirs])
    return ResultTable(columns, rows, _caption(result, place, "means over the pairs"))


def _time_courses(result: ExperimentResult, place: PlaceResult) -> Iterator[ResultTable]:
    for beside in place.waits:
        yield _waits(beside, _caption(result, place, f"{beside.title}, by share of the weeks"))
    if place.choices:
        yield _shares(result, place)


def _waits(beside: WaitsBeside, caption: str) -> ResultTable:
    columns = [Column("scheduler", left=True)]
    columns += [Column(f"{share:.0%}", write=estimate_text) for share in STEPS]
    rows = [
        [name, *(_at(course, share) for share in STEPS)] for name, course in beside.courses.items()
    ]
    low, high = PERCENTILES
    note = (
        f"waits so far: sums over the jobs submitted, over those of {beside.baseline}; "
        f"means over the pairs, in brackets {low:g}% and {high:g}% of these"
    )
    return ResultTable(columns, rows, caption, [note])


def _at(course: Course, share: float) -> Estimate:
    place = max(round(share * len(course.mean)) - 1, 0)
    return Estimate(*(float(column[place]) for column in course))


def _shares(result: ExperimentResult, place: PlaceResult) -> ResultTable:
    """Return the share of the days that each ordering was in use, in all runs together."""
    counts = {
        name: Counter(day for run in runs for day in run) for name, runs in place.choices.items()
    }
    orderings = sorted({ordering for each in counts.values() for ordering in each})
    columns = [Column("scheduler", left=True)]
    columns += [Column(name, "%", number_text) for name in orderings]
    rows = [
        [name, *(100.0 * each[ordering] / each.total() for ordering in orderings)]
        for name, each in counts.items()
    ]
    return ResultTable(columns, rows, _caption(result, place, "days in use"))


def _bills(result: ExperimentResult, place: PlaceResult) -> Iterator[ResultTable]:
    """Yield a table of bills: a line per scheduler and mechanism, published ones below."""
    published = result.experiment.prices.published
    columns = [Column("scheduler", left=True), Column("mechanism", left=True)]
    columns += [Column("", left=True)] if published else []
    columns += [
        Column(BILL_METRICS[name].title, BILL_METRICS[name].unit, number_text) for name in SHOWN
    ]
    rows: list[list[Any]] = []
    for (scheduler, mechanism), means in place.bills.items():
        ours = [OURS] if published else []
        rows.append([scheduler, mechanism, *ours, *(means[name] for name in SHOWN)])
        rows += [
            ["", "", THEIRS, *(each.values.get(name) for name in SHOWN)]
            for each in published
            if each.mechanism == mechanism and each.scheduler in (None, scheduler)
        ]
    if rows:
        yield ResultTable(columns, rows, _caption(result, place, "bills"), BILL_NOTES)


def _audits(result: ExperimentResult, place: PlaceResult) -> Iterator[ResultTable]:
    """Yield a table of gains from misreports under each mechanism."""
    columns = [
        Column("scheduler", left=True),
        Column("mechanism", left=True),
        Column("jobs"),
        Column("value", "SU", number_text),
        Column("best misreport of value: gain [95%]", "SU", estimate_text),
        Column("misreporting", write=number_text),
        Column("best misreport: gain [95%]", "SU", estimate_text),
        Column("misreporting", write=number_text),
        Column("placebo: gain [95%]", "SU", estimate_text),
    ]
    rows = [[*price, *gains] for price, gains in place.audits.items()]
    if rows:
        title = _caption(result, place, "gains from misreports")
        yield ResultTable(columns, rows, title, AUDIT_NOTES)
