"""Job lines to columns: every sound line read, and every malformed one known."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from swfx.base.columns import Bools, Floats, Ints
from swfx.curves import FAULTS, curve_faults
from swfx.extension import CHECKPOINT_FIELDS, extra_field
from swfx.fields import FIELD_NAMES, FIELDS, MISSING, field_label, point_label
from swfx.reading.lines import JobLine, LineError, extended_label, parse_line, parse_tuples
from swfx.reading.survey import Survey
from swfx.utility_table import UtilityTable
from swfx.workload import Workload

__all__ = ["Scan", "scan"]

_WHOLE = np.array([f.dtype == "int64" for f in FIELDS])
_REAL_NAMES = [f.name for f in FIELDS if f.dtype == "float64"]
_WHOLE_NAMES = [f.name for f in FIELDS if f.dtype == "int64"]
_CHECKPOINT_NAMES = tuple(f.name for f in CHECKPOINT_FIELDS)
_FIXED_NAMES = (*FIELD_NAMES, *_CHECKPOINT_NAMES)

_RULES = dict.fromkeys(_CHECKPOINT_NAMES, "broken-checkpoint") | dict.fromkeys(
    ("soft_estimate", "confidence", "original_job"), "broken-estimate"
)
_EXTENSION = {f.name: f for f in CHECKPOINT_FIELDS}


@dataclass(frozen=True, eq=False)
class Scan:
    """Columns of all surveyed rows; those in `faults` hold nothing of use.

    `longer` marks the rows of a plain log that have fields after the 18th.
    """

    survey: Survey
    longer: Bools
    ints: Ints
    floats: Floats
    utility_points: Ints
    times: Floats
    values: Floats
    faults: dict[int, LineError] = field(default_factory=dict)

    @property
    def extension_names(self) -> tuple[str, ...]:
        """Names of the last rows of `floats`: the columns of extended SWF that the log has."""
        header = self.survey.header
        return _CHECKPOINT_NAMES + header.extra_columns if header.extended else ()

    @property
    def most_fields(self) -> int:
        """Most fields on any of the lines that go on after the 18th."""
        return int(_field_counts(self.survey, self.longer).max(initial=0))

    def workload(self) -> Workload:
        """Workload of the sound rows."""
        rows: slice | Ints = slice(None)
        if self.faults:
            rows = np.setdiff1d(np.arange(len(self.longer)), np.fromiter(self.faults, np.int64))
        keep: Bools = np.zeros(len(self.longer), np.bool_)
        keep[rows] = True
        kept_points = np.repeat(keep, self.utility_points)
        offsets = _offsets(self.utility_points[rows])
        ints, floats = self.ints[:, rows], self.floats[:, rows]
        missing = np.full(ints.shape[1], float(MISSING))
        for array in (ints, floats, self.ints, self.floats, missing):
            array.setflags(write=False)
        columns = dict.fromkeys(_CHECKPOINT_NAMES, missing)
        columns |= dict(zip(_WHOLE_NAMES, ints, strict=True))
        columns |= dict(zip((*_REAL_NAMES, *self.extension_names), floats, strict=True))
        return Workload(
            **{name: columns.pop(name) for name in _FIXED_NAMES},
            extra=columns,
            utility=UtilityTable(offsets, self.times[kept_points], self.values[kept_points]),
            header=self.survey.header,
        )


def scan(lines: Survey, *, tuples: bool, keep_going: bool) -> Scan:
    """Read the numbers of all surveyed job lines.

    Parameters
    ----------
    lines : Survey
        The lines.
    tuples : bool
        Whether to read `(time,value)` tuples after field 18 of plain SWF.
    keep_going : bool
        Whether to find every malformed line and not only the first.
    """
    from swfx.kernels.scan import parse  # noqa: PLC0415  numba is slow to import

    rows, extended = len(lines.line), lines.header.extended
    extra = len(lines.header.extra_columns)
    reals = len(_REAL_NAMES) + (len(CHECKPOINT_FIELDS) + extra if extended else 0)
    ints, floats = np.empty((len(_WHOLE_NAMES), rows), np.int64), np.empty((reals, rows))
    capacity = int(_field_counts(lines, slice(None)).sum()) if extended else 0
    points = np.empty(rows, np.int64)
    longer, unread = np.empty(rows, np.bool_), np.empty(rows, np.bool_)
    times, values = np.empty(capacity // 2), np.empty(capacity // 2)
    used = parse(
        lines.buffer, lines.begin, lines.end, _WHOLE, ints, floats,
        extended, extra, points, times, values, longer, unread,
    )  # fmt: skip
    floats[:, unread] = MISSING  # whatever memory held before
    result = Scan(lines, longer, ints, floats, points, times[:used], values[:used])
    if tuples and not extended:
        unread |= longer
    result = _ask(result, np.flatnonzero(unread), tuples and not extended, keep_going)
    result.faults.update(_extension_faults(result))
    return result


def _field_counts(lines: Survey, rows: slice | Bools) -> npt.NDArray[np.int32]:
    from swfx.kernels.scan import count_fields  # noqa: PLC0415  numba is slow to import

    fields = np.empty(len(lines.line[rows]), np.int32)
    count_fields(lines.buffer, lines.begin[rows], lines.end[rows], fields)
    return fields


def _offsets(points: Ints) -> Ints:
    offsets: Ints = np.zeros(len(points) + 1, np.int64)
    np.cumsum(points, out=offsets[1:])
    return offsets


def _ask(result: Scan, rows: Ints, tuples: bool, keep_going: bool) -> Scan:
    """Read these rows in Python, line by line, and put their numbers in place."""
    curves: dict[int, JobLine] = {}
    for row in rows.tolist():
        try:
            job = _row(result, row, tuples)
        except LineError as fault:
            result.faults[row] = fault
            if keep_going:
                continue
            break
        result.ints[:, row] = np.array(job.fields)[_WHOLE]
        result.floats[:, row] = (*np.array(job.fields)[~_WHOLE], *job.further)
        curves[row] = job
    return _with_curves(result, curves)


def _row(result: Scan, row: int, tuples: bool) -> JobLine:
    text = result.survey.row_text(row)
    header = result.survey.header
    job = parse_line(text, header.extended, header.extra_columns)
    if not tuples:
        return job
    rest = text.split(None, len(FIELDS))[len(FIELDS) :]
    return JobLine(job.fields, job.further, *parse_tuples(rest[0] if rest else ""))


def _with_curves(result: Scan, curves: dict[int, JobLine]) -> Scan:
    """Insert points that the compiled scan did not read, each row's at its place."""
    rows = [row for row, job in curves.items() if job.times]
    if not rows:
        return result
    counts = [len(curves[row].times) for row in rows]
    places = np.repeat(_offsets(result.utility_points)[rows], counts)
    result.utility_points[rows] = counts
    times = np.concatenate([curves[row].times for row in rows])
    values = np.concatenate([curves[row].values for row in rows])
    return Scan(
        result.survey, result.longer, result.ints, result.floats, result.utility_points,
        np.insert(result.times, places, times), np.insert(result.values, places, values),
        result.faults,
    )  # fmt: skip


