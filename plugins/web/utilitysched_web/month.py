"""Forecast of what a user will have been charged by the end of the month."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import NamedTuple

import numpy as np

from swfx.base.columns import Floats
from swfx.clock import Clock

DAY = 86_400.0
"""Seconds."""

REMEMBERED = 28
"""Days that the rest of the month is taken to be like: four weeks."""

DRAWS, SEED = 999, 0
LEVEL = 0.8
"""Of the interval."""


class MonthForecast(NamedTuple):
    """Charges of a payer in a month, so far and forecast (SU).

    Attributes
    ----------
    month : str
        ``YYYY-MM``.
    charged : float
        For jobs that have ended in it.
    expected, low, high : float
        At its end: the mean, and an interval that holds it with 80%, if the days to come are like
        the last ones.
    left : float
        Days until then.
    days : int
        So many days it is made from.
    """

    month: str
    charged: float
    expected: float
    low: float
    high: float
    left: float
    days: int


def month_forecast(
    end: Floats, charge: Floats, begin: float, now: float, clock: Clock
) -> MonthForecast:
    """Return what will have been charged by the end of the month.

    Parameters
    ----------
    end, charge : (n,) float64
        When jobs ended (s, on the log's clock), and what they were charged (SU).
    begin, now : float
        When the log began, and the time (s).
    clock : Clock
        Of the log.
    """
    today = clock.date(now)
    first = today.replace(day=1, hour=0, minute=0, second=0, microsecond=0)
    after = (first + timedelta(days=32)).replace(day=1)
    this_month = (end >= _seconds(first, clock)) & (end <= now)
    charged = float(charge[this_month].sum())
    left = (_seconds(after, clock) - now) / DAY
    days = max(min(REMEMBERED, int((now - begin) // DAY)), 1)
    ago = np.floor((now - end) / DAY)
    recent = (ago >= 0) & (ago < days)
    daily = np.bincount(ago[recent].astype(np.int64), charge[recent], days).astype(np.float64)
    rest = _drawn(daily, left)
    low, high = np.quantile(rest, [(1 - LEVEL) / 2, (1 + LEVEL) / 2]).tolist()
    expected = charged + float(daily.mean()) * left
    return MonthForecast(
        f"{today:%Y-%m}", charged, expected, charged + low, charged + high, left, days
    )


def _drawn(daily: Floats, left: float) -> Floats:
    """Draw sums over the days left from days that were; the last of those left is a part of one."""
    rng = np.random.default_rng(SEED)
    whole = int(left)
    drawn = rng.choice(daily, (DRAWS, whole + 1))
    drawn[:, whole] *= left - whole
    total: Floats = drawn.sum(axis=1)
    return total


def _seconds(when: datetime, clock: Clock) -> float:
    return when.replace(tzinfo=clock.zone).timestamp() - clock.start
