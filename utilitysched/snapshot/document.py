"""Snapshots as JSON."""

import json
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, TextIO

from swfx import InputError, UtilityFunction
from swfx.atomic import atomic_write
from swfx.clock import Clock
from swfx.options import nearest
from swfx.zones import read_zone, zone_text
from utilitysched.snapshot.jobs import FinishedJob, QueuedJob, RunningJob
from utilitysched.snapshot.lines import line_of
from utilitysched.snapshot.snapshot import Snapshot

FORMAT = 1
"""Version of the layout."""

WHOLE = ("id", "processors", "user", "priority", "queue", "machine_size", "unix_start_time")
"""Fields that hold whole numbers; other numbers may have fractions."""

Members = dict[str, Any]


def to_document(snapshot: Snapshot) -> Members:
    """Return a snapshot in terms of dict, list and numbers."""
    return {
        "format": FORMAT,
        "now": _number(snapshot.now),
        "machine_size": snapshot.machine_size,
        **_origin(snapshot),
        "running": [_row(job) for job in snapshot.running],
        "queued": [_row(job) for job in snapshot.queued],
        "finished": [_row(job) for job in snapshot.finished],
    }


def to_text(snapshot: Snapshot) -> str:
    """Return a snapshot as JSON, one job a line."""
    document = to_document(snapshot)
    pieces = []
    for key, value in document.items():
        if isinstance(value, list) and value:
            rows = ",\n".join(f"    {json.dumps(row)}" for row in value)
            pieces.append(f"  {json.dumps(key)}: [\n{rows}\n  ]")
        else:
            pieces.append(f"  {json.dumps(key)}: {json.dumps(value)}")
    return "{\n" + ",\n".join(pieces) + "\n}\n"


def from_text(text: str, source: str) -> Snapshot:
    """Read a snapshot from JSON.

    Parameters
    ----------
    text : str
        The document.
    source : str
        What to call it in messages.

    Raises
    ------
    InputError
        It is no JSON, or no snapshot; source, line and field say where.
    """
    document = _parsed(text, source)
    try:
        return from_document(document)
    except InputError as error:
        path = _path(error.field or "")
        raise InputError(
            error.message,
            source=source,
            line=line_of(text, path),
            field=error.field,
            remedy=error.remedy,
        ) from None


def from_document(document: object) -> Snapshot:
    """Make a snapshot of what `to_document` returns.

    Raises
    ------
    InputError
        A field is missing, unknown, of another kind, or cannot be.
    """
    whole = _members(document, "", ("format", "now", "machine_size", "queued"), _OPTIONAL)
    clock = _clock(whole)
    if whole["format"] != FORMAT:
        raise InputError(f"{whole['format']!r} is not {FORMAT}", field="format")
    return Snapshot(
        _numeral(whole, "", "now"),
        int(_numeral(whole, "", "machine_size")),
        tuple(_running(row, where) for row, where in _rows(whole, "running")),
        tuple(_queued(row, where) for row, where in _rows(whole, "queued")),
        tuple(_finished(row, where) for row, where in _rows(whole, "finished")),
        _text(whole, "scheduler"),
        clock,
    )


_OPTIONAL = ("scheduler", "unix_start_time", "timezone", "running", "finished")


def read_snapshot(path: Path | TextIO) -> Snapshot:
    """Read a snapshot from a file or a stream.

    Raises
    ------
    InputError
        It cannot be read, or is no snapshot.
    """
    if not isinstance(path, Path):
        return from_text(path.read(), "-")
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise InputError(
            f"cannot be read: {(error.strerror or str(error)).lower()}",
            source=str(path),
            remedy="make one with: utilitysched snapshot DIR --at T -o FILE",
        ) from error
    except UnicodeDecodeError:
        raise InputError("is no text in UTF-8", source=str(path)) from None
    return from_text(text, str(path))


def write_snapshot(snapshot: Snapshot, path: Path) -> None:
    """Write a snapshot as JSON, whole or not at all.

    Raises
    ------
    InputError
        The file cannot be written.
    """
    with atomic_write(path) as stream:
        stream.write(to_text(snapshot).encode())


def _row(job: RunningJob | QueuedJob | FinishedJob) -> Members:
    row = job._asdict()
    if isinstance(job, QueuedJob):
        curve = job.utility
        points = [] if curve is None else zip(curve.times, curve.values, strict=True)
        row["utility"] = [[_number(time), _number(value)] for time, value in points]
    return {
        key: _number(value) if isinstance(value, float) else value
        for key, value in row.items()
        if value is not None
    }


def _origin(snapshot: Snapshot) -> Members:
    """Return who decides and which clock times are on, as far as known."""
    found: Members = {"scheduler": snapshot.scheduler} if snapshot.scheduler else {}
    if snapshot.clock is not None:
        found["unix_start_time"] = snapshot.clock.start
        found["timezone"] = zone_text(snapshot.clock.zone)
    return found


