"""Largest processor count first."""

from utilitysched.forecast import Forecast
from utilitysched.orderings.registry import ordering
from utilitysched.state import Floats, Integers, Known


@ordering("lqf", summary="most processors first: -q")
def score(
    now: float,
    queue: Integers,
    known: Known,
    forecast: Forecast,
    parameters: Floats,
    out: Floats,
) -> None:
    """Most processors first: -q (LEGRAND 3)."""
    for i, job in enumerate(queue):
        out[i] = -known.size[job]
