"""Best checkpoint intervals, and the cost of any other.

Assumed throughout: whatever stops the job comes at random, on average every `mtbf` seconds of its
time and independently of when it last came (exponential), during checkpoints and restarts, too. A
checkpoint takes `cost` seconds, in which no work is done; a stop loses the work since the last one,
or all if there is none, and the restart takes `restart` seconds. The end writes no checkpoint. Time
spent in repair or in the queue is not counted: it is the same for every interval but for the number
of stops, `expected_time / mtbf`.

All arguments are numbers or arrays, which are broadcast; times are in s.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from swfx.base.columns import Bools, Floats

__all__ = ["best_interval", "daly_interval", "expected_time", "together", "young_interval"]

HALVINGS = 64
"""Of a range that begins at most as wide as twice its lower end, down to the last bit."""

ROUNDING = 1e-9
"""Less than this share of an interval after the last checkpoint: work / n was rounded down."""

LONGEST = 100
"""Cost of a checkpoint or restart (mean times between stops) beyond which nothing can be run."""


def young_interval(cost: npt.ArrayLike, mtbf: npt.ArrayLike) -> Floats:
    """Work between checkpoints by Young's first-order rule, ``sqrt(2 cost mtbf)``.

    Assumes that the interval is far below the mean time between stops and far above the cost, and
    counts neither stops during checkpoints and restarts nor the end of the job.

    Examples
    --------
    >>> float(young_interval(cost=60, mtbf=86400).round())
    3220.0

    References
    ----------
    YOUNG, the only formula.
    """
    delta, between = np.asarray(cost, np.float64), np.asarray(mtbf, np.float64)
    _refuse_free(delta, between)
    interval: Floats = np.sqrt(2 * delta * between)
    return interval


def daly_interval(cost: npt.ArrayLike, mtbf: npt.ArrayLike) -> Floats:
    """Work between checkpoints by Daly's higher-order estimate.

    ``sqrt(2 C M) (1 + sqrt(C / (2 M)) / 3 + C / (18 M)) - C`` for C < 2 M, else M: near the optimum
    of the exact formula for a job without end. It counts stops during checkpoints and restarts, but
    the end of the job it does not.

    Examples
    --------
    >>> float(daly_interval(cost=60, mtbf=86400).round())
    3180.0

    References
    ----------
    DALY, his final estimate.
    """
    delta, between = np.broadcast_arrays(np.asarray(cost, np.float64), np.asarray(mtbf, np.float64))
    _refuse_free(delta, between)
    half = delta / (2 * between)
    series = np.sqrt(2 * delta * between) * (1 + np.sqrt(half) / 3 + half / 9) - delta
    interval: Floats = np.where(delta < 2 * between, series, between)
    return interval


def expected_time(
    work: npt.ArrayLike,
    interval: npt.ArrayLike,
    *,
    cost: npt.ArrayLike,
    restart: npt.ArrayLike,
    mtbf: npt.ArrayLike,
) -> Floats:
    """Return the expected time (s) that a job runs until its work is done, exactly.

    Between two checkpoints lie c + C seconds, after the last one what is left. Such a stretch of L
    takes ``exp(R / M) M (exp(L / M) - 1)`` on average, as each stop begins it anew behind a restart
    that may be stopped itself.

    Parameters
    ----------
    work : array_like
        Time the job would run without checkpoints and stops (s), at least 0.
    interval : array_like
        Work between checkpoints (s); -1 or infinite = none.
    cost, restart : array_like
        Time that a checkpoint and a restart take (s), from 0.
    mtbf : array_like
        Mean time between stops (s); infinite = never.

    Raises
    ------
    ValueError
        A number is out of range.

    Examples
    --------
    >>> times = expected_time(86400, [900, 3220, -1], cost=60, restart=120, mtbf=86400)
    >>> (times / 3600).round(2).tolist()
    [25.76, 24.94, 41.3]

    References
    ----------
    DALY, his complete cost function, in which the last checkpoint is written, too.
    """
    size, every, delta, again, between = np.broadcast_arrays(
        *(np.asarray(a, np.float64) for a in (work, interval, cost, restart, mtbf))
    )
    _refuse(size, every, delta, again, between)
    whole = np.where((every == -1) | np.isinf(every), np.maximum(size, 1.0), every)
    checkpoints = np.maximum(np.ceil(size / whole - ROUNDING) - 1, 0)
    with np.errstate(over="ignore", invalid="ignore"):  # longer than any number: infinite
        stretches = np.where(checkpoints > 0, checkpoints * _attempted(whole + delta, between), 0.0)
        last = _attempted(size - checkpoints * whole, between)
        time: Floats = np.exp(again / between) * (stretches + last)
    return time


def best_interval(work: npt.ArrayLike, cost: npt.ArrayLike, mtbf: npt.ArrayLike) -> Floats:
    """Work between checkpoints (s) for which `expected_time` is least; infinite = take none.

    With n - 1 checkpoints, n equal parts are best (``c = work / n``): a longer c puts more between
    checkpoints than behind the last. With a = work / M and b = exp(C / M) the time then is, but for
    a factor, ``f(n) = exp(a / n) (b (n - 1) + 1) - n``. f is concave up to some n and convex from
    there on, so it is least at n = 1 or beside its one minimum in the convex part, where the slope
    changes its sign. The restart does not matter.

    Parameters
    ----------
    work, cost, mtbf : array_like
        As in `expected_time`; the cost above 0.

    Raises
    ------
    ValueError
        A number is out of range.

    Examples
    --------
    >>> best_interval([1000, 86400], cost=60, mtbf=86400).tolist()
    [inf, 3200.0]
    """
    size, delta, between = np.broadcast_arrays(
        *(np.asarray(a, np.float64) for a in (work, cost, mtbf))
    )
    _refuse_free(delta, between)
    _refuse(size, np.float64(-1), delta, np.float64(0), between)
    root = _last_minimum(size / between, np.expm1(delta / between))
    pieces = np.stack([np.ones_like(root), np.floor(root), np.ceil(root)])
    every = np.where(pieces > 1, np.maximum(size, 1.0) / pieces, np.inf)
    times = expected_time(size, every, cost=delta, restart=0, mtbf=between)
    best: Floats = np.take_along_axis(every, np.argmin(times, axis=0)[None], axis=0)[0]
    return best


def together(*mtbf: npt.ArrayLike) -> Floats:
    """Mean time (s) between stops of any of several kinds, such as failures and preemptions.

    Rates add up, if all are exponential and independent of each other.

    Examples
    --------
    >>> float(together(3600, float("inf"), 7200))
    2400.0
    """
    kinds = np.broadcast_arrays(*(np.asarray(each, np.float64) for each in mtbf))
    rate: Floats = sum((1 / each for each in kinds), np.zeros(()))
    with np.errstate(divide="ignore"):
        between: Floats = 1 / rate
    return between


def _attempted(length: Floats, mtbf: Floats) -> Floats:
    """Time that a stretch takes if each stop begins it anew at once."""
    never = np.isinf(mtbf)
    finite = np.where(never, 1.0, mtbf)
    time: Floats = np.where(never, length, finite * np.expm1(np.where(never, 0, length) / finite))
    return time


def _last_minimum(a: Floats, b_less_1: Floats) -> Floats:
    """Where f has its minimum in the convex part, at least 1; 1 if it has none."""
    curvature = a * (1 + b_less_1) - 2 * b_less_1
    turns = curvature > 0
    low = np.where(turns, np.maximum(1, a * b_less_1 / np.where(turns, curvature, 1)), 1.0)
    falls = turns & _falls(low, a, b_less_1)
    high = 2 * low
    while (more := falls & _falls(high, a, b_less_1)).any():
        low, high = np.where(more, high, low), np.where(more, 2 * high, high)
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        down = _falls(middle, a, b_less_1)
        low, high = np.where(down, middle, low), np.where(down, high, middle)
    root: Floats = np.where(falls, low, 1.0)
    return root


def _falls(n: Floats, a: Floats, b_less_1: Floats) -> Bools:
    """Whether f(n) = exp(a / n) (b (n - 1) + 1) - n falls at n."""
    factor_less_1 = b_less_1 - a * ((1 + b_less_1) * (n - 1) + 1) / n**2
    with np.errstate(over="ignore", invalid="ignore"):
        slope = np.expm1(a / n) * (1 + factor_less_1) + factor_less_1
    falls: Bools = slope < 0
    return falls


def _refuse_free(cost: Floats, mtbf: Floats) -> None:
    if not (np.all(cost > 0) and np.all(mtbf > 0)):
        raise ValueError("checkpoints that cost nothing, or stops without pause, have no optimum")


def _refuse(
    work: Floats, interval: npt.ArrayLike, cost: Floats, restart: npt.ArrayLike, mtbf: Floats
) -> None:
    every, again = np.asarray(interval), np.asarray(restart)
    for name, fits, wanted in (
        ("work", (work >= 0) & np.isfinite(work), "seconds from 0"),
        ("interval", (every > 0) | (every == -1), "positive seconds, or -1 for none"),
        ("mtbf", mtbf > 0, "positive seconds"),
        ("cost", (cost >= 0) & (cost <= LONGEST * mtbf), f"from 0 to {LONGEST} times the mtbf"),
        (
            "restart",
            (again >= 0) & (again <= LONGEST * mtbf),
            f"from 0 to {LONGEST} times the mtbf",
        ),
    ):
        if not np.all(fits):
            raise ValueError(f"{name}: {wanted}")
