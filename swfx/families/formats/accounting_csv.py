"""Tables of jobs, whatever their columns are called: a preset declares them, options change it."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from itertools import chain, islice
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from swfx.accounting.date_forms import any_local, begin_at_0, forms_of
from swfx.accounting.dates import LOCAL
from swfx.accounting.declared import HELD_BY, declaration_of, held_kinds, in_table
from swfx.accounting.imported import built, csv_records
from swfx.accounting.layouts import open_table
from swfx.accounting.listing import Listing
from swfx.accounting.preset import (
    ALIASES,
    DATES,
    PRESETS,
    SEPARATORS,
    LogColumn,
    Preset,
    read_preset,
)
from swfx.accounting.table import LARGEST, Columns, Row
from swfx.base.configured import named, option
from swfx.base.errors import InputError
from swfx.base.options import as_bool, as_choice, bool_text, nearest
from swfx.base.zones import find_zone
from swfx.families.formats.registry import IMPORTERS, Imported, Importer, cells_of

__all__ = ["AccountingCsv", "preset_of"]

UNITS = ("K", "M", "G", "T")
MEMORY = frozenset({"memory", "requested_memory"})
OWN = ALIASES | {"executable": "job_name"}
"""Fields that options are for which have another name."""

MOST_LINES = 20
"""Lines of JSON that are searched for the keys of a preset."""
_KEY = re.compile('"[a-z0-9_]+":')


def _unit(text: str, source: str, name: str) -> str:
    return as_choice(text.upper(), UNITS, source, name)


def _separator(text: str, source: str, name: str) -> str:
    return text if len(text) == 1 else as_choice(text, SEPARATORS, source, name)


def _column() -> Any:
    return option(LogColumn.from_text, None)


@IMPORTERS.register("accounting-csv")
@dataclass(frozen=True)
class AccountingCsv(Importer):
    """Table of accounting (CSV, Parquet or JSON): one job a line, columns by name or number.

    Parameters
    ----------
    preset : str
        Declaration that the other options change: a file, or the name of a packaged one.
    job_id, submit, eligible, start, end, wait, run, processors, requested_processors, \
