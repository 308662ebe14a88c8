"""Waits over time beside those of the baseline, and what selections chose when."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from utilitysched.analysis.documents import Column, Line, LineChart, ResultTable
from utilitysched.experiments.comparisons import Group, described, grouped
from utilitysched.experiments.extra import OVER_TIME
from utilitysched.experiments.results import Finished
from utilitysched.experiments.specification import Experiment
from utilitysched.model.state import Floats
from utilitysched.report.prices import caption
from utilitysched.report.tables.cells import Estimate, estimate_text, number_text

PERCENTILES = (10.0, 90.0)
"""Of the pairs, drawn around the mean (GAUSSIER, figure 2)."""

TOGETHER = 7
"""Lines that can be told apart in one chart."""

STEPS = (0.25, 0.5, 0.75, 1.0)
"""Shares of the time at which tables look."""

DAYS = 7
"""Of a point in a chart of shares."""


Sums = dict[str, dict[object, list[Floats]]]
"""Sums of waits so far (s), week by week, of every run by scheduler and circumstances."""


class Course(NamedTuple):
    """Sums of waits so far over those of the baseline, week by week.

    Attributes
    ----------
    mean, low, high : (weeks,) float64
        Over the pairs.
    """

    mean: Floats
    low: Floats
    high: Floats


class WaitsBeside(NamedTuple):
    """Courses of schedulers beside one of them.

    Attributes
    ----------
    title : str
        What is compared.
    baseline : str
        Beside whom.
    courses : dict of str to Course
        By scheduler.
    """

    title: str
    baseline: str
    courses: dict[str, Course]


def course_tables(experiment: Experiment, rows: Sequence[Finished]) -> list[ResultTable]:
    """Return tables of waits over time for each place, and one of the orderings chosen."""
    if not experiment.report.over_time:
        return []
    found: list[ResultTable] = []
    for group, members in grouped(experiment, rows).items():
        found += [_waits(experiment, group, each) for each in _comparisons(experiment, members)]
        chosen = _chosen(members)
        if chosen:
            found.append(_shares(experiment, group, chosen))
    return found


def course_charts(experiment: Experiment, rows: Sequence[Finished]) -> list[LineChart]:
    """Return the same as charts."""
    if not experiment.report.over_time:
        return []
    charts = [
        chart
        for group, members in grouped(experiment, rows).items()
        for chart in _charts(experiment, group, members)
    ]
    return [replace(chart, key=f"course-{number}") for number, chart in enumerate(charts, 1)]


def _comparisons(experiment: Experiment, rows: Sequence[Finished]) -> Iterator[WaitsBeside]:
    """Yield waits beside the baseline, and regret: selections beside the best of the others.

    The best is who has the least waits in the end, over all pairs.
    """
    sums: Sums = {}
    for entry, result in rows:
        waits = np.cumsum(result.metrics[OVER_TIME]["wait"])
        sums.setdefault(entry.scheduler, {}).setdefault(entry.circumstances, []).append(waits)
    baseline, selections = experiment.schedulers.baseline, _chosen(rows)
    yield WaitsBeside(f"Waits so far beside {baseline}", baseline, _courses(sums, baseline, sums))
    others = {
        name: float(np.mean([run[-1] for runs in mine.values() for run in runs]))
        for name, mine in sums.items()
        if name not in selections
    }
    best = min(others, key=others.__getitem__, default=baseline)
    if selections and best != baseline:
        title = f"Regret: waits so far beside {best}, in the end the best of the others"
        yield WaitsBeside(title, best, _courses(sums, best, selections))


def _courses(sums: Sums, baseline: str, names: Iterable[str]) -> dict[str, Course]:
    """Return the course of each scheduler named but the baseline."""
    theirs = sums.get(baseline, {})
    found = {}
    for name in (name for name in names if name != baseline):
        mine = sums[name]
        pairs = [_beside(mine[where], theirs[where]) for where in mine if where in theirs]
        if pairs:
            together = np.array([each[: min(map(len, pairs))] for each in pairs])
            found[name] = Course(
                np.nanmean(together, axis=0),
                *np.nanpercentile(together, PERCENTILES, axis=0),
            )
    return found


def _beside(mine: list[Floats], theirs: list[Floats]) -> Floats:
    """Return the ratio of means over repeats, not a number while nobody has waited."""
    weeks = min(len(each) for each in (*mine, *theirs))
    above, below = (np.mean([each[:weeks] for each in sums], axis=0) for sums in (mine, theirs))
    found: Floats = np.divide(above, below, out=np.full(weeks, np.nan), where=below > 0)
    return found


def _chosen(rows: Sequence[Finished]) -> dict[str, list[list[str]]]:
    """Return what each selection chose day by day, in each of its runs."""
    found: dict[str, list[list[str]]] = {}
    for entry, result in rows:
        if result.metrics[OVER_TIME]["chosen"]:
            found.setdefault(entry.scheduler, []).append(result.metrics[OVER_TIME]["chosen"])
    return found


def _waits(experiment: Experiment, group: Group, beside: WaitsBeside) -> ResultTable:
    columns = [Column("scheduler", left=True)]
    columns += [Column(f"{share:.0%}", write=_written) for share in STEPS]
    rows = [
        [name, *(_at(course, share) for share in STEPS)] for name, course in beside.courses.items()
    ]
    low, high = PERCENTILES
    return ResultTable(
        columns,
        rows,
        caption(experiment, group, f"{beside.title}, by share of the weeks"),
        [
            (
                f"waits so far: sums over the jobs submitted, over those of {beside.baseline}; "
                f"means over the pairs, in brackets {low:g}% and {high:g}% of these"
            ),
        ],
    )


def _written(value: Estimate) -> str:
    return estimate_text(value)


def _at(course: Course, share: float) -> Estimate:
    place = max(round(share * len(course.mean)) - 1, 0)
    return Estimate(*(float(column[place]) for column in course))


def _shares(
    experiment: Experiment, group: Group, chosen: dict[str, list[list[str]]]
) -> ResultTable:
    """Return the share of the days that each ordering was in use, in all runs together."""
    counts = {name: Counter(day for run in runs for day in run) for name, runs in chosen.items()}
    orderings = sorted({ordering for each in counts.values() for ordering in each})
    columns = [Column("scheduler", left=True)]
    columns += [Column(name, "%", number_text) for name in orderings]
    rows = [
        [name, *(100.0 * each[ordering] / each.total() for ordering in orderings)]
        for name, each in counts.items()
    ]
    return ResultTable(columns, rows, caption(experiment, group, "days in use"))


def _charts(experiment: Experiment, group: Group, rows: Sequence[Finished]) -> Iterator[LineChart]:
    where = f", {described(group)}" if group else ""
    low, high = PERCENTILES
    for beside in _comparisons(experiment, rows):
        lines = [
            Line(name, *(each.tolist() for each in course))
            for name, course in beside.courses.items()
        ]
        for first in range(0, len(lines), TOGETHER):
            yield LineChart(
                "",
                f"{beside.title}{where}",
                f"By week of submission; thin lines: {low:g}% and {high:g}% of the pairs.",
                "ratio",
                "week",
                lines[first : first + TOGETHER],
                1.0,
            )
    for name, runs in _chosen(rows).items():
        yield LineChart(
            "",
            f"Orderings that {name} had in use{where}",
            "Shares of the runs, means over weeks; the most used ones.",
            "share",
            "week",
            _most_used(runs),
        )


def _most_used(runs: list[list[str]]) -> list[Line]:
    """Return the share of each ordering week by week, of those most in use."""
    counts = Counter(day for run in runs for day in run)
    days = min(map(len, runs)) // DAYS * DAYS or min(map(len, runs))
    table = np.array([run[:days] for run in runs])
    found = []
    for name, _ in counts.most_common(TOGETHER):
        share = (table == name).mean(axis=0)
        weeks = share.reshape(-1, DAYS).mean(axis=1) if days >= DAYS else share
        found.append(Line(name, weeks.tolist()))
    return found
