"""Value now and value lost by waiting, mixed."""

import math

from utilitysched.kernels.curves import mean_value
from utilitysched.model.forecast import Forecast
from utilitysched.model.scheduling_pass import SchedulingPass
from utilitysched.model.state import Floats, Integers, JobTable
from utilitysched.schedulers.orderings import ordering


@ordering(
    "value-and-delay",
    value_aware=True,
    parameters={"alpha": 0.5, "tau": 43200.0},
    ranges={"alpha": (0.0, 1.0), "tau": (0.0, math.inf)},
    times=("tau",),
    summary="(1 - alpha) value + alpha value lost by a delay tau (s), per processor-second",
)
def score(
    moment: SchedulingPass,
    queue: Integers,
    known: JobTable,
    forecast: Forecast,
    parameters: Floats,
    out: Floats,
) -> None:
    """Score [(1-a) u(w+d) + a (u(w+d) - u(w+d+tau))] / (q o), highest first."""
    alpha = parameters[0]
    tau = parameters[1]
    for i, job in enumerate(queue):
        area = known.size[job] * max(forecast.occupancy[job], 1.0)
        wait = moment.now - known.submit[job]
        value = mean_value(known, forecast, job, wait)
        # a delay tau later on the same curve
        lost = value - mean_value(known, forecast, job, wait + tau)
        out[i] = -((1.0 - alpha) * value + alpha * lost) / area
