"""The family `offline`: the best schedule found by one who knows the future."""

from collections.abc import Callable
from typing import Never

import numpy as np

from swfx import InputError, Workload
from swfx.base.options import as_int
from utilitysched.model.arrivals import Arrivals
from utilitysched.model.scheduler import RecordedTimes, Scheduler, Setting
from utilitysched.model.state import QueueState
from utilitysched.schedulers.registry import scheduler

FAMILY = "offline"
MOVES = 16
"""Moves a job, unless said otherwise."""


class OfflineSchedule(Scheduler):
    """The best schedule found of all jobs at once, run times known: no scheduler can make it.

    Parameters
    ----------
    label : str
        Canonical text.
    moves : int
        Moves a job that its search makes.
    """

    stochastic = True

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
        from utilitysched.schedulers.offline.search import OfflineSearch  # noqa: PLC0415

        arrivals = Arrivals.of(workload, self._setting.machine_size)
        start = np.empty(len(workload))
        if len(workload):
            search = OfflineSearch(arrivals, self.moves, self._setting.seed)
            start[arrivals.order] = search.found(watch or _unwatched)
        return RecordedTimes(start, start + workload.effective_run)

    def decide(self, state: QueueState) -> Never:  # noqa: ARG002 - nothing is decided
        """Refuse: nothing is decided on the way.

        Raises
        ------
        InputError
            Always.
        """
        raise InputError(
            "a schedule made with hindsight does not say what would have been otherwise",
            field="scheduler",
            remedy="charge by first-price, single-price or multi-queue, or choose another one",
        )


def _unwatched(_: float) -> None:
    return


@scheduler(
    FAMILY,
    defaults={"moves": str(MOVES)},
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
    moves = MOVES
    for name, text in options.items():
        if name != "moves":
            raise InputError("is not a known key", source=FAMILY, field=name, remedy="known: moves")
        moves = as_int(text, FAMILY, name)
    if moves < 0:
        raise InputError(
            f"{moves} is below 0", source=FAMILY, field="moves", remedy="give 0 or more"
        )
    return OfflineSchedule(label, moves)
