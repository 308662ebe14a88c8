"""Places where work is done: processes of this machine, or a Dask cluster."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Annotated

from swfx.base.document_values import whole
from swfx.base.errors import InputError
from swfx.base.typed import Typed

if TYPE_CHECKING:
    from swfx.reading.notes import Echo
    from utilitysched.workers.executor import Executor

COMPILING = "compiling: this start takes up to a minute longer, later ones do not"


@dataclass(frozen=True)
class Workplace:
    """Processes of this machine, or a Dask cluster.

    Attributes
    ----------
    processes : int or None
        Processes that simulate; results do not depend on it.
    dask : str or None
        Run on the Dask cluster at ADDRESS; local:N: N processes here.
    """

    processes: Annotated[
        int | None, whole(1), Typed("--processes N", shown="one per processor")
    ] = None
    dask: Annotated[str | None, Typed("--dask ADDRESS", group="On a cluster")] = None

    @property
    def process_count(self) -> int:
        """Number of processes on this machine."""
        from utilitysched.workers.local import processors  # noqa: PLC0415 - brings numba

        return self.processes or processors()

    @property
    def named(self) -> list[str]:
        """Names of the fields that are given."""
        fields = {"processes": self.processes, "dask": self.dask}
        return [name for name, value in fields.items() if value is not None]

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
            from utilitysched.workers.local import local_executor  # noqa: PLC0415 - brings numba

            return local_executor(self.process_count, self.on_compile(echo))
        if self.processes is not None:
            raise InputError("`processes` and `dask` exclude each other")
        from utilitysched.workers.cluster import dask_executor  # noqa: PLC0415 - an extra

        return dask_executor(self.dask, echo)
