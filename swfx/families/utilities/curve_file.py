"""Curves from CSV files: of single jobs, or of all jobs of a user, a queue or a size."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from swfx.base.bounds import float_between
from swfx.base.columns import Floats, Ints
from swfx.base.csv_columns import CsvColumns, read_columns
from swfx.base.errors import InputError
from swfx.base.numbers import jobs_of, lines_of, plural
from swfx.base.options import as_text
from swfx.curves import FAULTS, curve_faults
from swfx.families.annotation import Annotated
from swfx.families.generators.utilities import draw_start_values, start_values
from swfx.families.generators.utility_spec import UtilitySpec
from swfx.families.utilities.replacement import with_curves
from swfx.reading.job_rows import read_job_column
from swfx.utility_table import UtilityTable
from swfx.workload import Workload

__all__ = ["KINDS", "CurveFile", "attach_curves", "read_curves"]

KINDS = ("size", "queue", "user", "job")
"""Whose curves a file may hold; a later kind goes before an earlier one."""

_SIZE = re.compile(r"\s*(\d{1,15})\s*(-?)\s*(\d{0,15})\s*")
_FAULT_FIELDS = ("", "t", "t", "t", "v", "v")
"""Column to blame for each of `FAULTS`."""


@dataclass(frozen=True)
class CurveFile:
    """The curves of a file.

    Parameters
    ----------
    columns : CsvColumns
        The file.
    kind : str
        One of `KINDS`.
    first, last : ndarray of int64, shape (m,)
        Jobs, users, queues, or sizes (processors) from .. to, ascending, that have each curve.
    curves : UtilityTable
        Of m curves; values are in SU for single jobs, else shares of the start value.
    rows : ndarray of int64, shape (m,)
        First row of each curve.
    rate : float, optional
        Start value in SU per processor-hour requested; by default the one that the job has.
    names : tuple of str
        Names of jobs (``103_1``) that stand in place of numbers: of the first -2, and so on down.
    """

    columns: CsvColumns
    kind: str
    first: Ints
    last: Ints
    curves: UtilityTable
    rows: Ints
    rate: float | None = None
    names: tuple[str, ...] = ()

    @property
    def label(self) -> str:
        """Description of the curves: kind of their keys, file, start value."""
        start = "" if self.rate is None else f", start {as_text(self.rate)} SU a processor-hour"
        return f"curves by {self.kind} of {self.columns.label}{start}"

    def match(self, workload: Workload) -> Ints:
        """Position of the curve for each job of a workload, -1 for none; shape (n,)."""
        column = {"job": "job_id"}.get(self.kind, self.kind)
        value = getattr(workload, column)
        if self.names:
            numbers = workload.job_names.by_name
            named = {numbers.get(name): -2 - k for k, name in enumerate(self.names)}
            value = np.array([named.get(number, number) for number in value.tolist()], np.int64)
        place = np.searchsorted(self.first, value, side="right") - 1
        matches = (place >= 0) & (value <= np.append(self.last, 0)[place])
        return np.where(matches, place, -1)

    def scale(self, workload: Workload, own: Floats) -> Floats:
        """Factor on the values for each job (n,): its start value, `own` unless there is a rate."""
        if self.kind == "job":
            return np.ones(len(workload))
        return own if self.rate is None else start_values(workload, self.rate / 60)


def read_curves(text: str) -> CurveFile:
    """Read ``FILE`` or ``FILE,start=RATE``.

    The columns are `t` (s since submission), `v`, and one of `job`, `user`, `queue` and `size`.
    For a job, `v` is in SU; for the others, it is a share of the start value of each job. A size is
    a range of processors, ``8``, ``1-8`` or ``65-``. The points of a curve are in order of time;
    rows of different curves may be mixed.

    Parameters
    ----------
    text : str
        Path, and the start value of every job in SU per processor-hour requested.

    Raises
    ------
    InputError
        The file cannot be read, or a curve breaks a rule of `UtilityFunction`; by line and field.
    """
    path, given, rate = text.rpartition(",start=")
    columns = read_columns(path if given else text)
    kind = _kind(columns)
    columns.require((kind, "t", "v"))
    names: tuple[str, ...] = ()
    if kind == "size":
        first, last = _sizes(columns)
    elif kind == "job":
        first, names = read_job_column(columns)
        last = first
    else:
        first = last = columns.whole(kind)
    times, values = columns.numbers("t"), columns.numbers("v")
    if not len(columns):
        raise InputError(
            "has no row below the names of its columns",
            source=columns.source,
            remedy="give at least the two points of a curve",
        )
    begin, row, curve = np.unique(first, return_index=True, return_inverse=True)
    order = np.argsort(curve, kind="stable")
    offsets = np.append(0, np.cumsum(np.bincount(curve, minlength=len(begin))))
    _check_curves(columns, offsets, order, times[order], values[order])
    table = UtilityTable(offsets, times[order], values[order])
    start = float_between(path, "start", rate, 0, 1e12) if given else None
    return CurveFile(columns, kind, begin, last[row], table, row, start, names)


def attach_curves(
    workload: Workload,
    files: Sequence[CurveFile],
    seed: int = 0,
    classes: Mapping[int, int] | None = None,
) -> Annotated:
    """Give jobs the utility functions of files.

    A curve for a job goes before one for its user, that before one for its queue, and that before
    one for its size; of two files of one kind the later counts. Jobs in none of them keep what they
    have. Shares are of the start value that the job has, or of LEE's (`UtilitySpec()`) if it has no
    utility function.

    Parameters
    ----------
    workload : Workload
        n jobs.
    files : sequence of CurveFile
        From `read_curves`.
    seed : int
        Of LEE's start values.
    classes : mapping of int to int, optional
        Queue number to priority class, for LEE's start values.

    Returns
    -------
    Annotated
        One header line and one note per file: how many jobs have theirs from it, and which curves
        are for none.
    """
    ranked = sorted(files, key=lambda file: KINDS.index(file.kind))
    own = _own_starts(workload, files, seed, classes)
    matches = [file.match(workload) for file in ranked]
    owner = np.full(len(workload), -1)
    for place, match in enumerate(matches):
        owner[match >= 0] = place
    notes: list[str] = []
    total = len(workload)
    for place, (file, match) in enumerate(zip(ranked, matches, strict=True)):
        which = np.where(owner == place, match, -1)
        count = int(np.count_nonzero(which >= 0))
        line = f"{file.label} ({plural(count, 'job')})"
        workload = with_curves(workload, file.curves, which, file.scale(workload, own), line)
        notes.append(f"{file.label}: {jobs_of(count, total)}")
        notes += _strangers(file, match)
    return Annotated(workload, tuple(notes))


def _strangers(file: CurveFile, match: Ints) -> Iterator[str]:
    """Say which curves are for no job."""
    idle = np.setdiff1d(np.arange(len(file.curves)), match)
    if idle.size:
        rows = int(file.curves.points[idle].sum())
        lines = lines_of(file.columns.line[file.rows[idle]])
        yield (
            f"{file.columns.source}: left out: {idle.size} of {plural(len(file.curves), 'curve')}"
            f" ({rows} of {plural(len(file.columns), 'row')}), matching no job of the"
            f" workload: {lines}"
        )


def _own_starts(
    workload: Workload, files: Sequence[CurveFile], seed: int, classes: Mapping[int, int] | None
) -> Floats:
    """Start value (SU) of each job: its own, or LEE's where it has none and a share needs it."""
    own = workload.utility.start_values
    shares = any(file.kind != "job" and file.rate is None for file in files)
    if not shares or workload.utility.defined.all():
        return own
    drawn = draw_start_values(workload, UtilitySpec(), seed, classes)
    return np.where(workload.utility.defined, own, drawn)


