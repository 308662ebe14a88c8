"""Presets: declarations of tables of jobs, as documents in TOML."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal
from zoneinfo import ZoneInfo

from swfx.accounting.quantities import DURATION_UNITS
from swfx.base.document import DocumentError, DocumentTable, read_document
from swfx.base.document_values import (
    Annotation,
    Flag,
    NameOrNumber,
    TextOrNumber,
    listed,
    made,
    one_of,
    whole,
)
from swfx.base.errors import InputError
from swfx.base.options import nearest
from swfx.base.zones import find_zone
from swfx.extension import EXTRA_FIELDS, extra_field
from swfx.fields import FIELDS, Field
from swfx.label_kinds import LABEL_KINDS
from swfx.slurm.states import STATES

__all__ = [
    "ALIASES",
    "DATES",
    "PRESETS",
    "SEPARATORS",
    "SHARED",
    "LogColumn",
    "Preset",
    "field_of",
    "preset_names",
    "quantity_of",
    "read_preset",
]

PRESETS = Path(__file__).parents[1] / "presets"
"""Folder of the packaged presets."""

ALIASES = {"nodes": "tres/node", "gpus": "tres/gres/gpu", "status": "state"}
"""Other names of fields in presets and options."""

SEPARATORS = {"comma": ",", "semicolon": ";", "tab": "\t", "pipe": "|", "blank": " "}
DATES = ("submit", "start", "end", "eligible")
SHARED = ("memory", "requested_memory", "cpu_time")
"""Fields that a workload holds per processor."""

_STATES = {state.name for state in STATES}
_KNOWN = {field.name: field for field in FIELDS + EXTRA_FIELDS}
_LENGTH = "|".join(DURATION_UNITS)
_UNITS = {
    "date": (f"{_LENGTH}|spreadsheet|[^|]*%.*", "ms, spreadsheet or %d.%m.%Y %R"),
    "time": (_LENGTH, "min"),
    "memory": ("(?i:[KMGTPE]?i?B?)", "GB"),
}
"""Patterns of the units of a quantity, and what they are such as."""


def _pattern(text: str) -> re.Pattern[str]:
    try:
        pattern = re.compile(text)
    except re.error as error:
        raise DocumentError(f"{text!r} is no regular expression: {error}") from None
    if not pattern.groups:
        raise DocumentError(f"{text!r} has no group", "put (brackets) around the part to take")
    return pattern


def quantity_of(name: str) -> Literal["date", "time", "memory", "number", "label"]:
    """Return the kind of quantity of a field of jobs, which says the units it may have."""
    if name in DATES or name in LABEL_KINDS:
        return "date" if name in DATES else "label"
    unit = field_of(name).unit
    return "time" if unit == "s" else "memory" if unit == "kB" else "number"


def field_of(name: str) -> Field:
    """Return the field of a workload that has a name."""
    known = _KNOWN.get(name) or extra_field(name)
    assert known is not None, name
    return known


def _field(text: str) -> str:
    name = ALIASES.get(text, text)
    if name not in DATES and name not in _KNOWN and extra_field(name) is None:
        raise DocumentError(
            "is no field of a job", nearest(text, {*DATES, *_KNOWN, *LABEL_KINDS, *ALIASES})
        )
    return name


@dataclass(frozen=True)
class LogColumn(DocumentTable):
    """Columns of a log that tell a field of jobs, and how their texts are read.

    Attributes
    ----------
    column : tuple of str
        Names, numbers from 1, or dotted paths in JSON; the first that is not empty counts.
    unit : tuple of str
        Unit of an amount; of dates that of Unix times, ``spreadsheet`` for days since the end of
        1899, or forms of strptime.
    per : {"job", "node", "processor"}
        What has the amount; of `SHARED` fields only.
    times, divided : int or str
        Factor and divisor: a number, or the name of a column.
    count : bool or str
        The number of parts counts, in a list, or between these texts.
    match : re.Pattern, optional
        The part of the text to take: the first group.
    """

    column: Annotated[tuple[TextOrNumber, ...], listed]
    unit: Annotated[tuple[str, ...], listed] = ()
    per: Literal["", "job", "node", "processor"] = ""
    times: NameOrNumber = 1
    divided: NameOrNumber = 1
    count: bool | str = False
    match: Annotated[re.Pattern[str] | None, made(_pattern)] = None
    EXAMPLES: ClassVar[dict[str, str]] = {"column": 'add column = "NAME"'}

    @classmethod
    def from_text(cls, text: str) -> LogColumn:
        """Return the column of a text ``NAME[@UNIT[|UNIT]]``.

        >>> LogColumn.from_text("limit@min").unit, LogColumn.from_text("@timestamp").column
        (('min',), ('@timestamp',))
        """
        name, _, unit = text[1:].partition("@")  # an @ at the beginning belongs to the name
        return cls((text[:1] + name,), tuple(unit.split("|")) if unit else ())

    def __str__(self) -> str:
        unit = f"@{'|'.join(self.unit)}" if self.unit else ""
        return f"{'|'.join(self.column)}{unit}"

    @property
    def names(self) -> tuple[str, ...]:
        """All columns of the log that are read."""
        factors = (each for each in (self.times, self.divided) if isinstance(each, str))
        return (*self.column, *factors)

    def check(self, name: str) -> None:
        """Refuse what a field does not have: a unit, a share, a factor.

        Raises
        ------
        DocumentError
            Naming the field's units.
        """
        quantity = quantity_of(name)
        pattern, example = _UNITS.get(quantity, ("", ""))
        unit = "|".join(self.unit)
        if unit and not re.fullmatch(pattern, unit):
            remedy = f"units are such as {example}" if example else "leave the unit out"
            at = ("columns", name, "unit")
            raise DocumentError(f"{unit!r} is no unit of {name}", remedy, at=at)
        is_amount = quantity not in {"date", "label"} and name not in {"job_id", "wait", "run"}
        for key, taken in (("per", name in SHARED), ("times", is_amount), ("divided", is_amount)):
            if getattr(self, key) != getattr(LogColumn, key) and not taken:
                raise DocumentError(
                    f"{name} has no {key}", "leave it out", at=("columns", name, key)
                )


def _by_state(value: Any) -> Any:
    """Refuse texts that are given states, where states are given texts."""
    for text, state in value.items() if isinstance(value, dict) else ():
        if text not in _STATES and isinstance(state, str) and state in _STATES:
            remedy = f'write {state} = ["{text}"]'
            raise DocumentError(f"{text!r} is no state of Slurm", remedy, at=(text,))
    return value


def _as_table(value: Any) -> Any:
    return value if isinstance(value, dict) else {"column": value}


_short = Annotation(lambda core, inner: core.no_info_before_validator_function(_as_table, inner()))


def _separator(text: str) -> str:
    if text not in SEPARATORS and len(text) != 1:
        raise DocumentError(f"{text!r} is not a choice", nearest(text, SEPARATORS))
    return SEPARATORS.get(text, text)


@dataclass(frozen=True)
class Preset(DocumentTable):
    """Declaration of a table of jobs.

    Attributes
    ----------
    columns : dict of str to LogColumn
        By the field of a job.
    title, source, schema : str
        What the table is, who published it, and where its columns are described.
    timezone : ZoneInfo or None
        Of dates without offset; None: not known, UTC is taken.
    layout : {"table", "json", "json-lines"}
        Text or Parquet, which are known by content; one JSON document; or one object a line.
    separator : str
        What stands between columns; empty: known by the first line.
    header : bool
        Whether the first line names the columns, which have numbers otherwise.
    comment : str
        How lines begin that hold no record.
    records : str
        Path of the list of jobs in a JSON document.
    none : tuple of str
        Texts that stand for no value in any column.
    relative : bool
        Dates are times on the log's own clock.
    zero : int
        Unix time of 0 on that clock, which a comment ``UnixStartTime: 1704067200`` above the jobs
        tells, too; 0: unknown.
    machine_size : int
        Processors of the machine; 0: unknown.
    recognise : tuple of str
        Columns that together tell such a table from all others.
    states : dict of str to tuple of str
        Texts of the column `state` by state of Slurm, whose own names need not be given; ``*`` is
        any other.
    """

    columns: dict[Annotated[str, made(_field)], Annotated[LogColumn, _short]]
    title: str = ""
    source: str = ""
    schema: str = ""
    timezone: Annotated[ZoneInfo | None, made(lambda name: find_zone(name, ""))] = None
    layout: Literal["table", "json", "json-lines"] = "table"
    separator: Annotated[str, made(_separator)] = ""
    header: Flag = True
    comment: str = ""
    records: str = ""
    none: tuple[str, ...] = ()
    relative: Flag = False
    zero: Annotated[int, whole()] = 0
    machine_size: Annotated[int, whole()] = 0
    recognise: tuple[str, ...] = ()
    states: Annotated[
        dict[Annotated[str, one_of(_STATES)], Annotated[tuple[TextOrNumber, ...], listed]],
        Annotation(lambda core, inner: core.no_info_before_validator_function(_by_state, inner())),
    ] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for name, column in self.columns.items():
            column.check(name)
            if column.per == "node" and "tres/node" not in self.columns:
                raise DocumentError("nodes are missing", "add nodes", at=("columns", name, "per"))
            if self.relative and name in DATES and not DURATION_UNITS.keys() >= {*column.unit}:
                at = ("columns", name, "unit")
                raise DocumentError("is no unit of times that begin at 0", "s, ms, ...", at=at)
        for needed in (("submit",), ("run", "end"), ("processors", "requested_processors")):
            if not any(name in self.columns for name in needed):
                remedy = f'add {needed[0]} = "COLUMN"'
                names = " or ".join(needed)
                raise DocumentError(f"{names} is missing", remedy, at=("columns",))


def preset_names() -> tuple[str, ...]:
    """Return the names of the packaged presets, sorted; each is a format."""
    return tuple(sorted(file.stem for file in PRESETS.glob("*.toml")))


@cache
def read_preset(name: str) -> Preset:
    """Return a packaged preset by name, or the one in a file.

    Raises
    ------
    InputError
        There is no such file, or it is no preset.
    """
    packaged = PRESETS / f"{name}.toml"
    if packaged.is_file():
        return read_document(Preset, packaged, "a preset")
    if not Path(name).is_file() and not name.endswith(".toml"):
        raise InputError(f"no preset is named {name!r}", remedy=nearest(name, preset_names()))
    return read_document(Preset, Path(name), "a preset")
