"""Scoreboard of forecasts of run times, each made of what was known when the job was submitted."""

import heapq
from collections import defaultdict, deque
from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np

from swfx import Workload
from swfx.base.columns import Bools, Floats, Ints

LEVELS = (0.1, 0.25, 0.5, 0.75, 0.9)
"""Quantiles that are forecast; the middle one is the forecast of those that have any."""

MIDDLE = LEVELS.index(0.5)

KEPT = 16
"""Latest run times of a key that its quantiles are taken from."""

EARLY = 0.5
"""A job ends early that runs for less than this share of its request."""

AGE = 600.0
"""The age (s) at which jobs that still run are forecast again."""

Watch = Callable[[float], None]


class ForecastScore(NamedTuple):
    """How good one way of forecasting was; None for what it does not tell.

    Attributes
    ----------
    forecast : str
        Which.
    log_error : float
        Mean of abs(ln(forecast / run time)), neither taken to be below a second.
    below, within : float or None
        Share of jobs no longer than the quantile of 90%, and between those of 10 and 90%, both
        included.
    early : float or None
        Mean squared error of the chance to run for less than half of the request (Brier's score).
    log_error_then : float or None
        The log error of what is forecast of jobs that have run for `AGE`, at that moment.
    """

    forecast: str
    log_error: float
    below: float | None = None
    within: float | None = None
    early: float | None = None
    log_error_then: float | None = None


class Scoreboard(NamedTuple):
    """Scores of one log.

    Attributes
    ----------
    jobs : int
        With a requested time and a run time.
    early : float
        Share of them that ended early.
    older : int
        Of them, those that ran for longer than `AGE`.
    scores : tuple of ForecastScore
        By forecast.
    """

    jobs: int
    early: float
    older: int
    scores: tuple[ForecastScore, ...]

    def to_dict(self) -> dict[str, object]:
        """Return the same as plain values."""
        return self._asdict() | {"scores": [score._asdict() for score in self.scores]}


class Known(NamedTuple):
    """What was known of each job as it was submitted, in the order of submission.

    Attributes
    ----------
    submit, ended, request, run : (n,) float64
        Times (s); `ended` is when its run time could be learnt.
    last_two : (n,) float64
        Mean of the user's last two run times (s), at most the request.
    keyed : (n, 5) float64
        Quantiles (s) of the latest run times of the user's jobs of this request and size; of this
        request; of any; else the request.
    features : (n, 12) float64
        What learners are told; times as logarithms, NaN where nothing is known.
    """

    submit: Floats
    ended: Floats
    request: Floats
    run: Floats
    last_two: Floats
    keyed: Floats
    features: Floats


Learner = Callable[[Known, Watch], Floats]
"""Quantiles (n, 5) (s) of every job, of what was known online."""


