"""First come, first served: the teaching example of an ordering."""

from utilitysched.model.forecast import Forecast
from utilitysched.model.scheduling_pass import SchedulingPass
from utilitysched.model.state import Floats, Integers, JobTable
from utilitysched.schedulers.orderings import ordering


@ordering("fcfs", summary="first come first served: r")
def score(
    moment: SchedulingPass,
    queue: Integers,
    known: JobTable,
    forecast: Forecast,
    parameters: Floats,
    out: Floats,
) -> None:
    """First come first served: r (LEE 3.1)."""
    for i, job in enumerate(queue):
        out[i] = known.submit[job]
