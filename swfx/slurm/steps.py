"""Steps of jobs: what they used counts for their jobs."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from swfx.accounting.listing import Listing
from swfx.accounting.quantities import memory
from swfx.accounting.record_error import UNREADABLE, RecordError
from swfx.accounting.table import Row
from swfx.report import Rule
from swfx.slurm.job_ids import parse_job_id
from swfx.slurm.record import Record, Rows

__all__ = ["STEP", "STEP_ALONE", "Step", "memory_used", "split_steps", "step_memory"]

STEP = Rule("step", "folded", "a step of a job: its memory counts for the job")
STEP_ALONE = Rule("step-alone", "dropped", "a step of a job that is not in the log")


class Step(NamedTuple):
    """A step: its line, cluster and job, memory (KB), and the line of the job's record above it."""

    line: int
    job: tuple[str, str]
    kilobytes: float
    below: int | None


def split_steps(rows: Rows, table: Iterable[Row]) -> tuple[list[Record], list[Step]]:
    """Tell records of jobs from those of steps; rows that cannot be read are listed."""
    records: list[Record] = []
    steps: list[Step] = []
    above: dict[tuple[str, str], int] = {}
    name = rows.columns.first(("JobID", "JobIDRaw")) or ""
    for row in table:
        try:
            job = parse_job_id(rows.text(row, name))
            key = (rows.text(row, "Cluster"), job.job)
            if job.step:
                steps.append(Step(row.line, key, memory_used(rows, row), above.get(key)))
            else:
                records.append(rows.record(row, job))
                above[key] = row.line
        except RecordError as error:
            rows.listing.refuse(row.line, error)
    return records, steps


def step_memory(steps: list[Step], records: list[Record], listing: Listing) -> dict[int, float]:
    """Most memory (KB) of the steps of each record, by the record's line; steps are listed."""
    first = {(r.cluster, r.id.job): r.row.line for r in reversed(records)}
    most: dict[int, float] = {}
    for step in steps:
        line = step.below or first.get(step.job)
        listing.add(step.line, STEP_ALONE if line is None else STEP)
        if line is not None:
            most[line] = max(most.get(line, 0.0), step.kilobytes)
    return most


def memory_used(rows: Rows, row: Row) -> float:
    """Memory (KB) of the largest task, or of the average one; 0 where it is unknown."""
    for name in ("MaxRSS", "AveRSS"):
        try:
            used = memory(rows.text(row, name), name)
        except RecordError:
            rows.listing.add(row.line, UNREADABLE)
            continue
        if used is not None and used.kilobytes > 0:
            return used.kilobytes
    return 0.0