requested_time, memory, requested_memory, cpu_time, status, user, group, executable, queue, \
partition, comment, nodes, gpus : LogColumn
        Column for each: a name, or a number from 1; behind ``@`` its unit. A column of the preset
        may be missing unless it is given here; `submit`, `run` or both `start` and `end`, and one
        of `processors` and `requested_processors` may not.
    timezone : ZoneInfo
        Of dates without offset.
    separator : str
        Name of what stands between columns (comma, semicolon, tab, pipe, blank), or a character;
        by default the one that makes the most of the first line.
    header : bool
        Whether the first line names the columns.
    memory_unit : {"K", "M", "G", "T"}
        Of sizes of memory without unit.
    relative : bool
        Whether times count from the begin of the log, and 0 is a time.

    References
    ----------
    The defaults are the names of NREL's Eagle job data, github.com/NREL/eagle-jobs.
    """

    preset: str = option(str, "")
    job_id: LogColumn | None = _column()
    submit: LogColumn | None = _column()
    eligible: LogColumn | None = _column()
    start: LogColumn | None = _column()
    end: LogColumn | None = _column()
    wait: LogColumn | None = _column()
    run: LogColumn | None = _column()
    processors: LogColumn | None = _column()
    requested_processors: LogColumn | None = _column()
    requested_time: LogColumn | None = _column()
    memory: LogColumn | None = _column()
    requested_memory: LogColumn | None = _column()
    cpu_time: LogColumn | None = _column()
    status: LogColumn | None = _column()
    user: LogColumn | None = _column()
    group: LogColumn | None = _column()
    executable: LogColumn | None = _column()
    queue: LogColumn | None = _column()
    partition: LogColumn | None = _column()
    comment: LogColumn | None = _column()
    nodes: LogColumn | None = _column()
    gpus: LogColumn | None = _column()
    timezone: ZoneInfo | None = option(find_zone, None)
    separator: str | None = named(_separator, None)
    header: bool | None = named(as_bool, None, bool_text)
    memory_unit: str | None = named(_unit, None)
    relative: bool | None = named(as_bool, None, bool_text)

    @classmethod
    def recognises(cls, lines: Sequence[str]) -> bool:
        """Whether the first line names the columns of the preset, and of no more special one."""
        names = cells_of(lines[0])
        if lines[0].lstrip().startswith(("[", "{")):
            names = frozenset(_KEY.findall("".join(lines[:MOST_LINES]).casefold()))
        return cls.name == preset_of(names)

    @classmethod
    def defaults(cls) -> dict[str, str]:
        """Return the options with the texts of their defaults; of a data set only the time zone."""
        preset = read_preset(cls.name)
        zone = {"timezone": str(preset.timezone or "UTC")}
        own = OWN | held_kinds(preset.columns)
        texts = super().defaults() if cls is AccountingCsv else {}
        columns = {name: preset.columns.get(own.get(name, name), texts[name]) for name in texts}
        return {name: str(column) for name, column in columns.items()} | zone

    def read(self, data: bytes, name: str) -> Imported:
        """Jobs of a table."""
        return self.read_pieces((data,), name)

    def read_pieces(self, pieces: Iterable[bytes], name: str) -> Imported:
        """Jobs of a table that arrives in pieces."""
        preset, listing = self._declared(), Listing(name)
        columns, rows, text, comments = open_table(preset, pieces, listing)
        known = self._present(preset.columns, columns, name)
        preset = replace(preset, zero=max(comments.unix_start_time or preset.zero, 0))
        head = list(islice(rows, LARGEST))
        self._note(preset, known, listing)
        if not preset.relative:
            dates = _dates_of(head, known, columns)
            known = self._with_forms(known, dates, listing)
            local = (any_local(texts, known[date].unit) for date, texts in dates.items())
            if preset.timezone is None and any(local):
                listing.note(LOCAL)

        def check(columns: Columns, line: int) -> None:
            self._present(known, columns, name, line)

        declaration = declaration_of(preset, known, f"a table of accounting ({self.name})")
        every = chain(head, rows)
        records = csv_records(columns, every, listing, declaration.columns, check)
        on_own_clock = preset.relative and not preset.zero
        zone = None if on_own_clock else preset.timezone or ZoneInfo("UTC")
        log = built(declaration, records, text, listing, zone)
        if not preset.machine_size:
            return log
        header = log.workload.header.with_value("MaxProcs", preset.machine_size)
        return log._replace(workload=log.workload.replace(header=header))

    def _with_forms(
        self, known: dict[str, LogColumn], dates: Mapping[str, Sequence[str]], listing: Listing
    ) -> dict[str, LogColumn]:
        """Return the columns with the forms of dates that the first `dates` tell themselves.

        A note says if times from 0 are dropped.
        """

        def stated(forms: Mapping[str, tuple[str, ...]]) -> str:
            dated: dict[str, Any] = {
                name: LogColumn(known[name].column[:1], form) for name, form in forms.items()
            }
            return f"'{replace(self, **dated).label.replace(':', ',', 1)}:{listing.source}'"

        if begin_at_0(dates["submit"], "".join(known["submit"].unit)):
            listing.note(
                "jobs submitted at 0 are dropped, since 0 stands for no date: if times count from"
                " the begin of the log, give relative=true"
            )
        plain = {name: texts for name, texts in dates.items() if not known[name].unit}
        forms = forms_of(plain, stated)
        return known | {name: replace(known[name], unit=forms) for name in plain}

    def _given(self) -> dict[str, LogColumn]:
        """Return the columns that options name."""
        values = {each.name: getattr(self, each.name) for each in fields(self)}
        return {name: value for name, value in values.items() if isinstance(value, LogColumn)}

    def _declared(self) -> Preset:
        """Return the preset as the options change it."""
        preset = read_preset(self.preset or self.name)
        columns = dict(preset.columns)
        unit = (self.memory_unit,) if self.memory_unit else ()
        for name in MEMORY & columns.keys() if unit else ():
            columns[name] = replace(columns[name], unit=unit)
        for name, column in self._given().items():
            kind = _kind(name, column)
            former = columns.pop(held_kinds(columns).get(name, kind), column)
            columns[kind] = replace(column, unit=column.unit or former.unit, per=former.per)
        given = {name: getattr(self, name) for name in ("timezone", "header", "relative")}
        given["separator"] = SEPARATORS.get(self.separator or "", self.separator)
        changed: dict[str, Any] = {name: each for name, each in given.items() if each is not None}
        return replace(preset, columns=columns, **changed)

    def _present(
        self, declared: Mapping[str, LogColumn], columns: Columns, source: str, line: int = 1
    ) -> dict[str, LogColumn]:
        """Return the declared columns that a table has.

        Raises
        ------
        InputError
            One is missing that an option names, or that every table of jobs needs.
        """
        option = {_kind(name, column): name for name, column in self._given().items()}
        known = in_table(declared, columns)
        for name in (*option, *_needed(declared, known)):
            if name not in known:
                text = declared.get(name, LogColumn((name,))).column[0]
                own = self.preset and name not in option
                place = f" ({name} in {Path(self.preset).name})" if own else ""
                remedy = (
                    f"name it by {option.get(name, name)}=COLUMN; {nearest(text, columns.names)}"
                )
                raise InputError(
                    f"has no column {text!r}{place}", source=source, line=line, remedy=remedy
                )
        return known

    def _note(self, preset: Preset, known: Container[str], listing: Listing) -> None:
        """Note columns of a preset that the table lacks."""
        lacking = [each.column[0] for name, each in preset.columns.items() if name not in known]
        if lacking and (self.preset or self.name != AccountingCsv.name):
            listing.note(f"columns that the table lacks: {', '.join(lacking)}")


def _needed(declared: Container[str], known: Container[str]) -> Iterator[str]:
    """Yield the fields that a table of jobs needs, of several choices one that is declared."""
    yield "submit"
    if "run" not in known:
        yield from ("start", "end") if "end" in declared else ("run",)
    if "processors" not in known:
        sizes = ("requested_processors", "processors")
        yield next((name for name in sizes if name in declared), sizes[0])


def _dates_of(
    rows: Iterable[Row], known: Mapping[str, LogColumn], columns: Columns
) -> dict[str, list[str]]:
    """Return the texts of each column of dates, without blanks around them."""
    places = {
        name: [columns.position(each) for each in known[name].column]
        for name in DATES
        if name in known
    }
    return {
        name: [str(row.cells[n]).strip() for row in rows for n in own if n < len(row.cells)]
        for name, own in places.items()
    }


def preset_of(names: Iterable[str]) -> str:
    """Return the packaged preset that claims most of these columns as its own; empty for none."""
    known = frozenset(map(str.casefold, names))
    fitting = [name for name, own in _RECOGNISED.items() if own and own <= known]
    return max(fitting, key=lambda name: len(_RECOGNISED[name]), default="")


def _kind(name: str, column: LogColumn) -> str:
    """Return the field that an option of a column is for; that of group may be an account."""
    text = column.column[0].casefold()
    return text if text in HELD_BY.get(name, ()) else OWN.get(name, name)


def _enter(file: Path) -> frozenset[str]:
    """Enter a packaged preset as a format; return the columns, or JSON keys, that tell it."""
    preset = tomllib.loads(file.read_text("utf-8"))
    if file.stem != AccountingCsv.name:
        own = {"__doc__": f"{preset['title']}.", "__module__": __name__}
        IMPORTERS.register(file.stem)(type(file.stem, (AccountingCsv,), own))
    form = "{}" if preset.get("layout", "table") == "table" else '"{}":'
    return frozenset(form.format(name).casefold() for name in preset.get("recognise", ()))


_RECOGNISED = {file.stem: _enter(file) for file in sorted(PRESETS.glob("*.toml"))}
"""Columns that tell tables of each packaged preset from others."""
