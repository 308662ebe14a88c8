"""A market played through: one log, day by day, with users who adapt."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from swfx import InputError, UtilityFunction, UtilityTable, Workload
from swfx.base.columns import Bools, Floats, Ints
from swfx.base.options import SECONDS_IN
from utilitysched.market.agents.strategy import Agent, Ended, Purse, Strategy, make_strategy
from utilitysched.market.audit.design import Design
from utilitysched.market.audit.misreport import Misreport, ValueMisreport
from utilitysched.market.audit.payoff import AuditWindow, Books
from utilitysched.market.audit.reported import ReportedJobs, tell, truth
from utilitysched.market.audit.scenario import AuditScenario, AuditSubject, make_scenario
from utilitysched.market.audit.trajectory import AuditTrajectory, Branch

DAY = SECONDS_IN["d"]

BROKE = 0.0
"""Factor told by who has nothing left."""


@dataclass(frozen=True)
class MarketRules:
    """Who plays, and with what money.

    Attributes
    ----------
    strategies : tuple of str
        Names and options; users are dealt out to them at random, as many to each.
    budget : float or None
        What a user can spend, as a share of what its jobs are worth if they complete at once; the
        same amount is granted each month. None for no budgets.
    month : int
        Days for which a grant is given. What is left of it is lost; what was overdrawn is not
        forgiven.
    """

    strategies: tuple[str, ...] = ("climb",)
    budget: float | None = 0.5
    month: int = 30

    def __post_init__(self) -> None:
        if not self.strategies:
            raise InputError("nobody plays", field="strategies", remedy="name one or more")
        for strategy in self.made:
            if strategy.needs_budget and self.budget is None:
                raise InputError(
                    f"{strategy.label} goes by a budget",
                    field="strategy",
                    remedy="give --budget, or choose climb or exp3",
                )
        if self.budget is not None and not 0 <= self.budget < math.inf:
            raise InputError(
                f"{self.budget} is negative or not finite",
                field="budget",
                remedy="give 0.5, or none for no budgets",
            )
        if self.month < 1:
            raise InputError(f"{self.month} days", field="month", remedy="give 1 or more")

    @cached_property
    def made(self) -> tuple[Strategy, ...]:
        """The strategies."""
        return tuple(make_strategy(text) for text in self.strategies)


@dataclass(frozen=True, eq=False)
class MarketCourse:
    """What became of every job.

    Attributes
    ----------
    scheduler, mechanism : str
        Texts of both.
    strategies : tuple of str
        Texts of the s strategies.
    month : (n,) int64
        In which month each job was submitted, from 0; jobs by submission.
    user : (n,) int64
        Whose it is, from 0.
    strategy : (u,) int64
        Which strategy each user follows.
    grant : (u,) float64
        What each user is given for a month (SU); infinite without budgets.
    worth, told : (n,) float64
        What it is worth if it completes at once, and what its user said (SU).
    broke : (n,) bool
        Whether its user had nothing left when it was submitted, so that nothing was bid.
    value, charge : (n,) float64
        What it turned out to be worth, truly, and what it was charged (SU).
    """

    scheduler: str
    mechanism: str
    strategies: tuple[str, ...]
    month: Ints
    user: Ints
    strategy: Ints
    grant: Floats
    worth: Floats
    told: Floats
    broke: Bools
    value: Floats
    charge: Floats


def play(
    workload: Workload,
    subject: AuditSubject,
    rules: MarketRules | None = None,
    on_progress: Callable[[float], None] = lambda _: None,
) -> MarketCourse:
    """Play a log through, day by day.

    At the beginning of a day each user settles what it tells of the jobs that it submits on that
    day. What a job is charged is taken from the budget on the day on which it ends. Who has nothing
    left bids nothing: its jobs are served as if they were worth nothing.

    Parameters
    ----------
    workload : Workload
        Jobs whose utility functions are the truth.
    subject : AuditSubject
        Who serves them, and who charges: by one mechanism.
    rules : MarketRules, optional
        Who plays, and with what money.
    on_progress : callable, optional
        Called now and then with the share of days done.

    Raises
    ------
    InputError
        No job has a utility function; or something named is not known or cannot be audited.
    """
    if len(subject.mechanisms) != 1 or "method=replay" in subject.mechanisms[0]:
        raise InputError(
            "a market is played by one mechanism that charges jobs",
            field="mechanism",
            remedy="give first-price, second-price or vcg",
        )
    scenario, _ = make_scenario(workload, subject, Design().thresholds)
    market = _Market(scenario, rules or MarketRules())
    for day in range(market.days):
        market.live(day)
        on_progress((day + 1) / (market.days + 1))
    market.close()
    on_progress(1.0)
    return market.course()


class _Market:
    """A market that is being played.

    Parameters
    ----------
    scenario : AuditScenario
        n jobs in the order of their submission, and who serves and charges them.
    rules : MarketRules
        Who plays.
    """

    def __init__(self, scenario: AuditScenario, rules: MarketRules) -> None:
        self.scenario, self.rules = scenario, rules
        jobs = scenario.workload
        self.day = ((jobs.submit - jobs.submit[0]) // DAY).astype(np.int64)
        self.days = int(self.day[-1]) + 1
        users, self.user = np.unique(scenario.owners, return_inverse=True)
        self.strategy, self.agents = self._dealt(len(users))
        self.worth = np.maximum(jobs.utility.start_values, 0.0)
        self.grant = self._grants(len(users))
        self.balance, self.spent = np.zeros(len(users)), np.zeros(len(users))
        self.simulation = scenario.beginning()
        self.reported = truth(jobs)
        self.broke = np.zeros(len(jobs), np.bool_)
        self.ended = np.zeros(len(jobs), np.bool_)
        self.value, self.charge, self.planned = np.zeros((3, len(jobs)))

    def live(self, day: int) -> None:
        """Tell the jobs of a day, play it, and settle accounts."""
        if day % self.rules.month == 0:
            self.balance = np.minimum(self.balance, 0.0) + self.grant
        self._tell(day)
        self._play(float(self.scenario.workload.submit[0] + (day + 1) * DAY))

    def close(self) -> None:
        """Let all jobs end."""
        self._play(math.inf)

    def course(self) -> MarketCourse:
        """Return what became of every job."""
        return MarketCourse(
            self.scenario.scheduler,
            self.scenario.mechanisms[0],
            tuple(strategy.label for strategy in self.rules.made),
            self.day // self.rules.month,
            self.user,
            self.strategy,
            self.grant,
            self.worth,
            self.reported.workload.utility.start_values,
            self.broke,
            self.value,
            self.charge,
        )

    def _dealt(self, users: int) -> tuple[Ints, list[Agent]]:
        """Deal users out to the strategies."""
        made, seed = self.rules.made, self.scenario.seed % 2**63
        dealt = np.random.default_rng([seed, 2]).permutation(users) % len(made)
        agents = [
            made[place].agent(np.random.default_rng([seed, 3, user]))
            for user, place in enumerate(dealt.tolist())
        ]
        return dealt, agents

    def _grants(self, users: int) -> Floats:
        if self.rules.budget is None:
            return np.full(users, np.inf)
        months = -(-self.days // self.rules.month)
        return self.rules.budget * totals(self.user, self.worth, users) / months

    def _tell(self, day: int) -> None:
        """Have every user say what the jobs of a day are worth."""
        todays = np.flatnonzero(self.day == day)
        lies: dict[int, Misreport] = {}
        left = self.rules.month - day % self.rules.month
        for user in np.unique(self.user[todays]).tolist():
            mine = todays[self.user[todays] == user]
            lie = self._lie(user, day, left)
            self.broke[mine] = lie is NOTHING
            lies.update(dict.fromkeys((mine - todays[0]).tolist(), lie))
        self.spent[:] = 0.0
        if not lies:
            return
        slots = slice(int(todays[0]), int(todays[-1]) + 1)
        told = tell(self.scenario.workload[slots], lies, self.scenario.queues).workload
        self.reported = _with_told(self.reported, slots, told)

    def _lie(self, user: int, day: int, left: int) -> Misreport:
        """Return what a user tells of the jobs of a day."""
        purse = Purse(
            self.balance.item(user),
            self.grant.item(user),
            left,
            self.spent.item(user),
            self.grant.item(user) / self.rules.month,
        )
        lie = self.agents[user].tell(day, purse)
        return NOTHING if purse.balance <= 0 and purse.grant < math.inf else lie

    def _play(self, until: float) -> None:
        """Serve jobs up to an instant (s), charge those that have ended, and let users learn."""
        branch = Branch(self.scenario, self.simulation, self.reported, None)
        course = branch.follow(until)
        self.simulation = branch.simulation
        self.planned += course.charge
        self._settle(course._replace(charge=self.planned.copy()), until)

    def _settle(self, course: AuditTrajectory, until: float) -> None:
        """Charge the jobs that have ended since the last time."""
        jobs = self.scenario.workload
        ended = np.flatnonzero((course.end <= until) & ~self.ended)
        if not len(ended):
            return
        window = AuditWindow(jobs, np.empty(0, dtype=np.int64), 0, until)
        charge = Books(course, window, self.scenario).charges(0)[ended]
        value = jobs.utility.take(ended).evaluate(course.end[ended] - jobs.submit[ended])
        self.ended[ended] = True
        self.value[ended], self.charge[ended] = value, charge
        users = self.user[ended]
        self.spent += totals(users, charge, len(self.spent))
        self.balance -= totals(users, charge, len(self.balance))
        for user in np.unique(users).tolist():
            own = ended[users == user]
            columns = (column[own] for column in (self.day, self.worth, self.value, self.charge))
            self.agents[user].learn(Ended(*columns))


def totals(user: Ints, column: Floats, users: int) -> Floats:
    """Return sums by user of a column by job, shape (u,)."""
    found = np.zeros(users)
    np.add.at(found, user, column)
    return found


@dataclass(frozen=True)
class _Nothing(ValueMisreport):
    """A job that is worth nothing."""

    def curve(self, truth: UtilityFunction) -> UtilityFunction:
        """Return the curve that is told in place of the true one."""
        return UtilityFunction(truth.times, BROKE * truth.values)


NOTHING = _Nothing()


def _with_told(reported: ReportedJobs, slots: slice, told: Workload) -> ReportedJobs:
    """Return the same jobs, some in a row with the curves and queues as they are told now."""
    jobs = reported.workload
    index = np.arange(len(jobs))
    index[slots] = len(jobs) + np.arange(len(told))
    queue = jobs.queue.copy()
    queue[slots] = told.queue
    utility = UtilityTable.stacked([jobs.utility, told.utility]).take(index)
    return replace(reported, workload=jobs.replace(utility=utility, queue=queue))
