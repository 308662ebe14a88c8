"""Smallest expansion factor first."""

from utilitysched.model.forecast import Forecast
from utilitysched.model.scheduling_pass import SchedulingPass
from utilitysched.model.state import Floats, Integers, JobTable
from utilitysched.schedulers.orderings import ordering


@ordering("sexp", dynamic=True, summary="smallest expansion factor first: (w + p~) / p~")
def score(
    moment: SchedulingPass,
    queue: Integers,
    known: JobTable,
    forecast: Forecast,
    parameters: Floats,
    out: Floats,
) -> None:
    """Smallest expansion factor first: (w + p~) / p~ (LEGRAND 3)."""
    for i, job in enumerate(queue):
        wait = moment.now - known.submit[job]
        request = max(known.request[job], 1.0)
        out[i] = (wait + request) / request
