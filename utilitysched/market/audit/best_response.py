"""Best responses: what becomes of welfare when a share of the users lies."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from swfx import InputError, Workload
from utilitysched.market.audit.design import Design
from utilitysched.market.audit.run import AuditPlace, spread
from utilitysched.market.audit.sample import crowding, most_crowded
from utilitysched.market.audit.scenario import AuditScenario, AuditSubject, make_scenario
from utilitysched.market.audit.summary import TRUTH
from utilitysched.market.audit.table import StrategyTable


@dataclass(frozen=True)
class ResponseRules:
    """Who lies, and for how long.

    Attributes
    ----------
    users : int
        Users who may lie: those with most of the jobs that are played.
    shares : tuple of float
        Shares of them who do, above 0, at most 1; each larger group holds the smaller ones.
    jobs : int
        Jobs that are played: so many in a row, where the machine is most crowded on average.
    rounds : int
        In each every liar once plays its best lie given the present lies of all others; fewer, if
        nobody changes any more.
    budget : float
        What a user can spend, as a share of what its jobs are worth if they complete at once.
    """

    users: int = 6
    shares: tuple[float, ...] = (0.5, 1.0)
    jobs: int = 300
    rounds: int = 2
    budget: float = 0.5

    def __post_init__(self) -> None:
        for name in ("users", "jobs", "rounds"):
            if getattr(self, name) < 1:
                raise InputError(f"{getattr(self, name)} {name}", field=name, remedy="give 1")
        if not self.shares or not all(0 < share <= 1 for share in self.shares):
            raise InputError("is not above 0 and at most 1", field="shares", remedy="give 0.5")
        if not self.budget >= 0:
            raise InputError(f"{self.budget} is negative", field="budget", remedy="give 0 or more")


class BestResponse(NamedTuple):
    """What became of one group of liars under one mechanism.

    Attributes
    ----------
    mechanism : str
        Text of the price mechanism.
    share : float
        Share of the users who may lie that do.
    liars : int
        How many these are.
    lying : int
        How many of them lie in the end: to the others the truth is better, or all they can afford.
    rounds : int
        Rounds played.
    settled : bool
        Whether nobody changed in the last one.
    truth, welfare : float
        What all jobs are truly worth, if nobody lies and in the end (SU), mean over the seeds of
        scoring.
    gain, others : float
        What the liars, and what all others, are left with more in the end than if nobody lies (SU),
        charges deducted.
    """

    mechanism: str
    share: float
    liars: int
    lying: int
    rounds: int
    settled: bool
    truth: float
    welfare: float
    gain: float
    others: float

    @property
    def loss(self) -> float | None:
        """Share of the welfare under the truth that is lost; None if there was none."""
        return 1 - self.welfare / self.truth if self.truth > 0 else None


def respond(
    workload: Workload,
    subject: AuditSubject | None = None,
    design: Design | None = None,
    game: ResponseRules | None = None,
    place: AuditPlace | None = None,
) -> tuple[BestResponse, ...]:
    """Let a share of the users lie as suits them best, turn by turn, and see what all get.

    A liar tells the same lie of all its jobs. It plays the one that leaves it most, given the
    present lies of the others, among those whose charges it can afford; the truth is always
    allowed.

    Parameters
    ----------
    workload, subject : see `audit`
        What is played.
    design : Design, optional
        Its lies, draws and queues. Lies are chosen by their mean over the seeds of choosing,
        and scored on those of scoring.
    game : ResponseRules, optional
        Who lies.
    place : see `audit`
        Where it is played.

    Returns
    -------
    tuple of BestResponse
        By mechanism, then share.

    Raises
    ------
    InputError
        As `audit`.
    """
    made, rules = design or Design(), game or ResponseRules()
    scenario, _ = make_scenario(workload, subject or AuditSubject(), made.thresholds)
    (here,) = most_crowded(crowding(scenario), rules.jobs, 1)
    crowded = replace(scenario, workload=scenario.workload[here])
    tasks = [
        Task(replace(crowded, mechanisms=(mechanism,)), made, rules, share)
        for mechanism in scenario.mechanisms
        for share in sorted(rules.shares)
    ]
    return tuple(spread(_player, tasks, place or AuditPlace()))


class Task(NamedTuple):
    """One mechanism and one group of liars."""

    scenario: AuditScenario
    design: Design
    game: ResponseRules
    share: float


def _player() -> Callable[[Task], BestResponse]:
    return play


def play(task: Task) -> BestResponse:
    """Play until nobody changes, or all rounds are over."""
    table = StrategyTable(task.scenario, task.design)
    liars = _liars(table, task)
    lies = dict.fromkeys(liars, TRUTH)
    rounds, settled = 0, False
    while rounds < task.game.rounds and not settled:
        rounds += 1
        before = dict(lies)
        for user in liars:
            lies[user] = table.best(user, lies, task.game.budget)
        settled = lies == before
    honest, outcome = table.scored({}), table.scored(lies)
    change = outcome.left - honest.left
    lied = np.isin(table.users, liars)
    return BestResponse(
        task.scenario.mechanisms[0],
        task.share,
        len(liars),
        sum(lie != TRUTH for lie in lies.values()),
        rounds,
        settled,
        honest.welfare,
        outcome.welfare,
        math.fsum(change[lied]),
        math.fsum(change[~lied]),
    )


def _liars(table: StrategyTable, task: Task) -> list[int]:
    """Return the users who lie: a share of those with most jobs, drawn."""
    most = table.busiest(task.game.users)
    drawn = np.random.default_rng([task.scenario.seed % 2**63, 1]).permutation(most)
    return sorted(drawn[: max(1, round(task.share * len(drawn)))].tolist())
