"""F2: learned nonlinear policy."""

import math

from utilitysched.model.forecast import Forecast
from utilitysched.model.scheduling_pass import SchedulingPass
from utilitysched.model.state import Floats, Integers, JobTable
from utilitysched.schedulers.orderings import ordering


@ordering("f2", summary="sqrt(p~) q + 25600 log10(r)")
def score(
    moment: SchedulingPass,
    queue: Integers,
    known: JobTable,
    forecast: Forecast,
    parameters: Floats,
    out: Floats,
) -> None:
    """Score sqrt(p~) q + 25600 log10(r) (CARASTAN 3.3)."""
    for i, job in enumerate(queue):
        arrival = max(known.arrival[job], 1.0)
        out[i] = math.sqrt(known.request[job]) * known.size[job] + 2.56e4 * math.log10(arrival)
