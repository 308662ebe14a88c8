"""Jobs made from the records of a log by a declaration of its columns."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from operator import itemgetter
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from swfx.accounting.fields import Declaration, FieldReader, Reading
from swfx.accounting.job_columns import JobColumns
from swfx.accounting.listing import Listing
from swfx.accounting.names import JobNames
from swfx.accounting.record_error import BEYOND_LIMIT, RecordError
from swfx.accounting.table import LARGEST, Columns, Row, Table
from swfx.base.columns import LIMIT, Floats, Ints
from swfx.fields import MISSING
from swfx.reading.report import Rule
from swfx.slurm.states import status_of

__all__ = ["JobBuilder", "Record", "beyond_limit", "statuses"]

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
        listed = [(int(places[row]), error.rule) for row, error in refused.items()]
        kept = np.delete(np.arange(len(table)), list(refused))
        table, places = table.take(kept), places[kept]
        read = self._reader.read(table, {name: column[kept] for name, column in times.items()})
        columns = {"line": table.line, **read.columns}
        if "state" in columns:
            columns["status"] = statuses(columns["state"], self.names)
        refused = dict(beyond_limit(columns)) | read.refused
        listed += [(int(places[row]), error.rule) for row, error in refused.items()]
        kept = np.delete(np.arange(len(table)), list(refused))
        position = {row: position for position, row in enumerate(kept.tolist())}
        listed += [(int(places[row]), rule) for row, rule in read.doubts if row in position]
        for rule, reading in self._noted.items():
            noted = places[kept[reading.numbers(table)[kept] > 0]]
            listed += [(place, rule) for place in noted.tolist()]
        curves = {position[row]: curve for row, curve in read.curves.items() if row in position}
        self.jobs.extend({name: column[kept] for name, column in columns.items()}, curves)
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


def statuses(states: npt.NDArray[Any], names: JobNames) -> Ints:
    """Return the status in SWF of each label of a state, (n,)."""
    by_number = np.array([*map(status_of, names.of("state")), MISSING])
    return by_number[np.where(states > 0, states - 1, -1).astype(np.int64)]


def beyond_limit(columns: Mapping[str, npt.NDArray[Any]]) -> Iterator[tuple[int, RecordError]]:
    """Yield places of numbers that no workload can hold, each with an error."""
    for name, values in columns.items():
        for place in np.flatnonzero(np.abs(values) > LIMIT).tolist():
            yield place, RecordError(BEYOND_LIMIT, f"{values[place]:.0f}", name)
