"""Waits over time beside those of a baseline, and what selections chose when."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from utilitysched.experiments.grid import FinishedCell
from utilitysched.experiments.measures import OVER_TIME
from utilitysched.model.state import Floats

PERCENTILES = (10.0, 90.0)
"""Percentiles of the pairs around the mean (GAUSSIER, figure 2)."""

Sums = dict[str, dict[object, list[Floats]]]
"""Sums of waits so far (s), week by week, of every run by scheduler and circumstances."""

Choices = Mapping[str, Sequence[Sequence[str]]]
"""Names of the orderings that selections chose, day by day in each of their runs."""


class Course(NamedTuple):
    """Sums of waits so far over those of the baseline, week by week.

    Attributes
    ----------
    mean, low, high : (weeks,) float64
        Mean and `PERCENTILES` over the pairs.
    """

    mean: Floats
    low: Floats
    high: Floats


class WaitsBeside(NamedTuple):
    """Courses of the waits of several schedulers beside one of them.

    Attributes
    ----------
    title : str
        Words for what is compared.
    baseline : str
        Label of the scheduler that the others are beside.
    courses : mapping of str to Course
        Courses by scheduler.
    """

    title: str
    baseline: str
    courses: Mapping[str, Course]


def choices_of(cells: Sequence[FinishedCell]) -> Choices:
    """Return what each selection chose day by day, in each of its runs."""
    choices: dict[str, list[list[str]]] = {}
    for entry, result in cells:
        if result.metrics[OVER_TIME]["chosen"]:
            choices.setdefault(entry.scheduler, []).append(result.metrics[OVER_TIME]["chosen"])
    return choices


def waits_beside(
    cells: Sequence[FinishedCell], baseline: str, selections: Iterable[str]
) -> Iterator[WaitsBeside]:
    """Yield waits beside the baseline, and regret: selections beside the best of the others.

    The best is the scheduler with the least waits in the end, over all pairs.
    """
    sums: Sums = {}
    for entry, result in cells:
        waits = np.cumsum(result.metrics[OVER_TIME]["wait"])
        sums.setdefault(entry.scheduler, {}).setdefault(entry.circumstances, []).append(waits)
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
    by_place = {}
    for name in (name for name in names if name != baseline):
        mine = sums[name]
        pairs = [_ratios(mine[where], theirs[where]) for where in mine if where in theirs]
        if pairs:
            together = np.array([each[: min(map(len, pairs))] for each in pairs])
            by_place[name] = Course(
                np.nanmean(together, axis=0),
                *np.nanpercentile(together, PERCENTILES, axis=0),
            )
    return by_place


def _ratios(mine: list[Floats], theirs: list[Floats]) -> Floats:
    """Return the ratio of means over repeats by week, not a number while nobody has waited."""
    weeks = min(len(each) for each in (*mine, *theirs))
    above, below = (np.mean([each[:weeks] for each in sums], axis=0) for sums in (mine, theirs))
    ratios: Floats = np.divide(above, below, out=np.full(weeks, np.nan), where=below > 0)
    return ratios
