"""Meaning of the columns of a table of jobs, as a preset declares it."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import lru_cache, partial
from itertools import accumulate, pairwise
from typing import Any

from swfx.accounting.date_forms import date_of
from swfx.accounting.dates import instant, ordered_instants
from swfx.accounting.fields import Declaration, Label, LogField, Times
from swfx.accounting.jobs import times_of, waited
from swfx.accounting.preset import DATES, SHARED, LogColumn, Preset, field_of, quantity_of
from swfx.accounting.quantities import (
    DURATION_UNITS,
    MEMOISED,
    NO_NUMBER,
    duration,
    memory,
    number,
    per_processor,
    whole,
)
from swfx.accounting.record_error import (
    NEVER_STARTED,
    NO_SUBMISSION,
    NOT_A_DATE,
    STILL_RUNNING,
    STILL_WAITING,
    RecordError,
)
from swfx.accounting.table import Columns
from swfx.label_kinds import LABEL_KINDS
from swfx.slurm.states import State, parse_state

__all__ = ["HELD_BY", "declaration_of", "held_kinds", "in_table"]

_TIMES = (*DATES[:3], "wait", "run", "state")
_NO_AMOUNTS = (*_TIMES, "eligible", "job_id")
_FIRST = ("processors", "requested_processors", "tres/node")
"""Fields that others are shares of: these are read first."""

_ABSENT = LogColumn((" ",))
"""Column that no table has."""

HELD_BY = {
    "group": ("account", "project", "department"),
    "queue": ("qos",),
    "executable": ("job_name",),
}
"""Kinds of label that fields hold which are called after another kind."""

_DAY_0 = datetime(1899, 12, 30)

OWN_ZERO = 1_000_000_000
"""Unix time of 0 on a clock that has no dates: any that stands for a time."""


def held_kinds(kinds: Mapping[str, object]) -> dict[str, str]:
    """Return the kind of label that each of the fields group, queue and executable holds.

    >>> held_kinds({"user": "", "project": "", "qos": "", "queue": ""})
    {'group': 'project'}
    """
    held = {name: [kind for kind in others if kind in kinds] for name, others in HELD_BY.items()}
    return {name: present[0] for name, present in held.items() if present and name not in kinds}


def _column_of(name: str, columns: Columns) -> str:
    """Return the column of a table by name or number from 1, in small letters; empty for none."""
    if name in columns:
        return name.casefold()
    place = int(name) if name.isdecimal() else 0
    return columns.names[place - 1].casefold() if 0 < place <= len(columns) else ""


def declaration_of(preset: Preset, known: Mapping[str, LogColumn], origin: str) -> Declaration:
    """Return the declaration of a table.

    Parameters
    ----------
    preset : Preset
        What the table is.
    known : mapping of str to LogColumn
        Columns that it has, by field, as `in_table` names them.
    origin : str
        What the table is, for the header line ``Conversion``.
    """
    states = {text: state for state, texts in preset.states.items() for text in texts}
    read_state = partial(_state, states)
    labels = {kind: _label(known[kind]) for kind in known if kind in LABEL_KINDS}
    if "state" in labels:
        labels["state"] = _label(known["state"], lambda text: read_state(text).name)
    comments = labels.pop("comment", None)
    amounts = [name for name in known if name not in {*_FIRST, *_NO_AMOUNTS, *LABEL_KINDS}]
    fields = {name: _log_field(name, known.get(name, _ABSENT)) for name in (*_FIRST, *amounts)}
    if "eligible" in known:
        fields["eligible"] = _date_field(known["eligible"], preset)
    return Declaration(
        origin=origin,
        times=_times(known, preset, read_state),
        fields=fields,
        labels=labels,
        means=held_kinds(known),
        comments=comments.columns if comments else (),
        job=_label(known["job_id"]) if "job_id" in known else None,
    )


def in_table(declared: Mapping[str, LogColumn], columns: Columns) -> dict[str, LogColumn]:
    """Return the declared columns that a table has, with the names of the table."""

    def name_of(name: Any) -> Any:
        return _column_of(name, columns) or name if isinstance(name, str) else name

    known = {}
    for field, column in declared.items():
        names = tuple(filter(None, (_column_of(name, columns) for name in column.column)))
        factors = {"times": name_of(column.times), "divided": name_of(column.divided)}
        if names:
            known[field] = replace(column, column=names, **factors)
    return known


def _text(column: LogColumn, cells: Sequence[Any]) -> str:
    """Return the text of a column: of its first cell with a value, or a part or the size of it."""
    cell = next(filter(None, cells), "")
    if column.count and cell:
        between = column.count if isinstance(column.count, str) else None
        return str(len(cell if isinstance(cell, tuple) else cell.split(between)))
    text: str = ",".join(cell) if isinstance(cell, tuple) else cell
    if column.match:
        match = column.match.search(text)
        return (match[1] or "").strip() if match else ""
    return text


def _label(column: LogColumn, read: Callable[[str], str] = str) -> Label:
    return Label(column.column, lambda *cells: read(_text(column, cells)))


def _state(states: Mapping[str, str], text: str) -> State:
    return parse_state(states.get(text, states.get("*", text)) if text else "")


def _is_over(read_state: Callable[[str], State], text: str) -> bool:
    """Whether a job has ended; an unreadable state counts as an end."""
    try:
        return read_state(text).over
    except RecordError:
        return True


def _date_field(column: LogColumn, preset: Preset) -> LogField:
    """Return the field of a date beside those of `_times`, as Unix time (s)."""
    zone, read = preset.timezone or UTC, _date_reader(preset)
    return LogField(column.column, lambda *cells: instant(read(column, _text(column, cells)), zone))


def _log_field(name: str, column: LogColumn) -> LogField:
    """Return the field of a number."""
    given = ("size", "tres/node") if name in SHARED else ()
    return LogField(column.names, partial(_amount, name, column), given)


def _amount(name: str, column: LogColumn, *cells: Any) -> float | None:
    """Return the number that these cells tell, behind which numbers stand that it is a share of."""
    own, read = len(column.column), len(column.names)
    text, *factors = _text(column, cells[:own]), *map(str, cells[own:read])
    if any(each.casefold() in NO_NUMBER for each in (text, *factors)):
        return None
    is_size = name in _FIRST[:2]
    share: str = "job"
    if (quantity := quantity_of(name)) == "memory":
        unit = "".join(column.unit).rstrip("iIbB")
        amount, share = memory(text, unit=unit) or (None, share)
    elif quantity == "time":
        amount = _seconds(column, text)
    else:
        is_whole = field_of(name).dtype == "int64" and not is_size
        amount = whole(text) if is_whole else number(text)
    rest = map(number, factors)
    times, divided = (
        next(rest) if isinstance(factor, str) else factor
        for factor in (column.times, column.divided)
    )
    if amount is None or amount < 0 or divided <= 0:
        return None
    amount = amount * times / divided
    if is_size:
        return math.ceil(amount)
    if name not in SHARED:
        return amount
    return _of_a_processor(amount, column.per if share == "job" else share, *cells[read:])


def _of_a_processor(amount: float, share: str, size: float, nodes: float) -> float | None:
    """Return the amount of each processor of a job of `size` processors; None for none."""
    if share == "node":
        amount = amount * nodes if nodes > 0 else 0
    return (amount if share == "processor" else per_processor(amount, size)) or None


def _seconds(column: LogColumn, text: str) -> float | None:
    """Read a length of time (s); None where it is unknown, or below 0."""
    if text.casefold() in NO_NUMBER:
        return None
    if not column.unit:
        return duration(re.sub(" days?,? ", "-", text))
    seconds = number(text) * DURATION_UNITS[column.unit[0]]
    return seconds if seconds >= 0 else None


def _times(
    known: Mapping[str, LogColumn], preset: Preset, read_state: Callable[[str], State]
) -> Times:
    """Return the reading of submission (Unix time), wait and run time (s) of a job that ran."""
    columns = [known.get(name, _ABSENT) for name in _TIMES]
    texts_of = _texts(columns)
    is_over = lru_cache(MEMOISED)(partial(_is_over, read_state))
    names = tuple(column.column[0] for column in columns)
    zone, date = preset.timezone or UTC, _date_reader(preset)

    def read(*cells: Any) -> tuple[float, float, float]:
        *texts, wait_text, run_text, state = texts_of(cells)
        submit, start, end = ordered_instants(tuple(map(date, columns, texts)), zone, names[:3])
        if submit is None:
            raise RecordError(NO_SUBMISSION, texts[0], names[0])
        wait, run = _seconds(columns[3], wait_text), _seconds(columns[4], run_text)
        if start is None and wait is not None:
            start = submit + wait
        if run is None and start is not None and end is not None:
            run = times_of(submit, start, end)[2]
        over = is_over(state)
        never = start is None and (run is None or "start" in known)
        if never or run is None or not over:
            waiting = NEVER_STARTED if over else STILL_WAITING
            raise RecordError(waiting if never else STILL_RUNNING, "")
        return submit, waited(None if start is None else submit, start or 0.0), run

    return tuple(name for column in columns for name in column.column), read


def _texts(columns: Sequence[LogColumn]) -> Callable[[Sequence[Any]], Sequence[str]]:
    """Return what makes a text of each column from the cells of all their names."""
    if all(len(each.column) == 1 and not each.count and not each.match for each in columns):
        return lambda cells: [cell if isinstance(cell, str) else ",".join(cell) for cell in cells]
    ends = list(accumulate((len(column.column) for column in columns), initial=0))
    places = [slice(*bounds) for bounds in pairwise(ends)]
    return lambda cells: list(map(_text, columns, map(cells.__getitem__, places)))


def _date_reader(preset: Preset) -> Callable[[LogColumn, str], str]:
    """Return what makes a date that `instant` reads from the text of a column."""
    if not preset.relative:
        return _date_text

    def read(column: LogColumn, text: str) -> str:
        seconds = _seconds(column, text)
        return "" if seconds is None else f"{(preset.zero or OWN_ZERO) + seconds:.6f}"

    return read


def _date_text(column: LogColumn, text: str) -> str:
    """Return a date as Unix time (s), or in ISO 8601 with the T that is read fastest."""
    if not column.unit:
        return f"{text[:10]}T{text[11:]}" if text[10:11] == " " else text
    return _in_unit(column, text)


@lru_cache(MEMOISED)
def _in_unit(column: LogColumn, text: str) -> str:
    if text.casefold() in NO_NUMBER:
        return text
    if (unit := column.unit[0]) in DURATION_UNITS:
        seconds = number(text) * DURATION_UNITS[unit]
        return f"{seconds:.6f}" if seconds > 0 else ""
    if unit == "spreadsheet":
        try:
            return (_DAY_0 + timedelta(seconds=round(number(text) * 86_400))).isoformat()
        except OverflowError:
            raise RecordError(NOT_A_DATE, text) from None
    for form in column.unit:
        if date := date_of(text, form):
            return date.isoformat()
    return text
