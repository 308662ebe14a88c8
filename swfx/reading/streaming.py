"""A log in parts: more jobs than fit into memory."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import islice
from typing import NamedTuple, get_args

import numpy as np
import numpy.typing as npt

from swfx.base.columns import LIMIT, Ints
from swfx.base.errors import InputError, placed
from swfx.base.numbers import plural
from swfx.reading.cleaning import Cleaner, Cleaning, no_job_left
from swfx.reading.lines import LineError
from swfx.reading.report import LoadReport, rule_code
from swfx.reading.scan import Scan, scan
from swfx.reading.survey import Survey, has_job_line, survey
from swfx.reading.text import Source, Text, source_name
from swfx.workload import Workload

__all__ = ["CHUNK", "ReadOptions", "Stream", "selected", "stream"]

CHUNK = 2**16
"""Jobs at a time, unless said otherwise."""

_POSITIONS = "give A:B, counted from 0, B excluded"

_BYTES = 64  # of text for each of them: most lines of a log are longer


@dataclass(frozen=True)
class ReadOptions:
    """Options of `read` and `stream`, checked."""

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
        check_step(self.jobs)
        if self.machine_size is not None and not 0 < self.machine_size <= LIMIT:
            raise InputError(
                f"machine size {self.machine_size} is impossible",
                field="machine_size",
                remedy="give the processors of the machine, 1 or more",
            )


def stream(
    source: Source,
    *,
    jobs: slice | None = None,
    machine_size: int | None = None,
    cleaning: Cleaning = "standard",
    tuples: bool = False,
    chunk: int = CHUNK,
) -> Stream:
    r"""Read a log in parts, as `swfx.read` reads the whole: the same jobs, errors and report.

    Parameters
    ----------
    source, jobs, machine_size, cleaning, tuples
        As in `swfx.read`, but `jobs` must count from the beginning.
    chunk : int
        Most jobs of a part; it may have fewer, but has one.

    Returns
    -------
    Stream
        Gives a Workload at a time; nothing but the header is read before the first.

    Raises
    ------
    InputError
        If the source cannot be read, has no job line, or announces what is not known. What is wrong
        with a job line is raised when its turn comes.

    Examples
    --------
    >>> import io
    >>> line = b"1 0 -1 9 1 -1 -1 1 9 -1 1 1 1 -1 1 -1 -1 -1\n"
    >>> parts = stream(io.BytesIO(b"; MaxProcs: 8\n" + 5 * line), chunk=2)
    >>> sum(len(part) for part in parts), parts.report.kept
    (5, 5)
    """
    options = ReadOptions(jobs, machine_size, cleaning, tuples)
    if chunk < 1:
        raise InputError(f"{chunk} jobs are no part", field="chunk", remedy="give 1 or more")
    if jobs is not None and min(jobs.start or 0, jobs.stop or 0) < 0:
        raise InputError(
            f"positions {jobs.start}:{jobs.stop} count from the end of the log",
            field="jobs",
            remedy="count from 0, or read the log as a whole",
        )
    return Stream(source, options, chunk)


def check_step(jobs: slice | None) -> None:
    """Refuse a slice with a step other than 1."""
    if jobs is not None and jobs.step not in {None, 1}:
        raise InputError(
            f"job lines cannot be selected with step {jobs.step}", field="jobs", remedy=_POSITIONS
        )


def selected(jobs: slice, count: int) -> slice:
    """Positions asked for, of `count` job lines.

    Raises
    ------
    InputError
        If the slice has a step or selects nothing.

    Examples
    --------
    >>> selected(slice(5, None), 8)
    slice(5, 8, 1)
    """
    check_step(jobs)
    first, last, _ = jobs.indices(count)
    if first >= last:
        raise InputError(
            f"positions {jobs.start}:{jobs.stop} select none of {count} job lines",
            field="jobs",
            remedy=_POSITIONS,
        )
    return slice(first, last, 1)


class _Part(NamedTuple):
    """Jobs of a block, the line of each; malformed lines and the rule of each."""

    workload: Workload
    line: Ints
    malformed: Ints
    rule: npt.NDArray[np.int8]


class Stream:
    """The jobs of a log, part by part; iterate once.

    Parameters
    ----------
    source : str, Path or binary stream
        What to read.
    options : ReadOptions
        How.
    chunk : int, optional
        Most jobs of a part; by default all jobs are one.

    Attributes
    ----------
    header : Header
        The comment lines above the first job line. The parts have it, too; as in any workload, it
        announces extended SWF in those only that have something beyond the 18 fields.
    """

    def __init__(self, source: Source, options: ReadOptions, chunk: int | None = None) -> None:
        self._name = source_name(source)
        self._options = options
        self._chunk = chunk
        self._tally = _Tally()
        self._cleaner = Cleaner(options.cleaning)
        self._head = b""
        try:
            self._text = Text(source)
            self._head = self._text.head
            self._text.check()
            self._blocks = self._text.blocks(chunk and chunk * _BYTES)
            first = self._begin()
        except InputError as error:
            raise placed(self._explained(error), self._name) from error
        self.header = first.header
        self._parts = self._read([first])

    def __iter__(self) -> Iterator[Workload]:
        return self._parts

    @property
    def report(self) -> LoadReport:
        """Account of every line so far; of the whole log once all parts have been given."""
        marked = ("the file begins with a byte order mark: it is skipped",) * self._text.marked
        notes = (*marked, *self._tally.notes(), *self._cleaner.notes(self.header))
        return self._tally.report(self._name, notes)

    @property
    def fraction(self) -> float:
        """Share of a file that has been read, 0 where its size is unknown."""
        return self._text.fraction

    def _begin(self) -> Survey:
        """Survey of the first blocks, to the one with the first job line."""
        blocks = []
        for block in self._blocks:
            blocks.append(block)
            if has_job_line(block):
                break
        first = survey(b"".join(blocks))
        if not len(first.line):
            raise InputError(
                "holds no job lines", remedy="give a log in the Standard Workload Format"
            )
        size = self._options.machine_size
        if size is None:
            return first
        return replace(first, header=first.header.with_value("MaxProcs", size))

    def _read(self, surveys: list[Survey]) -> Iterator[Workload]:
        try:
            while surveys:
                part = self._scan(surveys.pop())  # from here on nobody holds the text
                if part is not None:
                    yield from self._chunks(self._clean(part))
                surveys += self._next()
            self._refuse_nothing()
        except InputError as error:
            raise placed(self._explained(error), self._name) from error

    def _explained(self, error: InputError) -> InputError:
        """Error that names the kind of a file that is not SWF."""
        from swfx.reading.recognition import explained  # noqa: PLC0415  knows all formats

        file = "-" if self._name == source_name("-") else self._name
        return explained(error, self._head, file, None)

    def _next(self) -> list[Survey]:
        """Survey of the next block, if there is one."""
        return [survey(b, self._tally.lines, self.header) for b in islice(self._blocks, 1)]

    def _scan(self, block: Survey) -> _Part | None:
        """Jobs that are asked for of a block, before cleaning."""
        rows = block.rows(self._asked(len(block.line)))
        self._tally.survey(block)
        if not len(rows.line):
            return None
        lenient = self._options.cleaning == "lenient"
        scanned = scan(rows, tuples=self._options.tuples, keep_going=lenient)
        if scanned.faults and not lenient:
            self._refuse(rows, scanned.faults)
        self._tally.scan(scanned, extra_fields=not self._options.tuples)
        faults = sorted(scanned.faults)
        return _Part(
            scanned.workload(),
            np.delete(rows.line, faults),
            rows.line[faults],
            np.array([rule_code(scanned.faults[row].rule) for row in faults], np.int8),
        )

    def _refuse(self, rows: Survey, faults: dict[int, LineError]) -> None:
        """Raise what is wrong with the first malformed line, or strictly with one above it."""
        row = min(faults)
        if self._options.cleaning == "strict" and row:
            above = scan(rows.rows(slice(row)), tuples=self._options.tuples, keep_going=False)
            self._cleaner.clean(above.workload(), above.survey.line)
        raise placed(faults[row], self._name, int(rows.line[row]))

    def _clean(self, part: _Part) -> Workload:
        workload, findings = self._cleaner.clean(part.workload, part.line)
        self._tally.listed(
            np.concatenate([part.malformed, part.line[findings.job]]),
            np.concatenate([part.rule, findings.rule]),
        )
        self._tally.kept += len(workload)
        return workload

    def _chunks(self, workload: Workload) -> Iterator[Workload]:
        size = self._chunk or max(len(workload), 1)
        for first in range(0, len(workload), size):
            yield workload if size >= len(workload) else workload[first : first + size]

    def _asked(self, count: int) -> slice:
        """Positions among the `count` job lines of the next block that are asked for."""
        jobs = self._options.jobs or slice(None)
        first, last, _ = jobs.indices(count if self._chunk is None else sys.maxsize)
        above = self._tally.file_job_lines
        return slice(max(first - above, 0), max(last - above, 0))

    def _refuse_nothing(self) -> None:
        """Refuse a log of which nothing was asked for, or nothing is left."""
        if not self._tally.job_lines:
            selected(self._options.jobs or slice(None), self._tally.file_job_lines)
        if not self._tally.kept:
            raise no_job_left(self.report)


class _Tally:
    """Counts of lines, and the lines that are listed under a rule."""

    def __init__(self) -> None:
        self.lines = self.comment_lines = self.file_job_lines = self.job_lines = self.kept = 0
        self._stray = self._first_stray = self._longer = self._most_fields = 0
        self._line: list[Ints] = []
        self._rule: list[npt.NDArray[np.int8]] = []

    def survey(self, block: Survey) -> None:
        """Count the lines of a part."""
        self.lines += block.lines
        self.comment_lines += block.comment_lines
        self.file_job_lines += len(block.line)
        self._first_stray = self._first_stray or block.first_stray
        self._stray += block.stray

    def scan(self, scanned: Scan, *, extra_fields: bool) -> None:
        """Count the job lines that are asked for of a part, and its fields after the 18th."""
        self.job_lines += len(scanned.longer)
        if extra_fields and scanned.longer.any():
            self._longer += int(scanned.longer.sum())
            self._most_fields = max(self._most_fields, scanned.most_fields)

    def listed(self, line: Ints, rule: npt.NDArray[np.int8]) -> None:
        """List lines of a part under rules."""
        order = np.argsort(line, kind="stable")
        self._line.append(line[order])
        self._rule.append(rule[order])

    def notes(self) -> tuple[str, ...]:
        """Say what concerns the whole log."""
        return tuple(filter(None, (self._stray_note(), self._longer_note())))

    def report(self, source: str, notes: tuple[str, ...]) -> LoadReport:
        """Report of all parts so far."""
        self._line = [np.concatenate([np.empty(0, np.int64), *self._line])]
        self._rule = [np.concatenate([np.empty(0, np.int8), *self._rule])]
        return LoadReport(
            source=source,
            lines=self.lines,
            comment_lines=self.comment_lines,
            file_job_lines=self.file_job_lines,
            job_lines=self.job_lines,
            kept=self.kept,
            line=self._line[0],
            rule=self._rule[0],
            notes=notes,
        )

    def _stray_note(self) -> str:
        if not self._stray:
            return ""
        lines, are = plural(self._stray, "comment line"), "is" if self._stray == 1 else "are"
        return (
            f"{lines} below the first job line, from line {self._first_stray} on, {are} left out"
            " of the header"
        )

    def _longer_note(self) -> str:
        if not self._longer:
            return ""
        lines, have = plural(self._longer, "line"), "has" if self._longer == 1 else "have"
        return (
            f"{lines} {have} fields after the 18th, up to field {self._most_fields}:"
            " ignored, as no line '; SWFX: 1.0' says what they are"
        )
