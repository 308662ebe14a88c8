"""Clock that stands still while anything is compiled, as happens at first starts only."""

import time

from numba.core import event

_COMPILING = event.TimingListener()  # type: ignore[no-untyped-call]
event.register("numba:compile", _COMPILING)  # type: ignore[no-untyped-call]


def working_time() -> float:
    """Return the time of a clock (s), of which only differences mean anything."""
    compiled = float(_COMPILING.duration) if _COMPILING.done else 0.0
    return time.perf_counter() - compiled
