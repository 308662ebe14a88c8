"""`utilitysched convert`."""

from pathlib import Path

import typer

from utilitysched.cli import shared
from utilitysched.cli.options import from_one, option

EPILOG = """\b
Examples:
  utilitysched convert log.swf.gz -o log.json --jobs 0:1000
  utilitysched convert slurm,timezone=Europe/Paris:sacct.txt -o log.swf.gz --segments runs.csv
  utilitysched convert log.swf.gz -o ds.swf.gz -a nodes:per=8,count=260 -a scale-load:load=0.85
  utilitysched convert log.swf.gz -o week.swf.gz --split weeks
  utilitysched convert slurm:sacct.txt -o public.swfx.gz --anonymise --salt salt.txt
  utilitysched convert --list
"""


def _print_formats(wanted: bool) -> None:
    if wanted:
        from utilitysched.report.listings import print_formats

        print_formats()
        raise typer.Exit


def convert(
    workload: str = shared.WORKLOAD,
    out: Path = shared.OUT_FILE,
    to: str | None = shared.TO,
    apply: list[str] | None = shared.APPLY,
    seed: int = shared.SEED,
    anonymise: bool = option(
        "--anonymise",
        "Finally replace names of users, groups, accounts, projects, executables, jobs "
        "and clusters by pseudonyms, and remove free text from the header.",
        False,
    ),
    salt: str | None = option(
        "--salt FILE",
        "With --anonymise: a file that holds a secret, or env:NAME. The same name and salt give "
        "the same pseudonym in every log.",
    ),
    split: str | None = option(
        "--split LENGTH",
        "One file for each window of time: weeks, half-months (15 days), or a time such as 36h; "
        "NAME-0001.swf.gz is the first.",
    ),
    whole: bool = option(
        "--whole",
        "With --split: leave out jobs that start in one window and end in another.",
        False,
    ),
    most: int = option(
        "--most-files N", "With --split: maximum number of files.", 5_000, parser=from_one
    ),
    segments: Path | None = option(
        "--segments FILE", "CSV for every run of every job, where the log tells of restarts."
    ),
    report: Path | None = option(
        "--report FILE", "JSON for what happened to every line, and what was transformed."
    ),
    jobs: slice | None = shared.JOBS,
    procs: int | None = shared.PROCS,
    strict: bool | None = shared.STRICT,
    quiet: bool = shared.QUIET,
    _listed: bool = option(
        "--list", "List all formats and exit.", False, callback=_print_formats, is_eager=True
    ),
) -> None:
    """Write a workload in another format, transformed if asked.

    From SWF to SWF, logs larger than memory are converted part by part if each transformation
    treats each job by itself: accurate, filter, nodes, shift, window.
    """
    from swfx.families.splitting import read_length
    from swfx.reading.conversion import Conversion, pseudonyms
    from swfx.reading.conversion import convert as convert_workload
    from swfx.reading.workload_source import WorkloadSource
    from utilitysched.cli.notifier import ProgressBar, notifier

    conversion = Conversion(
        source=WorkloadSource(workload, jobs, procs, strict),
        out=out,
        to=to,
        apply=(*(apply or ()), *pseudonyms(anonymise, salt)),
        seed=seed,
        length=None if split is None else read_length(split),
        whole=whole,
        most=most,
        segments=segments,
        report=report,
    )
    with ProgressBar(f"converting {workload}", quiet=quiet) as progress:
        convert_workload(conversion, notifier(quiet=quiet), progress)
