"""Result of an experiment: computed once from its cells, rendered by `utilitysched.report`."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeVar

import numpy as np

from utilitysched.analysis.documents import Estimate
from utilitysched.analysis.metrics.catalogue import BILL_METRICS
from utilitysched.analysis.statistics import bootstrap_interval, difference_of_means
from utilitysched.experiments.comparisons import Group, MetricResult, compare_metrics
from utilitysched.experiments.grid import Circumstances, FinishedCell, GridEntry
from utilitysched.experiments.specification import FACTORS, Experiment
from utilitysched.experiments.time_courses import Choices, WaitsBeside, choices_of, waits_beside

Row = TypeVar("Row", FinishedCell, "PricedCell")

Price = tuple[str, str]
"""A scheduler and the mechanism by which its schedules are charged."""


class PricedCell(NamedTuple):
    """What a mechanism made of a schedule.

    Attributes
    ----------
    entry : GridEntry
        Row of the grid.
    mechanism : str
        Label.
    metrics : mapping
        Those of a bill; or those of an audit, job by job: see `experiments.audits`.
    """

    entry: GridEntry
    mechanism: str
    metrics: Mapping[str, Any]


class AuditGains(NamedTuple):
    """Gains from misreports, over the jobs of all audits of a scheduler and a mechanism.

    Attributes
    ----------
    jobs : int
        Number of jobs.
    value : float
        Mean value under the truth (SU).
    value_lie, lie, placebo : Estimate
        Mean gain (SU) of the best misreport of the value, of the best of all, and of the truth
        under other seeds.
    value_lie_share, lie_share : float
        Share of the jobs for which a misreport seemed better than the truth.
    """

    jobs: int
    value: float
    value_lie: Estimate
    value_lie_share: float
    lie: Estimate
    lie_share: float
    placebo: Estimate


@dataclass(frozen=True)
class PlaceResult:
    """Results for one value of each separate factor.

    Attributes
    ----------
    group : tuple of (str, str)
        Those factors that differ within the experiment, and their values.
    title : str
        The same in words; empty where nothing differs.
    metrics : sequence of MetricResult
        Comparisons of the schedulers, in the order of the report.
    killed : mapping of str to float
        Mean number of jobs killed before their work was done, by scheduler; empty where none was.
    waits : sequence of WaitsBeside
        Waits over time, if the report asks for them.
    choices : mapping of str to sequence of sequence of str
        Orderings that selections chose, likewise.
    bills : mapping of (str, str) to mapping of str to float or None
        Means of the metrics of bills, by scheduler and mechanism.
    audits : mapping of (str, str) to AuditGains
        Gains from misreports, by scheduler and mechanism.
    """

    group: Group
    title: str
    metrics: Sequence[MetricResult]
    killed: Mapping[str, float]
    waits: Sequence[WaitsBeside]
    choices: Choices
    bills: Mapping[Price, Mapping[str, float | None]]
    audits: Mapping[Price, AuditGains]


@dataclass(frozen=True)
class ExperimentResult:
    """What the finished cells of an experiment say.

    Attributes
    ----------
    experiment : Experiment
        What was asked.
    places : sequence of PlaceResult
        Comparisons, bills and audits, place by place.
    runs : sequence of FinishedCell
        Simulations.
    bills : sequence of PricedCell
        Bills of their schedules.
    audits : sequence of PricedCell
        Audits of their schedules by mechanism, means over the jobs.
    finished, wanted : int
        Number of cells that are finished, and of the whole grid.
    """

    experiment: Experiment
    places: Sequence[PlaceResult]
    runs: Sequence[FinishedCell]
    bills: Sequence[PricedCell] = ()
    audits: Sequence[PricedCell] = ()
    finished: int = 0
    wanted: int = 0


def experiment_result(
    experiment: Experiment,
    runs: Sequence[FinishedCell],
    billed: Sequence[FinishedCell] = (),
    audited: Sequence[FinishedCell] = (),
    wanted: int = 0,
) -> ExperimentResult:
    """Return the result of an experiment of which some cells or all are finished.

    Parameters
    ----------
    experiment : Experiment
        What was asked.
    runs, billed, audited : sequence of FinishedCell
        Simulations, bills and audits that are finished.
    wanted : int
        Number of cells of the whole grid.
    """
    bills = [PricedCell(one.entry, one.entry.cell.bill, one.result.metrics) for one in billed]
    audits = [
        PricedCell(one.entry, mechanism, one.result.metrics[mechanism])
        for one in audited
        if one.entry.cell.audit
        for mechanism in one.entry.cell.audit.mechanisms
    ]
    apart = _kept_apart(experiment, [one.entry for one in (*runs, *billed, *audited)])
    runs_at, bills_at = _by_group(runs, apart), _by_group(bills, apart)
    audits_at = _by_group(audits, apart)
    metrics = compare_metrics(experiment, runs_at)
    baseline = experiment.schedulers.baseline
    places = []
    for group in dict.fromkeys((*runs_at, *bills_at, *audits_at)):
        timed = runs_at.get(group, ()) if experiment.report.over_time else ()
        choices = choices_of(timed)
        places.append(
            PlaceResult(
                group,
                ", ".join(f"{name} {value}" if value else f"no {name}" for name, value in group),
                metrics.get(group, ()),
                _killed(runs_at.get(group, ())),
                list(waits_beside(timed, baseline, choices)) if timed else [],
                choices,
                {price: _bill_means(rows) for price, rows in _by_price(bills_at.get(group, ()))},
                {price: _audit_gains(rows) for price, rows in _by_price(audits_at.get(group, ()))},
            )
        )
    return ExperimentResult(
        experiment,
        places,
        runs,
        bills,
        [one._replace(metrics=_audit_means(one.metrics)) for one in audits],
        len(runs) + len(billed) + len(audited),
        wanted,
    )


def _kept_apart(experiment: Experiment, entries: Iterable[GridEntry]) -> list[str]:
    """Return the factors that are kept apart and differ."""
    places = [entry.circumstances._asdict() for entry in entries]
    return [
        factor
        for factor in FACTORS
        if factor in experiment.report.separate and len({each[factor] for each in places}) > 1
    ]


def _by_group(rows: Iterable[Row], apart: Sequence[str]) -> dict[Group, list[Row]]:
    """Return rows by the factors that are kept apart, in their order."""
    groups: dict[Group, list[Row]] = {}
    for row in rows:
        where = row.entry.circumstances
        group = tuple((factor, getattr(where, factor)) for factor in apart)
        groups.setdefault(group, []).append(row)
    return groups


def _by_price(rows: Iterable[PricedCell]) -> Iterable[tuple[Price, list[PricedCell]]]:
    """Return rows by scheduler and mechanism."""
    prices: dict[Price, list[PricedCell]] = {}
    for row in rows:
        prices.setdefault((row.entry.scheduler, row.mechanism), []).append(row)
    return prices.items()


def _killed(runs: Sequence[FinishedCell]) -> dict[str, float]:
    cells: dict[str, list[PricedCell]] = {}
    for run in runs:
        row = PricedCell(run.entry, "", run.result.metrics)
        cells.setdefault(run.entry.scheduler, []).append(row)
    means = {name: mean_over_cells(rows, "jobs_cut_short") or 0.0 for name, rows in cells.items()}
    return means if any(means.values()) else {}


def _bill_means(rows: Sequence[PricedCell]) -> dict[str, float | None]:
    return {name: mean_over_cells(rows, name) for name in BILL_METRICS}


def mean_over_cells(rows: Iterable[PricedCell], metric: str) -> float | None:
    """Return the mean of a metric; None if it is nowhere defined.

    Repeats are averaged first, then draws on one workload, then workloads.
    """
    repeats: dict[Circumstances, list[float]] = {}
    for row in rows:
        if (value := row.metrics.get(metric)) is not None:
            repeats.setdefault(row.entry.circumstances, []).append(value)
    draws: dict[Hashable, list[float]] = {}
    for where, values in repeats.items():
        draws.setdefault((where.workload, where.jobs), []).append(_exact_mean(values))
    return _exact_mean([_exact_mean(values) for values in draws.values()]) if draws else None


def _exact_mean(values: Sequence[float]) -> float:
    return math.fsum(values) / len(values)


def _audit_gains(rows: Sequence[PricedCell]) -> AuditGains:
    """Pool the jobs of some audits."""
    value = np.concatenate([row.metrics["truth"]["value"] for row in rows])

    def gain(measure: str) -> Estimate:
        gains = np.concatenate([row.metrics[measure]["gain"] for row in rows])
        interval = bootstrap_interval(difference_of_means, gains, np.zeros(len(gains)), seed=0)
        return Estimate(float(gains.mean()), *(interval or (None, None)))

    def share(measure: str) -> float:
        return float(np.mean(np.concatenate([row.metrics[measure]["lying"] for row in rows])))

    return AuditGains(
        len(value),
        float(value.mean()),
        gain("value_lie"),
        share("value_lie"),
        gain("lie"),
        share("lie"),
        gain("placebo"),
    )


def _audit_means(gains: Mapping[str, Any]) -> dict[str, float]:
    """Return the means of an audit over its jobs, by the names of `catalogue.AUDIT_METRICS`."""
    measures = {name: one for name, one in gains.items() if name != "truth"}
    value = gains["truth"]["value"]
    return (
        {"jobs_audited": len(value), "true_value": math.fsum(value) / len(value)}
        | {f"{name}_gain": math.fsum(one["gain"]) / len(value) for name, one in measures.items()}
        | {f"{name}_share": math.fsum(one["lying"]) / len(value) for name, one in measures.items()}
    )
