"""Most valuable job first."""

from utilitysched.kernels.curves import mean_value
from utilitysched.model.forecast import Forecast
from utilitysched.model.scheduling_pass import SchedulingPass
from utilitysched.model.state import Floats, Integers, JobTable
from utilitysched.schedulers.orderings import ordering


@ordering("value", value_aware=True, summary="highest utility if started now: u(w + d)")
def score(
    moment: SchedulingPass,
    queue: Integers,
    known: JobTable,
    forecast: Forecast,
    parameters: Floats,
    out: Floats,
) -> None:
    """Score by the utility the job would earn if it started now, highest first."""
    for i, job in enumerate(queue):
        out[i] = -mean_value(known, forecast, job, moment.now - known.submit[job])
