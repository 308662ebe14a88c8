"""Requests for quotes: the job and its utility functions, the moment, another time."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import timedelta
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import numpy as np

from swfx import Header, InputError, UtilityFunction, Workload
from swfx.base.document import DocumentError, DocumentTable
from swfx.base.document_json import read_json_document
from swfx.base.document_values import Annotation, one_of, seconds
from swfx.base.errors import failed
from swfx.base.zones import read_zone, zone_text
from swfx.clock import Clock, instant, next_time, time_of_day
from swfx.families.utilities.points import SOURCE, read_points
from swfx.families.utilities.registry import Given, make_model
from swfx.header import named
from swfx.label_kinds import LABEL_KINDS
from swfx.reading.notes import Echo
from utilitysched.runs.snapshot import (
    PreemptionRecord,
    QueuedJob,
    Snapshot,
    read_snapshot,
    snapshot_of_run,
)
from utilitysched.runs.snapshot.jobs import NORMAL, UNKNOWN, Whole, curve_of

WORTHLESS = UtilityFunction([0, 1], [0, 0])
"""Utility function of a job whose worth is not stated."""

MORNING = "08:00"

_OWN_CLASS = range(6)
"""Queues whose number is their priority class."""

_BEGINS_WITH_A_TIME = re.compile(r"\s*[-+.\d]")
"""Names of models begin with a letter."""

FIRST = 1
"""Number of a label of which only the name is given."""


def _stated_curve(points: Any) -> UtilityFunction:
    curve = curve_of(points)
    if curve is None:
        raise DocumentError("has no points")
    return curve


StatedCurve = Annotated[
    UtilityFunction,
    Annotation(lambda core, _: core.no_info_plain_validator_function(_stated_curve)),
]


@dataclass(frozen=True)
class QuotedJob(DocumentTable):
    """A job that is not submitted yet, as a job file states it.

    Attributes
    ----------
    processors : int
        Processors of the job.
    request : float
        Requested time (s), its limit.
    user, queue : int
        Numbers of its user and its queue, -1 if they do not matter.
    priority : int
        Priority class, 0 the most urgent.
    curves : mapping of str to UtilityFunction
        Utility functions by name, each of which gets an offer; a worthless one if there is none.
    labels : mapping of str to str
        Names of its account, project and so on, by kind.
    """

    processors: Whole
    request: Annotated[float, seconds(gt=-1e300, lt=1e300)]
    user: Whole = UNKNOWN
    queue: Whole = UNKNOWN
    priority: Whole = NORMAL
    curves: dict[str, StatedCurve] = field(default_factory=dict)
    labels: dict[Annotated[str, one_of(LABEL_KINDS)], str] = field(default_factory=dict)

    @property
    def members(self) -> dict[str, float]:
        """Numbers of the job, as a job file has them."""
        names = ("processors", "request", "user", "queue", "priority")
        return {name: getattr(self, name) for name in names}

    def submitted(
        self,
        number: int,
        at: float,
        curve: UtilityFunction,
        checkpoints: PreemptionRecord | None = None,
    ) -> QueuedJob:
        """Return the job in a queue.

        Parameters
        ----------
        number : int
            Its number there.
        at : float
            When it was submitted (s).
        curve : UtilityFunction
            Its utility function.
        checkpoints : PreemptionRecord, optional
            Terms of stopping it, where they are others than those of any job.
        """
        return QueuedJob(
            number,
            at,
            self.processors,
            self.request,
            curve,
            self.user,
            self.priority,
            self.queue,
            checkpoints,
        )


def read_job(path: Path) -> QuotedJob:
    """Read a job file.

    Raises
    ------
    InputError
        The file cannot be read, or a field is missing, unknown or of another kind.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise failed("cannot be read", error, path) from error
    except UnicodeDecodeError:
        raise InputError("is no text in UTF-8", source=str(path)) from None
    return read_json_document(QuotedJob, text, str(path), "a job to be quoted", lambda job: job)


class JobOptions(NamedTuple):
    """A job as it is typed; None is not given."""

    processors: int | None
    request: float | None
    user: int | None
    queue: int | None
    priority: int | None
    label: tuple[str, ...] = ()


def stated_job(job: Path | None, typed: JobOptions) -> QuotedJob:
    """Return the job of a file or of options.

    Raises
    ------
    InputError
        Both or neither are given, the file cannot be used, or a label is not ``KIND=NAME``.
    """
    given = [f"`{name}`" for name, value in typed._asdict().items() if value not in (None, ())]
    if job is not None:
        if given:
            raise InputError(f"`job` and {given[0]} exclude each other")
        return read_job(job)
    if typed.processors is None or typed.request is None:
        raise InputError("no job is given", remedy="give `processors` and `request`, or `job=FILE`")
    queue = UNKNOWN if typed.queue is None else typed.queue
    by_queue = queue if queue in _OWN_CLASS else NORMAL
    return QuotedJob(
        typed.processors,
        typed.request,
        UNKNOWN if typed.user is None else typed.user,
        queue,
        by_queue if typed.priority is None else typed.priority,
        labels=dict(map(_label, typed.label)),
    )


