"""Compiling with numba: kinds of functions, notices, and time that does not count it."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

from numba import njit
from numba.core import event
from numba.core.registry import CPUDispatcher

Kernel = TypeVar("Kernel", bound=Callable[..., Any])

# What a function can be called by besides compiled code: machine code of its own for each, which
# unpacks every array of every argument. `_nrt` and these are options that numba uses for its own
# functions; without them all works, and takes longer. `_nrt` is inherited from the first caller
# where it is not said.
_PYTHON: Any = {"cache": True, "no_cfunc_wrapper": True, "_nrt": True}
_NOBODY: Any = {**_PYTHON, "no_cpython_wrapper": True}
_LEAF: Any = {"_nrt": False}


class _Inner(CPUDispatcher):
    """A function that Python cannot call."""

    def __call__(self, *_: Any, **__: Any) -> Any:
        """Refuse: without machine code to enter by, the call would end the process."""
        raise TypeError(f"{self.py_func.__name__}() is for compiled code only")


def kernel(function: Kernel) -> Kernel:
    """Compile a function that Python calls."""
    compiled: Kernel = njit(**_PYTHON)(function)
    return compiled


def inner(function: Kernel) -> Kernel:
    """Compile a function that only compiled code calls."""
    return _closed(njit(**_NOBODY)(function))


def leaf_kernel(function: Kernel) -> Kernel:
    """Compile a function that makes no array and keeps none, and that Python calls, too.

    It does not count references to its arguments, which its caller holds. Counted up and down in
    each call, atomically, they took a quarter of conservative's time on RICC-2010-2.
    """
    compiled: Kernel = njit(**{**_PYTHON, **_LEAF})(function)
    return compiled


def leaf(function: Kernel) -> Kernel:
    """Compile a function that makes no array and keeps none, and that only compiled code calls."""
    return _closed(njit(**{**_NOBODY, **_LEAF})(function))


def inlined(function: Kernel) -> Kernel:
    """Compile as `leaf` does a function that is put in the place of each of its calls.

    For small ones that take large tuples of arrays, which cost more to hand over than to use.
    """
    return _closed(njit(forceinline=True, **{**_NOBODY, **_LEAF})(function))


def _closed(dispatcher: Any) -> Any:
    if isinstance(dispatcher, CPUDispatcher):  # the function itself under NUMBA_DISABLE_JIT
        dispatcher.__class__ = _Inner
    return dispatcher


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
