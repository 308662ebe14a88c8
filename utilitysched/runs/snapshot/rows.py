"""Jobs of a snapshot as objects of JSON, checked."""

import json
from collections.abc import Iterator, Sequence
from typing import Any

from swfx import InputError, UtilityFunction
from swfx.base.options import nearest
from utilitysched.runs.snapshot.jobs import (
    FailureSource,
    FinishedJob,
    OutageRecord,
    PreemptionRecord,
    QueuedJob,
    RunningJob,
)

WHOLE = (
    *("id", "processors", "user", "priority", "queue", "preemptions", "failures"),
    *("machine_size", "unix_start_time", "first", "last", "seed"),
)
"""Fields that hold whole numbers; other numbers may have fractions."""

Members = dict[str, Any]


def members_of(
    row: object, where: str, needed: Sequence[str], optional: Sequence[str] = ()
) -> Members:
    """Return the members of an object, if it has those that are needed and no unknown ones."""
    if not isinstance(row, dict):
        raise InputError(f"{shown(row)} is not an object", field=where or None)
    known = [*needed, *optional]
    for key in row:
        if key not in known:
            raise InputError("is not known", field=joined(where, key), remedy=nearest(key, known))
    for key in needed:
        if key not in row:
            raise InputError("is missing", field=joined(where, key))
    return dict(row)


def value_of(members: Members, where: str, key: str) -> Any:
    """Return a member that is a number, an int if it is one of `WHOLE`."""
    number = numeral_of(members, where, key)
    return int(number) if key in WHOLE else number


def numeral_of(members: Members, where: str, key: str) -> float:
    """Return a member that is a number."""
    value = members[key]
    field = joined(where, key)
    if not is_number(value):
        raise InputError(f"{shown(value)} is not a number", field=field)
    if key in WHOLE:
        if value != int(value) or abs(value) >= 2**63:
            raise InputError(f"{shown(value)} is not a whole number of 64 bits", field=field)
        return int(value)
    return float(value)


def is_number(value: object) -> bool:
    """Whether a value of JSON is a number that can be computed with."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    return abs(value) < 1e300


def shown(value: object) -> str:
    """Return a value for a message."""
    text = json.dumps(value)
    return text if len(text) <= 40 else f"{text[:40]}..."


def joined(where: str, key: str) -> str:
    """Return the name of a field of what is at a place."""
    return f"{where}.{key}" if where else key


def text_of(whole: Members, key: str, where: str = "") -> str:
    """Return a member that is a text; empty if it is not there."""
    value = whole.get(key, "")
    if not isinstance(value, str):
        raise InputError(f"{shown(value)} is not a text", field=joined(where, key))
    return value


def rows_of(whole: Members, kind: str) -> Iterator[tuple[object, str]]:
    """Yield the rows of a list, and where each is."""
    rows = whole.get(kind, [])
    if not isinstance(rows, list):
        raise InputError(f"{shown(rows)} is not a list", field=kind)
    for place, row in enumerate(rows):
        yield row, f"{kind}[{place}]"


def row_of(job: RunningJob | QueuedJob | FinishedJob | OutageRecord | FailureSource) -> Members:
    """Return a job, an outage or what fails as an object of JSON."""
    row = job._asdict()
    if row.get("utility") is not None or isinstance(job, QueuedJob):
        curve = row["utility"]
        points = [] if curve is None else zip(curve.times, curve.values, strict=True)
        row["utility"] = [[plain_number(time), plain_number(value)] for time, value in points]
    if row.get("checkpoints") is not None:
        row["checkpoints"] = _plain(row["checkpoints"]._asdict())
    return _plain(row)


def _plain(row: Members) -> Members:
    """Return members that there are, whole numbers without a point."""
    return {
        key: plain_number(value) if isinstance(value, float) else value
        for key, value in row.items()
        if value is not None
    }


def plain_number(value: float) -> int | float:
    """Return a whole number without a point."""
    plain = float(value)
    return int(plain) if plain.is_integer() and abs(plain) < 2**53 else plain


def read_running(row: object, where: str) -> RunningJob:
    """Read a running job; `where` is named if it cannot be."""
    return RunningJob(**_of_job(row, where, RunningJob))


def read_finished(row: object, where: str) -> FinishedJob:
    """Read a job that has ended; `where` is named if it cannot be."""
    members = members_of(row, where, *_needed_and_optional(FinishedJob))
    return FinishedJob(**{key: value_of(members, where, key) for key in members})


def read_outage(row: object, where: str) -> OutageRecord:
    """Read processors that are down; `where` is named if they cannot be."""
    members = members_of(row, where, OutageRecord._fields)
    return OutageRecord(**{key: value_of(members, where, key) for key in members})


def read_failures(row: object, where: str) -> FailureSource:
    """Read what fails; `where` is named if it cannot be."""
    members = members_of(row, where, FailureSource._fields)
    domains = text_of(members, "domains", where)
    seed, since = (value_of(members, where, key) for key in ("seed", "since"))
    return FailureSource(domains, seed, since)


def read_queued(row: object, where: str) -> QueuedJob:
    """Read a queued job; `where` is named if it cannot be."""
    return QueuedJob(**_of_job(row, where, QueuedJob))


def _of_job(row: object, where: str, kind: type[RunningJob] | type[QueuedJob]) -> Members:
    members = members_of(row, where, *_needed_and_optional(kind))
    curve = curve_of(members.pop("utility", None), f"{where}.utility")
    told = members.pop("checkpoints", None)
    texts = {"held": text_of(members, "held", where)} if "held" in members else {}
    values = {key: value_of(members, where, key) for key in members if key not in texts} | texts
    if told is not None:
        values["checkpoints"] = _checkpoints(told, f"{where}.checkpoints")
    return {**values, "utility": curve}


def _checkpoints(row: object, where: str) -> PreemptionRecord:
    members = members_of(row, where, *_needed_and_optional(PreemptionRecord))
    return PreemptionRecord(**{key: value_of(members, where, key) for key in members})


def _needed_and_optional(
    row: type[RunningJob] | type[QueuedJob] | type[PreemptionRecord] | type[FinishedJob],
) -> tuple[list[str], list[str]]:
    optional = list(row._field_defaults)
    return [key for key in row._fields if key not in optional], optional


def curve_of(points: object, where: str) -> UtilityFunction | None:
    """Read a list of [time, value]; None and an empty list are no curve.

    Raises
    ------
    InputError
        It is something else; `where` is the field blamed.
    """
    if points is None or points == []:
        return None
    if not isinstance(points, list):
        raise InputError(f"{shown(points)} is not a list of [time, value]", field=where)
    for place, point in enumerate(points):
        if not isinstance(point, list) or len(point) != 2 or not all(map(is_number, point)):
            raise InputError(
                f"{shown(point)} is not [time, value]",
                field=f"{where}[{place}]",
                remedy="give seconds since submission and SU",
            )
    try:
        return UtilityFunction(*zip(*points, strict=True))
    except InputError as error:
        raise InputError(error.message, field=where, remedy=error.remedy) from None
