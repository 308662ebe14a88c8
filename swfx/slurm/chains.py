"""Records of one job: its runs, where it was requeued."""

from __future__ import annotations

import math
from collections.abc import Iterable
from itertools import groupby

from swfx.accounting.jobs import COMPLETED
from swfx.accounting.listing import Listing
from swfx.report import Rule
from swfx.slurm.record import Record

__all__ = ["Chain", "chains_of"]

REPEATED = Rule("repeated-record", "folded", "the same run of a job is in the log once more")

Chain = list[Record]
"""Runs of one job that came to their end, in order; at least one."""


def chains_of(records: Iterable[Record], listing: Listing) -> list[Chain]:
    """Put together the runs of each job; records that are no run are listed.

    A number that comes again is the same job requeued if the user is the same and the run before
    did not complete; else Slurm has begun to count anew, and it is another job.

    Parameters
    ----------
    records : iterable of Record
        In the order of the log.
    listing : Listing
        Where records are listed that are no run of their own.
    """
    jobs: dict[tuple[str, str, str], list[Record]] = {}
    for record in records:
        jobs.setdefault((record.cluster, record.id.job, record.user), []).append(record)
    return [chain for together in jobs.values() for chain in _chains(together, listing)]


def _chains(records: list[Record], listing: Listing) -> list[Chain]:
    chains: list[Chain] = []
    for run in _runs(records, listing):
        if chains and chains[-1][-1].state.status != COMPLETED:
            chains[-1].append(run)
        else:
            chains.append([run])
    return chains


def _runs(records: list[Record], listing: Listing) -> list[Record]:
    runs: list[Record] = []
    for _, same in groupby(sorted(records, key=_order), key=_order):
        *repeated, last = sorted(same, key=lambda r: (r.why_no_run() is None, r.row.line))
        for record in repeated:
            listing.add(record.row.line, REPEATED)
        reason = last.why_no_run()
        if reason is None:
            runs.append(last)
        else:
            listing.add(last.row.line, reason)
    return runs


def _order(record: Record) -> tuple[float, float]:
    return record.submit, math.inf if record.start is None else record.start
