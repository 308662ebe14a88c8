"""Snapshots as JSON."""

from __future__ import annotations

import json
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Annotated, Any, TextIO

from pricing.basis import COLUMN, Basis
from swfx import InputError, UtilityFunction
from swfx.base.atomic import atomic_write
from swfx.base.document import DocumentTable
from swfx.base.document_json import read_json_document
from swfx.base.document_values import Annotation
from swfx.base.errors import failed
from swfx.base.zones import read_zone, zone_text
from swfx.clock import Clock
from utilitysched.runs.snapshot.jobs import (
    FailureSource,
    FinishedJob,
    Number,
    OutageRecord,
    PreemptionRecord,
    QueuedJob,
    RunningJob,
    Whole,
    refuse,
)
from utilitysched.runs.snapshot.snapshot import Snapshot

FORMAT = 1
"""Version of the layout."""


def _basis(document: Any) -> Basis | None:
    try:
        return Basis.read(document)
    except (KeyError, TypeError, ValueError):
        refuse("is none that we write", remedy="leave it out")


@dataclass(frozen=True)
class _SnapshotFile(DocumentTable):
    """Members of a file; as `Snapshot` has them, but for the clock."""

    format: Whole
    now: Number
    machine_size: Whole
    queued: tuple[QueuedJob, ...]
    scheduler: str = ""
    preemption: str = ""
    unix_start_time: Whole | None = None
    timezone: str = ""
    basis: Annotated[
        Any, Annotation(lambda core, _: core.no_info_plain_validator_function(_basis))
    ] = None
    failures: FailureSource | None = None
    down: tuple[OutageRecord, ...] = ()
    running: tuple[RunningJob, ...] = ()
    finished: tuple[FinishedJob, ...] = ()

    def snapshot(self) -> Snapshot:
        """Return the snapshot."""
        if self.format != FORMAT:
            refuse(f"{self.format} is not {FORMAT}", "format")
        if self.unix_start_time is None and self.timezone:
            refuse("unix_start_time is missing, with a timezone given")
        clock = None
        if self.unix_start_time is not None:
            clock = Clock(self.unix_start_time, read_zone(self.timezone or "UTC", "timezone"))
        return Snapshot(
            self.now,
            self.machine_size,
            self.running,
            self.queued,
            self.finished,
            self.scheduler,
            clock,
            self.preemption,
            self.basis,
            self.down,
            self.failures,
        )


def from_text(text: str, source: str) -> Snapshot:
    """Read a snapshot from JSON.

    Raises
    ------
    InputError
        It is no JSON, or no snapshot; source, line and field say where.
    """
    return read_json_document(_SnapshotFile, text, source, "a snapshot", _SnapshotFile.snapshot)


def to_text(snapshot: Snapshot) -> str:
    """Return a snapshot as JSON, one job a line."""
    pieces = []
    for key, value in _document(snapshot).items():
        if isinstance(value, list) and value:
            rows = ",\n".join(f"    {json.dumps(row)}" for row in value)
            pieces.append(f"  {json.dumps(key)}: [\n{rows}\n  ]")
        else:
            pieces.append(f"  {json.dumps(key)}: {json.dumps(value)}")
    return "{\n" + ",\n".join(pieces) + "\n}\n"


def _document(snapshot: Snapshot) -> dict[str, Any]:
    """Return the members of a file; those of which nothing is known are left out."""
    clock, basis = snapshot.clock, snapshot.basis
    members = {
        "format": FORMAT,
        "now": _plain(snapshot.now),
        "machine_size": snapshot.machine_size,
        "scheduler": snapshot.scheduler or None,
        "preemption": snapshot.preemption or None,
        "unix_start_time": None if clock is None else clock.start,
        "timezone": None if clock is None else zone_text(clock.zone),
        COLUMN: None if basis is None else basis.document(),
        "failures": _row(snapshot.failures) if snapshot.failures else None,
        "down": [_row(outage) for outage in snapshot.down] or None,
        "running": [_row(job) for job in snapshot.running],
        "queued": [_row(job) for job in snapshot.queued],
        "finished": [_row(job) for job in snapshot.finished],
    }
    return {key: value for key, value in members.items() if value is not None}


def _row(row: Any) -> dict[str, Any]:
    """Return the members of a row that are known; those that wait have a curve in any case."""
    members = {each.name: getattr(row, each.name) for each in fields(row)}
    if isinstance(row, QueuedJob) and row.utility is None:
        members["utility"] = []
    return {key: _plain(value) for key, value in members.items() if value is not None}


def _plain(value: Any) -> Any:
    """Return a value as JSON has it, whole numbers without a point."""
    if isinstance(value, UtilityFunction):
        points = zip(value.times, value.values, strict=True)
        return [[_plain(float(time)), _plain(float(worth))] for time, worth in points]
    if isinstance(value, PreemptionRecord):
        return _row(value)
    if isinstance(value, float):
        return int(value) if value.is_integer() and abs(value) < 2**53 else float(value)
    return value


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
