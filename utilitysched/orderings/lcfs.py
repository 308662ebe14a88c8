"""Last come, first served."""

from utilitysched.forecast import Forecast
from utilitysched.orderings.registry import ordering
from utilitysched.state import Floats, Integers, Known


@ordering("lcfs", summary="last come first served: -r")
def score(
    now: float,
    queue: Integers,
    known: Known,
    forecast: Forecast,
    parameters: Floats,
    out: Floats,
) -> None:
    """Last come first served: -r (LEGRAND 3)."""
    for i, job in enumerate(queue):
        out[i] = -known.submit[job]
