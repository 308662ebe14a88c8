"""Longest processing time first."""

from utilitysched.forecast import Forecast
from utilitysched.orderings.registry import ordering
from utilitysched.state import Floats, Integers, Known


@ordering("lpf", summary="longest request first: -p~")
def score(
    now: float,
    queue: Integers,
    known: Known,
    forecast: Forecast,
    parameters: Floats,
    out: Floats,
) -> None:
    """Longest request first: -p~ (LEGRAND 3)."""
    for i, job in enumerate(queue):
        out[i] = -known.request[job]
