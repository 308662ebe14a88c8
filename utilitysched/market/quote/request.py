"""Requests for quotes: the job, the moment and its alternative, read from texts."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from swfx import InputError, UtilityFunction
from swfx.base.options import as_seconds
from swfx.base.zones import read_zone
from swfx.clock import Clock, instant
from swfx.label_kinds import LABEL_KINDS
from swfx.priorities import NORMAL
from swfx.reading.notes import Echo
from utilitysched.market.quote.clock import next_time, time_of_day
from utilitysched.market.quote.curve_text import read_curve
from utilitysched.market.quote.inquiry import WORTHLESS, Inquiry
from utilitysched.market.quote.job_file import JobFile, read_job
from utilitysched.runs.snapshot import Snapshot, read_snapshot, snapshot_of_run

MORNING = "08:00"

_OWN_CLASS = range(6)


class JobOptions(NamedTuple):
    """A job as it is typed; None is not given."""

    processors: int | None
    request: str | None
    user: int | None
    queue: int | None
    priority: int | None


def moment_of(path: Path, at: float | str | None, users: Sequence[int], echo: Echo) -> Snapshot:
    """Read a snapshot, or make it of a run; say so if that has nothing to show.

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
                remedy="give --at TIME: seconds on the log's clock, or a date",
            )
        return snapshot_of_run(path, at, users, echo)
    if at is not None:
        raise InputError(
            "is a file: a snapshot has one moment", source=str(path), remedy="leave --at out"
        )
    return read_snapshot(path)


def asked_for(file: Path | None, typed: JobOptions, labels: Sequence[str] = ()) -> JobFile:
    """Return the job of a file or of options, and its labels, ``KIND=NAME`` each.

    Raises
    ------
    InputError
        Both or neither are given, or the file cannot be used.
    """
    typed_too = [f"--{name}" for name, value in typed._asdict().items() if value is not None]
    typed_too += ["--label"] if labels else []
    if file is not None:
        if typed_too:
            raise InputError(f"--job and {typed_too[0]} exclude each other")
        return read_job(file)
    if typed.processors is None or typed.request is None:
        raise InputError("of what job?", remedy="give --processors and --request, or --job FILE")
    queue = -1 if typed.queue is None else typed.queue
    by_queue = queue if queue in _OWN_CLASS else NORMAL
    inquiry = Inquiry(
        typed.processors,
        as_seconds(typed.request, "--request", "time"),
        -1 if typed.user is None else typed.user,
        queue,
        by_queue if typed.priority is None else typed.priority,
    )
    return JobFile(inquiry, {}, dict(map(_label, labels)))


def _label(text: str) -> tuple[str, str]:
    kind, _, name = text.partition("=")
    if kind not in LABEL_KINDS or not name.strip():
        raise InputError(
            f"{text!r} is no label",
            field="--label",
            remedy=f"write KIND=NAME, as account=physics; kinds: {', '.join(LABEL_KINDS)}",
        )
    return kind, name.strip()


def with_curves(
    asked: JobFile, texts: Sequence[str], snapshot: Snapshot, seed: int
) -> dict[str, UtilityFunction]:
    """Return the utility functions of a file and of options; a worthless one if there is none.

    Raises
    ------
    InputError
        A text cannot be used, or two have one name.
    """
    curves = dict(asked.curves)
    for text in texts:
        if text in curves:
            raise InputError(f"{text!r} is given twice", field="curve")
        curves[text] = read_curve(text, snapshot, asked.inquiry, seed, asked.labels)
    return curves or {"worth nothing": WORTHLESS}


def placed(snapshot: Snapshot, timezone: str | None) -> Snapshot:
    """Return a snapshot whose dates are those of a zone.

    Raises
    ------
    InputError
        There is no such zone, or the snapshot knows no dates.
    """
    if timezone is None:
        return snapshot
    zone = read_zone(timezone)
    if snapshot.clock is None:
        raise InputError("a zone without dates", field="timezone", remedy="give --until T")
    return replace(snapshot, clock=Clock(snapshot.clock.start, zone))


def another_time(snapshot: Snapshot, morning: str | None, until: str | None) -> float | None:
    """Return when else the job might be submitted (s); None if nobody can tell.

    Raises
    ------
    InputError
        Both are given, or a time of the day where dates are not known.
    """
    if until is not None:
        if morning is not None:
            raise InputError("--morning and --until exclude each other")
        return instant(until, snapshot.clock, "--until")
    at = time_of_day(MORNING if morning is None else morning, "morning")
    if snapshot.clock is not None:
        return next_time(snapshot.clock, snapshot.now, at)
    if morning is not None:
        raise InputError(
            "the moment's date is not known",
            field="morning",
            remedy="give --until TIME",
        )
    return None
