"""Learning from completed jobs: the latest run times of users, and histograms of all."""

from typing import Any

import numpy as np

from utilitysched.kernels.compiling import kernel, leaf, leaf_kernel
from utilitysched.model.forecast import DURATIONS, SAMPLES, Forecast, RuntimeHistory
from utilitysched.model.restarts import BINS, CLASSES, SHORTEST_CLASS, RuntimeHistogram
from utilitysched.model.state import Floats, Integers, JobTable

ZERO = DURATIONS.index("zero")
FRACTION = DURATIONS.index("fraction")
PREDICTED = DURATIONS.index("predicted")
EXPECTED = DURATIONS.index("expected")


@leaf
def _push(latest: Any, value: float) -> None:
    for k in range(len(latest) - 1, 0, -1):
        latest[k] = latest[k - 1]
    latest[0] = value


@leaf_kernel
def learn(history: RuntimeHistory, user: int, run: float, request: float) -> None:
    """Remember that a job of `user` with this request (s) ran for `run` (s)."""
    ratio = run / max(request, 1.0)
    _push(history.log_ratios, ratio)
    history.log_count[0] += 1
    if user >= 0:
        _push(history.runs[user], run)
        _push(history.ratios[user], ratio)
        history.completed[user] += 1


@leaf
def _predicted(known: JobTable, history: RuntimeHistory, job: int) -> float:
    user = known.user[job]
    request = known.request[job]
    if user < 0 or history.completed[user] == 0:
        return request
    if history.completed[user] == 1:
        return min(request, history.runs[user, 0])
    return min(request, (history.runs[user, 0] + history.runs[user, 1]) / 2)


@leaf
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


@leaf_kernel
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


@leaf_kernel
def outlast(queue: Integers, known: JobTable, outlasted: Floats, forecast: Forecast) -> None:
    """Let no occupancy be below twice the run time that its job is known to exceed (s)."""
    for job in queue:
        least = min(2.0 * outlasted[job], known.request[job])
        forecast.occupancy[job] = max(forecast.occupancy[job], least)


@kernel
def forecasts_then(
    ended: Integers,
    done: Floats,
    since: Floats,
    end: Floats,
    times: Integers,
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
    times : (m,) int64
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
    for i in range(len(times)):
        while learnt < len(ended) and end[learnt] <= at[i] and since[learnt] < at[i]:
            job = ended[learnt]
            learn(history, known.user[job], done[learnt], known.request[job])
            learnt += 1
        job = times[i]
        request = known.request[job]
        known.request[job] = limit[i]
        fill(times[i : i + 1], known, history, codes, forecast)
        known.request[job] = request
        out[i] = forecast.duration[job]


EDGES = np.array([0.0, *(2.0 ** (b / 2) for b in range(1, BINS + 1))])
"""Half octaves of run times, the first one from 0 (s)."""

_ALL_JOBS = 10.0
"""Jobs of the whole log that each class is taken to hold beside its own."""


@leaf_kernel
def request_class(request: float) -> int:
    """Return the class of a requested time (s)."""
    row = 0
    while row < CLASSES - 1 and request >= 2.0 * SHORTEST_CLASS:
        request /= 2.0
        row += 1
    return row


@leaf_kernel
def learn_runtime(past: RuntimeHistogram, run: float, request: float) -> None:
    """Remember that a job with this request (s) ran for `run` (s)."""
    at, row = _bin(run), request_class(request)
    middle = 0.5 * (EDGES[at] + EDGES[at + 1])
    for b in range(at + 1, BINS + 1):
        past.below[row, b] += 1.0
        past.below[CLASSES, b] += 1.0
        past.spent[row, b] += middle
        past.spent[CLASSES, b] += middle


@leaf
def _bin(time: float) -> int:
    """Return the half octave of a time (s)."""
    low, high = 0, BINS
    while high - low > 1:
        middle = (low + high) // 2
        if EDGES[middle] <= time:
            low = middle
        else:
            high = middle
    return low


@leaf
def _up_to(past: RuntimeHistogram, row: int, share: float, time: float) -> tuple[float, float]:
    """Return the weight of the run times of a class below a time, and their sum (s)."""
    b, below, spent = _bin(time), past.below, past.spent
    low, high = EDGES[b], EDGES[b + 1]
    time = min(time, high)
    inside = below[row, b + 1] - below[row, b]
    inside += share * (below[CLASSES, b + 1] - below[CLASSES, b])
    inside *= (time - low) / (high - low)
    weight = below[row, b] + share * below[CLASSES, b]
    total = spent[row, b] + share * spent[CLASSES, b]
    return weight + inside, total + inside * (0.5 * (low + time))


@leaf_kernel
def outlook(
    past: RuntimeHistogram, request: float, outlasted: float, within: float
) -> tuple[float, float]:
    """Return the forecast of a run time p that is over `outlasted`, at most `request` (s).

    Within a bin all run times are as likely; beyond the request they are the request. Where no
    completed job ran for that long, p is the request.

    Parameters
    ----------
    past : RuntimeHistogram
        Run times of completed jobs.
    within : float
        A time (s), infinite for the mean of p.

    Returns
    -------
    chance : float
        Of p <= within.
    mean : float
        Of min(p, within) (s).
    """
    row = request_class(request)
    most = min(request, within)
    everybody = past.below[CLASSES, BINS]
    share = _ALL_JOBS / everybody if everybody > 0.0 else 0.0
    over, before = _up_to(past, row, share, outlasted)
    above = past.below[row, BINS] + share * everybody - over
    if above <= 0.0:
        return (1.0 if within >= request else 0.0), most
    short, total = _up_to(past, row, share, max(most, outlasted))
    short -= over
    mean = (total - before + (above - short) * most) / above
    # where `above` is next to nothing, all digits are lost
    mean = min(max(mean, min(outlasted, most)), most)
    return (1.0 if within >= request else short / above), mean
