"""Value per area, the less the more time there is left."""

import math

from utilitysched.kernels.curves import mean_time_left, mean_value
from utilitysched.model.forecast import Forecast
from utilitysched.model.scheduling_pass import SchedulingPass
from utilitysched.model.state import Floats, Integers, JobTable
from utilitysched.schedulers.orderings import ordering


@ordering(
    "apparent-tardiness-cost",
    value_aware=True,
    parameters={"lookahead": 2.0},
    ranges={"lookahead": (1e-3, math.inf)},
    summary="value per processor-second, falling with slack by so many mean occupancies",
)
def score(
    moment: SchedulingPass,
    queue: Integers,
    known: JobTable,
    forecast: Forecast,
    parameters: Floats,
    out: Floats,
) -> None:
    """Score u(w + d) / (q o) exp(-max(0, s - o) / (k m)), highest first.

    s is the time left until the curve ends, counted from when it is read (w + d), m the mean o of
    the queue (after Vepsalainen and Morton 1987, their weight per processing time and due date read
    from the curve).
    """
    lookahead = parameters[0]
    # scale of slack: some multiples of the mean occupancy of the queue
    total = 0.0
    for job in queue:
        total += max(forecast.occupancy[job], 1.0)
    scale = lookahead * total / max(len(queue), 1)
    for i, job in enumerate(queue):
        occupancy = max(forecast.occupancy[job], 1.0)
        wait = moment.now - known.submit[job]
        # time left beyond the job's own occupancy
        slack = max(0.0, mean_time_left(known, forecast, job, wait) - occupancy)
        value = mean_value(known, forecast, job, wait)
        out[i] = -(value / (known.size[job] * occupancy)) * math.exp(-slack / scale)
