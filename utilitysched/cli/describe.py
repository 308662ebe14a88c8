"""`utilitysched describe`."""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import typer

from utilitysched.cli import shared
from utilitysched.cli.options import DIGITS, duration, option, refuse_without

if TYPE_CHECKING:
    from swfx import Workload
    from swfx.reading.workload_source import WorkloadParts, WorkloadSource
    from utilitysched.cli.notifier import Echo, ProgressBar

EPILOG = """\b
A log in SWF is read in parts: ten million jobs need less than 1 GiB.
Examples:
  utilitysched describe log.swf.gz
  utilitysched describe archive:KTH-SP2 -o kth.html
  utilitysched describe sample: --json | jq '.quantiles[] | select(.figure == "processors")'
  utilitysched describe log.swf.gz --accuracy --soft-estimates answers.csv
  utilitysched describe sample: --curves two.pdf --job 12 --job 40
  utilitysched describe sample: --curves sizes.png --size 1:1 --size 64:256
"""
CURVES = "Utility functions (need matplotlib: install utilitysched[plot])"
ACCURACY = "Requested times"


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


def describe(
    context: typer.Context,
    workload: str = shared.WORKLOAD,
    jobs: slice | None = shared.JOBS,
    procs: int | None = shared.PROCS,
    strict: bool | None = shared.STRICT,
    out: Path | None = option(
        "-o --out FILE",
        "Write a self-contained HTML page instead; - is standard output.",
    ),
    accuracy: bool = option(
        "--accuracy",
        "Show how wrong users are about run times, beside LEE's survey.",
        False,
        group=ACCURACY,
    ),
    soft_estimates: str | None = option(
        "--soft-estimates FILE",
        "The users' own best guesses: CSV of job, soft_estimate (s), confidence (0 to 5).",
        group=ACCURACY,
    ),
    least_request: float = option(
        "--least-request TIME",
        "Leave out jobs that request less; LEE's survey began at 20min.",
        1200,
        shown="20min",
        parser=duration,
        group=ACCURACY,
    ),
    curves: Path | None = option(
        "--curves FILE",
        "Draw utility functions into FILE (.pdf, .svg, .png): of all jobs, or of those below.",
        group=CURVES,
    ),
    job: list[int] | None = option("--job N", "Number of a job; repeatable.", group=CURVES),
    queue: list[str] | None = option(
        "--queue NAME", "All jobs of a queue; repeatable.", group=CURVES
    ),
    user: list[str] | None = option("--user NAME", "All jobs of a user; repeatable.", group=CURVES),
    size: list[Sizes] | None = option(
        "--size A:B", "All jobs of A to B processors; repeatable.", parser=sizes_of, group=CURVES
    ),
    wide: bool = option(
        "--wide", "Use the width of a page instead of one of two columns.", False, group=CURVES
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
    from utilitysched.report.templating import write_page
    from utilitysched.report.terminal import print_description, print_json

    echo = notifier(quiet=quiet)
    source = WorkloadSource(workload, jobs, procs, strict)
    if curves is not None:
        _draw_curves(source, curves, job or (), (queue or (), user or (), size or ()), wide=wide)
        echo(f"wrote {curves}")
        return
    refuse_without("--curves FILE", context, ("job", "queue", "user", "size", "wide"))
    if accuracy:
        _describe_accuracy(source, soft_estimates, least_request, out, echo, json=json)
        return
    refuse_without("--accuracy", context, ("soft_estimates", "least_request"))
    parts = source.open()
    with ProgressBar(f"reading {workload}", quiet=quiet) as progress:
        found = described(_watched(parts, progress), parts.header, parts.report)
    if out is not None:
        write_page(found, out)
        if out != Path("-"):
            echo(f"wrote {out}")
    if json:
        print_json(found.to_dict())
    elif out is None:
        print_description(found)


def _watched(parts: "WorkloadParts", progress: "ProgressBar") -> "Iterator[Workload]":
    for part in parts.jobs:
        yield part
        progress(parts.fraction())


def _describe_accuracy(
    source: "WorkloadSource",
    soft_estimates: str | None,
    least_request: float,
    out: Path | None,
    echo: "Echo",
    *,
    json: bool,
) -> None:
    """Compare requested times, and soft estimates where there are any, with run times."""
    from utilitysched.analysis.estimates import study
    from utilitysched.report.estimates import estimates_description, print_estimates
    from utilitysched.report.templating import write_page
    from utilitysched.report.terminal import print_json
    from utilitysched.runs.steps import attaching, load_and_take

    found = study(load_and_take(source, [attaching(soft_estimates)], echo), least_request)
    if out is not None:
        write_page(estimates_description(found, source.text), out)
        if out != Path("-"):
            echo(f"wrote {out}")
    if json:
        print_json(found.to_dict())
    elif out is None:
        print_estimates(found)


def _draw_curves(
    source: "WorkloadSource",
    out: Path,
    job: Sequence[int],
    classes: tuple[Sequence[str], Sequence[str], Sequence[Sizes]],
    *,
    wide: bool,
) -> None:
    """Draw the curves of single jobs, or the quartiles of the curves of classes of jobs."""
    from functools import partial

    from swfx.base.atomic import prove_writable
    from utilitysched.analysis.series.curves import named_classes, numbered
    from utilitysched.report.figures.canvas import (
        COLUMN,
        PAGE,
        check_format,
        require_matplotlib,
        save,
    )
    from utilitysched.report.figures.curves import draw_classes, draw_jobs

    if job and any(classes):
        raise typer.BadParameter("--job draws single jobs, the others draw classes: choose one")
    require_matplotlib()
    check_format(out.suffix.removeprefix("."))
    prove_writable(out)
    loaded = source.load().workload
    width = PAGE if wide else COLUMN
    if job:
        draw = partial(draw_jobs, loaded, numbered(loaded, job), width)
    else:
        draw = partial(draw_classes, loaded, named_classes(loaded, *classes), width)
    save(draw, out)
