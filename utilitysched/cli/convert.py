"""`utilitysched convert`."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from swfx.base.document_values import whole as whole_number
from swfx.base.request_fields import ExportFormat, OutputFile, Seed, Steps
from swfx.base.typed import Typed
from swfx.reading.workload_source import WorkloadSource
from utilitysched.cli.shared import Quiet

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
SECOND = "MORE... (a second log to merge)"


def convert(
    source: WorkloadSource,
    out: OutputFile,
    others: Annotated[Sequence[str], Typed("MORE...")] = (),
    to: ExportFormat = None,
    apply: Steps = (),
    seed: Seed = 0,
    anonymise: Annotated[bool, Typed("--anonymise")] = False,
    salt: Annotated[str | None, Typed("--salt FILE")] = None,
    length: Annotated[str | None, Typed("--split LENGTH")] = None,
    whole: Annotated[bool, Typed("--whole")] = False,
    most: Annotated[int, whole_number(1), Typed("--most-files N")] = 5_000,
    report: Annotated[Path | None, Typed("--report FILE")] = None,
    clocks: Annotated[str, Typed("--clocks unix|first", group=MERGED, needs=SECOND)] = "unix",
    machine: Annotated[
        str, Typed("--machine largest|sum|first", group=MERGED, needs=SECOND)
    ] = "largest",
    users: Annotated[str, Typed("--users apart|same", group=MERGED, needs=SECOND)] = "apart",
    quiet: Quiet = False,
) -> None:
    """Convert a workload or several, and transform them.

    Jobs of later logs get numbers above those of earlier ones.

    Parameters
    ----------
    others : sequence of str
        Workloads that are merged with the first.
    anonymise : bool
        Finally replace names of users, groups, accounts, projects, executables, jobs and clusters
        by pseudonyms, and remove free text from the header.
    salt : str, optional
        With --anonymise: a file that holds a secret, or env:NAME. The same name and salt give the
        same pseudonym in every log.
    length : str, optional
        One file for each window of time: weeks, half-months (15 days), or a time such as 36h;
        NAME-0001.swf.gz is the first.
    whole : bool
        With --split: leave out jobs that start in one window and end in another.
    most : int
        With --split: maximum number of files.
    report : Path, optional
        JSON for what happened to every line, and what was transformed.
    clocks : str
        Meet by date (UnixStartTime), or with the first job of each at once.
    machine : str
        The largest of the machines, all together, or the first; drops wider jobs.
    users : str
        Whether users, groups, accounts and job names of the same name or number in several logs are
        different ones, or the same.
    """
    from swfx.families.splitting import read_length
    from swfx.reading.conversion import Conversion, merging, pseudonyms
    from swfx.reading.conversion import convert as convert_workload
    from swfx.reading.saving import refuse_overwriting
    from utilitysched.cli.notifier import notifier

    if others and (source.jobs is not None or source.machine_size is not None):
        raise typer.BadParameter(
            "--jobs and --machine-size are for one log: cut each by itself first"
        )
    for log in others:
        refuse_overwriting(out, log)
    merged = merging(others, clocks=clocks, machine=machine, users=users)
    conversion = Conversion(
        source,
        out,
        to,
        apply=(*merged, *apply, *pseudonyms(anonymise, salt)),
        seed=seed,
        length=None if length is None else read_length(length),
        whole=whole,
        most=most,
        report=report,
    )
    convert_workload(conversion, notifier(quiet=quiet))
