"""Who has used least of what is theirs first."""

import math

from utilitysched.kernels.machine.priority import BY, COLUMNS, COMPUTED, WORTH, worths
from utilitysched.model.forecast import Forecast
from utilitysched.model.scheduling_pass import SchedulingPass
from utilitysched.model.state import Floats, Integers, JobTable
from utilitysched.schedulers.orderings import ordering


@ordering(
    "fairshare",
    value_aware=True,
    reads_usage=True,
    parameters={"by": 0.0, "half_life": math.nan, "recalc": math.nan},
    ranges={"half_life": (0.0, math.inf), "recalc": (0.0, math.inf)},
    times=("half_life", "recalc"),
    choices={"by": WORTH},
    summary="least decayed usage for the share first, or value times fair-share factor",
)
def score(
    moment: SchedulingPass,
    queue: Integers,
    known: JobTable,
    forecast: Forecast,
    parameters: Floats,
    out: Floats,
) -> None:
    """Score by the fair-share factor F, or by u(w + d) F or u(w + d) F / (q o), highest first."""
    if parameters[BY] != 0.0:
        worths(parameters[BY], parameters[COMPUTED], queue, known, forecast, out)
    for i, job in enumerate(queue):
        worth = out[i] if parameters[BY] != 0.0 else 1.0
        out[i] = -worth * parameters[COLUMNS + job]
