"""`utilitysched curves`."""

import re
from pathlib import Path
from typing import NamedTuple

import typer

from utilitysched.cli import shared
from utilitysched.cli.options import DIGITS, option


class Sizes(NamedTuple):
    """Numbers of processors, both included."""

    least: int
    most: int


SIZES = re.compile(f"({DIGITS}):({DIGITS})")


def sizes_of(text: str) -> Sizes:
    """Read `A:B`, numbers of processors, both included."""
    parts = SIZES.fullmatch(text)
    if not parts or int(parts[1]) > int(parts[2]):
        raise typer.BadParameter(f"{text!r} is not A:B, numbers of processors such as 1:16")
    return Sizes(int(parts[1]), int(parts[2]))


EPILOG = """\b
Needs matplotlib: install utilitysched[plot].
Examples:
  utilitysched curves sample: --job 12 --job 40 -o two.pdf
  utilitysched curves runs/workload.swfx.gz --queue 0 --queue 1 --wide -o queues.svg
  utilitysched curves sample: --size 1:1 --size 64:256 -o sizes.png
"""


def curves(
    workload: str = shared.WORKLOAD,
    out: Path = option("-o --out FILE", "Ends in .pdf, .svg or .png.", ...),
    job: list[int] | None = option("--job N", "Number of a job; repeatable."),
    queue: list[str] | None = option("--queue NAME", "All jobs of a queue; repeatable."),
    user: list[str] | None = option("--user NAME", "All jobs of a user; repeatable."),
    size: list[Sizes] | None = option(
        "--size A:B", "All jobs of A to B processors; repeatable.", parser=sizes_of
    ),
    jobs: slice | None = shared.JOBS,
    procs: int | None = shared.PROCS,
    strict: bool | None = shared.STRICT,
    wide: bool = option("--wide", "Use the width of a page instead of one of two columns.", False),
    quiet: bool = shared.QUIET,
) -> None:
    """Draw utility functions of single jobs or classes of jobs.

    Without a choice, all jobs are one class. A class is shown by the quartiles of its curves,
    turnaround over deadline and value over start value, and by some of the curves themselves.
    """
    from functools import partial

    from swfx.base.atomic import prove_writable
    from swfx.reading.workload_source import WorkloadSource
    from utilitysched.analysis.series.classes import named_classes, numbered
    from utilitysched.cli.notifier import notifier
    from utilitysched.report.figures.canvas import check_format, require_matplotlib, save
    from utilitysched.report.figures.curves import draw_classes, draw_jobs
    from utilitysched.report.figures.style import COLUMN, PAGE

    if job and (queue or user or size):
        raise typer.BadParameter("--job draws single jobs, the others draw classes: choose one")
    require_matplotlib()
    check_format(out.suffix.removeprefix("."))
    prove_writable(out)
    loaded = WorkloadSource(workload, jobs, procs, strict).load().workload
    width = PAGE if wide else COLUMN
    if job:
        draw = partial(draw_jobs, loaded, numbered(loaded, job), width)
    else:
        classes = named_classes(loaded, queue or (), user or (), size or ())
        draw = partial(draw_classes, loaded, classes, width)
    save(draw, out)
    notifier(quiet=quiet)(f"wrote {out}")
