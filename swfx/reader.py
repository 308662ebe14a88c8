"""Reader of SWF and extended SWF."""

from __future__ import annotations

import sys
from dataclasses import dataclass, replace
from pathlib import Path
from typing import BinaryIO, Literal, NamedTuple, TypeAlias, get_args

import numpy as np
import numpy.typing as npt

from swfx.cleaning import Findings, examine
from swfx.columns import LIMIT, Ints
from swfx.compression import decompress
from swfx.errors import InputError
from swfx.fields import FIELD_NAMES, field_label
from swfx.report import RULES, LoadReport, Rule, rule_code
from swfx.scan import Scan, scan
from swfx.survey import Survey, survey
from swfx.workload import Workload

__all__ = ["Cleaning", "Loaded", "read"]

Cleaning: TypeAlias = Literal["standard", "strict", "lenient", "none"]
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
    name = _name(source)
    options = _Options(jobs, machine_size, cleaning, tuples)
    try:
        return _load(name, decompress(_bytes(source)), options)
    except InputError as error:
        raise _placed(error, name) from error


@dataclass(frozen=True)
class _Options:
    """Options of `read`, checked."""

    jobs: slice | None
    machine_size: int | None
    cleaning: Cleaning
    tuples: bool

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


def _load(name: str, text: bytes, options: _Options) -> Loaded:
    everything = survey(text)
    lenient = options.cleaning == "lenient"
    scanned = scan(everything.selected(options.jobs), tuples=options.tuples, keep_going=lenient)
    if scanned.faults and not lenient:
        row = min(scanned.faults)
        raise _placed(scanned.faults[row], name, int(scanned.survey.line[row]))
    workload = scanned.workload(options.machine_size)
    line = np.delete(scanned.survey.line, list(scanned.faults))
    found = _findings(workload, options.cleaning)
    if options.cleaning == "strict":
        _refuse_case(workload, found, line)
    extra = _extra_fields_note(scanned, options.tuples)
    report = _report(name, everything, scanned, found, line)
    del text, everything, scanned  # the text need not be held beside both copies of the columns
    if not found.keep.all():
        workload = workload[found.keep]
    report = replace(report, notes=_notes(workload, extra))
    if not len(workload):
        counts = ", ".join(f"{rule} {n}" for rule, n in report.counts("dropped").items())
        raise InputError(
            f"no job is left of {report.job_lines} lines ({counts})",
            remedy="check that the file is a workload and the machine size is right",
        )
    return Loaded(workload, report)


def _name(source: Source) -> str:
    if isinstance(source, str | Path):
        return "standard input" if str(source) == "-" else str(source)
    return str(getattr(source, "name", "stream"))


def _bytes(source: Source) -> bytes:
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


def _placed(error: InputError, name: str, line: int | None = None) -> InputError:
    return InputError(
        error.message,
        source=error.source or name,
        line=error.line if line is None else line,
        field=error.field,
        remedy=error.remedy,
    )


def _findings(workload: Workload, cleaning: Cleaning) -> Findings:
    if cleaning != "none":
        return examine(workload)
    keep = np.ones(len(workload), np.bool_)
    return Findings(np.empty(0, np.int64), np.empty(0, np.int8), keep)


def _refuse_case(workload: Workload, found: Findings, line: Ints) -> None:
    for job, code in zip(found.job.tolist(), found.rule.tolist(), strict=True):
        rule = RULES[code]
        if rule.action != "noted" and rule.field is not None:
            raise InputError(
                f"{rule.meaning.partition(':')[0]}: {_shown(workload, job, rule)}",
                line=int(line[job]),
                field=field_label(FIELD_NAMES.index(rule.field)),
                remedy="correct the line, or use standard cleaning",
            )


def _shown(workload: Workload, job: int, rule: Rule) -> str:
    if rule.name == "too-wide":
        return f"{workload.size[job]} of {workload.machine_size} processors"
    value = float(getattr(workload, str(rule.field))[job])
    return str(int(value)) if value.is_integer() else repr(value)


def _report(
    name: str,
    everything: Survey,
    scanned: Scan,
    found: Findings,
    line: Ints,
) -> LoadReport:
    rows = np.array(sorted(scanned.faults), np.int64)
    codes = np.array([rule_code(scanned.faults[row].rule) for row in rows.tolist()], np.int8)
    lines = np.concatenate([scanned.survey.line[rows], line[found.job]])
    rules: npt.NDArray[np.int8] = np.concatenate([codes, found.rule])
    order = np.argsort(lines, kind="stable")
    return LoadReport(
        source=name,
        lines=everything.lines,
        comment_lines=len(everything.header.lines),
        file_job_lines=len(everything.line),
        job_lines=len(scanned.longer),
        kept=int(found.keep.sum()),
        line=lines[order],
        rule=rules[order],
        notes=(),
    )


def _notes(workload: Workload, extra: str) -> tuple[str, ...]:
    return tuple(filter(None, (
        extra,
        _machine_note(workload),
        _order_note(workload),
        _number_note(workload),
    )))  # fmt: skip


def _extra_fields_note(scanned: Scan, tuples: bool) -> str:
    if scanned.survey.header.extended or tuples:
        return ""
    if not scanned.longer.any():
        return ""
    return (
        f"{scanned.longer.sum()} lines have fields after the 18th,"
        f" up to field {scanned.most_fields}: ignored, as no line '; SWFX: 1.0' says what they are"
    )


def _machine_note(workload: Workload) -> str:
    if workload.machine_size is None:
        return "the machine size is unknown: no job could be checked against it"
    if workload.header.max_procs is None:
        return f"the machine size {workload.machine_size} is MaxNodes: the header has no MaxProcs"
    return ""


def _order_note(workload: Workload) -> str:
    backward = int((np.diff(workload.submit) < 0).sum())
    return f"{backward} jobs were submitted before the job of the line above" if backward else ""


def _number_note(workload: Workload) -> str:
    numbers = np.sort(workload.job_id)
    repeated = int((numbers[1:] == numbers[:-1]).sum())
    return f"{repeated} jobs repeat the number of another job" if repeated else ""
