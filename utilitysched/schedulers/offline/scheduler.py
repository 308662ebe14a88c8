"""The family `offline`: the best schedule found by one who knows the future."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from swfx import Workload
from swfx.base.configured import ANY, Configured, whole
from utilitysched.model.arrivals import Arrivals
from utilitysched.model.scheduler import KnownSchedule, RecordedTimes, Scheduler, Setting
from utilitysched.schedulers.registry import scheduler

FAMILY = "offline"


@dataclass(frozen=True)
class OfflineOptions(Configured):
    """How long it is searched.

    Attributes
    ----------
    moves : int
        A job.
    """

    name = FAMILY

    moves: int = whole(16, ANY)


class OfflineSchedule(KnownSchedule):
    """The best schedule found of all jobs at once, run times known: no scheduler can make it.

    Parameters
    ----------
    label : str
        Canonical text.
    moves : int
        Moves a job that its search makes.
    """

    stochastic = True
    told, instead = "a schedule made with hindsight", "choose another one"

    def __init__(self, label: str, moves: int) -> None:
        self.label = label
        self.moves = moves
        self._setting = Setting(0, 0.0, 0)

    @property
    def options(self) -> dict[str, object]:
        """Every option in force, for provenance."""
        return {"moves": self.moves}

    def prepare(self, setting: Setting) -> None:
        """Take the machine's size and the seed."""
        self._setting = setting

    def recorded(
        self, workload: Workload, watch: Callable[[float], None] | None = None
    ) -> RecordedTimes:
        """Return when each job starts and ends in the schedule found."""
        # compiled code is loaded when a search begins, not when its options are read
        from utilitysched.schedulers.offline.clearing import unwatched  # noqa: PLC0415
        from utilitysched.schedulers.offline.search import OfflineSearch  # noqa: PLC0415

        arrivals = Arrivals.of(workload, self._setting.machine_size)
        start = np.empty(len(workload))
        if len(workload):
            search = OfflineSearch(arrivals, self.moves, self._setting.seed)
            start[arrivals.order] = search.found(watch or unwatched)
        return RecordedTimes(start, start + workload.effective_run)


@scheduler(
    FAMILY,
    defaults=OfflineOptions.defaults(),
    summary="the best schedule found by one who knows all jobs and run times in advance",
    kind="hindsight",
)
def offline(label: str, options: dict[str, str]) -> Scheduler:
    """Make the search from option texts.

    Raises
    ------
    InputError
        Unknown option, or a value that does not fit.
    """
    return OfflineSchedule(label, OfflineOptions.from_texts(options).moves)
