"""Reader of SWF and extended SWF."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, NamedTuple, TypeAlias, get_args

import numpy as np

from swfx.cleaning import Cleaning, clean
from swfx.columns import LIMIT
from swfx.compression import decompress
from swfx.errors import InputError, placed
from swfx.report import LoadReport, rule_code
from swfx.scan import Scan, scan
from swfx.survey import Survey, survey
from swfx.workload import Workload

__all__ = ["Cleaning", "Loaded", "ReadOptions", "read", "read_bytes", "source_name"]

Source: TypeAlias = str | Path | BinaryIO


class Loaded(NamedTuple):
    """What reading gives: the jobs, and what happened to every line."""

    workload: Workload
    report: LoadReport


def read(
    source: Source,
    *,
    jobs: slice | None = None,
    machine_size: int | None = None,
    cleaning: Cleaning = "standard",
    tuples: bool = False,
) -> Loaded:
    """Read a log in the Standard Workload Format 2.2 or in extended SWF.

    Parameters
    ----------
    source : str, Path or binary stream
        File, plain or packed by gzip, xz or zstd; `-` is standard input.
    jobs : slice, optional
        Positions of job lines in the file, from 0, end excluded, before cleaning. Lines outside are
        not looked at.
    machine_size : int, optional
        Processors of the machine; takes the place of the header's `MaxProcs`.
    cleaning : {"standard", "strict", "lenient", "none"}
        `standard`: a malformed line is an error, jobs that cannot be simulated are dropped or
        repaired. `strict`: these are errors too. `lenient`: malformed lines are dropped too.
        `none`: all jobs are kept as they are.
    tuples : bool
        Read utility functions written as `(time,value)` tuples after field 18 (LEE 2.6.1). Extended
        SWF announces its own form and is not affected.

    Returns
    -------
    Loaded
        `(workload, report)`; the columns hold what the file says.

    Raises
    ------
    InputError
        If the source cannot be read or used, with file, line and field.
    """
    name = source_name(source)
    options = ReadOptions(jobs, machine_size, cleaning, tuples)
    try:
        return _load(name, decompress(read_bytes(source)), options)
    except InputError as error:
        raise placed(error, name) from error


@dataclass(frozen=True)
class ReadOptions:
    """Options of `read`, checked."""

    jobs: slice | None = None
    machine_size: int | None = None
    cleaning: Cleaning = "standard"
    tuples: bool = False

    def __post_init__(self) -> None:
        known = get_args(Cleaning)
        if self.cleaning not in known:
            raise InputError(
                f"unknown cleaning {self.cleaning!r}", remedy=f"choose from {', '.join(known)}"
            )
        if self.machine_size is not None and not 0 < self.machine_size <= LIMIT:
            raise InputError(
                f"machine size {self.machine_size} is impossible",
                field="machine_size",
                remedy="give the processors of the machine, 1 or more",
            )


def _load(name: str, text: bytes, options: ReadOptions) -> Loaded:
    everything = survey(text)
    lenient = options.cleaning == "lenient"
    scanned = scan(everything.selected(options.jobs), tuples=options.tuples, keep_going=lenient)
    if scanned.faults and not lenient:
        row = min(scanned.faults)
        raise placed(scanned.faults[row], name, int(scanned.survey.line[row]))
    workload = scanned.workload(options.machine_size)
    line = np.delete(scanned.survey.line, list(scanned.faults))
    report = _report(name, everything, scanned, _extra_fields_note(scanned, options.tuples))
    del text, everything, scanned  # the text need not be held beside both copies of the columns
    return Loaded(*clean(workload, report, line, options.cleaning))


def source_name(source: Source) -> str:
    """Name a source as messages and reports do."""
    if isinstance(source, str | Path):
        return "standard input" if str(source) == "-" else str(source)
    return str(getattr(source, "name", "stream"))


def read_bytes(source: Source) -> bytes:
    """Read all bytes of a source.

    Raises
    ------
    InputError
        If it cannot be read, or is no binary stream.
    """
    try:
        if not isinstance(source, str | Path):
            data = source.read()
        elif str(source) == "-":
            data = sys.stdin.buffer.read()
        else:
            data = Path(source).read_bytes()
    except (OSError, ValueError) as error:  # ValueError: a path that holds NUL
        reason = getattr(error, "strerror", None) or str(error)
        raise InputError(
            f"cannot be read: {reason.lower()}",
            remedy="give the path of a readable file, or - for standard input",
        ) from error
    if not isinstance(data, bytes):
        raise InputError("is a text stream", remedy="open it in binary mode")
    return data


def _report(name: str, everything: Survey, scanned: Scan, note: str) -> LoadReport:
    rows = np.array(sorted(scanned.faults), np.int64)
    codes = [rule_code(scanned.faults[row].rule) for row in rows.tolist()]
    return LoadReport(
        source=name,
        lines=everything.lines,
        comment_lines=len(everything.header.lines),
        file_job_lines=len(everything.line),
        job_lines=len(scanned.longer),
        kept=len(scanned.longer) - len(rows),
        line=scanned.survey.line[rows],
        rule=np.array(codes, np.int8),
        notes=(note,) if note else (),
    )


def _extra_fields_note(scanned: Scan, tuples: bool) -> str:
    if scanned.survey.header.extended or tuples:
        return ""
    if not scanned.longer.any():
        return ""
    return (
        f"{scanned.longer.sum()} lines have fields after the 18th,"
        f" up to field {scanned.most_fields}: ignored, as no line '; SWFX: 1.0' says what they are"
    )
