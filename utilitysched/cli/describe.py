"""`utilitysched describe`."""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from swfx.base.document_values import made, seconds
from swfx.base.errors import InputError
from swfx.base.typed import Typed
from swfx.reading.workload_source import WorkloadSource
from utilitysched.cli.shared import Json, Quiet

if TYPE_CHECKING:
    from swfx import Workload
    from swfx.reading.workload_source import WorkloadParts
    from utilitysched.analysis.documents import Description
    from utilitysched.cli.notifier import Echo, ProgressBar

EPILOG = """\b
A log in SWF is read in parts: ten million jobs need less than 1 GiB.
Examples:
  utilitysched describe log.swf.gz
  utilitysched describe archive:KTH-SP2 -o kth.html
  utilitysched describe sample: --json | jq '.quantiles[] | select(.figure == "processors")'
  utilitysched describe log.swf.gz --accuracy --soft-estimates answers.csv
  utilitysched describe machine:/etc/slurm/slurm.conf --machine machine.toml
  utilitysched describe sample: --curves two.pdf --job 12 --job 40
  utilitysched describe sample: --curves sizes.png --size 1:1 --size 64:256
  utilitysched describe slurm:sacct.txt --machine machine.toml
"""
CURVES = "Utility functions"
ACCURACY = "Requested times"
FILE = "--curves FILE"


class Sizes(NamedTuple):
    """Numbers of processors, both included."""

    least: int
    most: int


def sizes_of(text: str) -> Sizes:
    """Return numbers of processors, both included, from ``A:B``.

    Raises
    ------
    InputError
        The text is of another form, or A is larger than B.
    """
    parts = re.fullmatch("([0-9]{1,18}):([0-9]{1,18})", text)
    if not parts or int(parts[1]) > int(parts[2]):
        raise InputError(f"{text!r} is not A:B, numbers of processors such as 1:16")
    return Sizes(int(parts[1]), int(parts[2]))


