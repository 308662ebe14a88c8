"""Smallest area first."""

from utilitysched.forecast import Forecast
from utilitysched.orderings.registry import ordering
from utilitysched.state import Floats, Integers, Known


@ordering("saf", summary="smallest area first: p~ q")
def score(
    now: float,
    queue: Integers,
    known: Known,
    forecast: Forecast,
    parameters: Floats,
    out: Floats,
) -> None:
    """Smallest area first: p~ q (CARASTAN 4.1)."""
    for i, job in enumerate(queue):
        out[i] = known.request[job] * known.size[job]
