"""Places where work is done: processes of this machine, a Dask cluster, or a batch system."""

from __future__ import annotations

from collections.abc import Callable, Sequence
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
    jobqueue : str, optional
        Batch system whose jobs are the workers.
    jobqueue_options : sequence of str
        ``KEY=VALUE`` of dask-jobqueue.
    """

    processes: int | None = None
    dask: str | None = None
    jobqueue: str | None = None
    jobqueue_options: Sequence[str] = ()

    @property
    def process_count(self) -> int:
        """Processes of this machine."""
        return self.processes or processors()

    @property
    def named(self) -> list[str]:
        """Options of the command line that are given."""
        options = {
            "--processes": self.processes,
            "--dask": self.dask,
            "--jobqueue": self.jobqueue,
            "--jobqueue-option": self.jobqueue_options or None,
        }
        return [name for name, value in options.items() if value is not None]

    def on_compile(self, echo: Echo) -> Callable[[], None]:
        """Return what says that other processes compile."""
        return partial(echo, COMPILING)

    def executor(self, echo: Echo) -> Executor:
        """Return where tasks run: processes of this machine unless a cluster is named.

        Raises
        ------
        InputError
            Options that exclude each other, or what is named cannot be had.
        """
        return self._cluster(echo) or local_executor(self.process_count, self.on_compile(echo))

    def _cluster(self, echo: Echo) -> Executor | None:
        """Return the workers of the cluster that is named, None without one.

        Raises
        ------
        InputError
            As `executor`.
        """
        places = [name for name in self.named if name != "--jobqueue-option"]
        if len(places) > 1:
            raise InputError(f"{places[0]} and {places[1]} exclude each other")
        if self.jobqueue_options and self.jobqueue is None:
            raise InputError("--jobqueue-option needs --jobqueue")
        if self.dask is not None:
            from utilitysched.workers.cluster import dask_executor  # noqa: PLC0415 - an extra

            return dask_executor(self.dask, echo)
        if self.jobqueue is not None:
            from utilitysched.workers.jobqueue import jobqueue_executor  # noqa: PLC0415

            return jobqueue_executor(self.jobqueue, self.jobqueue_options, echo)
        return None
