"""Whole markets: welfare and revenue when a share of all users tells the same lie."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from swfx import Workload
from utilitysched.market.audit.design import Design
from utilitysched.market.audit.hunt import Hunt, HuntRules
from utilitysched.market.audit.run import AuditPlace, spread
from utilitysched.market.audit.scenario import AuditScenario, AuditSubject, make_scenario
from utilitysched.market.audit.table import StrategyTable


class MarketRow(NamedTuple):
    """What all have if a share of the users tells the best lie that was found.

    Attributes
    ----------
    mechanism, lie : str
        Texts of both; the lie is that which brought most in training, empty where none did, or one
        that says nothing unless several tell it.
    share : float
        Share of the users of each cell that tell it of all their jobs.
    liars, users : int
        How many these are, and all; of all cells together.
    truth, welfare : float
        What all jobs are truly worth if nobody lies, and so (SU).
    honest_revenue, revenue : float
        What is charged if nobody lies, and so (SU).
    gain : float
        What the liars are left with more than if nobody lies (SU).
    """

    mechanism: str
    lie: str
    share: float
    liars: int
    users: int
    truth: float
    welfare: float
    honest_revenue: float
    revenue: float
    gain: float

    @property
    def welfare_change(self) -> float | None:
        """Change of welfare as a share of that under the truth, None if there is none."""
        return self.welfare / self.truth - 1 if self.truth > 0 else None

    @property
    def revenue_change(self) -> float | None:
        """Change of revenue, likewise."""
        return self.revenue / self.honest_revenue - 1 if self.honest_revenue > 0 else None


class MarketTask(NamedTuple):
    """One cell under one mechanism."""

    scenario: AuditScenario
    design: Design
    lie: str
    shares: tuple[float, ...]


def whole_market(
    cells: Sequence[Workload],
    subject: AuditSubject,
    found: Sequence[Hunt],
    design: Design,
    rules: HuntRules,
    place: AuditPlace | None = None,
) -> tuple[MarketRow, ...]:
    """Let shares of the users tell the lie that brought most by each mechanism in training.

    So with each lie that says nothing unless several tell it.

    Parameters
    ----------
    cells, subject, design, rules, place : see `utilitysched.market.audit.hunt.hunt`
        What was hunted in.
    found : sequence of Hunt
        What was found; the last counts: lies about all jobs of a user, if those were hunted for.

    Returns
    -------
    tuple of MarketRow
        By mechanism, then lie, then share.
    """
    shares = tuple(sorted(rules.shares))
    together = [made.label for made in design.told if made.takes_several]
    tasks = []
    for number, mechanism in enumerate(found[-1].mechanisms):
        lie, gain = next(
            (lie, found[-1].training[lie][number]) for lie in found[-1].best[number].values()
        )
        charging = replace(subject, mechanisms=(mechanism,))
        scenarios = [make_scenario(cell, charging, design.thresholds)[0] for cell in cells]
        tasks += [
            MarketTask(scenario, design, told, shares)
            for told in (lie if gain > 0 else "", *together)
            for scenario in scenarios
        ]
    results = spread(_player, tasks, place or AuditPlace())
    return tuple(
        _summed([rows[at] for rows in results[first : first + len(cells)]])
        for first in range(0, len(tasks), len(cells))
        for at in range(len(shares))
    )


def _player() -> Callable[[MarketTask], list[MarketRow]]:
    return play_market


def play_market(task: MarketTask) -> list[MarketRow]:
    """Return what comes of each share of the users telling the lie."""
    design = replace(task.design, lies=(task.lie,)) if task.lie else task.design
    table = StrategyTable(task.scenario, design)
    honest = table.scored({})
    drawn = np.random.default_rng([task.scenario.seed % 2**63, 5]).permutation(table.users)
    rows = []
    for share in task.shares:
        liars = drawn[: math.ceil(share * len(drawn))]
        result = table.scored(dict.fromkeys(liars.tolist(), 0)) if task.lie else honest
        lied = np.isin(table.users, liars)
        rows.append(
            MarketRow(
                task.scenario.mechanisms[0],
                task.lie,
                share,
                len(liars),
                len(drawn),
                honest.welfare,
                result.welfare,
                honest.welfare - math.fsum(honest.left),
                result.welfare - math.fsum(result.left),
                math.fsum((result.left - honest.left)[lied]),
            )
        )
    return rows


def _summed(rows: Sequence[MarketRow]) -> MarketRow:
    """Return the same of all cells together."""
    columns = list(zip(*rows, strict=True))
    liars, users = (sum(column) for column in columns[3:5])
    return MarketRow(*rows[0][:3], liars, users, *(math.fsum(column) for column in columns[5:]))
