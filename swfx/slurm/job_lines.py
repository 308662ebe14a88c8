"""Which runs make one job of the workload."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Literal, NamedTuple, TypeAlias

from swfx.accounting.jobs import LogJob
from swfx.accounting.listing import Listing
from swfx.report import Rule
from swfx.segments import Segment
from swfx.slurm.chains import Chain
from swfx.slurm.record import Record

__all__ = ["JobLine", "Requeue", "job_lines", "segments_of"]

Requeue: TypeAlias = Literal["last", "each", "sum"]
"""What a requeued job is: its last run, one job for each run, or the sum of all runs."""

EARLIER_RUN = Rule("earlier-run", "folded", "an earlier run of a job that was requeued")


class JobLine(NamedTuple):
    """Runs that make one job, in order, and the run before where each run is a job of its own."""

    runs: Chain
    before: Record | None = None

    @property
    def last(self) -> Record:
        """The run whose line stands for the job."""
        return self.runs[-1]


def job_lines(chains: list[Chain], requeue: Requeue, listing: Listing) -> list[JobLine]:
    """Jobs in the order of the lines that stand for them; runs that do not are listed."""
    if requeue == "each":
        lines = [line for chain in chains for line in _each(chain)]
    else:
        lines = [JobLine(chain) for chain in chains]
        for chain in chains:
            for run in chain[:-1]:
                listing.add(run.row.line, EARLIER_RUN)
    return sorted(lines, key=lambda line: line.last.row.line)


def _each(chain: Chain) -> Iterator[JobLine]:
    yield JobLine(chain[:1])
    for before, run in pairwise(chain):
        yield JobLine([run], before)


def segments_of(lines: Sequence[JobLine], jobs: Sequence[LogJob]) -> list[Segment]:
    """Every run of every job."""
    return [
        Segment(
            job.job_id,
            number,
            run.submit,
            run.started,
            run.ended,
            run.processors,
            run.state.status,
        )
        for line, job in zip(lines, jobs, strict=True)
        for number, run in enumerate(line.runs, 1)
    ]
