"""Lines for people on standard error."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial

from utilitysched.report.visible import visible

Say = Callable[[str], None]

COMPILING = "compiling: this start takes up to a minute longer, later ones do not"


def speaker(*, quiet: bool) -> Say:
    """Return a function that says a line on standard error, or nothing if `quiet`."""
    return _nothing if quiet else _line


@contextmanager
def told_of_compilation(say: Say) -> Iterator[None]:
    """Say so, once, if anything has to be compiled in the block."""
    from utilitysched.kernels.compiling import telling_of_compilation

    with telling_of_compilation(partial(say, COMPILING)):
        yield


def _line(text: str) -> None:
    print(visible(text), file=sys.stderr, flush=True)


def _nothing(_: str) -> None:
    return
