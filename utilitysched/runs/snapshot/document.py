"""Snapshots as JSON."""

import json
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TextIO

from pricing.basis import COLUMN, Basis
from swfx import InputError
from swfx.base.atomic import atomic_write
from swfx.base.errors import failed
from swfx.base.zones import read_zone, zone_text
from swfx.clock import Clock
from utilitysched.runs.snapshot.rows import (
    Members,
    members_of,
    numeral_of,
    plain_number,
    read_failures,
    read_finished,
    read_outage,
    read_queued,
    read_running,
    row_of,
    rows_of,
    text_of,
)
from utilitysched.runs.snapshot.snapshot import Snapshot

_BLANK = " \t\n\r"

FORMAT = 1
"""Version of the layout."""


def line_of(text: str, path: Sequence[str | int]) -> int:
    r"""Return the line of the value that `path` leads to, from 1.

    Parameters
    ----------
    text : str
        A JSON document.
    path : sequence of str or int
        Keys and positions, from the outermost; where one is missing the line is that of the
        innermost value that is there.

    Examples
    --------
    >>> line_of('{"a": [1,\n 2]}', ("a", 1))
    2
    """
    at = _skip(text, 0)
    for step in path:
        inner = next((place for key, place in _members(text, at) if key == step), None)
        if inner is None:
            break
        at = inner
    return text.count("\n", 0, at) + 1


def _members(text: str, at: int) -> Iterator[tuple[str | int, int]]:
    """Yield the key and the place of each member of the object or list at `at`."""
    decoder = json.JSONDecoder()
    kind, at = text[at], _skip(text, at + 1)
    position = 0
    while kind in "{[" and text[at] not in "}]":
        key: str | int = position
        if kind == "{":
            key, at = decoder.raw_decode(text, at)
            at = _skip(text, _skip(text, at) + 1)
        yield key, at
        _, at = decoder.raw_decode(text, at)
        at = _skip(text, at)
        at = _skip(text, at + 1) if text[at] == "," else at
        position += 1


def _skip(text: str, at: int) -> int:
    while at < len(text) and text[at] in _BLANK:
        at += 1
    return at


def to_document(snapshot: Snapshot) -> Members:
    """Return a snapshot in terms of dict, list and numbers."""
    return {
        "format": FORMAT,
        "now": plain_number(snapshot.now),
        "machine_size": snapshot.machine_size,
        **_origin(snapshot),
        **_failing(snapshot),
        "running": [row_of(job) for job in snapshot.running],
        "queued": [row_of(job) for job in snapshot.queued],
        "finished": [row_of(job) for job in snapshot.finished],
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
    whole = members_of(document, "", ("format", "now", "machine_size", "queued"), _OPTIONAL)
    clock = _clock(whole)
    if whole["format"] != FORMAT:
        raise InputError(f"{whole['format']!r} is not {FORMAT}", field="format")
    return Snapshot(
        numeral_of(whole, "", "now"),
        int(numeral_of(whole, "", "machine_size")),
        tuple(read_running(row, where) for row, where in rows_of(whole, "running")),
        tuple(read_queued(row, where) for row, where in rows_of(whole, "queued")),
        tuple(read_finished(row, where) for row, where in rows_of(whole, "finished")),
        text_of(whole, "scheduler"),
        clock,
        text_of(whole, "preemption"),
        _basis(whole),
        tuple(read_outage(row, where) for row, where in rows_of(whole, "down")),
        read_failures(whole["failures"], "failures") if "failures" in whole else None,
    )


_OPTIONAL = (
    "scheduler",
    "preemption",
    "failures",
    "down",
    COLUMN,
    "unix_start_time",
    "timezone",
    "running",
    "finished",
)


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
        raise failed(
            "cannot be read",
            error,
            path,
            "make one with: utilitysched decision snapshot DIR --at TIME -o FILE",
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


def _origin(snapshot: Snapshot) -> Members:
    """Return who decides and which clock times are on, as far as known."""
    found: Members = {"scheduler": snapshot.scheduler} if snapshot.scheduler else {}
    if snapshot.preemption:
        found["preemption"] = snapshot.preemption
    if snapshot.clock is not None:
        found["unix_start_time"] = snapshot.clock.start
        found["timezone"] = zone_text(snapshot.clock.zone)
    if snapshot.basis is not None:
        found[COLUMN] = snapshot.basis.document()
    return found


def _failing(snapshot: Snapshot) -> Members:
    """Return what is down and what will fail, if anything."""
    found: Members = {}
    if snapshot.failures is not None:
        found["failures"] = row_of(snapshot.failures)
    if snapshot.down:
        found["down"] = [row_of(outage) for outage in snapshot.down]
    return found


def _basis(whole: Members) -> Basis | None:
    if COLUMN not in whole:
        return None
    try:
        return Basis.read(whole[COLUMN])
    except (KeyError, TypeError, ValueError):
        raise InputError("is none that we write", field=COLUMN, remedy="leave it out") from None


def _clock(whole: Members) -> Clock | None:
    zone = text_of(whole, "timezone")
    if "unix_start_time" not in whole:
        if zone:
            raise InputError("is missing, with a timezone given", field="unix_start_time")
        return None
    start = int(numeral_of(whole, "", "unix_start_time"))
    return Clock(start, read_zone(zone or "UTC", "timezone"))


def _parsed(text: str, source: str) -> object:
    try:
        return json.loads(text, object_pairs_hook=_once, parse_constant=_refuse)
    except json.JSONDecodeError as error:
        raise InputError(f"is no JSON: {error.msg}", source=source, line=error.lineno) from None
    except InputError as error:
        raise InputError(error.message, source=source, field=error.field) from None
    except RecursionError:
        raise InputError("is no snapshot: lists in lists without end", source=source) from None
    except ValueError:
        raise InputError("holds a number of thousands of digits", source=source) from None


def _once(pairs: Sequence[tuple[str, object]]) -> Members:
    found: Members = {}
    for key, value in pairs:
        if key in found:
            raise InputError("is given twice in one place", field=key)
        found[key] = value
    return found


def _refuse(constant: str) -> float:
    raise InputError(f"{constant} is no number of JSON")


def _path(field: str) -> list[str | int]:
    """Return the steps of a field's name: ``queued[2].submit`` is queued, 2, submit."""
    steps = re.findall(r"[^.\[\]]+", field)
    return [int(step) if step.isdigit() else step for step in steps]
