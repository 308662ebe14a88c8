"""The index: what a delay costs times a product of powers of what is known, weights learned."""

import math
from typing import NamedTuple

import numpy as np

from utilitysched.kernels.closed import is_closed
from utilitysched.kernels.compiling import leaf_kernel
from utilitysched.kernels.curves import mean_of_curve
from utilitysched.model.forecast import Forecast
from utilitysched.model.scheduling_pass import SchedulingPass
from utilitysched.model.state import Floats, Integers, JobTable
from utilitysched.schedulers.orderings import ordering
from utilitysched.schedulers.orderings.weights import SHIPPED, read_weights

_HOUR = 3600.0
_BUSY = 2.5  # log(1 + T/h) of a queue of 11 h of the whole machine: load counts from there

_FIXED = np.array([600.0, 3600.0, 14_400.0, 43_200.0, 86_400.0, 172_800.0])
_OF_REQUEST = np.array([0.15, 0.5, 1.5])
_OF_LOAD = np.array([0.15, 0.6])
_DELAYS = 1 + len(_FIXED) + len(_OF_REQUEST) + len(_OF_LOAD)

WEIGHTS = (
    *("value", "value_10min", "value_1h", "value_4h", "value_12h", "value_24h", "value_48h"),
    *("value_015_request", "value_05_request", "value_15_request"),
    *("value_015_load", "value_06_load"),
    *("size", "request", "predicted", "class", "wait", "slack", "life", "share_left", "density"),
    *("fits", "wide", "size_load", "request_load", "density_load", "slack_load"),
)
"""Names of the weights: of the values at each delay, and of the features."""


class _Job(NamedTuple):
    """What is known of a job: times in s, values in SU, T the time that all queued jobs take."""

    size: float
    request: float
    predicted: float
    priority: float
    wait: float
    value: float
    start_value: float
    load: float


@leaf_kernel
def _weighted_values(
    times: Floats, values: Floats, durations: Floats, job: _Job, weight: Floats
) -> float:
    """Return the weighted sum of what a job is worth now and after each delay (SU)."""
    total: float = weight[0] * job.value
    k = 1
    for delay in _FIXED:
        total += weight[k] * mean_of_curve(times, values, durations, job.wait + delay)
        k += 1
    for share in _OF_REQUEST:
        total += weight[k] * mean_of_curve(times, values, durations, job.wait + share * job.request)
        k += 1
    for share in _OF_LOAD:
        total += weight[k] * mean_of_curve(times, values, durations, job.wait + share * job.load)
        k += 1
    return total


@leaf_kernel
def _weighted_features(job: _Job, end: float, fits: bool, wide: bool, weight: Floats) -> float:
    """Return the weighted sum of the features of a job that is worth something now."""
    request = max(job.request, 1.0)
    # features in logarithms, so that weights are powers
    log_size, log_request = math.log(job.size), math.log(request)
    density = math.log(job.value / (job.size * request) * 36_000.0 + 1e-4)
    slack = math.log(1.0 + max(0.0, end - job.wait - request) / 600.0)
    busy = math.log(1.0 + job.load / _HOUR) - _BUSY
    total: float = weight[0] * log_size
    total += weight[1] * log_request
    total += weight[2] * math.log(max(job.predicted, 1.0))
    total += weight[3] * (0.2 * job.priority)
    total += weight[4] * math.log(1.0 + job.wait / _HOUR)
    total += weight[5] * slack
    total += weight[6] * math.log(max(end, 10.0))
    total += weight[7] * (job.value / job.start_value)
    total += weight[8] * density
    total += weight[9] * (1.0 if fits else 0.0)
    total += weight[10] * (1.0 if wide else 0.0)
    total += weight[11] * (log_size * busy)
    total += weight[12] * (log_request * busy)
    total += weight[13] * (density * busy)
    total += weight[14] * (slack * busy)
    return total


_LONG = 24.0 * _HOUR
"""T from which on a queue that is all there is is ordered by the rule, not by the weights."""

_TAU, _ALPHA = 86_400.0, 0.95
_RULE = {"value": 1.0, "value_24h": -_ALPHA, "size": -1.0, "request": -1.0}
"""The rule that the weights were learned from on, by itself and as weights."""


@leaf_kernel
def _by_rule(times: Floats, values: Floats, durations: Floats, job: _Job) -> float:
    """Return what a day's delay loses, and a little of the value, per requested second."""
    later = mean_of_curve(times, values, durations, job.wait + _TAU)
    return (job.value - _ALPHA * later) / (job.size * max(job.request, 1.0))


@ordering(
    "index",
    value_aware=True,
    parameters=read_weights(SHIPPED / "index.toml", WEIGHTS),
    given_by="file",
    start={name: _RULE.get(name, 0.0) for name in WEIGHTS},
    summary="learned: weighted values after delays, times powers of size, request, slack and load",
)
def score(
    moment: SchedulingPass,
    queue: Integers,
    known: JobTable,
    forecast: Forecast,
    parameters: Floats,
    out: Floats,
) -> None:
    """Score [sum of W_a u(w + d + delay_a)] exp(sum of V_f f), highest first; 0 if worth nothing.

    Delays are fixed, shares of the request, or shares of the time T that the whole machine would
    take for all that is queued; docs/learning.md has the features. The weights were learned
    where jobs keep arriving: a long queue with hardly any arrivals is ordered by their rule.
    """
    size, request, offsets = known.size, known.request, known.offsets
    # load: time that the whole machine needs for the queue
    area = 0.0
    for job in queue:
        area += size[job] * request[job]
    # a long queue that nobody joins goes by the rule
    load = area / known.machine_size
    by_rule = load > _LONG and is_closed(moment.now, queue, known.submit)
    of_value, of_feature = parameters[:_DELAYS], parameters[_DELAYS:]
    for i, job in enumerate(queue):
        times = known.times[offsets[job] : offsets[job + 1]]
        values = known.values[offsets[job] : offsets[job + 1]]
        durations = forecast.duration[job]
        wait = moment.now - known.submit[job]
        value = mean_of_curve(times, values, durations, wait)
        out[i] = 0.0
        if value > 0.0:
            seen = _Job(
                size[job],
                request[job],
                forecast.occupancy[job],
                known.priority[job],
                wait,
                value,
                mean_of_curve(times, values, durations, 0.0),
                load,
            )
            # closed queue: the weights extrapolate, their rule does not
            if by_rule:
                out[i] = -_by_rule(times, values, durations, seen)
                continue
            fits, wide = size[job] <= moment.free, 4 * size[job] > known.machine_size
            power = _weighted_features(seen, times[-1], fits, wide, of_feature)
            worth = _weighted_values(times, values, durations, seen, of_value)
            out[i] = -worth * math.exp(min(power, 600.0))  # more would be infinite, times 0
