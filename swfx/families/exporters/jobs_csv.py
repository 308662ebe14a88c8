"""Table of jobs in the columns that Batsim writes and evalys reads."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from swfx.base.columns import Bools, Floats
from swfx.base.csv_rows import csv_text
from swfx.base.numbers import plural
from swfx.base.options import as_text
from swfx.families.exporters.registry import EXPORTERS, Exported, Exporter
from swfx.workload import Workload

__all__ = ["JobsCsvExporter"]


@EXPORTERS.register("jobs-csv")
@dataclass(frozen=True)
class JobsCsvExporter(Exporter):
    """Table of jobs (CSV) in the columns that Batsim writes and evalys reads: what the log says.

    Jobs whose wait or run time is unknown have empty cells where these would be needed. Which
    processors a job had is in no log, so `allocated_resources` is empty: evalys wants to be told
    the machine, ``JobSet.from_csv(path, resource_bounds=(0, 255))``. `utilitysched simulate` writes
    the same table with processor numbers.

    References
    ----------
    Batsim documentation, "Jobs" (output).
    """

    suffixes: ClassVar[tuple[str, ...]] = (".csv",)

    def format(self, workload: Workload) -> Exported:
        """CSV text, one row per job; the table has no place for curves and header lines."""
        columns = _columns(workload)
        text = csv_text(columns, zip(*columns.values(), strict=True))
        return Exported(text.encode("ascii"), _left_out(workload))


def _columns(w: Workload) -> dict[str, list[str]]:
    started, ended = w.wait >= 0, (w.wait >= 0) & (w.run >= 0)
    start = w.submit + w.wait
    turnaround = w.wait + w.run
    everywhere = np.ones(len(w), np.bool_)
    stretch = np.divide(turnaround, w.run, out=np.zeros(len(w)), where=w.run > 0)
    cells = {
        "job_id": (w.job_id, everywhere),
        "submission_time": (w.submit, everywhere),
        "requested_number_of_resources": (w.size, everywhere),
        "requested_time": (w.request, everywhere),
        "success": (w.status == 1, w.status >= 0),
        "starting_time": (start, started),
        "execution_time": (w.run, w.run >= 0),
        "finish_time": (start + w.run, ended),
        "waiting_time": (w.wait, started),
        "turnaround_time": (turnaround, ended),
        "stretch": (stretch, ended & (w.run > 0)),
        "allocated_resources": (w.size, ~everywhere),
        "user": (w.user, everywhere),
        "group": (w.group, everywhere),
        "queue": (w.queue, everywhere),
        "status": (w.status, everywhere),
    }
    return {name: _texts(values, known) for name, (values, known) in cells.items()}


def _texts(values: Floats, known: Bools) -> list[str]:
    rows = zip(values.tolist(), known.tolist(), strict=True)
    return [as_text(value) if is_known else "" for value, is_known in rows]


def _left_out(workload: Workload) -> tuple[str, ...]:
    lost = "utility functions, checkpoints, header lines and SWF fields 6, 7, 10 and 14 to 18"
    notes = [f"jobs.csv has no place for {lost}"]
    unknown = int(np.count_nonzero(workload.wait < 0))
    if unknown:
        jobs, have = plural(unknown, "job"), "has" if unknown == 1 else "have"
        notes.append(f"{jobs} {have} no start: the log does not say how long jobs waited")
    return tuple(notes)
