"""Notes on what reading and transforming did to jobs, as lines for people and as a record."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from swfx.base.numbers import plural
from swfx.families.transforms import Transformed
from swfx.reading.report import LoadReport

Echo = Callable[[str], None]
"""Takes a line for people."""


def read_notes(report: LoadReport) -> Iterator[str]:
    """Yield a line if jobs were dropped or repaired when they were read."""
    if report.dropped or report.repaired:
        jobs, lines = plural(report.kept, "job"), plural(report.job_lines, "line")
        yield (
            f"{report.source}: {jobs} of {lines}, {report.dropped:,} dropped,"
            f" {report.repaired:,} repaired; see utilitysched check"
        )


def transformation_notes(done: Transformed) -> Iterator[str]:
    """Yield what transformations have to say, and the jobs they dropped."""
    yield from done.notes
    for what, jobs in done.changed.items():
        yield f"{what}: {jobs:,}"
    for reason, jobs in done.dropped.items():
        yield f"{plural(jobs, 'job')} dropped: {reason}"


def transformation_record(texts: Sequence[str], done: Transformed) -> dict[str, object]:
    """Return transformations, notes and counts of changed and dropped jobs, for JSON."""
    return {
        "applied": list(texts),
        "notes": list(done.notes),
        "dropped": dict(done.dropped),
        "changed": dict(done.changed),
    }
