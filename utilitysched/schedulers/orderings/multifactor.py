"""Slurm's multifactor priority, with a factor of value besides."""

import math

from utilitysched.kernels.machine.priority import scores
from utilitysched.model.forecast import Forecast
from utilitysched.model.machine import FACTORS
from utilitysched.model.scheduling_pass import SchedulingPass
from utilitysched.model.state import Floats, Integers, JobTable
from utilitysched.schedulers.orderings import ordering

ANY = (0.0, math.inf)
NUMBERS = {
    **dict.fromkeys(FACTORS, ANY),
    "max_age": ANY,
    "half_life": ANY,
    "favor_small": (0.0, 1.0),
    "recalc": ANY,
}
"""Weights of the factors, then constants; with the least and the largest value."""


@ordering(
    "multifactor",
    value_aware=True,
    reads_usage=True,
    parameters=dict.fromkeys(NUMBERS, math.nan),
    ranges=NUMBERS,
    times=("max_age", "half_life", "recalc"),
    summary="weights . (age, fair share, size, partition, QOS, value), highest first (Slurm)",
)
def score(
    moment: SchedulingPass,
    queue: Integers,
    known: JobTable,
    forecast: Forecast,
    parameters: Floats,
    out: Floats,
) -> None:
    """Score minus the weighted sum of factors in [0, 1]; see the kernel."""
    scores(queue, known, forecast, parameters, out)
