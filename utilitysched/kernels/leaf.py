"""Compilation of small kernels that are called for every job or every step."""

from collections.abc import Callable
from typing import Any, TypeVar

from numba import njit

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
