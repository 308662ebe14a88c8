"""Steps of jobs: what they used counts for their jobs."""

from __future__ import annotations

import numpy as np

from swfx.accounting.growing import Growing
from swfx.accounting.listing import Listing
from swfx.accounting.quantities import memory
from swfx.accounting.record_error import UNREADABLE, RecordError
from swfx.accounting.table import Row
from swfx.base.columns import Floats, Ints
from swfx.reading.report import Rule
from swfx.slurm.record import Rows
from swfx.slurm.records import Key, Keys, Records

__all__ = ["STEP", "STEP_ALONE", "Steps", "memory_used"]

STEP = Rule("step", "folded", "a step of a job: its memory counts for the job")
STEP_ALONE = Rule("step-alone", "dropped", "a step of a job that is not in the log")


class Steps:
    """Steps that do not stand below their job: line, its key, memory (KB); grows by `append`."""

    def __init__(self) -> None:
        self._keys = Keys()
        self._line = Growing("q")
        self._kilobytes = Growing("d")

    def append(self, line: int, key: Key, kilobytes: float) -> None:
        """Add a step."""
        self._keys.append(key)
        self._line.append(line)
        self._kilobytes.append(kilobytes)

    def most_memory(self, records: Records, listing: Listing) -> Floats:
        """Most memory (KB) of each record and its steps, (n,); steps are listed.

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
        np.maximum.at(most, record[known], self._kilobytes.values()[known])
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


def memory_used(rows: Rows, row: Row, listing: Listing) -> float:
    """Memory (KB) of the largest task, or of the average one; 0 unknown, listed if unreadable."""
    for name in ("MaxRSS", "AveRSS"):
        try:
            used = memory(rows.text(row, name), name)
        except RecordError:
            listing.add(row.line, UNREADABLE)
            continue
        if used is not None and used.kilobytes > 0:
            return used.kilobytes
    return 0.0
