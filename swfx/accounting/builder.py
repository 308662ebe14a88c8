"""Jobs made from the records of a log by a declaration of its columns."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import islice
from operator import itemgetter
from typing import Any, TypeAlias

import numpy as np

from swfx.accounting.fields import Declaration, FieldReader, Reading
from swfx.accounting.job_columns import JobColumns
from swfx.accounting.listing import Listing
from swfx.accounting.names import JobNames
from swfx.accounting.record_error import RecordError
from swfx.accounting.table import LARGEST, Columns, Row, Table
from swfx.base.columns import Floats, Ints
from swfx.fields import MISSING
from swfx.reading.report import Rule

__all__ = ["JobBuilder", "Record"]

Record: TypeAlias = tuple[int, Mapping[str, Any] | RecordError]
"""A line of a log, and the values of its record by name, or the error of a record without."""


class JobBuilder:
    """Makes a job of each record of a log, and lists the records of which none is made.

    Parameters
    ----------
    declaration : Declaration
        What the columns of the log mean.
    listing : Listing
        For lines that are dropped, and for what there is to say of those that are kept.

    Attributes
    ----------
    jobs : JobColumns
        Jobs so far.
    """

    def __init__(self, declaration: Declaration, listing: Listing) -> None:
        self.jobs = JobColumns()
        self._declaration = declaration
        self._listing = listing
        self._reader = FieldReader(declaration)
        self._noted = {rule: Reading(source) for rule, source in declaration.noted.items()}

    @property
    def names(self) -> JobNames:
        """Names of the labels."""
        return self._reader.names

    def header_lines(self) -> tuple[str, ...]:
        """Header lines of the workload that say where its jobs are from, and give the names."""
        origin = self._declaration.origin
        lines = (f" Conversion: from {origin}",) if origin else ()
        return (*lines, *self.names.header_lines())

    def take_all(self, records: Iterable[Record]) -> JobColumns:
        """Return the jobs of all records; labels are numbered by first appearance in jobs."""
        columns, left = Columns(self._declaration.columns), iter(records)
        while part := list(islice(left, LARGEST)):
            listed = [
                (place, error.rule)
                for place, (_, error) in enumerate(part)
                if isinstance(error, RecordError)
            ]
            rows = [
                (place, Row(line, [values.get(name, "") for name in columns.names]))
                for place, (line, values) in enumerate(part)
                if not isinstance(values, RecordError)
            ]
            if rows:
                places, told = zip(*rows, strict=True)
                listed += self._take(Table.of(columns, told), np.array(places))
            for place, rule in sorted(listed, key=itemgetter(0)):
                self._listing.add(part[place][0], rule)
        self.names.count_anew(self.jobs)
        return self.jobs

    def _take(self, table: Table, places: Ints) -> list[tuple[int, Rule]]:
        """Take in records, which have places in the log; return places to be listed, and rules."""
        times, refused = self._times(table)
        read = self._reader.read(table, {"line": table.line, **times}, refused)
        listed = [(int(places[row]), rule) for row, rule in (*read.refused, *read.doubts)]
        for rule, reading in self._noted.items():
            noted = places[read.kept[reading.numbers(table)[read.kept] > 0]]
            listed += [(place, rule) for place in noted.tolist()]
        self.jobs.extend(read.columns, read.curves)
        return listed

    def _times(self, table: Table) -> tuple[dict[str, Floats], dict[int, RecordError]]:
        """Submission, wait and run time (s), and the errors of records that have none, by place."""
        names, read = self._declaration.times
        rows: list[tuple[float | None, ...]] = []
        refused: dict[int, RecordError] = {}
        for place, texts in enumerate(table.texts(names)):
            try:
                rows.append(read(*texts))
            except RecordError as error:
                refused[place] = error
                rows.append((MISSING,) * 3)
        times = np.array(rows, np.float64).T
        times[np.isnan(times)] = MISSING
        return dict(zip(("submit", "wait", "run"), times, strict=True)), refused
