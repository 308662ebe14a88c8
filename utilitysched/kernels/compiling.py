"""Noticing that numba compiles."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from numba.core import event


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
