"""The job that loses most by waiting first."""

import math

from utilitysched.kernels.curves import mean_value
from utilitysched.model.forecast import Forecast
from utilitysched.model.scheduling_pass import SchedulingPass
from utilitysched.model.state import Floats, Integers, JobTable
from utilitysched.schedulers.orderings import ordering


@ordering(
    "cost-of-delay",
    value_aware=True,
    parameters={"tau": 7200.0},
    ranges={"tau": (0.0, math.inf)},
    times=("tau",),
    summary="most value lost per processor-second by a delay tau (s)",
)
def score(
    moment: SchedulingPass,
    queue: Integers,
    known: JobTable,
    forecast: Forecast,
    parameters: Floats,
    out: Floats,
) -> None:
    """Score [u(w + d) - u(w + d + tau)] / (q o), highest first."""
    tau = parameters[0]
    for i, job in enumerate(queue):
        area = known.size[job] * max(forecast.occupancy[job], 1.0)
        wait = moment.now - known.submit[job]
        value = mean_value(known, forecast, job, wait)
        out[i] = -(value - mean_value(known, forecast, job, wait + tau)) / area