def known_online(workload: Workload) -> Known:
    """Replay a log, and note what its ended jobs told at each submission.

    Jobs end when they did in the log; where it does not say how long they waited, as if they had
    not. Those without a requested time or a run time are left out.
    """
    good = (workload.requested_time > 0) & (workload.run >= 0)
    jobs = workload[np.flatnonzero(good)]
    jobs = jobs[np.argsort(jobs.submit, kind="stable")]
    run, request = jobs.effective_run, jobs.request
    ended = jobs.submit + np.maximum(jobs.wait, 0.0) + run
    memory, pending = _Memory(), list[tuple[float, int]]()
    keys = list(zip(jobs.user.tolist(), request.tolist(), jobs.size.tolist(), strict=True))
    last_two, keyed = np.empty(len(jobs)), np.empty((len(jobs), len(LEVELS)))
    past = np.full((len(jobs), 6), np.nan)
    for job, now in enumerate(jobs.submit.tolist()):
        while pending and pending[0][0] <= now:
            learnt = heapq.heappop(pending)[1]
            memory.learn(keys[learnt], float(run[learnt]))
        last_two[job] = memory.last_two(keys[job])
        keyed[job] = memory.quantiles(keys[job])
        past[job] = memory.past(keys[job])
        heapq.heappush(pending, (ended.item(job), job))
    hour = jobs.submit / 3600.0
    told = [_log(request), _log(jobs.size), jobs.user, jobs.queue, hour % 24, hour // 24 % 7]
    features = np.column_stack([*told, past])
    return Known(jobs.submit, ended, request, run, last_two, keyed, features)


class _Memory:
    """Run times of ended jobs (s), by user; by user and request; and by size as well."""

    def __init__(self) -> None:
        self.runs: dict[tuple[float, ...], deque[float]] = defaultdict(lambda: deque(maxlen=KEPT))
        self.ratios: dict[int, deque[float]] = defaultdict(lambda: deque(maxlen=KEPT))

    def learn(self, key: tuple[int, float, int], run: float) -> None:
        for length in (1, 2, 3):
            self.runs[key[:length]].append(run)
        self.ratios[key[0]].append(run / max(key[1], 1.0))

    def of(self, key: tuple[float, ...]) -> list[float]:
        """Return the run times of a key, latest last."""
        return list(self.runs[key]) if key in self.runs else []

    def last_two(self, key: tuple[int, float, int]) -> float:
        runs = self.of(key[:1])[-2:]
        return min(key[1], sum(runs) / len(runs)) if runs else key[1]

    def quantiles(self, key: tuple[int, float, int]) -> Floats:
        found = self.of(key) or self.of(key[:2]) or self.of(key[:1]) or [key[1]]
        middles = (np.arange(len(found)) + 0.5) / len(found)
        return np.minimum(np.interp(LEVELS, middles, sorted(found)), key[1])

    def past(self, key: tuple[int, float, int]) -> Floats:
        """Return logarithms of the last two, of medians by three keys, and the mean ratio."""
        runs, missing = self.of(key[:1]), float("nan")
        last = [runs[-1] if runs else missing, runs[-2] if len(runs) > 1 else missing]
        medians = [sorted(found)[len(found) // 2] if found else missing for found in self._by(key)]
        ratios = self.ratios.get(key[0])
        return np.array([*_log(np.array(last + medians)), np.mean(ratios) if ratios else missing])

    def _by(self, key: tuple[int, float, int]) -> Iterator[list[float]]:
        return (self.of(key[:length]) for length in (1, 2, 3))


def scoreboard(workload: Workload, watch: Watch = lambda _: None) -> Scoreboard:
    """ForecastScore the forecasts of a log's run times.

    Parameters
    ----------
    workload : Workload
        A log with requested times.
    watch : callable
        Takes the share that is done.

    Raises
    ------
    InputError
        scikit-learn is not installed.
    """
    # most of the package does without scikit-learn
    from utilitysched.analysis.estimates.learners import boosting, neighbours  # noqa: PLC0415

    known = known_online(workload)
    older = known.run > AGE
    early = known.run < EARLY * known.request
    found = {
        "requested": known.request,
        "last two of the user": known.last_two,
        "user x request x size": known.keyed,
        "nearest neighbours": neighbours(known, lambda share: watch(share / 4)),
        "gradient boosting": boosting(known, lambda share: watch(0.25 + 3 * share / 4)),
    }
    scores = tuple(_score(name, each, known, early) for name, each in found.items())
    return Scoreboard(len(early), _mean(early.astype(np.float64)), int(older.sum()), scores)


def _score(name: str, found: Floats, known: Known, early: Bools) -> ForecastScore:
    if found.ndim == 1:
        return ForecastScore(name, _log_error(found, known.run))
    chance = chance_within(found, EARLY * known.request)
    older = known.run > AGE
    then = given_age(found[older], AGE, known.request[older])
    return ForecastScore(
        name,
        _log_error(found[:, MIDDLE], known.run),
        _mean(known.run <= found[:, -1]),
        _mean((found[:, 0] <= known.run) & (known.run <= found[:, -1])),
        _mean((chance - early) ** 2),
        _log_error(then, known.run[older]) if older.any() else None,
    )


def chance_within(quantiles: Floats, time: Floats) -> Floats:
    """Return the chance of run times up to `time` (s), straight between logarithms of quantiles.

    >>> chance_within(np.array([[10.0, 20, 40, 80, 160]]), np.array([40.0])).tolist()
    [0.5]
    """
    logs = _log(quantiles)
    grid = np.column_stack([2 * logs[:, 0] - logs[:, 1], logs, 2 * logs[:, -1] - logs[:, -2]])
    rows = zip(grid, _log(time), strict=True)
    levels = (0.0, *LEVELS, 1.0)
    return np.array([_height(asked, row, levels) for row, asked in rows])


def given_age(quantiles: Floats, age: float, request: Floats) -> Floats:
    """Return the median (s) of run times beyond an age (s), at most the request.

    Beyond the last quantile nothing tells how long: twice the age.
    """
    gone = chance_within(quantiles, np.full(len(quantiles), age))
    asked = gone + (1 - gone) / 2
    rows = zip(asked, _log(quantiles), strict=True)
    beyond = np.exp([np.interp(level, LEVELS, row) for level, row in rows])
    return np.minimum(np.where(beyond > age, beyond, 2 * age), request)


def _height(asked: float, points: Floats, levels: tuple[float, ...]) -> float:
    """Return the level that a rising row of points has reached, the highest where it jumps."""
    after = int(np.searchsorted(points, asked, side="right"))
    if after in (0, len(points)):
        return 0.0 if after == 0 else 1.0
    low, high = points[after - 1], points[after]
    share = (asked - low) / (high - low)
    return float(levels[after - 1] + share * (levels[after] - levels[after - 1]))


def _log(times: Floats | Ints) -> Floats:
    found: Floats = np.log(np.maximum(times, 1.0))
    return found


def _log_error(found: Floats, run: Floats) -> float:
    return _mean(np.abs(_log(found) - _log(run)))


def _mean(values: Floats | Bools) -> float:
    return float(np.mean(values)) if len(values) else float("nan")
