"""Shortest processing time first."""

from utilitysched.model.forecast import Forecast
from utilitysched.model.scheduling_pass import SchedulingPass
from utilitysched.model.state import Floats, Integers, JobTable
from utilitysched.schedulers.orderings import ordering


@ordering("spf", summary="shortest request first: p~")
def score(
    moment: SchedulingPass,
    queue: Integers,
    known: JobTable,
    forecast: Forecast,
    parameters: Floats,
    out: Floats,
) -> None:
    """Shortest request first: p~ (LEGRAND 3)."""
    for i, job in enumerate(queue):
        out[i] = known.request[job]
