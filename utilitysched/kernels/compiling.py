"""Compiling with numba: leaf functions, notices, and time that does not count it."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

from numba import njit
from numba.core import event

Kernel = TypeVar("Kernel", bound=Callable[..., Any])

# `_nrt` is an option that numba uses for its own ufuncs; without it all works, and is slower
_OPTIONS: Any = {"cache": True, "_nrt": False}


def leaf(kernel: Kernel) -> Kernel:
    """Compile as `njit(cache=True)` does a function that makes no array and keeps none.

    It does not count references to its arguments, which its caller holds. Counted up and down in
    each call, atomically, they took a quarter of conservative's time on RICC-2010-2.
    """
    compiled: Kernel = njit(**_OPTIONS)(kernel)
    return compiled


class _Once(event.Listener):
    """Calls a function at the first event."""

    def __init__(self, tell: Callable[[], None]) -> None:
        self._tell: Callable[[], None] | None = tell

    def on_start(self, event: event.Event) -> None:  # noqa: ARG002 - numba's signature
        """Tell, the first time."""
        if self._tell:
            tell, self._tell = self._tell, None
            tell()

    def on_end(self, event: event.Event) -> None:
        """Nothing to do."""


@contextmanager
def telling_of_compilation(tell: Callable[[], None]) -> Iterator[None]:
    """Call `tell` once if anything is compiled in the block; loading from the cache is not."""
    listener = _Once(tell)
    event.register("numba:compile", listener)
    try:
        yield
    finally:
        event.unregister("numba:compile", listener)


_COMPILING = event.TimingListener()
event.register("numba:compile", _COMPILING)


def working_time() -> float:
    """Return the time of a clock (s), of which only differences mean anything."""
    compiled = float(_COMPILING.duration) if _COMPILING.done else 0.0
    return time.perf_counter() - compiled
