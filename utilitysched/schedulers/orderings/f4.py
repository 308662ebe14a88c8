"""F4: learned nonlinear policy."""

import math

from utilitysched.model.forecast import Forecast
from utilitysched.model.scheduling_pass import SchedulingPass
from utilitysched.model.state import Floats, Integers, JobTable
from utilitysched.schedulers.orderings import ordering


@ordering("f4", summary="p~ sqrt(q) + 530000 log10(r)")
def score(
    moment: SchedulingPass,
    queue: Integers,
    known: JobTable,
    forecast: Forecast,
    parameters: Floats,
    out: Floats,
) -> None:
    """Score p~ sqrt(q) + 530000 log10(r) (CARASTAN 3.3)."""
    for i, job in enumerate(queue):
        arrival = max(known.arrival[job], 1.0)
        out[i] = known.request[job] * math.sqrt(known.size[job]) + 5.30e5 * math.log10(arrival)
