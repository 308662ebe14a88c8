"""Comparisons of the schedulers of an experiment with its baseline, metric by metric."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from operator import attrgetter

from utilitysched.analysis.metrics.catalogue import Metric, known_metrics
from utilitysched.analysis.statistics import (
    Comparison,
    MeanName,
    Pairs,
    compare,
    pair,
    pooled,
    tested,
    to_baseline,
)
from utilitysched.experiments.grid import Circumstances, FinishedCell
from utilitysched.experiments.specification import Experiment, Published

Group = tuple[tuple[str, str], ...]
"""Factors that are kept apart, and their values: what the pairs of a comparison have in common."""

Values = dict[Hashable, list[float | None]]
"""Values of the repeats of one scheduler, by circumstances."""


@dataclass(frozen=True)
class MetricResult:
    """One metric of all schedulers at one place, beside the baseline.

    Attributes
    ----------
    metric : Metric
        Name, title and unit.
    mean : str
        Name of the mean that is compared, as `utilitysched.analysis.statistics` has it.
    pairs : mapping of str to Pairs
        Values beside the baseline's, by scheduler in the order of the experiment.
    by_scheduler : mapping of str to Comparison
        Comparisons with the baseline, that of the baseline with itself among them.
    rivals : mapping of str to Comparison
        The leader, the scheduler with the best value, beside each of the others; empty where
        nothing is tested.
    leader : str
        Its label; empty where fewer than two schedulers have a ratio to the baseline.
    is_tested : bool
        Whether comparisons have a p, corrected for all that are tested in the experiment.
    published, published_ratios : mapping of str to float
        Values that others published, and ratios to the baseline, by scheduler.
    sample : str
        What a pair is, in the plural: draws on one workload, or workloads.
    remarks : tuple of str
        Sentences on what the pairs are, and so on what intervals and p are about.
    """

    metric: Metric
    mean: MeanName
    pairs: Mapping[str, Pairs]
    by_scheduler: Mapping[str, Comparison]
    is_tested: bool
    published: Mapping[str, float]
    published_ratios: Mapping[str, float]
    leader: str = ""
    rivals: Mapping[str, Comparison] = field(default_factory=dict)
    sample: str = "draws"
    remarks: tuple[str, ...] = ()

    @property
    def has_winner(self) -> bool:
        """Whether the leader is certainly better than every other scheduler."""
        return bool(self.rivals) and all(map(self.is_behind, self.rivals))

    def is_behind(self, rival: str) -> bool:
        """Whether the leader is certainly better than another scheduler."""
        each = self.rivals[rival]
        is_above = each.ratio is not None and each.ratio > each.null
        return each.is_certain and is_above == (self.metric.better == "higher")


def compare_metrics(
    experiment: Experiment, places: Mapping[Group, Sequence[FinishedCell]]
) -> dict[Group, list[MetricResult]]:
    """Compare all schedulers with the baseline at each place, by each metric of the report.

    Repeats are averaged within their circumstances. These make the pairs if all are of one
    workload; otherwise each workload is one pair, draws on it averaged.
    """
    known = known_metrics()
    metrics = dict.fromkeys((*experiment.report.metrics, *experiment.report.compared))
    made = {
        group: [_metric_result(experiment, group, cells, known[name]) for name in metrics]
        for group, cells in places.items()
    }
    shown = [one for results in made.values() for one in results if one.is_tested]
    # Whoever is best in truth, only comparisons with it can make a false winner: as many as with
    # the baseline. So both are corrected for one number, and never contradict each other.
    tests = max(
        sum(each.p is not None for one in shown for each in of(one).values())
        for of in (attrgetter("by_scheduler"), attrgetter("rivals"))
    )
    return {
        group: [_corrected(one, max(tests, 1)) if one.is_tested else one for one in results]
        for group, results in made.items()
    }


def _corrected(one: MetricResult, tests: int) -> MetricResult:
    return replace(
        one,
        by_scheduler={name: tested(each, tests) for name, each in one.by_scheduler.items()},
        rivals={name: tested(each, tests) for name, each in one.rivals.items()},
    )


def _metric_result(
    experiment: Experiment, group: Group, cells: Sequence[FinishedCell], metric: Metric
) -> MetricResult:
    """Return a metric at one place, with p not yet corrected."""
    mean = metric.mean or experiment.report.mean
    pairs = _paired(experiment, cells, metric.name, experiment.schedulers.baseline)
    comparisons = {scheduler: compare(mine, mean=mean) for scheduler, mine in pairs.items()}
    is_tested = metric.name in experiment.report.compared
    leader, rivals = "", {}
    if is_tested:
        leader = _leader(comparisons, metric)
    else:
        comparisons = {
            scheduler: replace(comparison, p=None, corrected_p=None)
            for scheduler, comparison in comparisons.items()
        }
    if leader:
        rivals = {
            scheduler: _rival(each, mean)
            for scheduler, each in _paired(experiment, cells, metric.name, leader).items()
            if scheduler != leader and len(each)
        }
    known = [each for each in experiment.report.published if _holds(each, group)]
    published = {
        each.scheduler: each.values[metric.name] for each in known if metric.name in each.values
    }
    ratios = {
        each.scheduler: each.ratios[metric.name] for each in known if metric.name in each.ratios
    }
    return MetricResult(
        metric,
        mean,
        pairs,
        comparisons,
        is_tested,
        published,
        to_baseline(published, experiment.schedulers.baseline) | ratios,
        leader,
        rivals,
        "workloads" if len(_workloads(cells)) > 1 else "draws",
        tuple(_remarks(cells, [comparison.pairs for comparison in comparisons.values()])),
    )


def _leader(comparisons: Mapping[str, Comparison], metric: Metric) -> str:
    """Return the scheduler with the best ratio to the baseline, the first of equals."""
    ratios = {name: each.ratio for name, each in comparisons.items() if each.ratio is not None}
    best = max if metric.better == "higher" else min
    return best(ratios, key=ratios.__getitem__) if len(ratios) > 1 else ""


def _rival(pairs: Pairs, mean: MeanName) -> Comparison:
    """Return the leader, whose values stand as the baseline, beside another scheduler.

    Where that one's values are 0 or less, no ratio to them is defined, but a difference is.
    """
    turned = Pairs(pairs.keys, pairs.baseline, pairs.values)
    comparison = compare(turned, mean=mean)
    return compare(turned, mean="difference") if comparison.ratio is None else comparison


def _holds(published: Published, group: Group) -> bool:
    """Whether published values are about a place."""
    place = dict(group)
    return all(place.get(factor, value) == value for factor, value in published.where)


def _paired(
    experiment: Experiment, cells: Sequence[FinishedCell], metric: str, beside: str
) -> dict[str, Pairs]:
    """Return a metric of each scheduler beside that of one of them, pair by pair."""
    values: dict[str, Values] = {each.label: {} for each in experiment.schedulers.candidates}
    for entry, result in cells:
        of_scheduler = values[entry.scheduler]
        of_scheduler.setdefault(entry.circumstances, []).append(result.metrics.get(metric))
    baseline = values[beside]
    several = len(_workloads(cells)) > 1
    return {scheduler: _pairs(mine, baseline, several) for scheduler, mine in values.items()}


def _pairs(values: Values, baseline: Values, several: bool) -> Pairs:
    if several:
        return pooled(pair(values, baseline), _workload)
    return pair(values, baseline)


def _workloads(cells: Iterable[FinishedCell]) -> list[Hashable]:
    return list(dict.fromkeys(_workload(cell.entry.circumstances) for cell in cells))


def _workload(where: Hashable) -> Hashable:
    """Return the jobs that circumstances are about, whatever is drawn for them or done to them."""
    assert isinstance(where, Circumstances)
    return (where.workload, where.jobs)


def _remarks(cells: Sequence[FinishedCell], pairs: Sequence[int]) -> Iterator[str]:
    """Yield sentences on the population that the pairs are a sample of."""
    first, *others = _workloads(cells)
    if others:
        yield (
            "pairs: one per workload or slice, draws on it averaged; intervals and p are about "
            "other workloads like these"
        )
    elif max(pairs) > 1:
        assert isinstance(first, tuple)
        yield (
            f"pairs: draws on one workload ({' '.join(first).strip()}); intervals and p are about "
            "other draws on this very workload, not about other workloads"
        )
