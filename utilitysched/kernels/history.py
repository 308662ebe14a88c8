"""Learning from completed jobs."""

from typing import Any

from numba import njit

from utilitysched.model.forecast import DURATIONS, SAMPLES, Forecast, RuntimeHistory
from utilitysched.model.state import Floats, Integers, JobTable

ZERO = DURATIONS.index("zero")
FRACTION = DURATIONS.index("fraction")
PREDICTED = DURATIONS.index("predicted")
EXPECTED = DURATIONS.index("expected")


@njit(cache=True)
def _push(latest: Any, value: float) -> None:
    for k in range(len(latest) - 1, 0, -1):
        latest[k] = latest[k - 1]
    latest[0] = value


@njit(cache=True)
def learn(history: RuntimeHistory, user: int, run: float, request: float) -> None:
    """Remember that a job of `user` with this request (s) ran for `run` (s)."""
    ratio = run / max(request, 1.0)
    _push(history.log_ratios, ratio)
    history.log_count[0] += 1
    if user >= 0:
        _push(history.runs[user], run)
        _push(history.ratios[user], ratio)
        history.completed[user] += 1


@njit(cache=True)
def _predicted(known: JobTable, history: RuntimeHistory, job: int) -> float:
    user = known.user[job]
    request = known.request[job]
    if user < 0 or history.completed[user] == 0:
        return request
    if history.completed[user] == 1:
        return min(request, history.runs[user, 0])
    return min(request, (history.runs[user, 0] + history.runs[user, 1]) / 2)


@njit(cache=True)
def _sample(known: JobTable, history: RuntimeHistory, job: int, duration: Any) -> None:
    user = known.user[job]
    request = known.request[job]
    own = min(history.completed[user], SAMPLES) if user >= 0 else 0
    others = min(history.log_count[0], SAMPLES - own)
    for k in range(SAMPLES):
        if k < own:
            duration[k] = history.ratios[user, k] * request
        elif k < own + others:
            duration[k] = history.log_ratios[k - own] * request
        else:
            duration[k] = request


@njit(cache=True)
def fill(
    queue: Integers,
    known: JobTable,
    history: RuntimeHistory,
    codes: tuple[int, float, int],
    forecast: Forecast,
) -> None:
    """Write the forecast of the jobs in `queue` into `forecast`, by the rule's codes."""
    kind, fraction, predicted_occupancy = codes
    for i in range(len(queue)):
        job = queue[i]
        request = known.request[job]
        if kind == EXPECTED:
            _sample(known, history, job, forecast.duration[job])
        elif kind == PREDICTED:
            forecast.duration[job, 0] = _predicted(known, history, job)
        elif kind == FRACTION:
            forecast.duration[job, 0] = fraction * request
        elif kind == ZERO:
            forecast.duration[job, 0] = 0.0
        else:
            forecast.duration[job, 0] = request
        occupancy = _predicted(known, history, job) if predicted_occupancy else request
        forecast.occupancy[job] = occupancy


@njit(cache=True)
def outlast(queue: Integers, known: JobTable, outlasted: Floats, forecast: Forecast) -> None:
    """Let no occupancy be below twice the run time that its job is known to exceed (s)."""
    for job in queue:
        least = min(2.0 * outlasted[job], known.request[job])
        forecast.occupancy[job] = max(forecast.occupancy[job], least)


@njit(cache=True)
def forecasts_then(
    ended: Integers,
    done: Floats,
    since: Floats,
    end: Floats,
    asked: Integers,
    at: Floats,
    limit: Floats,
    known: JobTable,
    history: RuntimeHistory,
    codes: tuple[int, float, int],
    forecast: Forecast,
    out: Floats,
) -> None:
    """Write what was forecast of jobs at some instants, from what had ended by then.

    Parameters
    ----------
    ended : (c,) int64
        Jobs in the order in which they ended.
    done, since, end : (c,) float64
        Work that each did (s), when it last started, and ended (s). One that started at an instant
        and ended at it is not known to a pass at this instant.
    asked : (m,) int64
        Jobs whose forecast is wanted, by time.
    at, limit : (m,) float64
        When (s), and the requested time of the start (s).
    known, history, forecast
        The jobs, what is learnt of them, and room for forecasts; changed in place.
    codes : (int, float, int)
        The rule.
    out : (m, K) float64
        Durations (s).
    """
    learnt = 0
    for i in range(len(asked)):
        while learnt < len(ended) and end[learnt] <= at[i] and since[learnt] < at[i]:
            job = ended[learnt]
            learn(history, known.user[job], done[learnt], known.request[job])
            learnt += 1
        job = asked[i]
        request = known.request[job]
        known.request[job] = limit[i]
        fill(asked[i : i + 1], known, history, codes, forecast)
        known.request[job] = request
        out[i] = forecast.duration[job]
