"""Rows of a snapshot: jobs that run, wait or have ended, and what has failed.

Each is a table of a document, too; a value that cannot be is refused wherever a row is made.
"""

import math
from dataclasses import dataclass
from typing import Annotated, Any, NoReturn

from swfx import UtilityFunction
from swfx.base.document import DocumentError, DocumentTable
from swfx.base.document_values import Annotation, number, whole

NORMAL = 3
"""Priority class of a job of which nothing else is known."""

UNKNOWN = -1
"""User, or queue, of a job of which nothing else is known."""

Whole = Annotated[int, whole(-(2**63))]
Number = Annotated[float, number(gt=-1e300, lt=1e300)]


def curve_of(points: Any) -> UtilityFunction | None:
    """Make a curve of a list of [time, value]; an empty list is none.

    Raises
    ------
    DocumentError
        It is something else.
    """
    if points is None or points == []:
        return None
    if not isinstance(points, list):
        raise DocumentError("is not a list of [time, value]")
    for place, point in enumerate(points):
        if not isinstance(point, list) or len(point) != 2 or not all(map(_is_number, point)):
            raise DocumentError(
                f"{point} is not [time, value]",
                "give seconds since submission and SU",
                at=(place,),
            )
    return UtilityFunction(*zip(*points, strict=True))


def refuse(problem: str, *at: str | int, remedy: str | None = None) -> NoReturn:
    """Refuse a value; `at` leads to it from the row, or from the snapshot."""
    raise DocumentError(problem, remedy, at=at)


def require_finite(value: float, *at: str | int) -> None:
    """Refuse infinity, and what is not a number."""
    if not math.isfinite(value):
        refuse(f"{value} is not a finite number", *at)


def _from_zero(row: object, *names: str) -> None:
    """Refuse members of a row that are below 0; those that are None are unknown."""
    for name in names:
        value = getattr(row, name)
        if value is not None:
            require_finite(value, name)
            if value < 0:
                refuse(f"{value:.15g} is below 0", name)


def _processors(count: int) -> None:
    if count < 1:
        refuse(f"{count} processors", "processors", remedy="give 1 or more")


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < 1e300


Curve = Annotated[
    UtilityFunction | None,
    Annotation(lambda core, _: core.no_info_plain_validator_function(curve_of)),
]
"""Utility function of a job; in a document a list of [seconds since submission, SU]."""


@dataclass(frozen=True)
class PreemptionRecord(DocumentTable):
    """Checkpoints of a job, and its preemptions so far.

    Attributes
    ----------
    overhead : float
        Restart overhead that a start after a preemption is expected to take (s).
    interval : float or None
        Work between two checkpoints (s), -1 for a job that must not be preempted; None for one
        that takes none, and starts from scratch.
    preemptions : int
        How often it was preempted.
    done : float
        Work that was kept of its earlier starts (s).
    last_start : float or None
        When a job that waits started last (s), if it did.
    paid : float
        Overhead with which the present start, or the last, was expected to begin (s).
    failures : int or None
        How often its processors failed, where that can be.
    periodic : float or None
        Work between two checkpoints that failures leave something of (s), -1 if they leave nothing;
        None where that is `interval`.
    """

    overhead: Number
    interval: Number | None = None
    preemptions: Whole = 0
    done: Number = 0.0
    last_start: Number | None = None
    paid: Number = 0.0
    failures: Whole | None = None
    periodic: Number | None = None

    def __post_init__(self) -> None:
        _from_zero(self, "overhead", "preemptions", "done", "paid", "failures")
        _from_zero(self, *(name for name in ("interval", "periodic") if getattr(self, name) != -1))

    @property
    def stops(self) -> int:
        """Number of stops, by preemptions and failures."""
        return self.preemptions + (self.failures or 0)


