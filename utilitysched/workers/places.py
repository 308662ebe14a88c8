"""Places where work is done: processes of this machine, or a Dask cluster."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from swfx import InputError
from swfx.reading.notes import Echo
from utilitysched.workers.local import local_executor, processors

if TYPE_CHECKING:
    from utilitysched.workers.executor import Executor

COMPILING = "compiling: this start takes up to a minute longer, later ones do not"


class Workplace(NamedTuple):
    """Where work is to be done.

    Attributes
    ----------
    processes : int, optional
        Of this machine; one per processor if not given.
    dask : str, optional
        Address of a Dask scheduler, or ``local:N``.
    """

    processes: int | None = None
    dask: str | None = None

    @property
    def process_count(self) -> int:
        """Number of processes on this machine."""
        return self.processes or processors()

    @property
    def named(self) -> list[str]:
        """Options of the command line that are given."""
        options = {"--processes": self.processes, "--dask": self.dask}
        return [name for name, value in options.items() if value is not None]

    def on_compile(self, echo: Echo) -> Callable[[], None]:
        """Return a callable that announces compilation in worker processes."""
        return partial(echo, COMPILING)

    def executor(self, echo: Echo) -> Executor:
        """Return where tasks run: processes of this machine unless a cluster is named.

        Raises
        ------
        InputError
            Options that exclude each other, or what is named cannot be had.
        """
        if self.dask is None:
            return local_executor(self.process_count, self.on_compile(echo))
        if self.processes is not None:
            raise InputError("--processes and --dask exclude each other")
        from utilitysched.workers.cluster import dask_executor  # noqa: PLC0415 - an extra

        return dask_executor(self.dask, echo)