def _kind(columns: CsvColumns) -> str:
    kinds = [kind for kind in KINDS if kind in columns.cells]
    if len(kinds) != 1:
        raise InputError(
            f"has the columns {', '.join(kinds)}" if kinds else "does not say whose the curves are",
            source=columns.source,
            line=1,
            remedy=f"head the columns t, v, and one of {', '.join(KINDS)}",
        )
    return kinds[0]


def _sizes(columns: CsvColumns) -> tuple[Ints, Ints]:
    """Read both ends of the ranges of processors, shape (rows,) each."""
    texts = columns.cells["size"]
    ends = {text: _range(text) for text in dict.fromkeys(texts)}
    for text, (first, last) in ends.items():
        if not 0 < first <= last:
            raise columns.refusal(
                texts.index(text),
                "size",
                f"{text!r} is no range of processors",
                "give 8, 1-8, or 65- for 65 and more",
            )
    pairs = np.array([ends[text] for text in texts], np.int64).reshape(-1, 2)
    _check_overlaps(columns, ends)
    return pairs[:, 0], pairs[:, 1]


def _range(text: str) -> tuple[int, int]:
    parts = _SIZE.fullmatch(text)
    if not parts or (parts[3] and not parts[2]):
        return 0, 0
    first = int(parts[1])
    open_end = np.iinfo(np.int64).max if parts[2] else first
    return first, int(parts[3] or open_end)


def _check_curves(
    columns: CsvColumns, offsets: Ints, order: Ints, times: Floats, values: Floats
) -> None:
    """Refuse the first row, in the order of the file, at which a curve breaks a rule."""
    faults = curve_faults(offsets, times, values)
    broken = np.flatnonzero(faults.code)
    if broken.size:
        rows = order[offsets[broken] + faults.point[broken]]
        row = int(rows.min())
        code = int(faults.code[broken[int(rows.argmin())]])
        field = _FAULT_FIELDS[code]
        raise columns.refusal(
            row,
            field,
            f"{FAULTS[code]}: {columns.cells[field][row].strip()}",
            "give two or more points from time 0, in order of time, with values that never rise",
        )


def _check_overlaps(columns: CsvColumns, ends: Mapping[str, tuple[int, int]]) -> None:
    """Refuse sizes that have two curves."""
    ranges = sorted((first, last, text) for text, (first, last) in ends.items())
    for (_, last, text), (first, _, other) in pairwise(ranges):
        if first <= last and ends[text] != ends[other]:
            row = max(columns.cells["size"].index(either) for either in (text, other))
            raise columns.refusal(
                row,
                "size",
                f"{text!r} and {other!r} overlap",
                "let ranges follow one another",
            )