@dataclass(frozen=True)
class RunningJob(DocumentTable):
    """A running job; curve, submission and checkpoints are given if preemption is possible.

    Attributes
    ----------
    id : int
        Its number.
    processors : int
        That it holds.
    expected_end : float
        Start + requested time on the log's clock (s).
    user : int
        Whose it is, `UNKNOWN` if nobody knows.
    start : float or None
        When it started (s); None if nobody knows.
    submit : float or None
        When it was submitted (s).
    priority, queue : int or None
        Priority class, 0 the most urgent, and number of the queue.
    utility : UtilityFunction or None
        SU by turnaround time (s).
    checkpoints : PreemptionRecord or None
        What preempting it means.
    held : str or None
        Which processors it has, as ranges: ``0-7 9``; needed where others will fail.
    name : str or None
        Name by which its user knows it, such as ``103_1``; None for the number.
    """

    id: Whole
    processors: Whole
    expected_end: Number
    user: Whole = UNKNOWN
    start: Number | None = None
    submit: Number | None = None
    priority: Whole | None = None
    queue: Whole | None = None
    utility: Curve = None
    checkpoints: PreemptionRecord | None = None
    held: str | None = None
    name: str | None = None

    @property
    def job_name(self) -> str:
        """Name of the job, its number without one."""
        return self.name or str(self.id)

    def __post_init__(self) -> None:
        _processors(self.processors)
        require_finite(self.expected_end, "expected_end")
        if self.checkpoints is not None and self.start is None:
            refuse("start is missing, with checkpoints given")

    def request(self, now: float) -> float:
        """Return the requested time in all (s), from now on if the start is not known."""
        limit = self.expected_end - (now if self.start is None else self.start)
        return limit - self.checkpoints.paid + self.checkpoints.done if self.checkpoints else limit


@dataclass(frozen=True)
class QueuedJob(DocumentTable):
    """A job that waits.

    Attributes
    ----------
    id : int
        Its number.
    submit : float
        When it was submitted, on the log's clock (s).
    processors : int
        That it needs.
    request : float
        Requested time (s), its limit.
    utility : UtilityFunction or None
        SU by turnaround time (s); None is worth nothing.
    user : int
        Whose it is, `UNKNOWN` if nobody knows.
    priority : int
        Priority class, 0 the most urgent.
    queue : int
        Number of the queue, -1 if nobody knows; prices may depend on it.
    checkpoints : PreemptionRecord or None
        What preempting it means; `request` is what was requested in all.
    name : str or None
        Name by which its user knows it, such as ``103_1``; None for the number.
    """

    id: Whole
    submit: Number
    processors: Whole
    request: Number
    utility: Curve = None
    user: Whole = UNKNOWN
    priority: Whole = NORMAL
    queue: Whole = UNKNOWN
    checkpoints: PreemptionRecord | None = None
    name: str | None = None

    @property
    def job_name(self) -> str:
        """Name of the job, its number without one."""
        return self.name or str(self.id)

    def __post_init__(self) -> None:
        _processors(self.processors)
        require_finite(self.submit, "submit")
        _from_zero(self, "request", "priority")
        if not self.limit >= 0:
            refuse(f"{self.limit:.15g} is below 0", "checkpoints", "done")

    @property
    def limit(self) -> float:
        """Requested time of its next start (s): what is left, and the overhead of a restart."""
        checkpoints = self.checkpoints
        if checkpoints is None or checkpoints.last_start is None:
            return self.request
        return self.request - checkpoints.done + checkpoints.overhead


@dataclass(frozen=True)
class OutageRecord(DocumentTable):
    """A range of processors that are down, and the time of their repair.

    Attributes
    ----------
    first, last : int
        From which to which processor, both included, counted from 0.
    start, end : float
        Since when, and when they are usable again (s).
    """

    first: Whole
    last: Whole
    start: Number
    end: Number

    def __post_init__(self) -> None:
        require_finite(self.start, "start")
        require_finite(self.end, "end")

    @property
    def processors(self) -> int:
        """Number of processors that are down."""
        return self.last - self.first + 1

    @property
    def expected_end(self) -> float:
        """Time at which the processors are usable again (s)."""
        return self.end


@dataclass(frozen=True)
class FailureSource(DocumentTable):
    """Nodes of a snapshot that fail at random.

    Attributes
    ----------
    domains : str
        The nodes, as ``--failures`` takes them.
    seed : int
        Seed of the draws, unless the nodes have their own.
    since : float
        When everything worked (s).
    """

    domains: str
    seed: Whole
    since: Number

    def __post_init__(self) -> None:
        require_finite(self.since, "since")


@dataclass(frozen=True)
class FinishedJob(DocumentTable):
    """A job that ended before, from which run times can be forecast.

    Attributes
    ----------
    user : int
        Whose it was.
    request : float
        Requested time (s).
    run : float
        Run time (s), at most the request.
    processors : int or None
        How many it had, None if that is not known.
    worth : float or None
        What it turned out to be worth (SU), None if that is not known.
    """

    user: Whole
    request: Number
    run: Number
    processors: Whole | None = None
    worth: Number | None = None

    def __post_init__(self) -> None:
        _from_zero(self, "request", "run")
        if self.run > self.request:
            refuse(f"{self.run:.15g} is more than was requested ({self.request:.15g})", "run")
