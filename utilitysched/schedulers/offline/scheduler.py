"""The family `offline`: the best schedule found by one who knows the future."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from swfx import Workload
from swfx.base.configured import ANY, Configured, whole
from utilitysched.model.arrivals import Arrivals
from utilitysched.model.scheduler import KnownSchedule, RecordedTimes, Scheduler, Setting
from utilitysched.model.state import Floats
from utilitysched.schedulers.registry import make_scheduler, scheduler

FAMILY = "offline"

EVOLUTION = "ga"
"""Whose schedule the search begins from, too."""


@dataclass(frozen=True)
class OfflineOptions(Configured):
    """Options of the offline scheduler: the effort of its search.

    Attributes
    ----------
    moves : int
        A job.
    """

    name = FAMILY

    moves: int = whole(16, ANY)


@scheduler(
    FAMILY,
    options=OfflineOptions,
    summary="the best schedule found by one who knows all jobs and run times in advance",
    kind="hindsight",
)
class OfflineSchedule(KnownSchedule):
    """The best schedule found of all jobs at once, run times known: no scheduler can make it.

    That of the genetic scheduler, if users requested what their jobs run, is among those that the
    search begins from, where `begin_from` has told of it.

    Parameters
    ----------
    chosen : OfflineOptions
        Effort of the search.
    label : str
        Canonical text.
    """

    stochastic = True
    told, instead = "a schedule made with hindsight", "choose another one"

    def __init__(self, chosen: OfflineOptions, label: str = FAMILY) -> None:
        self.label = label
        self.moves = chosen.moves
        self._setting = Setting(0, 0.0, 0)
        self._begun: Floats | None = None

    @property
    def options(self) -> dict[str, object]:
        """Every option in force, for provenance."""
        return {"moves": self.moves}

    def prepare(self, setting: Setting) -> None:
        """Take the machine's size and the seed."""
        self._setting = setting
        self._begun = None

    def played_first(self, workload: Workload) -> tuple[Workload, Scheduler]:
        """Return the jobs with exact requests, and the genetic scheduler."""
        exact = workload.replace(requested_time=workload.effective_run)
        return exact, make_scheduler(EVOLUTION)

    def begin_from(self, start: Floats) -> None:
        """Set the starts (s) of the schedule that the second search begins from."""
        self._begun = start

    def recorded(
        self, workload: Workload, watch: Callable[[float], None] | None = None
    ) -> RecordedTimes:
        """Return when each job starts and ends in the schedule found."""
        # compiled code is loaded when a search begins, not when its options are read
        from utilitysched.schedulers.offline.clearing import unwatched  # noqa: PLC0415
        from utilitysched.schedulers.offline.search import best_found  # noqa: PLC0415

        arrivals = Arrivals.of(workload, self._setting.machine_size)
        start = np.empty(len(workload))
        if len(workload):
            begun = None if self._begun is None else self._begun[arrivals.order]
            start[arrivals.order] = best_found(
                arrivals, self.moves, self._setting.seed, begun, watch or unwatched
            )
        return RecordedTimes(start, start + workload.effective_run)