def _clock(whole: Members) -> Clock | None:
    zone = _text(whole, "timezone")
    if "unix_start_time" not in whole:
        if zone:
            raise InputError("is missing, with a timezone given", field="unix_start_time")
        return None
    start = int(_numeral(whole, "", "unix_start_time"))
    return Clock(start, read_zone(zone or "UTC", "timezone"))


def _text(whole: Members, key: str) -> str:
    value = whole.get(key, "")
    if not isinstance(value, str):
        raise InputError(f"{_shown(value)} is not a text", field=key)
    return value


def _number(value: float) -> int | float:
    """Return a whole number without a point."""
    plain = float(value)
    return int(plain) if plain.is_integer() and abs(plain) < 2**53 else plain


def _parsed(text: str, source: str) -> object:
    try:
        return json.loads(text, object_pairs_hook=_once, parse_constant=_refuse)
    except json.JSONDecodeError as error:
        raise InputError(f"is no JSON: {error.msg}", source=source, line=error.lineno) from None
    except InputError as error:
        raise InputError(error.message, source=source, field=error.field) from None
    except RecursionError:
        raise InputError("is no snapshot: lists in lists without end", source=source) from None


def _once(pairs: Sequence[tuple[str, object]]) -> Members:
    found: Members = {}
    for key, value in pairs:
        if key in found:
            raise InputError("is given twice in one place", field=key)
        found[key] = value
    return found


def _refuse(constant: str) -> float:
    raise InputError(f"{constant} is no number of JSON")


def _rows(whole: Members, kind: str) -> Iterator[tuple[object, str]]:
    rows = whole.get(kind, [])
    if not isinstance(rows, list):
        raise InputError(f"{_shown(rows)} is not a list", field=kind)
    for place, row in enumerate(rows):
        yield row, f"{kind}[{place}]"


def _running(row: object, where: str) -> RunningJob:
    members = _members(row, where, *_needed_and_optional(RunningJob))
    return RunningJob(**{key: _value(members, where, key) for key in members})


def _finished(row: object, where: str) -> FinishedJob:
    members = _members(row, where, FinishedJob._fields)
    return FinishedJob(**{key: _value(members, where, key) for key in members})


def _queued(row: object, where: str) -> QueuedJob:
    members = _members(row, where, *_needed_and_optional(QueuedJob))
    curve = curve_of(members.pop("utility", None), f"{where}.utility")
    values = {key: _value(members, where, key) for key in members}
    return QueuedJob(**values, utility=curve)


def _needed_and_optional(row: type[RunningJob] | type[QueuedJob]) -> tuple[list[str], list[str]]:
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
        raise InputError(f"{_shown(points)} is not a list of [time, value]", field=where)
    for place, point in enumerate(points):
        if not isinstance(point, list) or len(point) != 2 or not all(map(_is_number, point)):
            raise InputError(
                f"{_shown(point)} is not [time, value]",
                field=f"{where}[{place}]",
                remedy="give seconds since submission and SU",
            )
    try:
        return UtilityFunction(*zip(*points, strict=True))
    except InputError as error:
        raise InputError(error.message, field=where, remedy=error.remedy) from None


def _members(
    row: object, where: str, needed: Sequence[str], optional: Sequence[str] = ()
) -> Members:
    if not isinstance(row, dict):
        raise InputError(f"{_shown(row)} is not an object", field=where or None)
    known = [*needed, *optional]
    for key in row:
        if key not in known:
            raise InputError("is not known", field=_joined(where, key), remedy=nearest(key, known))
    for key in needed:
        if key not in row:
            raise InputError("is missing", field=_joined(where, key))
    return dict(row)


def _value(members: Members, where: str, key: str) -> Any:
    number = _numeral(members, where, key)
    return int(number) if key in WHOLE else number


def _numeral(members: Members, where: str, key: str) -> float:
    value = members[key]
    field = _joined(where, key)
    if not _is_number(value):
        raise InputError(f"{_shown(value)} is not a number", field=field)
    if key in WHOLE:
        if value != int(value) or abs(value) >= 2**63:
            raise InputError(f"{_shown(value)} is not a whole number of 64 bits", field=field)
        return int(value)
    return float(value)


def _is_number(value: object) -> bool:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    return abs(value) < 1e300


def _shown(value: object) -> str:
    text = json.dumps(value)
    return text if len(text) <= 40 else f"{text[:40]}..."


def _joined(where: str, key: str) -> str:
    return f"{where}.{key}" if where else key


def _path(field: str) -> list[str | int]:
    """Return the steps of a field's name: ``queued[2].submit`` is queued, 2, submit."""
    steps = re.findall(r"[^.\[\]]+", field)
    return [int(step) if step.isdigit() else step for step in steps]
