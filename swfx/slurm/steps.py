"""Steps of jobs: what they used counts for their jobs."""

from __future__ import annotations

import numpy as np

from swfx.accounting.growing import Growing
from swfx.accounting.listing import Listing
from swfx.accounting.quantities import memory
from swfx.accounting.record_error import UNREADABLE, RecordError
from swfx.accounting.table import Columns, Row
from swfx.base.columns import Bools, Floats, Ints
from swfx.reading.report import Rule
from swfx.slurm.record import Rows
from swfx.slurm.records import Key, Keys, Records

__all__ = [
    "EXTERN",
    "MEMORY",
    "STEP",
    "STEP_ALONE",
    "StepEnergies",
    "Steps",
    "memory_told",
    "memory_used",
]

MEMORY = ("MaxRSS", "AveRSS")
"""Columns."""

EXTERN = "extern"
"""Step that is there as long as its job, on all of its nodes, where a site has it."""

STEP = Rule("step", "folded", "a step of a job: its memory counts for the job")
STEP_ALONE = Rule("step-alone", "dropped", "a step of a job that is not in the log")


class Steps:
    """Steps of jobs that are found later: line, its key, an amount; grows."""

    def __init__(self) -> None:
        self._keys = Keys()
        self._line = Growing("q")
        self._amount = Growing("d")

    def append(self, line: int, key: Key, amount: float) -> None:
        """Add a step."""
        self._keys.append(key)
        self._line.append(line)
        self._amount.append(amount)

    def extend(self, line: Ints, keys: Floats, amount: Floats) -> None:
        """Add steps, (n,) each; of their keys one row for each field."""
        self._keys.extend(keys)
        self._line.extend(line)
        self._amount.extend(amount)

    def sums(self, records: Records) -> Floats:
        """Sum of the amounts of the steps of each record, (n,)."""
        line, total = self._line.values(), np.zeros(len(records))
        if len(line):
            record = self._records(records, line)
            known = record >= 0
            np.add.at(total, record[known], self._amount.values()[known])
        return total

    def most_memory(self, records: Records, listing: Listing) -> Floats:
        """Most of these amounts, memory (KB), and of that of each record, (n,); steps are listed.

        A step belongs to the record of its job above it, or to the first if there is none above.
        """
        line = self._line.values()
        most: Floats = np.maximum(records.jobs["memory"], 0.0)
        if not len(line):
            return most
        record = self._records(records, line)
        listing.add_all(line[record < 0], STEP_ALONE)
        listing.add_all(line[record >= 0], STEP)
        known = record >= 0
        np.maximum.at(most, record[known], self._amount.values()[known])
        return most

    def _records(self, records: Records, line: Ints) -> Ints:
        """Position of the record of each step, -1 for none."""
        n = len(records)
        both = zip(records.keys.columns(), self._keys.columns(), strict=True)
        keys = [np.concatenate(pair) for pair in both]
        lines = np.concatenate([records.jobs["line"], line])
        order = np.lexsort((lines, *keys[::-1]))
        new_job = np.ones(len(order), np.bool_)
        new_job[1:] = np.any([key[order][1:] != key[order][:-1] for key in keys], axis=0)
        place = np.arange(len(order))
        is_record = order < n
        begin = np.maximum.accumulate(np.where(new_job, place, 0))
        end = np.append(place[new_job][1:], len(order))[np.cumsum(new_job) - 1]
        above = np.maximum.accumulate(np.where(is_record, place, -1))
        below = np.minimum.accumulate(np.where(is_record, place, len(order))[::-1])[::-1]
        found = np.where(above >= begin, above, np.where(below < end, below, -1))
        of = np.empty(len(order), np.int64)
        of[order] = np.where(found < 0, -1, order[found])
        return np.asarray(of[n:], np.int64)


class StepEnergies:
    """Energy (J) that steps consumed, of those that tell of any; grows."""

    def __init__(self) -> None:
        self._extern, self._others = Steps(), Steps()

    def append(self, line: int, key: Key, joules: float, *, is_extern: bool) -> None:
        """Add a step."""
        if joules > 0:
            (self._extern if is_extern else self._others).append(line, key, joules)

    def extend(self, line: Ints, keys: Floats, joules: Floats, is_extern: Bools) -> None:
        """Add steps, (n,) each; of their keys one row for each field."""
        for steps, are_these in ((self._extern, is_extern), (self._others, ~is_extern)):
            tells = np.flatnonzero(are_these & (joules > 0))
            steps.extend(line[tells], keys[:, tells], joules[tells])

    def of(self, records: Records) -> Floats:
        """Energy (J) of each record by its steps, (n,), as slurmctld adds it up; 0 unknown."""
        extern = self._extern.sums(records)
        energy: Floats = np.where(extern > 0, extern, self._others.sums(records))
        return energy


def memory_told(columns: Columns, cells: list[str]) -> float:
    """Memory (KB) of the largest task, or of the average one; 0 unknown.

    Raises
    ------
    RecordError
        It cannot be read.
    """
    return next(filter(None, (_memory_in(columns, cells, name) for name in MEMORY)), 0.0)


def _memory_in(columns: Columns, cells: list[str], name: str) -> float:
    used = memory(columns.cell(cells, name), name)
    return 0.0 if used is None else used.kilobytes


def memory_used(rows: Rows, row: Row, listing: Listing) -> float:
    """Memory (KB) as `memory_told` tells it; cells that cannot be read are listed."""
    for name in MEMORY:
        try:
            used = _memory_in(rows.columns, row.cells, name)
        except RecordError:
            listing.add(row.line, UNREADABLE)
            continue
        if used:
            return used
    return 0.0
