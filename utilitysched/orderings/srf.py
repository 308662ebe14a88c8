"""Smallest ratio first."""

from utilitysched.forecast import Forecast
from utilitysched.orderings.registry import ordering
from utilitysched.state import Floats, Integers, Known


@ordering("srf", summary="smallest ratio first: p~ / q")
def score(
    now: float,
    queue: Integers,
    known: Known,
    forecast: Forecast,
    parameters: Floats,
    out: Floats,
) -> None:
    """Smallest ratio first: p~ / q (LEGRAND 3)."""
    for i, job in enumerate(queue):
        out[i] = known.request[job] / known.size[job]
