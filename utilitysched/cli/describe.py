"""`utilitysched describe`."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from utilitysched.cli import shared
from utilitysched.cli.options import option

if TYPE_CHECKING:
    from swfx import Workload
    from swfx.reading.workload_source import WorkloadParts
    from utilitysched.cli.notifier import ProgressBar

EPILOG = """\b
A log in SWF is read in parts: ten million jobs need less than 1 GiB.
Examples:
  utilitysched describe log.swf.gz
  utilitysched describe archive:KTH-SP2 -o kth.html
  utilitysched describe sample: --json | jq '.quantiles[] | select(.figure == "processors")'
"""


def describe(
    workload: str = shared.WORKLOAD,
    jobs: slice | None = shared.JOBS,
    procs: int | None = shared.PROCS,
    strict: bool | None = shared.STRICT,
    out: Path | None = option(
        "-o --out FILE",
        "Write a self-contained HTML page instead; - is standard output.",
    ),
    json: bool = shared.JSON,
    quiet: bool = shared.QUIET,
) -> None:
    """Summarise a workload.

    Load by hour, weekday and week, sizes, run times, accuracy of requests, users, queues,
    utility functions, checkpoints, and what was dropped or repaired.
    """
    from swfx.reading.workload_source import WorkloadSource
    from utilitysched.analysis.description import describe as described
    from utilitysched.cli.notifier import ProgressBar, notifier
    from utilitysched.report.description import print_description, write_page
    from utilitysched.report.terminal import print_json

    parts = WorkloadSource(workload, jobs, procs, strict).open()
    with ProgressBar(f"reading {workload}", quiet=quiet) as progress:
        found = described(_watched(parts, progress), parts.header, parts.report)
    if out is not None:
        write_page(found, out)
        if out != Path("-"):
            notifier(quiet=quiet)(f"wrote {out}")
    if json:
        print_json(found.to_dict())
    elif out is None:
        print_description(found)


def _watched(parts: "WorkloadParts", progress: "ProgressBar") -> "Iterator[Workload]":
    for part in parts.jobs:
        yield part
        progress(parts.fraction())
