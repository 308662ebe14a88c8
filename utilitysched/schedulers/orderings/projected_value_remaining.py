"""The job with the least of its value ahead of it first."""

import numpy as np

from utilitysched.kernels.curves import mean_value, mean_value_ahead
from utilitysched.model.forecast import Forecast
from utilitysched.model.scheduling_pass import SchedulingPass
from utilitysched.model.state import Floats, Integers, JobTable
from utilitysched.schedulers.orderings import ordering


@ordering(
    "projected-value-remaining",
    value_aware=True,
    summary="least area under the curve from its projected end on, in shares of the start value",
)
def score(
    moment: SchedulingPass,
    queue: Integers,
    known: JobTable,
    forecast: Forecast,
    parameters: Floats,
    out: Floats,
) -> None:
    """Score A(w + d) / u(0), least first, who is worth nothing any more last.

    A is the area under the curve from then on (after Burkimsher and Indrusiak 2016, whose curves
    are shares of what a job is worth at most).
    """
    for i, job in enumerate(queue):
        wait = moment.now - known.submit[job]
        out[i] = np.inf
        if mean_value(known, forecast, job, wait) > 0.0:
            most = known.values[known.offsets[job]]
            out[i] = mean_value_ahead(known, forecast, job, wait) / most
