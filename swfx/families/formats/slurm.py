"""Slurm's accounting, as sacct prints it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Self, get_args
from zoneinfo import ZoneInfo

from swfx.accounting.dates import LOCAL, is_local
from swfx.accounting.imported import imported
from swfx.accounting.table import Columns
from swfx.accounting.text import LogText
from swfx.base.configured import choice, option, seconds, whole
from swfx.base.errors import InputError
from swfx.base.zones import find_zone
from swfx.families.formats.registry import IMPORTERS, Imported, LineImporter, cells_of
from swfx.slurm.jobs import jobs_of
from swfx.slurm.key_values import BEGINS
from swfx.slurm.reader import RecordReader
from swfx.slurm.resources import ALLOCATED, REQUESTED, counts_nodes
from swfx.slurm.runs import Requeue
from swfx.slurm.table import EXPORT, read_table

__all__ = ["Slurm"]

DEFAULT_LIMIT = 365 * 86_400.0
"""Limit (s) of jobs without any: that with which Slurm plans them."""

LONGEST_LIMIT = 1e10
"""s, some 300 years."""

MOST_CORES = 1_000_000
"""More than any node has."""

_KEY = re.compile(r'(?i)"slurm"|"job_id"\s*:')
"""What JSON of Slurm has within the first lines."""

_DEFAULT_COLUMNS = {"jobid", "jobname", "partition", "account", "alloccpus", "state", "exitcode"}
"""What sacct prints without ``--format``: too little, but the error says what is missing."""

_LENGTH = ("End", "Elapsed", "ElapsedRaw")


def _columns(text: str) -> tuple[str, ...]:
    return tuple(name.strip() for name in text.split(","))


@IMPORTERS.register("slurm")
@dataclass(frozen=True)
class Slurm(LineImporter):
    """Slurm accounting: what `sacct -P` or `sacct --json` prints, with any choice of columns.

    Also what `squeue --json` and `scontrol show job` (`-o`) print of jobs that have ended, and the
    file of jobcomp/filetxt.

    Steps are folded into their jobs. Records of one job that was requeued are its runs.

    Parameters
    ----------
    timezone : ZoneInfo
        Of dates without offset. Where clocks went back a date is two instants: the first is taken,
        or the second if submission, start and end would run backwards otherwise.
    requeue : {"last", "each", "sum"}
        What the line of a requeued job holds: its last run, from its first submission on; one line
        for each run; or a run time that is the sum of all runs'.
    cores_per_node : int
        CPUs of a node, for exports without any column of CPUs; 0: nodes are counted then.
    columns : tuple of str
        Names of the columns, for exports without a line of them (``--noheader``).
    limit : float
        Time limit (s) of jobs that have none of their own: a year, with which Slurm plans them.

    References
    ----------
    sacct(1) of Slurm 25.11.
    """

    timezone: ZoneInfo = option(find_zone, ZoneInfo("UTC"))
    requeue: Requeue = choice(get_args(Requeue), "last")
    cores_per_node: int = whole(0, (0, MOST_CORES))
    columns: tuple[str, ...] = option(_columns, (), ",".join)
    limit: float = seconds(DEFAULT_LIMIT, (1, LONGEST_LIMIT))

    @classmethod
    def recognises(cls, lines: Sequence[str]) -> bool:
        """Whether the first line names columns of sacct, or it is JSON or key=value of Slurm's."""
        names = cells_of(lines[0])
        is_json = lines[0].lstrip().startswith(("{", "[")) and any(map(_KEY.search, lines))
        has_jobs = not names.isdisjoint({"jobid", "jobidraw"})
        is_table = has_jobs and ("start" in names or names >= _DEFAULT_COLUMNS)
        return is_json or is_table or bool(BEGINS.match(lines[0]))

    def every_run(self) -> Self:
        """Return an importer for which each run is a job, unless it sums them up."""
        return replace(self, requeue="each") if self.requeue == "last" else self

    def read_text(self, text: LogText) -> Imported:
        """Jobs of an export."""
        columns, tables, listing, keys = read_table(text, self.columns)
        _check_columns(columns, text.name, keys)
        reader = RecordReader(columns, self.timezone, self.cores_per_node, self.limit, listing)
        nodes = counts_nodes(columns, self.cores_per_node)
        local = False
        for table in tables:
            if table.columns is not columns:
                columns = table.columns
                _check_columns(columns, text.name, keys, int(table.line[0]))
                nodes |= counts_nodes(columns, self.cores_per_node)
            local = local or any(map(is_local, table["Submit"]))
            reader.take(table)
        jobs, job_lines = jobs_of(reader, self.requeue, listing)
        if local and self.timezone.key == "UTC":
            listing.note(LOCAL)
        if nodes:
            listing.note("processors are nodes")
        names = reader.fields.names.header_lines()
        del reader  # the records are as large as the jobs
        header_lines = (" Conversion: from Slurm accounting (sacct)", *names, *job_lines)
        return imported(jobs, listing, header_lines=header_lines, zone=self.timezone)


def _check_columns(
    columns: Columns, source: str, keys: Mapping[str, Sequence[str]], line: int | None = None
) -> None:
    """Refuse an export without what is needed, named as the export names it."""
    missing = [
        " or ".join(key for name in names for key in keys.get(name, () if keys else (name,)))
        for names in (("JobID", "JobIDRaw"), ("Submit",), ("Start",), _LENGTH)
        if columns.first(names) is None
    ]
    if columns.first((*ALLOCATED, *REQUESTED)) is None:
        missing.append(" or ".join(keys.get("AllocTRES", ("AllocCPUS",))))
    if missing:
        what = f"{'keys' if keys else 'columns'} are missing: {', '.join(missing)}"
        raise InputError(what, source=source, line=line, remedy=EXPORT)