def _label(text: str) -> tuple[str, str]:
    kind, _, name = text.partition("=")
    if kind not in LABEL_KINDS or not name.strip():
        raise InputError(
            f"{text!r} is no label",
            field="`label`",
            remedy=f"write KIND=NAME, as account=physics; kinds: {', '.join(LABEL_KINDS)}",
        )
    return kind, name.strip()


def moment_of(path: Path, at: str | None, users: Sequence[int], echo: Echo) -> Snapshot:
    """Read a snapshot, or take it of a run; note where that has nothing to show.

    Raises
    ------
    InputError
        It cannot be read, or the time is missing or too much.
    """
    if path.is_dir():
        if at is None:
            raise InputError(
                "is a directory: of what moment of the run?",
                source=str(path),
                remedy="give `at=TIME`: seconds on the log's clock, or a date",
            )
        return snapshot_of_run(path, at, users, echo)
    if at is not None:
        raise InputError(
            "is a file: a snapshot has one moment", source=str(path), remedy="leave `at` out"
        )
    return read_snapshot(path)


def placed(snapshot: Snapshot, timezone: str | None) -> Snapshot:
    """Return a snapshot with its dates in a time zone.

    Raises
    ------
    InputError
        There is no such zone, or the snapshot knows no dates.
    """
    if timezone is None:
        return snapshot
    zone = read_zone(timezone)
    if snapshot.clock is None:
        raise InputError("a zone without dates", field="`timezone`", remedy="give `until=T`")
    return replace(snapshot, clock=Clock(snapshot.clock.start, zone))


def another_time(snapshot: Snapshot, morning: str | None, until: str | None) -> float | None:
    """Return the alternative time of submission (s); None if dates are not known.

    Raises
    ------
    InputError
        Both are given, or a time of the day where dates are not known.
    """
    if until is not None:
        if morning is not None:
            raise InputError("`morning` and `until` exclude each other")
        return instant(until, snapshot.clock, "`until`")
    at = time_of_day(MORNING if morning is None else morning, "morning")
    if snapshot.clock is not None:
        return next_time(snapshot.clock, snapshot.now, at)
    if morning is not None:
        raise InputError(
            "the moment's date is not known", field="`morning`", remedy="give `until=TIME`"
        )
    return None


def with_curves(
    job: QuotedJob, texts: Sequence[str], snapshot: Snapshot, seed: int = 0
) -> QuotedJob:
    """Return a job with further utility functions, each named by its text.

    Raises
    ------
    InputError
        A text cannot be used, or two have one name.
    """
    curves = dict(job.curves)
    for text in texts:
        if text in curves:
            raise InputError(f"{text!r} is given twice", field="curve")
        curves[text] = read_curve(text, snapshot, job, seed)
    return replace(job, curves=curves)


def read_curve(text: str, snapshot: Snapshot, job: QuotedJob, seed: int = 0) -> UtilityFunction:
    """Read points, or draw a curve from a model of utility functions.

    Parameters
    ----------
    text : str
        ``TIME:SU,TIME:SU,...`` by turnaround time, in seconds or as in ``30min``, ``4h``; or what
        ``--utilities`` takes. A model draws for the job as if it ran at once and as requested.
    snapshot : Snapshot
        The moment at which the job would be submitted.
    job : QuotedJob
        The job.
    seed : int
        Seed of a model's draws.

    Raises
    ------
    InputError
        It is neither, or makes no utility function.

    Examples
    --------
    >>> moment = Snapshot(0.0, 4)
    >>> read_curve("0:8,1h:8,2h:0", moment, QuotedJob(1, 60.0)).times.tolist()
    [0.0, 3600.0, 7200.0]
    """
    if _BEGINS_WITH_A_TIME.match(text):
        return read_points(text)
    model = make_model(text)
    curve = model.draw(_alone(snapshot, job), seed, Given(np.zeros(1))).table[0]
    if curve is None:
        raise InputError("makes no utility function", source=f"{SOURCE} {text}")
    return curve


def _alone(snapshot: Snapshot, job: QuotedJob) -> Workload:
    """Return a workload of the quoted job alone, run at once for its requested time."""
    known = {"user": job.user, "queue": job.queue}
    numbers = dict.fromkeys(job.labels, FIRST) | {k: n for k, n in known.items() if n >= 0}
    lines = [named(LABEL_KINDS[kind].key, numbers[kind], name) for kind, name in job.labels.items()]
    lines += [] if snapshot.clock is None else _lines(snapshot.clock)
    columns: dict[str, Any] = {kind: [number] for kind, number in numbers.items()}
    return Workload.from_columns(
        header=Header((f" MaxProcs: {snapshot.machine_size}", *lines)),
        submit=[snapshot.now],
        run=[job.request],
        processors=[job.processors],
        requested_time=[job.request],
        **columns,
    )


def _lines(clock: Clock) -> list[str]:
    name = zone_text(clock.zone)
    if name[0] not in "+-":
        return [f" UnixStartTime: {clock.start}", f" TimeZoneString: {name}"]
    distance = clock.date(0).utcoffset() or timedelta()
    return [f" UnixStartTime: {clock.start}", f" TimeZone: {distance.total_seconds():.0f}"]
