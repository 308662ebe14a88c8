"""UNICEF: waiting, narrow and short jobs first."""

import math

from utilitysched.model.forecast import Forecast
from utilitysched.model.scheduling_pass import SchedulingPass
from utilitysched.model.state import Floats, Integers, JobTable
from utilitysched.schedulers.orderings import ordering


@ordering("unicef", dynamic=True, summary="long waiting, narrow, short first: -w / (log2(q) p~)")
def score(
    moment: SchedulingPass,
    queue: Integers,
    known: JobTable,
    forecast: Forecast,
    parameters: Floats,
    out: Floats,
) -> None:
    """Score -w / (log2(q) p~); serial jobs go first, by w / p~ descending (CARASTAN 3.4)."""
    # log2(1) = 0: the formula is infinite for serial jobs, ordered among each other by w / p~
    serial_first = 1e18
    for i, job in enumerate(queue):
        ratio = (moment.now - known.submit[job]) / max(known.request[job], 1.0)
        if known.size[job] == 1:
            out[i] = -serial_first * (1.0 + ratio)
        else:
            request = max(known.request[job], 1.0)
            out[i] = -(moment.now - known.submit[job]) / (math.log2(known.size[job]) * request)
