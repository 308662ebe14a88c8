"""`utilitysched convert`."""

from pathlib import Path

import typer

from utilitysched.cli import shared
from utilitysched.cli.options import argument, from_one, option, refuse_without

EPILOG = """\b
Examples:
  utilitysched convert log.swf.gz -o log.json --jobs 0:1000
  utilitysched convert slurm,timezone=Europe/Paris:sacct.txt -o log.swf.gz
  utilitysched convert log.swf.gz -o ds.swf.gz -a nodes:per=8,count=260 -a scale-load:load=0.85
  utilitysched convert log.swf.gz -o week.swf.gz --split weeks
  utilitysched convert slurm:sacct.txt -o public.swfx.gz --anonymise --salt salt.txt
  utilitysched convert slurm:jan.txt slurm:feb.txt -o winter.swf.gz --users same
"""
MERGED = "With several logs"


def convert(
    context: typer.Context,
    workloads: list[str] = argument(
        "WORKLOAD...", f"{shared.WORKLOAD_HELP} Several are merged into one."
    ),
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
    report: Path | None = option(
        "--report FILE", "JSON for what happened to every line, and what was transformed."
    ),
    jobs: slice | None = shared.JOBS,
    procs: int | None = shared.PROCS,
    strict: bool | None = shared.STRICT,
    clocks: str = option(
        "--clocks unix|first",
        "Meet by date (UnixStartTime), or with the first job of each at once.",
        "unix",
        group=MERGED,
    ),
    machine: str = option(
        "--machine largest|sum|first",
        "The largest of the machines, all together, or the first; drops wider jobs.",
        "largest",
        group=MERGED,
    ),
    users: str = option(
        "--users apart|same",
        "Whether users, groups, accounts and job names of the same name or number in "
        "several logs are different ones, or the same.",
        "apart",
        group=MERGED,
    ),
    quiet: bool = shared.QUIET,
) -> None:
    """Convert a workload or several, and transform them.

    From SWF to SWF, logs larger than memory are converted part by part if each transformation
    treats each job by itself: accurate, filter, nodes, window. Jobs of later logs get
    numbers above those of earlier ones.
    """
    from swfx.families.splitting import read_length
    from swfx.reading.conversion import Conversion, merging, pseudonyms
    from swfx.reading.conversion import convert as convert_workload
    from swfx.reading.saving import refuse_overwriting
    from swfx.reading.workload_source import WorkloadSource
    from utilitysched.cli.notifier import ProgressBar, notifier

    first, *others = workloads
    if others and (jobs is not None or procs is not None):
        raise typer.BadParameter("--jobs and --procs are for one log: cut each by itself first")
    if not others:
        refuse_without("a second log to merge", context, ("clocks", "machine", "users"))
    for log in others:
        refuse_overwriting(out, log)
    merged = merging(others, clocks=clocks, machine=machine, users=users)
    conversion = Conversion(
        source=WorkloadSource(first, jobs, procs, strict),
        out=out,
        to=to,
        apply=(*merged, *(apply or ()), *pseudonyms(anonymise, salt)),
        seed=seed,
        length=None if split is None else read_length(split),
        whole=whole,
        most=most,
        report=report,
    )
    with ProgressBar(f"converting {first}", quiet=quiet) as progress:
        convert_workload(conversion, notifier(quiet=quiet), progress)
