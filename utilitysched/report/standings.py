"""Verdict of an experiment: winners in words, what is not certain, one table of ratios."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from functools import partial
from typing import NamedTuple

from swfx.base.numbers import plural, significant, whole
from utilitysched.analysis.documents import Column, Estimate, ResultTable
from utilitysched.analysis.statistics import LEAST, Comparison, pairs_needed
from utilitysched.experiments.comparisons import MetricResult
from utilitysched.experiments.results import ExperimentResult, PlaceResult
from utilitysched.report.comparison import beside, interval_notes
from utilitysched.report.tables import FINEST, estimate_text, number_text

NAMED = 4
"""Schedulers that are named one by one in a sentence."""

OTHERS = 3
"""Metrics beside the main one that have a sentence."""

MANY = 10_000
"""Pairs: how many more than these would be needed is not said."""

TESTED = {"arithmetic": "means", "geometric": "geometric means", "median": "medians"}

COARSE = 20.0
"""Width of an interval (%) from which on percentages have no decimals."""

MARKS = {
    "**": "best, and certainly better than all others",
    "*": "best",
    "?": "could be chance: the interval includes no difference, or there is none",
    "=": "the same in all pairs",
}
"""What stands before a number in the table, and its meaning."""


def lead_sentences(result: ExperimentResult) -> list[str]:
    """Return the winner by each metric that is compared, and what is not certain.

    The main metric, the first one compared, comes first and has both sentences.
    """
    sentences = []
    for name in result.experiment.report.compared[: 1 + OTHERS]:
        places = [(place, one) for place, one in at_places(result, name) if one.leader]
        if places:
            sentences.append(_winner(places, result.experiment.schedulers.baseline))
            if len(sentences) == 1:
                sentences.append(_uncertain([one for _, one in places]))
    if result.finished < result.wanted:
        sentences.append(
            f"{result.finished:,} of {result.wanted:,} results are there; the others are left out."
        )
    return sentences


_At = tuple[PlaceResult, MetricResult]


def _winner(places: Sequence[_At], baseline: str) -> str:
    """Return the sentence on who wins by a metric, and by how much."""
    (_, one), *others = places
    title = one.metric.title[:1].upper() + one.metric.title[1:]
    if others:
        return f"{title}: {_in_places(places, baseline)}."
    rival = _next(one) if one.leader == baseline else baseline
    verdict = f"{one.leader} wins" if one.has_winner else f"no certain winner; {one.leader} leads"
    if rival not in one.rivals:
        return f"{title}: {verdict}."
    comparison = one.rivals[rival]
    if comparison.spread == 0 and not comparison.is_certain:
        return f"{title}: no winner; {one.leader} and {rival} are {_alike(one, comparison)}."
    what = f"the next, {rival}" if one.leader == baseline else baseline
    return f"{title}: {verdict} with {_than(one, comparison)} {what}{_support(one, comparison)}."


def _alike(one: MetricResult, comparison: Comparison) -> str:
    return f"equal in all {comparison.pairs} {one.sample}"


def _in_places(places: Sequence[_At], baseline: str) -> str:
    """Return who wins in how many places, or leads where nobody wins."""
    kinds = {factor for place, _ in places for factor, _ in place.group}
    what = "workloads" if kinds == {"workload"} else "settings"
    won = [each for each in places if each[1].has_winner]
    shown, verb = (won, "wins") if won else (places, "leads")
    parts = []
    for name, count in Counter(one.leader for _, one in shown).most_common():
        there = [(place, one) for place, one in shown if one.leader == name]
        ratios = [one.rivals[baseline] for _, one in there if baseline in one.rivals]
        ratios.sort(key=lambda each: each.ratio or 0.0)
        texts = [amount_text(each) for each in dict.fromkeys((*ratios[:1], *ratios[-1:]))]
        over = f", {' to '.join(texts)} beside {baseline}" if texts else ""
        number = f"all {count}" if count == len(places) else f"{count} of {len(places)}"
        where = f" ({there[0][0].title})" if count == 1 else ""
        parts.append(f"{name} {verb} in {number} {what}{where}{over}")
    if not won:
        return f"no certain winner; {'; '.join(parts)}"
    rest = len(places) - len(won)
    return "; ".join([*parts, *([f"no certain winner in {rest}"] if rest else [])])


def _next(one: MetricResult) -> str:
    """Return the scheduler that is best after the leader."""
    worst = min if one.metric.better == "higher" else max
    ratios = {name: each.ratio for name, each in one.rivals.items() if each.ratio is not None}
    return worst(ratios, key=ratios.__getitem__) if ratios else ""


def _than(one: MetricResult, comparison: Comparison) -> str:
    """Return how much more or less a value is, followed by "than" or "as"."""
    ratio = comparison.ratio or 0.0
    if comparison.is_ratio:
        return beside(ratio)
    unit = f" {one.metric.unit}" if one.metric.unit else ""
    return f"{number_text(abs(ratio))}{unit} {'more' if ratio >= 0 else 'less'} than"


def _support(one: MetricResult, comparison: Comparison) -> str:
    """Return the interval of a difference, or why there is none."""
    if comparison.interval:
        text = amount_text(comparison)
        return f" {text[text.index('[') :]}"
    if comparison.spread == 0:
        return f", the same in all {comparison.pairs} {one.sample}"
    return f" ({_untested(one, comparison)})"


def _untested(one: MetricResult, comparison: Comparison) -> str:
    return f"{plural(comparison.pairs, one.sample.removesuffix('s'))}, no test"


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


def _uncertain(results: Sequence[MetricResult]) -> str:
    """Return the sentence on what is not certain of the leaders, and how many pairs would do."""
    rivals = [(one, name) for one in results for name in one.rivals if not one.is_behind(name)]
    if not rivals:
        return "All differences from the leader are more than chance."
    if len(results) > 1:
        total = sum(len(one.rivals) for one in results)
        return f"Not certain: {len(rivals)} of {total} differences from the leader{_cures(rivals)}."
    one = results[0]
    compared = {name: one.rivals[name] for _, name in rivals}
    pairs = {each.pairs for each in compared.values()}
    if max(pairs) < LEAST:
        return (
            f"Not certain: any difference from {one.leader}; a test needs at least {LEAST} "
            f"{one.sample}: {max(pairs)} here."
        )
    names = sorted(compared, key=lambda name: pairs_needed(compared[name]) or math.inf)
    cures = [_cure(one, compared[name]) for name in names[:NAMED]]
    settled = " would settle it"
    cures[1:] = [cure.replace(f" {one.sample}{settled}", "") for cure in cures[1:]]
    parts = [f"{name} ({cure})" for name, cure in zip(names, cures, strict=False)]
    rest = f" or {len(names) - NAMED} others" if len(names) > NAMED else ""
    return (
        f"Not certain: whether {one.leader} is ahead of {', '.join(parts)}{rest}; "
        f"{_span(pairs)} {one.sample} were run."
    )


def _span(counts: Collection[int]) -> str:
    least, most = min(counts), max(counts)
    return f"{least}" if least == most else f"{least} to {most}"


def _cure(one: MetricResult, comparison: Comparison) -> str:
    """Return how many pairs would show a difference, or why none would."""
    needed = pairs_needed(comparison)
    if comparison.is_certain:
        return "behind where both were run"
    if comparison.spread == 0:
        return _alike(one, comparison)
    if needed is None:
        return _untested(one, comparison) if comparison.pairs < LEAST else "no test"
    if needed > MANY:
        return f"over {whole(MANY)} {one.sample}; they differ by at most {_most(comparison)}"
    return f"about {whole(needed)} {one.sample} would settle it"


def _most(comparison: Comparison) -> str:
    """Return the largest difference within the interval."""
    low, high = comparison.interval or (comparison.null, comparison.null)
    distance = max(comparison.null - low, high - comparison.null)
    return f"{significant(100 * distance, 2)}%" if comparison.is_ratio else number_text(distance)


def _cures(rivals: Sequence[tuple[MetricResult, str]]) -> str:
    """Return how many pairs would show half of the differences, and all of them."""
    compared = [one.rivals[name] for one, name in rivals]
    sample, run = rivals[0][0].sample, _span([each.pairs for each in compared])
    needed = sorted(number for each in compared if (number := pairs_needed(each)))
    within = [number for number in needed if number <= MANY]
    if not within:
        return f"; {run} {sample} were run"
    half, rest = (len(rivals) - 1) // 2, len(rivals) - len(within)
    every, most = f"{len(within)} of them" if rest else "all", whole(within[-1])
    settled = f"{most} {sample} would settle {every}"
    if half < len(within) - 1:
        settled = f"{whole(within[half])} {sample} would settle half of them, {most} {every}"
    return f"; about {settled} ({run} were run)"


class Standing(NamedTuple):
    """A cell of the overview: one or more of `MARKS`, and ratio and interval."""

    mark: str
    text: str


def standing_text(cell: Standing | None) -> str:
    """Return marks and text of a cell."""
    return f"{cell.mark} {cell.text}".strip() if cell else "-"


def standing_style(cell: Standing | None) -> str:
    """Return the classes of a cell on a page."""
    mark = cell.mark if cell else ""
    return " ".join(name for sign, name in (("*", "best"), ("?", "chance")) if sign in mark)


def overview_tables(result: ExperimentResult) -> list[ResultTable]:
    """Return the main table of schedulers by workloads, and one for each further metric.

    At one place there is one table, of schedulers by metrics.
    """
    by_metric = [at_places(result, name) for name in result.experiment.report.compared]
    groups = {
        _metric_heading(places[0][1]): [(place.title, one) for place, one in places]
        for places in by_metric
        if places
    }
    if groups and len(result.places) == 1:
        groups = {"": [(heading, one) for heading, ((_, one),) in groups.items()]}
    return [
        _overview(result, heading, shown, f"overview-{i}")
        for i, (heading, shown) in enumerate(groups.items(), 1)
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


def _standings(one: MetricResult, baseline: str) -> Iterator[tuple[str, Standing]]:
    """Yield the cell of each scheduler, and the published ratios behind it."""
    for name, comparison in one.by_scheduler.items():
        mark = "" if name != one.leader else "**" if one.has_winner else "*"
        if name == baseline:
            text = f"{number_text(comparison.mean)} {one.metric.unit}".strip()
            null = "" if comparison.ratio is None else f"{comparison.null:g} "
            yield name, Standing(mark, f"{null}({text})")
            continue
        if comparison.ratio is None:
            yield name, Standing(mark, f"- ({number_text(comparison.mean)})")
        else:
            mark += "=" if comparison.spread == 0 else "" if comparison.is_certain else "?"
            estimate = Estimate(comparison.ratio, *(comparison.interval or ()))
            yield name, Standing(mark, estimate_text(estimate, apart=comparison.null))
        if name in one.published_ratios:
            yield _published(name), Standing("", number_text(one.published_ratios[name]))


def _published(scheduler: str) -> str:
    return f"{scheduler}, published"


def _overview_notes(baseline: str, results: Sequence[MetricResult]) -> Iterator[str]:
    kinds = {one.mean: one for one in results}
    words = [TESTED[mean] for mean in kinds if mean in TESTED]
    parts = [f"ratios of {' or '.join(words)} to {baseline}"] if words else []
    parts += [f"differences of means from {baseline}"] if "difference" in kinds else []
    comparisons = [each for one in results for each in one.by_scheduler.values()]
    yield "; ".join([" or ".join(parts), *interval_notes(comparisons)])
    marks = " ".join(cell.mark for one in results for _, cell in _standings(one, baseline))
    used = set(re.findall(r"[*]+|[?=]", marks))
    yield "; ".join(f"{mark}: {meaning}" for mark, meaning in MARKS.items() if mark in used)
    if any(one.metric.unit == "SU" for one in results):
        yield "SU: service units"
