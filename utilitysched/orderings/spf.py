"""Shortest processing time first."""

from utilitysched.forecast import Forecast
from utilitysched.orderings.registry import ordering
from utilitysched.state import Floats, Integers, Known


@ordering("spf", summary="shortest request first: p~")
def score(
    now: float,
    queue: Integers,
    known: Known,
    forecast: Forecast,
    parameters: Floats,
    out: Floats,
) -> None:
    """Shortest request first: p~ (LEGRAND 3)."""
    for i, job in enumerate(queue):
        out[i] = known.request[job]
