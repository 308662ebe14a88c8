"""Descriptions of mixed policies: what they cost where they were learned, and where not."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from swfx.base.numbers import significant
from utilitysched.analysis.documents import (
    Column,
    Description,
    Estimate,
    Landscape,
    LandscapePart,
    ResultTable,
    column,
)
from utilitysched.analysis.statistics import bootstrap_interval, ratio_of_means
from utilitysched.learning.mixed import PURE
from utilitysched.learning.weekly import MixedPolicies
from utilitysched.model.state import Floats
from utilitysched.report.tables import estimate_text

_SHOWN = 6
"""Landscapes of single windows."""

_NEAR = 1.02
"""A search has found the least of the grid where it comes to this share of it."""


def describe_mixed(policies: MixedPolicies, title: str, unit: str) -> Description:
    """Return the document of learned policies and their costs.

    Parameters
    ----------
    found : MixedPolicies
        Policies, and what they cost.
    title : str
        Of the document.
    unit : str
        Of costs.
    """
    return Description(title, [_table(policies, unit)], tuple(_lead(policies)))


def _lead(policies: MixedPolicies) -> Iterator[str]:
    best = _best_pure(policies)
    judged, pure = policies.judged, policies.costs[policies.judged, best]
    for name, costs in (
        ("The learned weights cost", policies.policy_costs),
        ("w* costs", policies.least),
    ):
        yield (
            f"{name} {_ratio(costs[judged], pure)} times what {PURE[best]} costs in the "
            f"{len(judged)} windows judged on, the best of {len(PURE)} pure policies there."
        )
    flat = int((np.ptp(policies.costs, axis=1) == 0).sum())
    if flat:
        yield f"In {flat} of {len(policies.numbers)} windows no weights make a difference."
    grid = policies.costs.shape[1]
    for size, least in policies.searched.items():
        near = float((least <= _NEAR * policies.least).mean())
        share = policies.simulations[size] / grid
        yield (
            f"XNES with {size} weights comes within {_NEAR - 1:.0%} of the least of {grid:,} "
            f"candidates in {near:.0%} of the windows, with {policies.simulations[size]:,} "
            f"simulations of each ({share:.3f} of them)."
        )


def _table(policies: MixedPolicies, unit: str) -> ResultTable:
    """Return sums over the windows of what each policy costs."""
    best = _best_pure(policies)
    pure = policies.costs[policies.judged, best]
    rows = [
        ("w*, of the grid", policies.least),
        *((f"w*, XNES, {size} weights", least) for size, least in policies.searched.items()),
        ("learned (w_train)", policies.policy_costs),
        ("w* of the window before (w_greedy)", policies.greedy),
        *sorted(
            ((name, policies.costs[:, k]) for k, name in enumerate(PURE)),
            key=lambda row: float(row[1][policies.judged].sum()),
        ),
    ]
    return ResultTable(
        [
            column("policy", "text", "policy"),
            column(f"learned on: {_span(policies, policies.learned)}", "number", "learned"),
            column(f"judged on: {_span(policies, policies.judged)}", "number", "judged"),
            Column(f"to {PURE[best]} [95%]", key="ratio"),
        ],
        [
            (
                name,
                float(costs[policies.learned].sum()),
                float(costs[policies.judged].sum()),
                _ratio(costs[policies.judged], pure),
            )
            for name, costs in rows
        ],
        f"Sums over windows of the mean {unit}",
        ("w* is chosen in the window in which it is judged: no scheduler can know it.",),
        key="policies",
    )


def _span(policies: MixedPolicies, places: np.ndarray) -> str:
    first, last = policies.numbers[places[[0, -1]]].tolist()
    return f"{first} to {last}"


def _best_pure(policies: MixedPolicies) -> int:
    return int(np.argmin(policies.costs[policies.judged, : len(PURE)].sum(axis=0)))


def _ratio(costs: Floats, baseline: Floats) -> str:
    ratio = float(ratio_of_means(costs, baseline))
    ends = bootstrap_interval(ratio_of_means, costs, baseline, seed=0)
    return estimate_text(Estimate(ratio, *(ends or (None, None))))


def landscapes(policies: MixedPolicies, unit: str) -> Iterator[Landscape]:
    """Yield maps of the grid: of all windows learned on, and of those in which it matters most."""
    learned = policies.costs[policies.learned].sum(axis=0)
    yield _landscape(policies, learned, "all", "All windows learned on", f"summed {unit}")
    matters = np.ptp(policies.costs, axis=1) / policies.least
    for place in np.argsort(-matters, kind="stable")[:_SHOWN].tolist():
        number = int(policies.numbers[place])
        yield _landscape(
            policies, policies.costs[place], f"w{number}", f"Window {number}", f"mean {unit}"
        )


def _landscape(
    policies: MixedPolicies, costs: Floats, key: str, title: str, unit: str
) -> Landscape:
    """Return what the candidates of the grid cost as two maps, by the sign of the size's weight."""
    halves = np.split(costs[len(PURE) :], 2)
    inside = policies.inside
    maps = []
    for half in halves:
        values = np.full(inside.shape, np.nan)
        values[inside] = half
        maps.append(values[::-1])
    least, most = float(costs[len(PURE) :].min()), float(costs[len(PURE) :].max())
    return Landscape(
        key,
        title,
        f"From {significant(least)} to {significant(most)}. The size has what is left of 1.",
        unit,
        "weight of the wait",
        "request",
        least,
        most,
        [
            LandscapePart("size below 0", maps[0]),
            LandscapePart("size above 0", maps[1]),
        ],
    )
