"""Where cells and replays are run, as options say."""

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from swfx import InputError
from utilitysched.cli.say import COMPILING, Say

if TYPE_CHECKING:
    from pricing import PriceMechanism
    from utilitysched.counterfactual.replays.blocks import Blocks
    from utilitysched.workers.executor import Executor


class Where(NamedTuple):
    """The options ``--processes``, ``--dask``, ``--jobqueue`` and ``--jobqueue-option``."""

    processes: int | None = None
    dask: str | None = None
    jobqueue: str | None = None
    jobqueue_options: Sequence[str] = ()

    def executor(self, say: Say) -> "Executor":
        """Return where tasks run: processes of this machine unless a cluster is named.

        Raises
        ------
        InputError
            Options that exclude each other, or what is named cannot be had.
        """
        from utilitysched.workers.local import local_executor, processors

        local = local_executor(self.processes or processors(), partial(say, COMPILING))
        return self._cluster(say) or local

    def blocks_for(self, mechanism: "PriceMechanism", say: Say) -> "Blocks | None":
        """Return where the log is replayed for a mechanism; None if it asks for no replays.

        Raises
        ------
        InputError
            As `executor`, or there is an option although nothing is replayed.
        """
        if mechanism.replays is None:
            self._refuse_for(mechanism)
            return None
        from utilitysched.counterfactual.replays.blocks import place

        return place(self.executor(say))

    def _given(self) -> list[str]:
        options = {
            "--processes": self.processes,
            "--dask": self.dask,
            "--jobqueue": self.jobqueue,
            "--jobqueue-option": self.jobqueue_options or None,
        }
        return [name for name, value in options.items() if value is not None]

    def _refuse_for(self, mechanism: "PriceMechanism") -> None:
        if self._given():
            raise InputError(
                f"{mechanism.label} replays nothing",
                field=self._given()[0],
                remedy="leave it out, or charge by vcg:method=replay",
            )

    def _cluster(self, say: Say) -> "Executor | None":
        places = [name for name in self._given() if name != "--jobqueue-option"]
        if len(places) > 1:
            raise InputError(f"{places[0]} and {places[1]} exclude each other")
        if self.jobqueue_options and self.jobqueue is None:
            raise InputError("--jobqueue-option needs --jobqueue")
        if self.dask is not None:
            from utilitysched.workers.cluster import dask_executor

            return dask_executor(self.dask, say)
        if self.jobqueue is not None:
            from utilitysched.workers.jobqueue import jobqueue_executor

            return jobqueue_executor(self.jobqueue, self.jobqueue_options, say)
        return None
