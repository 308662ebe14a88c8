"""Comparisons of candidates with the baseline, metric by metric."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple, Protocol, TypeVar

from utilitysched.analysis.statistics import (
    Comparison,
    MeanName,
    Pairs,
    Runs,
    compare,
    correct,
    pair,
    pooled,
    to_baseline,
)
from utilitysched.experiments.grid import ALL_DRAWS, Circumstances, GridEntry
from utilitysched.experiments.metric_names import METRICS
from utilitysched.experiments.results import Finished
from utilitysched.experiments.specification import FACTORS, Experiment, Published

Group = tuple[tuple[str, str], ...]
"""What the pairs of a comparison have in common: factors and their values."""

Values = dict[Circumstances, list[float | None]]
"""A value per repeat."""


ByScheduler = dict[str, Comparison]
Where = tuple[Group, str]
"""Place and metric."""


class HasEntry(Protocol):
    """A row of the grid with whatever came out."""

    @property
    def entry(self) -> GridEntry:
        """Which row."""


Row = TypeVar("Row", bound=HasEntry)


class MetricComparison(NamedTuple):
    """One metric of all candidates.

    Attributes
    ----------
    group : tuple of (str, str)
        Where: factors that are kept apart, those that differ within the experiment.
    metric : str
        Name.
    by_scheduler : mapping of str to Comparison
        In the order of the experiment, the baseline among them.
    is_tested : bool
        Whether it has p, corrected for all that are tested.
    remarks : tuple of str
        What the pairs are, and so what intervals and p are about.
    """

    group: Group
    metric: str
    by_scheduler: Mapping[str, Comparison]
    is_tested: bool
    remarks: tuple[str, ...] = ()


def compared(experiment: Experiment, rows: Sequence[Finished]) -> list[MetricComparison]:
    """Compare all candidates with the baseline, by each metric wanted.

    Repeats are averaged within their circumstances. These make the pairs if all are of one
    workload; otherwise each workload is one pair, draws on it averaged.
    """
    groups = grouped(experiment, rows)
    metrics = dict.fromkeys((*experiment.report.metrics, *experiment.report.compared))
    found = {
        (group, metric): _by_scheduler(experiment, members, metric)
        for group, members in groups.items()
        for metric in metrics
    }
    return [
        one._replace(remarks=tuple(_remarks(groups[one.group], one)))
        for one in _corrected(experiment, found)
    ]


def grouped(experiment: Experiment, rows: Sequence[Row]) -> dict[Group, list[Row]]:
    """Return rows by what is kept apart, in their order."""
    apart = _apart(experiment, rows)
    groups: dict[Group, list[Row]] = {}
    for row in rows:
        where = row.entry.circumstances
        group = tuple((factor, getattr(where, factor)) for factor in apart)
        groups.setdefault(group, []).append(row)
    return groups


def _corrected(
    experiment: Experiment, found: Mapping[Where, ByScheduler]
) -> list[MetricComparison]:
    tested = {
        (*where, name): one
        for where, by_scheduler in found.items()
        for name, one in by_scheduler.items()
        if where[1] in experiment.report.compared
    }
    corrected = correct(tested, experiment.report.correction)
    return [
        MetricComparison(
            *where,
            {name: corrected.get((*where, name), _untested(one)) for name, one in rows.items()},
            where[1] in experiment.report.compared,
        )
        for where, rows in found.items()
    ]


def _untested(comparison: Comparison) -> Comparison:
    return replace(comparison, p=None, corrected_p=None)


def published(experiment: Experiment, one: MetricComparison) -> dict[str, float]:
    """Return what others published of a metric there, by scheduler."""
    known = _published_there(experiment, one)
    return {each.scheduler: each.values[one.metric] for each in known if one.metric in each.values}


def published_ratios(experiment: Experiment, one: MetricComparison) -> dict[str, float]:
    """Return the ratios to the baseline that others published of a metric there, by scheduler."""
    known = _published_there(experiment, one)
    found = to_baseline(published(experiment, one), experiment.schedulers.baseline)
    return found | {
        each.scheduler: each.ratios[one.metric] for each in known if one.metric in each.ratios
    }


def _published_there(experiment: Experiment, one: MetricComparison) -> list[Published]:
    place = dict(one.group)
    return [
        each
        for each in experiment.report.published
        if all(place.get(factor, value) == value for factor, value in each.where)
    ]


def described(group: Group) -> str:
    """Return where a comparison holds, as people read it."""
    return ", ".join(f"{factor} {value}" if value else f"no {factor}" for factor, value in group)


def mean_of(experiment: Experiment, metric: str) -> MeanName:
    """Return the mean by which a metric is compared."""
    return METRICS[metric].mean or experiment.report.mean


def _names(experiment: Experiment) -> list[str]:
    return [candidate.label for candidate in experiment.schedulers.candidates]


def _apart(experiment: Experiment, rows: Iterable[HasEntry]) -> tuple[str, ...]:
    """Return the factors kept apart that differ."""
    where = [row.entry.circumstances._asdict() for row in rows]
    return tuple(
        factor
        for factor in FACTORS
        if factor in experiment.report.separate and len({each[factor] for each in where}) > 1
    )


def _by_scheduler(experiment: Experiment, rows: Sequence[Finished], metric: str) -> ByScheduler:
    mean = mean_of(experiment, metric)
    pairs = paired(experiment, rows, metric)
    return {name: compare(mine, mean=mean) for name, mine in pairs.items()}


def paired(experiment: Experiment, rows: Sequence[Finished], metric: str) -> dict[str, Pairs]:
    """Return a metric of each candidate beside the baseline's, pair by pair.

    Parameters
    ----------
    experiment : Experiment
        Names candidates and baseline.
    rows : sequence of Finished
        Of one place.
    metric : str
        Its name.
    """
    values: dict[str, Values] = {name: {} for name in _names(experiment)}
    for entry, result in rows:
        of_scheduler = values[entry.scheduler]
        of_scheduler.setdefault(entry.circumstances, []).append(result.metrics.get(metric))
    baseline = values[experiment.schedulers.baseline]
    several = len(_workloads(rows)) > 1
    return {name: _pairs(mine, baseline, several=several) for name, mine in values.items()}


def _pairs(values: Values, baseline: Values, *, several: bool) -> Pairs:
    if several:
        return pooled(pair(_as_runs(values), _as_runs(baseline)), _workload)
    return pair(*_distinct(values, baseline))


def _workloads(rows: Iterable[Finished]) -> list[Hashable]:
    return list(dict.fromkeys(_workload(row.entry.circumstances) for row in rows))


def _workload(where: Hashable) -> Hashable:
    """Return the jobs that circumstances are about, whatever is drawn for them or done to them."""
    assert isinstance(where, Circumstances)
    return (where.workload, where.jobs)


def _remarks(rows: Sequence[Finished], one: MetricComparison) -> Iterator[str]:
    """Say what other cases the pairs stand for: none but those that were drawn from."""
    pairs = [found.pairs for found in one.by_scheduler.values()]
    first, *others = _workloads(rows)
    if others:
        yield (
            "pairs: one per workload or slice, draws on it averaged; intervals and p are about "
            "other workloads like these"
        )
    elif max(pairs) > 1:
        yield (
            f"pairs: draws on one workload ({_written(first)}); intervals and p are about other "
            "draws on this very workload, not about other workloads"
        )
    if not others and len(set(pairs)) > 1:
        yield (
            "fewer pairs in some rows: draws of utility functions that change neither the "
            "scheduler's figure nor the baseline's are one pair, and what is left out makes none"
        )


def _written(workload: Hashable) -> str:
    return " ".join(workload).strip() if isinstance(workload, tuple) else str(workload)


def _distinct(values: Values, baseline: Values) -> tuple[Runs, Runs]:
    """Count draws of utility functions once if they change nothing on either side.

    The wait under schedulers that do not know what a job is worth is the same for all draws: these
    are the same pair again, and many of them would seem to prove what one cannot.
    """
    if _matter(values) or _matter(baseline):
        return _as_runs(values), _as_runs(baseline)
    return _as_runs(_undrawn(values)), _as_runs(_undrawn(baseline))


def _matter(values: Values) -> bool:
    once = _undrawn(values)
    return any(once[_without_draw(where)] != found for where, found in values.items())


def _undrawn(values: Values) -> Values:
    return {_without_draw(where): found for where, found in values.items()}


def _without_draw(where: Circumstances) -> Circumstances:
    return where._replace(utility_seed=ALL_DRAWS)


def _as_runs(values: Values) -> Runs:
    return dict(values.items())
