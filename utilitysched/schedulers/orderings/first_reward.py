"""Discounted value against the cost to the others."""

import math

import numpy as np

from utilitysched.kernels.curves import mean_decay_rate, mean_time_left, mean_value
from utilitysched.model.forecast import Forecast
from utilitysched.model.state import Floats, Integers, JobTable
from utilitysched.schedulers.orderings.registry import ordering


@ordering(
    "first-reward",
    value_aware=True,
    parameters={"alpha": 0.5, "discount": 0.01},
    ranges={"alpha": (0.0, 1.0), "discount": (0.0, math.inf)},
    summary="alpha discounted value - (1 - alpha) cost to the rest of the queue, per area",
)
def score(
    now: float,
    queue: Integers,
    known: JobTable,
    forecast: Forecast,
    parameters: Floats,
    out: Floats,
) -> None:
    """Score [a PV - (1-a) cost] / (q o), highest first (after Irwin, Grit and Chase 2004).

    PV = u(w + d) / (1 + g o) with the discount g per hour; cost is the job's share of the
    machine times what the other queued jobs lose meanwhile at their present rate of decay.
    """
    alpha = parameters[0]
    per_second = parameters[1] / 3600.0
    rate = np.empty(len(queue))
    left = np.empty(len(queue))
    for i, job in enumerate(queue):
        wait = now - known.submit[job]
        rate[i] = mean_decay_rate(known, forecast, job, wait)
        left[i] = mean_time_left(known, forecast, job, wait)
    for i, job in enumerate(queue):
        occupancy = max(forecast.occupancy[job], 1.0)
        value = mean_value(known, forecast, job, now - known.submit[job])
        loss = 0.0
        for k in range(len(queue)):
            if k != i:
                loss += rate[k] * min(occupancy, left[k])
        present = value / (1.0 + per_second * occupancy)
        cost = known.size[job] / known.machine_size * loss
        reward = alpha * present - (1.0 - alpha) * cost
        out[i] = -reward / (known.size[job] * occupancy)
