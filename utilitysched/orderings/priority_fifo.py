"""First come, first served within priority classes."""

from utilitysched.forecast import Forecast
from utilitysched.orderings.registry import ordering
from utilitysched.state import Floats, Integers, Known


@ordering("priority-fifo", summary="most urgent class first (0), then first come first served")
def score(
    now: float,
    queue: Integers,
    known: Known,
    forecast: Forecast,
    parameters: Floats,
    out: Floats,
) -> None:
    """Score by priority class; arrival order settles the rest (LEE 3.1, 4.2)."""
    for i, job in enumerate(queue):
        out[i] = known.priority[job]