def _extension_faults(result: Scan) -> dict[int, LineError]:
    """Faults of meaning in what follows the 18 fields, by row; a row's first field wins."""
    extra_columns = range(len(CHECKPOINT_FIELDS), len(result.extension_names))
    faults = _impossible(result, reversed(extra_columns)) | _broken_curves(result)
    if result.extension_names:
        faults |= _impossible(result, reversed(range(len(CHECKPOINT_FIELDS))))
    return {row: fault for row, fault in faults.items() if row not in result.faults}


def _impossible(result: Scan, columns: Iterable[int]) -> dict[int, LineError]:
    """Faults in these of the columns after the 18th field, by row; the last column wins."""
    faults: dict[int, LineError] = {}
    for column in columns:
        name = result.extension_names[column]
        field = _EXTENSION.get(name) or extra_field(name)
        assert field is not None
        rule = _RULES.get(name, "broken-extra")
        numbers = result.floats[len(_REAL_NAMES) + column]
        for row in np.flatnonzero(field.impossible(numbers)).tolist():
            shown = f"{numbers[row]:g} {field.unit}".rstrip()
            message = f"must be {field.bounds}, or -1 for none: {shown}"
            faults[row] = LineError(rule, message, _extension_label(result, row, column))
    return faults


def _extension_label(result: Scan, row: int, column: int) -> str:
    if column < len(CHECKPOINT_FIELDS):
        return field_label(len(FIELDS) + column)
    curve_end = len(FIELDS) + 3 + 2 * int(result.utility_points[row])
    extra = result.survey.header.extra_columns
    return extended_label(curve_end + column - len(CHECKPOINT_FIELDS), curve_end, extra)


def _broken_curves(result: Scan) -> dict[int, LineError]:
    faults = curve_faults(_offsets(result.utility_points), result.times, result.values)
    return {
        row: _curve_fault(result, row, int(faults.code[row]), int(faults.point[row]))
        for row in np.flatnonzero(faults.code).tolist()
    }


def _curve_fault(result: Scan, row: int, code: int, point: int) -> LineError:
    place = _offsets(result.utility_points)[row] + point
    about_value = FAULTS[code].startswith("value") or result.values[place] < 0
    number = (result.values if about_value else result.times)[place]
    label = point_label(point, is_value=bool(about_value))
    if result.survey.header.extended:
        label = field_label(len(FIELDS) + 3 + 2 * point + int(about_value))
    return LineError("broken-utility", f"{FAULTS[code]}: {number:g}", label)
