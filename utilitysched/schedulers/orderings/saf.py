"""Smallest area first."""

from utilitysched.model.forecast import Forecast
from utilitysched.model.scheduling_pass import SchedulingPass
from utilitysched.model.state import Floats, Integers, JobTable
from utilitysched.schedulers.orderings import ordering


@ordering("saf", summary="smallest area first: p~ q")
def score(
    moment: SchedulingPass,
    queue: Integers,
    known: JobTable,
    forecast: Forecast,
    parameters: Floats,
    out: Floats,
) -> None:
    """Smallest area first: p~ q (CARASTAN 4.1)."""
    for i, job in enumerate(queue):
        out[i] = known.request[job] * known.size[job]
