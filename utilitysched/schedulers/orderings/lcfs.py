"""Last come, first served."""

from utilitysched.model.forecast import Forecast
from utilitysched.model.scheduling_pass import SchedulingPass
from utilitysched.model.state import Floats, Integers, JobTable
from utilitysched.schedulers.orderings import ordering


@ordering("lcfs", summary="last come first served: -r")
def score(
    moment: SchedulingPass,
    queue: Integers,
    known: JobTable,
    forecast: Forecast,
    parameters: Floats,
    out: Floats,
) -> None:
    """Last come first served: -r (LEGRAND 3)."""
    for i, job in enumerate(queue):
        out[i] = -known.submit[job]
