"""Verdict of an experiment: winners in words, what is not certain, one table of ratios."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import partial
from typing import NamedTuple

from swfx.base.numbers import plural, whole
from utilitysched.analysis.documents import Column, Estimate, ResultTable
from utilitysched.analysis.statistics import LEAST, Comparison, pairs_needed
from utilitysched.experiments.comparisons import MetricResult
from utilitysched.experiments.results import ExperimentResult, PlaceResult
from utilitysched.report.comparison import beside, interval_note
from utilitysched.report.tables import FINEST, estimate_text, number_text

NAMED = 4
"""Schedulers that are named one by one in a sentence."""

OTHERS = 3
"""Metrics beside the main one that have a sentence."""

MANY = 10_000
"""Pairs: where more would be needed to show a difference, two schedulers count as alike."""

TESTED = {"arithmetic": "means", "geometric": "geometric means", "median": "medians"}

COARSE = 20.0
"""Width of an interval (%) from which on percentages have no decimals."""

BEST, CHANCE = "best", "chance"
"""Classes of cells on pages."""


def lead_sentences(result: ExperimentResult) -> list[str]:
    """Return the winner by each metric that is compared, and what is not certain.

    The main metric, the first one compared, comes first and has both sentences.
    """
    names = result.experiment.report.compared
    every = [(place, one) for place in result.places for one in place.metrics if one.leader]
    sentences = []
    for name in names[: 1 + OTHERS]:
        places = [(place, one) for place, one in every if one.metric.name == name]
        if places:
            sentences.append(_winner(result, places))
            if name == names[0]:
                sentences.append(_uncertain(places))
    if result.finished < result.wanted:
        sentences.append(
            f"{result.finished:,} of {result.wanted:,} results are there; the others are left out."
        )
    return sentences


_At = tuple[PlaceResult, MetricResult]


def _winner(result: ExperimentResult, places: Sequence[_At]) -> str:
    """Return the sentence on who wins by a metric, and by how much."""
    (_, one), *others = places
    title = one.metric.title[:1].upper() + one.metric.title[1:]
    baseline = result.experiment.schedulers.baseline
    if others:
        return f"{title}: {_in_places(places, baseline)}."
    margin = _margin(one, baseline)
    if one.has_winner:
        return f"{title}: {one.leader} wins{margin}."
    return f"{title}: no certain winner; {one.leader} leads{margin}."


def _in_places(places: Sequence[_At], baseline: str) -> str:
    """Return who wins in how many places, or leads where nobody wins."""
    kinds = {factor for place, _ in places for factor, _ in place.group}
    what = "workloads" if kinds == {"workload"} else "settings"
    won = [each for each in places if each[1].has_winner]
    shown, verb = (won, "wins") if won else (places, "leads")
    parts = []
    for name, count in Counter(one.leader for _, one in shown).most_common():
        there = [(place, one) for place, one in shown if one.leader == name]
        ratios = [_beside_baseline(one, baseline) for _, one in there]
        known = sorted((each for each in ratios if each), key=lambda each: each.ratio or 0.0)
        texts = [amount_text(each) for each in dict.fromkeys((*known[:1], *known[-1:]))]
        over = f", {' to '.join(texts)} beside {baseline}" if texts else ""
        number = f"all {count}" if count == len(places) else f"{count} of {len(places)}"
        where = f" ({there[0][0].title})" if count == 1 else ""
        parts.append(f"{name} {verb} in {number} {what}{where}{over}")
    if not won:
        return f"no certain winner; {'; '.join(parts)}"
    rest = len(places) - len(won)
    return "; ".join([*parts, *([f"no certain winner in {rest}"] if rest else [])])


def _beside_baseline(one: MetricResult, baseline: str) -> Comparison | None:
    return None if one.leader == baseline else one.by_scheduler[one.leader]


def _margin(one: MetricResult, baseline: str) -> str:
    """Return by how much the leader is ahead of the baseline; if it is that, of the next."""
    comparison = _beside_baseline(one, baseline)
    if comparison:
        doubt = "" if comparison.is_significant else _doubt(comparison)
        return f" with {_than(one, comparison)} {baseline}{_bracket(comparison)}{doubt}"
    following = _next(one)
    if not following:
        return ""
    rival = one.rivals[following]
    return f" with {_than(one, rival)} the next, {following}{_bracket(rival)}"


def _doubt(comparison: Comparison) -> str:
    """Return why a difference is not certain."""
    if comparison.interval is not None:
        return ", which could be chance"
    return f" ({plural(comparison.pairs, 'pair')}, no test)"


def _next(one: MetricResult) -> str:
    """Return the scheduler that is best after the leader."""
    worst = min if one.metric.better == "higher" else max
    ratios = {name: each.ratio for name, each in one.rivals.items() if each.ratio is not None}
    return worst(ratios, key=ratios.__getitem__) if ratios else ""


def _than(one: MetricResult, comparison: Comparison) -> str:
    """Return how much more or less a value is, followed by "than" or "as"."""
    assert comparison.ratio is not None
    if comparison.is_ratio:
        return beside(comparison.ratio)
    more = "more" if comparison.ratio >= 0 else "less"
    unit = f" {one.metric.unit}" if one.metric.unit else ""
    return f"{number_text(abs(comparison.ratio))}{unit} {more} than"


def _bracket(comparison: Comparison) -> str:
    text = amount_text(comparison)
    return f" {text[text.index('[') :]}" if "[" in text else ""


def amount_text(comparison: Comparison) -> str:
    """Return the difference with its interval: in percent, as a ratio where that is 2 or more.

    Examples
    --------
    >>> from utilitysched.analysis.statistics import Interval
    >>> amount_text(Comparison(4, 4, 0, 1.1, 1.0, 1.1, Interval(1.04, 1.16), 0.01, 0.01, 1.0))
    '+10.0% [+4.0%, +16.0%]'
    >>> amount_text(Comparison(4, 4, 0, 3.3, 1.0, 3.3, Interval(2.1, 5.2), 0.01, 0.01, 1.0))
    '3.3 times [2.1, 5.2]'
    """
    ratio, interval = comparison.ratio, comparison.interval
    if ratio is None:
        return ""
    ends = interval or ()
    if not comparison.is_ratio:
        return estimate_text(Estimate(ratio, *ends), apart=0.0)
    if ratio >= 2:
        value, _, bounds = estimate_text(Estimate(ratio, *ends), apart=1.0).partition(" ")
        return f"{value} times {bounds}".strip()
    shares = [100 * (end - 1) for end in (ratio, *ends)]
    decimals = 0 if ends and shares[2] - shares[1] >= COARSE else 1
    while decimals < FINEST and any(0 < abs(share) < 0.5 * 10.0**-decimals for share in shares):
        decimals += 1
    value, *limits = (f"{share:+,.{decimals}f}%" for share in shares)
    return f"{value} [{', '.join(limits)}]" if limits else value


def _uncertain(places: Sequence[_At]) -> str:
    """Return the sentence on what is not certain of the leaders, and how many pairs would do."""
    rivals = [
        (one, name, each)
        for _, one in places
        for name, each in one.rivals.items()
        if not each.is_significant
    ]
    total = sum(len(one.rivals) for _, one in places)
    if not rivals:
        return "All differences from the leader are more than chance."
    if len(places) > 1:
        many = f"{len(rivals)} of {total} differences from the leader"
        return f"Not certain: {many}; {_cures(rivals)}."
    one = places[0][1]
    if all(each.pairs < LEAST for _, _, each in rivals):
        return (
            f"Not certain: any difference from {one.leader}; a test needs at least {LEAST} pairs: "
            f"{_runs(rivals)} here."
        )
    rivals.sort(key=lambda each: pairs_needed(each[2]) or math.inf)
    cures = [_cure(one, each) for _, _, each in rivals[:NAMED]]
    settled = f" {one.sample} would settle it"
    cures[1:] = [cure.removesuffix(settled) for cure in cures[1:]]
    parts = [f"{name} ({cure})" for (_, name, _), cure in zip(rivals, cures, strict=False)]
    rest = f" or {len(rivals) - NAMED} others" if len(rivals) > NAMED else ""
    return (
        f"Not certain: whether {one.leader} is ahead of {', '.join(parts)}{rest}; "
        f"{_runs(rivals)} {one.sample} were run."
    )


def _runs(rivals: Sequence[tuple[MetricResult, str, Comparison]]) -> str:
    """Return how many pairs there are."""
    counts = [each.pairs for _, _, each in rivals]
    least, most = min(counts), max(counts)
    return f"{least}" if least == most else f"{least} to {most}"


def _cure(one: MetricResult, comparison: Comparison) -> str:
    """Return how many pairs would show a difference, or why none would."""
    needed = pairs_needed(comparison)
    if comparison.ratio == comparison.null:
        return "equal"
    if needed is None:
        few = f"{plural(comparison.pairs, 'pair')}, no test"
        return few if comparison.pairs < LEAST else "no spread to test it by"
    if needed > MANY:
        return f"alike within {_within(comparison)}"
    return f"about {whole(needed)} {one.sample} would settle it"


def _within(comparison: Comparison) -> str:
    """Return how far the ends of the interval are from no difference."""
    assert comparison.interval is not None
    distance = max(abs(end - comparison.null) for end in comparison.interval)
    return f"{100 * distance:.2g}%" if comparison.is_ratio else number_text(distance)


def _cures(rivals: Sequence[tuple[MetricResult, str, Comparison]]) -> str:
    """Return how many pairs would show half of the differences, and all of them."""
    numbers = [pairs_needed(each) for _, _, each in rivals]
    within = sorted(number for number in numbers if number and number <= MANY)
    sample, run = rivals[0][0].sample, _runs(rivals)
    if not within:
        return f"{run} {sample} were run, and {whole(MANY)} would not settle any"
    half, rest = (len(rivals) - 1) // 2, len(rivals) - len(within)
    every = f"for {len(within)} of them" if rest else "all"
    settled = f"{whole(within[-1])} {sample} would settle {every}"
    if half < len(within) - 1:
        some = f"{whole(within[half])} {sample} would settle half of them"
        settled = f"{some}, {whole(within[-1])} {every}"
    return f"about {settled} ({run} run)"


class Standing(NamedTuple):
    """A cell of the overview: a scheduler beside the baseline, at one place by one metric.

    Attributes
    ----------
    comparison : Comparison
        Beside the baseline.
    is_best : bool
        Whether no other scheduler's value is better.
    value : str
        Of the baseline itself, with its unit; empty for others.
    """

    comparison: Comparison
    is_best: bool
    value: str = ""

    @property
    def is_chance(self) -> bool:
        """Whether the difference from the baseline could be chance."""
        return not self.value and not self.comparison.is_significant


def standing_text(cell: Standing | float | None) -> str:
    """Return ratio and interval behind the marks of what is best or could be chance."""
    if not isinstance(cell, Standing):
        return number_text(cell)
    comparison = cell.comparison
    null = f"{comparison.null:g}"
    if cell.value:
        text = f"{null} ({cell.value})" if comparison.ratio is not None else f"({cell.value})"
    elif comparison.ratio is None:
        text = f"- ({number_text(comparison.mean)})"
    else:
        estimate = Estimate(comparison.ratio, *(comparison.interval or ()))
        text = estimate_text(estimate, apart=comparison.null)
    marks = "*" * cell.is_best + "?" * (cell.is_chance and comparison.ratio is not None)
    return f"{marks} {text}".strip()


def standing_style(cell: Standing | float | None) -> str:
    """Return the classes of a cell on a page."""
    if not isinstance(cell, Standing):
        return ""
    return " ".join([BEST] * cell.is_best + [CHANCE] * cell.is_chance)


def overview_tables(result: ExperimentResult) -> list[ResultTable]:
    """Return the main table of schedulers by workloads, and one for each further metric.

    At one place there is one table, of schedulers by metrics.
    """
    tested = [one for place in result.places for one in place.metrics if one.is_tested]
    if len(result.places) == 1:
        groups = [("", [(_metric_heading(one), one) for one in tested])] if tested else []
    else:
        groups = [
            (
                _metric_heading(places[0][1]),
                [(place.title, one) for place, one in places],
            )
            for name in result.experiment.report.compared
            if (places := at_places(result, name))
        ]
    return [
        _overview(result, heading, shown, f"overview-{i}")
        for i, (heading, shown) in enumerate(groups, 1)
    ]


def at_places(result: ExperimentResult, name: str) -> list[_At]:
    """Return the places where a metric is compared, and its results there."""
    return [
        (place, one)
        for place in result.places
        for one in place.metrics
        if one.metric.name == name and one.is_tested
    ]


def _metric_heading(one: MetricResult) -> str:
    return f"{one.metric.title} ({one.metric.better} is better)"


def _overview(
    result: ExperimentResult, heading: str, shown: Sequence[tuple[str, MetricResult]], key: str
) -> ResultTable:
    """Return a table with the fewer of schedulers and places as columns."""
    baseline = result.experiment.schedulers.baseline
    by_column = {title: dict(_standings(one, baseline)) for title, one in shown}
    names = [
        name
        for label in shown[0][1].by_scheduler
        for name in (label, _published(label))
        if any(name in cells for cells in by_column.values())
    ]
    rows = [[name, *(cells.get(name) for cells in by_column.values())] for name in names]
    first, heads = "scheduler", list(by_column)
    if heading and len(heads) > len(names):
        first, heads = "setting", names
        rows = [[title, *map(cells.get, names)] for title, cells in by_column.items()]
    write = partial(Column, write=standing_text, style=standing_style)
    columns = [Column(first, left=True, fold=first == "setting"), *map(write, heads)]
    what = heading or "all schedulers"
    return ResultTable(
        columns,
        rows,
        f"{result.experiment.name}: {what}, beside {baseline}",
        list(_overview_notes(baseline, [one for _, one in shown])),
        key=key,
    )


def _standings(one: MetricResult, baseline: str) -> Iterator[tuple[str, Standing | float]]:
    """Yield the cell of each scheduler, and the published ratios behind it."""
    for name, comparison in one.by_scheduler.items():
        value = ""
        if name == baseline:
            value = f"{number_text(comparison.mean)} {one.metric.unit}".strip()
        yield name, Standing(comparison, name == one.leader, value)
        if name in one.published_ratios and name != baseline:
            yield _published(name), one.published_ratios[name]


def _published(scheduler: str) -> str:
    return f"{scheduler}, published"


def _overview_notes(baseline: str, results: Sequence[MetricResult]) -> Iterator[str]:
    kinds = {one.mean: one for one in results}
    words = [TESTED[mean] for mean in kinds if mean in TESTED]
    parts = [f"ratios of {' or '.join(words)} to {baseline}"] if words else []
    parts += [f"differences of means from {baseline}"] if "difference" in kinds else []
    comparisons = [each for one in results for each in one.by_scheduler.values()]
    yield f"{' or '.join(parts)}; {interval_note(comparisons)}"
    yield "*: best; ?: could be chance, as the interval includes no difference, or there is none"
    if any(one.metric.unit == "SU" for one in results):
        yield "SU: service units"


def winners_table(result: ExperimentResult) -> ResultTable:
    """Return the table of leaders: by place and metric, margin, and pairs that would be needed."""
    baseline = result.experiment.schedulers.baseline
    every = [(place, one) for place in result.places for one in place.metrics if one.leader]
    columns = [
        Column("setting", left=True, fold=True),
        Column("metric", left=True, fold=True),
        Column("leader", left=True, fold=True),
        Column("winner", left=True),
        Column(f"beside {baseline}"),
        Column("next", left=True, fold=True),
        Column("beside the next"),
        Column("pairs"),
        Column("pairs needed"),
    ]
    rows = []
    for place, one in every:
        rival = one.rivals.get(_next(one))
        comparison = _beside_baseline(one, baseline)
        rows.append(
            [
                place.title or result.experiment.name,
                one.metric.title,
                one.leader,
                "yes" if one.has_winner else "not certain",
                amount_text(comparison) if comparison else "",
                _next(one),
                amount_text(rival) if rival else "",
                whole(rival.pairs) if rival else "",
                _needed_text(one),
            ]
        )
    note = (
        "pairs needed: so that the leader's smallest uncertain difference would be more than "
        "chance with a power of 80%, if it is as large as observed; winner: better than every "
        "other scheduler beyond chance"
    )
    return ResultTable(columns, rows, "Winners", [note], key="winners")


def _needed_text(one: MetricResult) -> str:
    """Return the largest number of pairs that an uncertain difference needs."""
    uncertain = [each for each in one.rivals.values() if not each.is_significant]
    needed = [pairs_needed(each) for each in uncertain]
    numbers = [number for number in needed if number]
    if not numbers:
        return ""
    return whole(max(numbers)) if max(numbers) <= MANY else f"over {whole(MANY)}"