def describe(
    source: WorkloadSource,
    out: Annotated[Path | None, Typed("-o --out FILE")] = None,
    accuracy: Annotated[bool, Typed("--accuracy", group=ACCURACY)] = False,
    soft_estimates: Annotated[
        str | None, Typed("--soft-estimates FILE", group=ACCURACY, needs="--accuracy")
    ] = None,
    least_request: Annotated[
        float,
        seconds(ge=0),
        Typed("--least-request TIME", shown="20min", group=ACCURACY, needs="--accuracy"),
    ] = 1200,
    curves: Annotated[Path | None, Typed(FILE, group=CURVES)] = None,
    job: Annotated[Sequence[str], Typed("--job N", group=CURVES, needs=FILE)] = (),
    queue: Annotated[Sequence[str], Typed("--queue NAME", group=CURVES, needs=FILE)] = (),
    user: Annotated[Sequence[str], Typed("--user NAME", group=CURVES, needs=FILE)] = (),
    size: Annotated[
        Sequence[Annotated[Sizes, made(sizes_of)]], Typed("--size A:B", group=CURVES, needs=FILE)
    ] = (),
    wide: Annotated[bool, Typed("--wide", group=CURVES, needs=FILE)] = False,
    machine: Annotated[Path | None, Typed("--machine FILE")] = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Summarise a workload, or the machine of a slurm.conf.

    Load by hour, weekday and week, sizes, run times, accuracy of requests, users, accounts,
    queues, partitions, resources, utility functions, checkpoints, and what was dropped or repaired.
    Of machine:slurm.conf, pools, limits, priority, shares, and what is not simulated.

    Parameters
    ----------
    out : Path, optional
        Write a self-contained HTML page instead; - is standard output.
    accuracy : bool
        Show how wrong users are about run times, beside LEE's survey.
    soft_estimates : str, optional
        The users' own best guesses: CSV of job, soft_estimate (s), confidence (0 to 5).
    least_request : float
        Leave out jobs that request less; LEE's survey began at 20min.
    curves : Path, optional
        Draw utility functions into FILE (.pdf, .svg, .png): of all jobs, or of those below.
    job : sequence of str
        Number or name of a job; repeatable.
    queue : sequence of str
        All jobs of a queue; repeatable.
    user : sequence of str
        All jobs of a user; repeatable.
    size : sequence of Sizes
        All jobs of A to B processors; repeatable.
    wide : bool
        Use the width of a page instead of one of two columns.
    machine : Path, optional
        Write a machine file: a first draft from a log, all that slurm.conf says.
    """
    from swfx.machine.source import PREFIX
    from utilitysched.analysis.description import describe as described
    from utilitysched.cli.notifier import ProgressBar, notifier
    from utilitysched.report.terminal import print_description, print_json

    echo = notifier(quiet=quiet)
    if source.text.startswith(PREFIX):
        _describe_machine(source.text, machine, out, echo, json=json)
        return
    if curves is not None:
        _draw_curves(source, curves, job, (queue, user, size), wide=wide)
        echo(f"wrote {curves}")
        return
    if machine is not None:
        _draft_machine(source, machine)
        echo(f"wrote {machine}: correct its capacities before you simulate with it")
        return
    if accuracy:
        _describe_accuracy(source, soft_estimates, least_request, out, echo, json=json)
        return
    parts = source.open()
    with ProgressBar(f"reading {source.text}", quiet=quiet) as progress:
        description = described(_watched(parts, progress), parts.header, parts.report)
    if out is not None:
        _write_page(description, out, echo)
    if json:
        print_json(description.to_dict())
    elif out is None:
        print_description(description)


def _write_page(description: "Description", out: Path, echo: "Echo") -> None:
    """Write a page, and say so unless it is printed."""
    from utilitysched.report.templating import write_page

    write_page(description, out)
    if out != Path("-"):
        echo(f"wrote {out}")


def _describe_machine(
    text: str, file: Path | None, out: Path | None, echo: "Echo", *, json: bool
) -> None:
    """Show a machine file or a slurm.conf, and write it as a machine file."""
    from swfx.machine import machine_from, write_machine
    from utilitysched.report.machine import machine_description
    from utilitysched.report.terminal import print_description, print_json

    machine = machine_from(text)
    description = machine_description(machine, text)
    if file is not None:
        write_machine(machine, file)
        echo(f"wrote {file}")
    if out is not None:
        _write_page(description, out, echo)
    if json:
        print_json(machine.to_dict())
    elif out is None:
        print_description(description)


def _draft_machine(source: WorkloadSource, file: Path) -> None:
    """Write the first draft of a machine file; one that is there may have been completed."""
    from swfx.base.atomic import write_whole
    from utilitysched.analysis.description.machine import machine_draft

    if file.is_file():
        raise InputError("is there already", source=str(file), remedy="name another file")
    write_whole(file, machine_draft(source.load().workload, source.text))


def _watched(parts: "WorkloadParts", progress: "ProgressBar") -> "Iterator[Workload]":
    for part in parts.jobs:
        yield part
        progress(parts.fraction())


def _describe_accuracy(
    source: WorkloadSource,
    soft_estimates: str | None,
    least_request: float,
    out: Path | None,
    echo: "Echo",
    *,
    json: bool,
) -> None:
    """Compare requested times, and soft estimates where there are any, with run times."""
    from utilitysched.analysis.estimates import study
    from utilitysched.report.estimates import SHOWN, estimates_description
    from utilitysched.report.terminal import print_answer, print_json
    from utilitysched.runs.steps import attaching, load_and_take

    jobs = load_and_take(source, [attaching(soft_estimates)], echo)
    accuracy = study(jobs, least_request)
    if out is not None:
        _write_page(estimates_description(accuracy, jobs, source.text), out, echo)
    if json:
        print_json(accuracy.to_dict())
    elif out is None:
        print_answer(estimates_description(accuracy, jobs, source.text, SHOWN))


def _draw_curves(
    source: WorkloadSource,
    out: Path,
    job: Sequence[str],
    classes: tuple[Sequence[str], Sequence[str], Sequence[Sizes]],
    *,
    wide: bool,
) -> None:
    """Draw the curves of single jobs, or the quartiles of the curves of classes of jobs."""
    from swfx.base.atomic import prove_writable
    from utilitysched.analysis.series.curves import named_classes, numbered
    from utilitysched.report.charts.curves import curves_of_classes, curves_of_jobs
    from utilitysched.report.charts.picture import COLUMN, PAGE, check_format

    if job and any(classes):
        raise typer.BadParameter("--job draws single jobs, the others draw classes: choose one")
    check_format(out.suffix.removeprefix("."))
    prove_writable(out)
    loaded = source.load().workload
    if job:
        picture = curves_of_jobs(loaded, numbered(loaded, job))
    else:
        picture = curves_of_classes(loaded, named_classes(loaded, *classes))
    picture.save(out, PAGE if wide else COLUMN)
