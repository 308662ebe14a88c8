"""First come, first served: the teaching example of an ordering."""

from utilitysched.forecast import Forecast
from utilitysched.orderings.registry import ordering
from utilitysched.state import Floats, Integers, Known


@ordering("fcfs", summary="first come first served: r")
def score(
    now: float,
    queue: Integers,
    known: Known,
    forecast: Forecast,
    parameters: Floats,
    out: Floats,
) -> None:
    """First come first served: r (LEE 3.1)."""
    for i, job in enumerate(queue):
        out[i] = known.submit[job]
