"""Largest processor count first."""

from utilitysched.model.forecast import Forecast
from utilitysched.model.scheduling_pass import SchedulingPass
from utilitysched.model.state import Floats, Integers, JobTable
from utilitysched.schedulers.orderings import ordering


@ordering("lqf", summary="most processors first: -q")
def score(
    moment: SchedulingPass,
    queue: Integers,
    known: JobTable,
    forecast: Forecast,
    parameters: Floats,
    out: Floats,
) -> None:
    """Most processors first: -q (LEGRAND 3)."""
    for i, job in enumerate(queue):
        out[i] = -known.size[job]
