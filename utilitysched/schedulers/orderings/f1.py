"""F1: learned nonlinear policy."""

import math

from utilitysched.model.forecast import Forecast
from utilitysched.model.scheduling_pass import SchedulingPass
from utilitysched.model.state import Floats, Integers, JobTable
from utilitysched.schedulers.orderings import ordering


@ordering("f1", summary="log10(p~) q + 870 log10(r)")
def score(
    moment: SchedulingPass,
    queue: Integers,
    known: JobTable,
    forecast: Forecast,
    parameters: Floats,
    out: Floats,
) -> None:
    """Score log10(p~) q + 870 log10(r) (CARASTAN 3.3)."""
    for i, job in enumerate(queue):
        request = max(known.request[job], 1.0)
        arrival = max(known.arrival[job], 1.0)
        out[i] = math.log10(request) * known.size[job] + 8.70e2 * math.log10(arrival)
