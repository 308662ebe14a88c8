"""Time that work takes, without the compilation that only the first start needs."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from numba.core import event


@contextmanager
def stopwatch() -> Iterator[Callable[[], float]]:
    """Return a function that says how long the block has been running (s), compilation aside."""
    compiling = event.TimingListener()  # type: ignore[no-untyped-call]
    begun = time.perf_counter()

    def seconds() -> float:
        spent = compiling.duration if compiling.done else 0.0
        return max(time.perf_counter() - begun - float(spent), 0.0)

    with event.install_listener("numba:compile", compiling):
        yield seconds
