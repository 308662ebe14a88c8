"""First come, first served within priority classes."""

from utilitysched.model.forecast import Forecast
from utilitysched.model.scheduling_pass import SchedulingPass
from utilitysched.model.state import Floats, Integers, JobTable
from utilitysched.schedulers.orderings import ordering


@ordering("priority-fifo", summary="most urgent class first (0), then first come first served")
def score(
    moment: SchedulingPass,
    queue: Integers,
    known: JobTable,
    forecast: Forecast,
    parameters: Floats,
    out: Floats,
) -> None:
    """Score by priority class; arrival order settles the rest (LEE 3.1, 4.2)."""
    for i, job in enumerate(queue):
        out[i] = known.priority[job]
