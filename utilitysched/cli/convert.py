"""`utilitysched convert`."""

from pathlib import Path
from typing import Annotated

import typer

from utilitysched.cli.options import (
    Apply,
    Jobs,
    OutFile,
    Procs,
    Quiet,
    Seed,
    Strict,
    To,
    WorkloadText,
)

EPILOG = """\b
Examples:
  utilitysched convert log.swf.gz -o log.json --jobs 0:1000
  utilitysched convert slurm,timezone=Europe/Paris:sacct.txt -o log.swf.gz --segments runs.csv
  utilitysched convert log.swf.gz -o ds.swf.gz -a nodes:per=8,count=260 -a scale-load:load=0.85
  utilitysched convert log.swf.gz -o week.swf.gz --split weeks
  utilitysched convert --list
"""


def _print_formats(wanted: bool) -> None:
    if wanted:
        from utilitysched.report.listings import print_formats

        print_formats()
        raise typer.Exit


def convert(
    workload: WorkloadText,
    out: OutFile,
    to: To = None,
    apply: Apply = None,
    seed: Seed = 0,
    split: Annotated[
        str | None,
        typer.Option(
            "--split",
            metavar="LENGTH",
            help="One file for each window of time: weeks, half-months (15 days), or such as 36h; "
            "NAME-0001.swf.gz is the first.",
            show_default=False,
        ),
    ] = None,
    whole: Annotated[
        bool,
        typer.Option(
            "--whole",
            help="With --split: leave out jobs that start in one window and end in another.",
        ),
    ] = False,
    most: Annotated[
        int,
        typer.Option("--most-files", metavar="N", min=1, help="With --split: files at most."),
    ] = 5_000,
    segments: Annotated[
        Path | None,
        typer.Option(
            "--segments",
            metavar="FILE",
            help="CSV for every run of every job, where the log tells of restarts.",
            show_default=False,
        ),
    ] = None,
    report: Annotated[
        Path | None,
        typer.Option(
            "--report",
            metavar="FILE",
            help="JSON for what happened to every line, and what was transformed.",
            show_default=False,
        ),
    ] = None,
    jobs: Jobs = None,
    procs: Procs = None,
    strict: Strict = None,
    quiet: Quiet = False,
    _listed: Annotated[
        bool,
        typer.Option(
            "--list", callback=_print_formats, is_eager=True, help="List all formats and exit."
        ),
    ] = False,
) -> None:
    """Write a workload in another format, transformed if asked.

    From SWF to SWF, logs larger than memory are converted part by part if each transformation
    treats each job by itself: accurate, filter, nodes, shift, window.
    """
    from swfx.families.splitting import read_length
    from swfx.reading.conversion import Conversion
    from swfx.reading.conversion import convert as convert_workload
    from swfx.reading.workload_source import WorkloadSource
    from utilitysched.cli.notifier import ProgressBar, notifier

    conversion = Conversion(
        source=WorkloadSource(workload, jobs, procs, strict),
        out=out,
        to=to,
        apply=tuple(apply or ()),
        seed=seed,
        length=None if split is None else read_length(split),
        whole=whole,
        most=most,
        segments=segments,
        report=report,
    )
    with ProgressBar(f"converting {workload}", quiet=quiet) as progress:
        convert_workload(conversion, notifier(quiet=quiet), progress)
