"""Most value per processor-second first."""

from utilitysched.kernels.curves import mean_value
from utilitysched.model.forecast import Forecast
from utilitysched.model.scheduling_pass import SchedulingPass
from utilitysched.model.state import Floats, Integers, JobTable
from utilitysched.schedulers.orderings import ordering


@ordering(
    "value-density",
    value_aware=True,
    summary="highest utility per processor-second: u(w + d) / (q o)",
)
def score(
    moment: SchedulingPass,
    queue: Integers,
    known: JobTable,
    forecast: Forecast,
    parameters: Floats,
    out: Floats,
) -> None:
    """Score by value over area, highest first (Chun and Culler 2002, FirstPrice)."""
    for i, job in enumerate(queue):
        area = known.size[job] * max(forecast.occupancy[job], 1.0)
        out[i] = -mean_value(known, forecast, job, moment.now - known.submit[job]) / area
