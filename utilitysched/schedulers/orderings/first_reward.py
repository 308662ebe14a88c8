"""Discounted value against the cost to the others."""

import math

import numpy as np

from utilitysched.kernels.curves import mean_decay_rate, mean_time_left, mean_value
from utilitysched.kernels.others_losses import others_losses
from utilitysched.model.forecast import Forecast
from utilitysched.model.scheduling_pass import SchedulingPass
from utilitysched.model.state import Floats, Integers, JobTable
from utilitysched.schedulers.orderings import ordering


@ordering(
    "first-reward",
    value_aware=True,
    parameters={"alpha": 0.5, "discount": 0.01},
    ranges={"alpha": (0.0, 1.0), "discount": (0.0, math.inf)},
    summary="alpha discounted value - (1 - alpha) cost to the rest of the queue, per area",
)
def score(
    moment: SchedulingPass,
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
    occupancy = np.empty(len(queue))
    # loss per second of each job, and for how long it can still lose
    for i, job in enumerate(queue):
        wait = moment.now - known.submit[job]
        rate[i] = mean_decay_rate(known, forecast, job, wait)
        left[i] = mean_time_left(known, forecast, job, wait)
        occupancy[i] = max(forecast.occupancy[job], 1.0)
    # losses of the other jobs while a job holds the machine
    others_losses(rate, left, occupancy, out)
    for i, job in enumerate(queue):
        value = mean_value(known, forecast, job, moment.now - known.submit[job])
        present = value / (1.0 + per_second * occupancy[i])
        gain = alpha * present / (known.size[job] * occupancy[i])
        # the job's own size cancels out: jobs that are worth nothing tie where their cost does
        out[i] = (1.0 - alpha) * out[i] / known.machine_size - gain
