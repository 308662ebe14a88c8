"""Candidates beside the baseline, figure by figure: what an experiment is made for."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import NamedTuple

from utilitysched.experiments.figure_names import FIGURES
from utilitysched.experiments.grid import Circumstances
from utilitysched.experiments.results import Finished
from utilitysched.experiments.specification import FACTORS, Experiment
from utilitysched.statistics import Comparison, compare_all, correct

Group = tuple[tuple[str, str], ...]
"""What the pairs of a comparison have in common: factors and their values."""

Values = dict[str, dict[Hashable, list[float | None]]]
"""By scheduler and circumstances, a value per repeat."""


class Compared(NamedTuple):
    """One figure of all candidates.

    Attributes
    ----------
    group : tuple of (str, str)
        Where: factors that are kept apart, those that differ within the experiment.
    figure : str
        Name.
    by_scheduler : mapping of str to Comparison
        In the order of the experiment, the baseline among them; corrected for all of them together.
    """

    group: Group
    figure: str
    by_scheduler: Mapping[str, Comparison]


def compared(experiment: Experiment, rows: Sequence[Finished]) -> list[Compared]:
    """Compare all candidates with the baseline, by each figure wanted.

    Repeats are averaged within their circumstances, which make the pairs. p is corrected for all
    comparisons returned.
    """
    apart = _apart(experiment, rows)
    groups: dict[Group, list[Finished]] = {}
    for row in rows:
        groups.setdefault(_group(row.entry.circumstances, apart), []).append(row)
    found: dict[tuple[Group, str, str], Comparison] = {}
    for group, members in groups.items():
        for figure in experiment.report.metrics:
            values = _values(experiment, members, figure)
            by_scheduler = compare_all(
                values, experiment.schedulers.baseline, mean=experiment.report.mean
            )
            found |= {(group, figure, name): one for name, one in by_scheduler.items()}
    corrected = correct(found, experiment.report.correction)
    return [
        Compared(
            group,
            figure,
            {name: corrected[group, figure, name] for name in _names(experiment)},
        )
        for group in groups
        for figure in experiment.report.metrics
    ]


def published(experiment: Experiment, figure: str) -> dict[str, float]:
    """Return what others published of a figure, by scheduler."""
    return {
        known.scheduler: known.values[figure]
        for known in experiment.report.published
        if figure in known.values
    }


def described(group: Group) -> str:
    """Return where a comparison holds, as people read it."""
    return ", ".join(f"{factor} {value}" if value else f"no {factor}" for factor, value in group)


def unit_of(figure: str) -> str:
    """Return the unit of a figure, empty if it has none."""
    return FIGURES[figure].unit


def _names(experiment: Experiment) -> list[str]:
    return [candidate.label for candidate in experiment.schedulers.candidates]


def _apart(experiment: Experiment, rows: Iterable[Finished]) -> tuple[str, ...]:
    """Return the factors kept apart that differ."""
    where = [row.entry.circumstances._asdict() for row in rows]
    return tuple(
        factor
        for factor in FACTORS
        if factor in experiment.report.separate and len({each[factor] for each in where}) > 1
    )


def _group(circumstances: Circumstances, apart: Iterable[str]) -> Group:
    return tuple((factor, getattr(circumstances, factor)) for factor in apart)


def _values(experiment: Experiment, rows: Iterable[Finished], figure: str) -> Values:
    values: Values = {name: {} for name in _names(experiment)}
    for entry, result in rows:
        where = values[entry.scheduler].setdefault(entry.circumstances, [])
        where.append(result.figures[figure])
    return values
