"""Tables of the result of an experiment: printed, and as files of cells and comparisons."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from swfx.base.atomic import write_whole
from swfx.base.csv_rows import csv_text
from utilitysched.analysis.documents import Column, Estimate, ResultTable
from utilitysched.analysis.metrics.catalogue import AUDIT_METRICS, BILL_METRICS, known_metrics
from utilitysched.experiments.comparisons import MetricResult
from utilitysched.experiments.grid import Circumstances, GridEntry
from utilitysched.experiments.results import ExperimentResult, PlaceResult
from utilitysched.experiments.time_courses import PERCENTILES, Course, WaitsBeside
from utilitysched.report.comparison import ComparisonSetting, comparison_table
from utilitysched.report.tables import estimate_text, number_text

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
    comparisons = [table for place in result.places for table in _comparisons(result, place)]
    return comparisons + further_tables(result)


def further_tables(result: ExperimentResult) -> list[ResultTable]:
    """Return the tables of killed jobs, waits over time, bills and audits, if there are any."""
    makers = (_killed, _time_courses, _bills, _audits)
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
                ),
                caption=_caption(result, place, one.metric.title),
                published=one.published,
                published_ratios=one.published_ratios,
                remarks=one.remarks,
            )


def _means(
    result: ExperimentResult, place: PlaceResult, metrics: list[MetricResult]
) -> ResultTable:
    """Return the table of means: a line per scheduler, published values below."""
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


def _killed(result: ExperimentResult, place: PlaceResult) -> Iterator[ResultTable]:
    """Yield how many jobs each scheduler had killed, if any did."""
    columns = [Column("scheduler", left=True), Column("jobs", write=number_text)]
    rows = [[name, mean] for name, mean in place.killed.items()]
    if rows:
        title = _caption(result, place, "jobs killed before their work was done")
        note = "mean over the cells; these jobs earn nothing, and no slowdown counts them"
        yield ResultTable(columns, rows, title, [note])


def _time_courses(result: ExperimentResult, place: PlaceResult) -> Iterator[ResultTable]:
    for beside in place.waits:
        yield _waits(beside, _caption(result, place, f"{beside.title}, by share of the weeks"))
    if place.choices:
        yield _shares(result, place)


def _waits(beside: WaitsBeside, caption: str) -> ResultTable:
    columns = [Column("scheduler", left=True)]
    columns += [Column(f"{share:.0%}", write=estimate_text) for share in STEPS]
    rows = [
        [name, *(_at(curve, share) for share in STEPS)] for name, curve in beside.courses.items()
    ]
    low, high = PERCENTILES
    note = (
        f"waits so far: sums over the jobs submitted, over those of {beside.baseline}; "
        f"means over the pairs, in brackets {low:g}% and {high:g}% of these"
    )
    return ResultTable(columns, rows, caption, [note])


def _at(curve: Course, share: float) -> Estimate:
    place = max(round(share * len(curve.mean)) - 1, 0)
    return Estimate(*(float(column[place]) for column in curve))


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


_RENAMED = {"jobs": "slice"}  # there is a metric of that name
PLACE = tuple(_RENAMED.get(name, name) for name in Circumstances._fields)


class SheetRow(NamedTuple):
    """A row of the grid, labels that tell the rows of one schedule apart, and metrics."""

    entry: GridEntry
    labels: tuple[str, ...]
    metrics: Mapping[str, Any]


def write_sheets(result: ExperimentResult, directory: Path) -> list[Path]:
    """Write ``results.csv``, ``bills.csv`` and ``audits.csv``; a sheet without rows is left out.

    A metric has a column where some schedule has it.
    Nothing in the files depends on the clock or on the machine: the same grid gives the same bytes.

    Raises
    ------
    InputError
        A file cannot be written.
    """
    measured = {name for run in result.runs for name in run.result.metrics}
    names = [name for name in known_metrics() if name in measured]
    simulated = [SheetRow(run.entry, (), run.result.metrics) for run in result.runs]
    written = _write(directory / "results", names, simulated)
    for stem, metrics, cells in (
        ("bills", BILL_METRICS, result.bills),
        ("audits", AUDIT_METRICS, result.audits),
    ):
        rows = [SheetRow(cell.entry, (cell.mechanism,), cell.metrics) for cell in cells]
        written += _write(directory / stem, metrics, rows, "mechanism") if rows else []
    return written


def _write(
    stem: Path, metrics: Collection[str], rows: Iterable[SheetRow], *labels: str
) -> list[Path]:
    header = (*PLACE, "scheduler", "seed", *labels, *metrics, "cell")
    table = [list(_values(row, metrics)) for row in rows]
    return [write_whole(stem.with_suffix(".csv"), csv_text(header, table).encode())]


def _values(row: SheetRow, metrics: Collection[str]) -> Iterator[object]:
    yield from (*row.entry.circumstances, row.entry.scheduler, row.entry.seed, *row.labels)
    yield from (row.metrics.get(name) for name in metrics)
    yield row.entry.cell.key


COMPARISON_COLUMNS = (
    *("metric", "unit", "scheduler", "pairs", "mean", "published"),
    *("ratio", "ratio_low", "ratio_high", "published_ratio"),
    *("p", "p_corrected", "pairs_unequal", "effect"),
)


def comparisons_csv(result: ExperimentResult) -> str:
    """Return the comparisons of all metrics and places as CSV."""
    factors = [factor for factor, _ in result.places[0].group]
    rows = [
        (*(value for _, value in place.group), *row)
        for place in result.places
        for one in place.metrics
        for row in _comparison_rows(one)
    ]
    return csv_text((*factors, *COMPARISON_COLUMNS), rows)


def _comparison_rows(one: MetricResult) -> Iterator[tuple[object, ...]]:
    for scheduler, comparison in one.by_scheduler.items():
        yield (
            one.metric.name,
            one.metric.unit,
            scheduler,
            comparison.pairs,
            comparison.mean,
            one.published.get(scheduler),
            comparison.ratio,
            *(comparison.interval or (None, None)),
            one.published_ratios.get(scheduler),
            comparison.p,
            comparison.corrected_p,
            comparison.unequal,
            comparison.rank_biserial,
        )
