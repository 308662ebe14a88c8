"""Summary of a market that was played: by month, and by strategy."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from swfx.base.columns import Bools, Floats
from utilitysched.analysis.statistics import bootstrap_interval
from utilitysched.analysis.statistics.means import ratio_of_means
from utilitysched.market.agents.play import MarketCourse, totals


class MonthRow(NamedTuple):
    """What became of the jobs that were submitted in a month.

    Attributes
    ----------
    mechanism : str
        Text of the price mechanism.
    month : int
        Counted from 1.
    jobs : int
        Submitted in it.
    welfare, truth : float
        What they turned out to be worth, as a share of what they would have been worth if they had
        completed at once; and if everybody had told the truth, with the same budgets.
    revenue : float
        What was charged, as a share of the same.
    bid : float or None
        Geometric mean of what users told as a multiple of the truth, by what jobs were worth; None
        if nothing was bid.
    moved : float or None
        By which factor users' bids changed since the month before, geometric mean over those who
        had jobs in both; None in the first.
    broke : float
        Share of the jobs for which nothing was left to bid.
    """

    mechanism: str
    month: int
    jobs: int
    welfare: float
    truth: float
    revenue: float
    bid: float | None
    moved: float | None
    broke: float


class StrategyRow(NamedTuple):
    """What became of the users of a strategy.

    Attributes
    ----------
    mechanism, strategy : str
        Texts of both.
    users, jobs : int
        How many.
    value, charge : float
        What jobs turned out to be worth, and what they were charged, as shares of what they would
        have been worth if they had completed at once.
    gain : float
        What the users are left with, value less charges, beyond what they are left with if
        everybody tells the truth; as a share of the same.
    low, high : float or None
        95% bootstrap interval of that, users being drawn anew; None for fewer than three users.
    value_gain : float
        The same of the value alone: what matters to those whose money cannot buy anything else.
    """

    mechanism: str
    strategy: str
    users: int
    jobs: int
    value: float
    charge: float
    gain: float
    low: float | None
    high: float | None
    value_gain: float


def by_month(course: MarketCourse, honest: MarketCourse) -> tuple[MonthRow, ...]:
    """Return a row for each month in which jobs were submitted.

    Parameters
    ----------
    course : MarketCourse
        What was played.
    honest : MarketCourse
        The same if everybody tells the truth.
    """
    return tuple(_months(course, honest))


def _months(course: MarketCourse, honest: MarketCourse) -> Iterator[MonthRow]:
    before = np.full(len(course.grant), np.nan)
    logs = _log_bid_of_jobs(course)
    for month in np.unique(course.month).tolist():
        here = course.month == month
        worth = course.worth[here].sum() or 1.0
        bids = _log_bids(course, logs, here)
        moved = np.abs(bids - before)
        yield MonthRow(
            course.mechanism,
            month + 1,
            int(here.sum()),
            float(course.value[here].sum() / worth),
            float(honest.value[here].sum() / worth),
            float(course.charge[here].sum() / worth),
            _exp_mean(logs[here], course.worth[here]),
            _exp_mean(moved, np.ones(len(moved))),
            float(course.broke[here].mean()),
        )
        before = np.where(np.isnan(bids), before, bids)


def _log_bid_of_jobs(course: MarketCourse) -> Floats:
    """Return the logarithm of what each job was told over the truth; NaN if nothing was bid."""
    bid = (course.told > 0) & (course.worth > 0)
    ratio = np.divide(course.told, course.worth, out=np.full(len(bid), np.nan), where=bid)
    found: Floats = np.log(ratio)
    return found


def _log_bids(course: MarketCourse, logs: Floats, jobs: Bools) -> Floats:
    """Return the mean of that by user over some jobs, NaN for those who bid nothing."""
    known = jobs & ~np.isnan(logs)
    users = len(course.grant)
    user, worth = course.user[known], course.worth[known]
    weight, total = totals(user, worth, users), totals(user, worth * logs[known], users)
    found: Floats = np.divide(total, weight, out=np.full(users, np.nan), where=weight > 0)
    return found


def _exp_mean(logs: Floats, weight: Floats) -> float | None:
    known = ~np.isnan(logs)
    if not known.any():
        return None
    return float(np.exp(np.average(logs[known], weights=weight[known])))


def by_strategy(course: MarketCourse, honest: MarketCourse, seed: int) -> tuple[StrategyRow, ...]:
    """Return a row for each strategy that any user followed.

    Parameters
    ----------
    course, honest : MarketCourse
        As of `by_month`.
    seed : int
        Of the intervals.
    """
    users = len(course.grant)
    changed = course.value - honest.value, course.charge - honest.charge
    columns = course.worth, course.value, course.charge, *changed
    worth, value, charge, value_gain, more = (
        totals(course.user, column, users) for column in columns
    )
    gain = value_gain - more
    jobs = np.bincount(course.user, minlength=users)
    rows = []
    for place, strategy in enumerate(course.strategies):
        mine = course.strategy == place
        total = worth[mine].sum()
        if total <= 0:
            continue
        interval = bootstrap_interval(ratio_of_means, gain[mine], worth[mine], seed=seed)
        low, high = interval or (None, None)
        rows.append(
            StrategyRow(
                course.mechanism,
                strategy,
                int(mine.sum()),
                int(jobs[mine].sum()),
                float(value[mine].sum() / total),
                float(charge[mine].sum() / total),
                float(gain[mine].sum() / total),
                low,
                high,
                float(value_gain[mine].sum() / total),
            )
        )
    return tuple(rows)
