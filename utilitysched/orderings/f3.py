"""F3: learned nonlinear policy."""

import math

from utilitysched.forecast import Forecast
from utilitysched.orderings.registry import ordering
from utilitysched.state import Floats, Integers, Known


@ordering("f3", summary="p~ q + 6860000 log10(r)")
def score(
    now: float,
    queue: Integers,
    known: Known,
    forecast: Forecast,
    parameters: Floats,
    out: Floats,
) -> None:
    """Score p~ q + 6860000 log10(r) (CARASTAN 3.3)."""
    for i, job in enumerate(queue):
        arrival = max(known.arrival[job], 1.0)
        out[i] = known.request[job] * known.size[job] + 6.86e6 * math.log10(arrival)
