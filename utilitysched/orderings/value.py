"""Dearest job first."""

from utilitysched.forecast import Forecast
from utilitysched.kernels.curves import mean_value
from utilitysched.orderings.registry import ordering
from utilitysched.state import Floats, Integers, Known


@ordering("value", value_aware=True, summary="highest utility if started now: u(w + d)")
def score(
    now: float,
    queue: Integers,
    known: Known,
    forecast: Forecast,
    parameters: Floats,
    out: Floats,
) -> None:
    """Score by the utility the job would earn if it started now, highest first."""
    for i, job in enumerate(queue):
        out[i] = -mean_value(known, forecast, job, now - known.submit[job])
