"""The stretches in which jobs ran, where some were stopped and went on later."""

from dataclasses import dataclass
from enum import IntEnum
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from utilitysched.model.state import Floats, Integers

if TYPE_CHECKING:
    from utilitysched.model.schedule import Schedule

ROUNDING = 1e-9
"""Share of its work by which the pieces of a job may fall short of it."""


class Stop(IntEnum):
    """Why a segment ended; one that is requeued ran into a window that stops jobs."""

    COMPLETED = 0
    PREEMPTED = 1
    FAILED = 2
    REQUEUED = 3


@dataclass(frozen=True, eq=False)
class Segments:
    """One row for every stretch in which a job ran, by start, then job.

    In each row ``end - start == overhead + kept + lost``; of the last segment of a job all work
    counts as kept.

    Attributes
    ----------
    job : (s,) int64
        Position of the job in the workload.
    start, end : (s,) float64
        When the segment began and ended, on the log's clock (s).
    overhead : (s,) float64
        Restart overhead spent in it (s): the whole of it, unless it was stopped before.
    kept : (s,) float64
        Work that was done in it and not lost (s).
    lost : (s,) float64
        Work that was done in it and has to be done again (s).
    stop : (s,) int64
        Why it ended, a `Stop`.
    cause : (s,) int64
        Position of the job for whose sake it was preempted, the first that was started on its
        processors' account; -1 if it was not, or for nobody's.
    processors : tuple of str or None
        Which each held, as ranges, for instance ``0-7 9``; None where it does not matter.
    value_lost : (s,) float64 or None
        What its stop was taken to cost the job when it was decided on (SU); None where nobody was
        stopped at a price.

    References
    ----------
    Lee (2009), chapter 6.
    """

    job: Integers
    start: Floats
    end: Floats
    overhead: Floats
    kept: Floats
    lost: Floats
    stop: Integers
    cause: Integers
    processors: tuple[str, ...] | None = None
    value_lost: Floats | None = None

    def __post_init__(self) -> None:
        for column in self._columns():
            column.setflags(write=False)

    def __len__(self) -> int:
        return len(self.job)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Segments):
            return NotImplemented
        mine, theirs = self._columns(), other._columns()
        alike = len(mine) == len(theirs) and all(map(np.array_equal, mine, theirs))
        return alike and self.processors == other.processors

    __hash__ = None  # type: ignore[assignment]  # columns have no hash

    @property
    def elapsed(self) -> Floats:
        """How long each segment took (s)."""
        taken: Floats = self.end - self.start
        return taken

    @property
    def last(self) -> NDArray[np.bool_]:
        """Whether it is the last segment of its job, (s,)."""
        place = self._by_job()
        last = np.ones(len(self), np.bool_)
        last[place[:-1]] = np.diff(self.job[place]) != 0
        return last

    def entered(self, submitted: Floats) -> Floats:
        """Return when the job of each segment had come into the queue (s).

        Parameters
        ----------
        submitted : (n,) float64
            When each job was submitted (s).
        """
        place = self._by_job()
        again = np.diff(self.job[place]) == 0
        entered: Floats = submitted[self.job]
        entered[place[1:][again]] = self.end[place[:-1][again]]
        return entered

    def _by_job(self) -> Integers:
        """Return the segments of each job one after the other."""
        return np.argsort(self.job, kind="stable")

    def per_job(self, column: Floats, jobs: int) -> Floats:
        """Return the sum of a column over each of `jobs` jobs."""
        total = np.bincount(self.job, weights=column, minlength=jobs)
        return total.astype(np.float64)  # whole zeros where there are no segments

    def cut_short(self, work: Floats) -> NDArray[np.bool_]:
        """Return which of n jobs were killed before this much work was done (s), (n,)."""
        # what is added up in several pieces may differ in the last digits
        left: Floats = work - self.per_job(self.kept, len(work))
        return left > ROUNDING * work

    def _columns(self) -> tuple[NDArray[np.float64] | NDArray[np.int64], ...]:
        names = [name for name in self.__dataclass_fields__ if name != "processors"]
        columns = (getattr(self, name) for name in names)
        return tuple(column for column in columns if column is not None)


class Spans(NamedTuple):
    """Stretches of time during which a job held its processors without a break.

    Everything that is drawn over time is drawn from these: a job that is preempted and starts again
    has more than one.

    Attributes
    ----------
    job : (m,) int64
        Position in the workload.
    start, end : (m,) float64
        Seconds on the log's clock.
    """

    job: NDArray[np.int64]
    start: Floats
    end: Floats


def spans(schedule: "Schedule") -> Spans:
    """Return all segments where there are any, else one span for every job in workload order."""
    segments = schedule.segments
    if segments is not None:
        return Spans(segments.job, segments.start, segments.end)
    return Spans(np.arange(len(schedule)), schedule.start, schedule.end)
