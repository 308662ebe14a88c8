"""Tables of what bills of an experiment's schedules come to."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Iterator, Sequence
from typing import Any

from utilitysched.experiments.comparisons import Group, grouped
from utilitysched.experiments.figure_names import BILLS
from utilitysched.experiments.grid import Circumstances
from utilitysched.experiments.results import Priced
from utilitysched.experiments.specification import Experiment
from utilitysched.report.experiment import OURS, THEIRS, caption
from utilitysched.report.tables.cells import number_text
from utilitysched.report.tables.table import Column, Table

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


def bill_tables(experiment: Experiment, rows: Sequence[Priced]) -> list[Table]:
    """Return a table for each place: a line per scheduler and mechanism, published ones below."""
    return [
        _bills(experiment, group, members) for group, members in grouped(experiment, rows).items()
    ]


def _bills(experiment: Experiment, group: Group, rows: Sequence[Priced]) -> Table:
    either = bool(experiment.prices.published)
    columns = [Column("scheduler", left=True), Column("mechanism", left=True)]
    columns += [Column("", left=True)] if either else []
    columns += [Column(BILLS[name].title, BILLS[name].unit, number_text) for name in SHOWN]
    lines: list[list[Any]] = []
    for scheduler, mechanism in dict.fromkeys((row.entry.scheduler, row.mechanism) for row in rows):
        mine = [
            row for row in rows if (row.entry.scheduler, row.mechanism) == (scheduler, mechanism)
        ]
        means = [mean_of(mine, name) for name in SHOWN]
        lines.append([scheduler, mechanism, *([OURS] if either else []), *means])
        lines += [
            ["", "", THEIRS, *values] for values in _published(experiment, scheduler, mechanism)
        ]
    return Table(columns, lines, caption=caption(experiment, group, "bills"), notes=NOTES)


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
        if (value := row.figures[figure]) is not None:
            repeats.setdefault(row.entry.circumstances, []).append(value)
    draws: dict[Hashable, list[float]] = {}
    for where, values in repeats.items():
        draws.setdefault((where.workload, where.jobs), []).append(_mean(values))
    return _mean([_mean(values) for values in draws.values()]) if draws else None


def _mean(values: Sequence[float]) -> float:
    return math.fsum(values) / len(values)
