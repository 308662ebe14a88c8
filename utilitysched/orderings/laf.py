"""Largest area first."""

from utilitysched.forecast import Forecast
from utilitysched.orderings.registry import ordering
from utilitysched.state import Floats, Integers, Known


@ordering("laf", summary="largest area first: -p~ q")
def score(
    now: float,
    queue: Integers,
    known: Known,
    forecast: Forecast,
    parameters: Floats,
    out: Floats,
) -> None:
    """Largest area first: -p~ q (LEGRAND 3)."""
    for i, job in enumerate(queue):
        out[i] = -known.request[job] * known.size[job]
