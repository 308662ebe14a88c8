"""Tables of what bills of an experiment's schedules come to, and of what lies would bring."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from utilitysched.analysis.documents import Column, ResultTable
from utilitysched.analysis.statistics import bootstrap_interval, difference_of_means
from utilitysched.experiments.comparisons import Group, described, grouped
from utilitysched.experiments.grid import Circumstances
from utilitysched.experiments.metric_names import BILL_METRICS
from utilitysched.experiments.results import Priced
from utilitysched.experiments.specification import Experiment
from utilitysched.report.tables.cells import Estimate, estimate_text, number_text

OURS, THEIRS = "here", "published"

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
"""Figures of a bill that have a column."""

NOTES = (
    "value: what jobs turned out to be worth; free: charged nothing; overcharged: above that value",
    "standard error of a charge: from seed to seed, mean over the jobs; -: one draw, or none",
)


LIES = ("best lie about value", "best lie")

AUDIT_NOTES = (
    "gain: what a user gains over the truth, mean over sampled jobs; 95% bootstrap interval",
    "value: of such a job with the truth; told: share of jobs for which a lie seemed to be better",
    "best lie: chosen for each job on one set of seeds, scored on another, if anything is drawn",
    "placebo: the truth on the seeds of choosing instead of those of scoring: chance alone",
)


def caption(experiment: Experiment, group: Group, what: str) -> str:
    """Return what a table is about, and where."""
    where = described(group)
    return f"{experiment.name}: {what}" + (f" ({where})" if where else "")


def bill_tables(experiment: Experiment, rows: Sequence[Priced]) -> list[ResultTable]:
    """Return a table for each place: a line per scheduler and mechanism, published ones below."""
    return [
        _bills(experiment, group, members) for group, members in grouped(experiment, rows).items()
    ]


def _bills(experiment: Experiment, group: Group, rows: Sequence[Priced]) -> ResultTable:
    either = bool(experiment.prices.published)
    columns = [Column("scheduler", left=True), Column("mechanism", left=True)]
    columns += [Column("", left=True)] if either else []
    columns += [
        Column(BILL_METRICS[name].title, BILL_METRICS[name].unit, number_text) for name in SHOWN
    ]
    lines: list[list[Any]] = []
    for (scheduler, mechanism), mine in _by_price(rows).items():
        means = [mean_of(mine, name) for name in SHOWN]
        lines.append([scheduler, mechanism, *([OURS] if either else []), *means])
        lines += [
            ["", "", THEIRS, *values] for values in _published(experiment, scheduler, mechanism)
        ]
    return ResultTable(columns, lines, caption=caption(experiment, group, "bills"), notes=NOTES)


def audit_tables(experiment: Experiment, rows: Sequence[Priced]) -> list[ResultTable]:
    """Return a table for each place: what lies would bring under each mechanism."""
    return [
        _audits(experiment, group, members) for group, members in grouped(experiment, rows).items()
    ]


def _audits(experiment: Experiment, group: Group, rows: Sequence[Priced]) -> ResultTable:
    columns = [Column("scheduler", left=True), Column("mechanism", left=True), Column("jobs")]
    columns.append(Column("value", "SU", number_text))
    for title in LIES:
        columns += [
            Column(f"{title}: gain [95%]", "SU", estimate_text),
            Column("told", write=number_text),
        ]
    columns.append(Column("placebo: gain [95%]", "SU", estimate_text))
    lines = [
        [scheduler, mechanism, *_pooled([row.metrics for row in mine])]
        for (scheduler, mechanism), mine in _by_price(rows).items()
    ]
    title = caption(experiment, group, "what lies would bring")
    return ResultTable(columns, lines, caption=title, notes=AUDIT_NOTES)


def _pooled(found: Sequence[Mapping[str, Any]]) -> Iterator[Any]:
    """Yield what all jobs of some audits say together."""
    value = np.concatenate([one["truth"]["value"] for one in found])
    yield from (len(value), float(value.mean()))
    for measure in ("value_lie", "lie"):
        yield _gain(found, measure)
        yield float(np.mean(np.concatenate([one[measure]["lying"] for one in found])))
    yield _gain(found, "placebo")


def _gain(found: Sequence[Mapping[str, Any]], measure: str) -> Estimate:
    gain = np.concatenate([one[measure]["gain"] for one in found])
    interval = bootstrap_interval(difference_of_means, gain, np.zeros(len(gain)), seed=0)
    return Estimate(float(gain.mean()), *(interval or (None, None)))


def _by_price(rows: Iterable[Priced]) -> dict[tuple[str, str], list[Priced]]:
    """Return rows by scheduler and mechanism."""
    found: dict[tuple[str, str], list[Priced]] = {}
    for row in rows:
        found.setdefault((row.entry.scheduler, row.mechanism), []).append(row)
    return found


def _published(
    experiment: Experiment, scheduler: str, mechanism: str
) -> Iterator[list[float | None]]:
    for one in experiment.prices.published:
        if one.mechanism == mechanism and one.scheduler in (None, scheduler):
            yield [one.values.get(name) for name in SHOWN]


def mean_of(rows: Iterable[Priced], figure: str) -> float | None:
    """Return the mean of a figure; None if it is nowhere defined.

    Repeats are averaged first, then draws on one workload, then workloads.
    """
    repeats: dict[Circumstances, list[float]] = {}
    for row in rows:
        if (value := row.metrics[figure]) is not None:
            repeats.setdefault(row.entry.circumstances, []).append(value)
    draws: dict[Hashable, list[float]] = {}
    for where, values in repeats.items():
        draws.setdefault((where.workload, where.jobs), []).append(_mean(values))
    return _mean([_mean(values) for values in draws.values()]) if draws else None


def _mean(values: Sequence[float]) -> float:
    return math.fsum(values) / len(values)
