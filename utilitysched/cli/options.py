"""Options that mean the same in every command that has them."""

import math
import re
from collections.abc import Callable, Collection
from pathlib import Path
from typing import Annotated

import typer

WORKLOAD_HELP = (
    "A log in SWF or extended SWF (plain, .gz, .xz, .zst), - for standard input, sample:, "
    "archive:KTH-SP2 once fetched, or model:lublin,jobs=5000,procs=256,seed=1."
)
DIGITS = "(?:[0-9]{1,18})"
"""A whole number that fits in 64 bits."""

SPEC_HELP = "key=value,... such as factor=3,base=wait,step=1, or diurnal:at=09:00, or 'default'"


def slice_of(text: str) -> slice:
    """Read `A:B`, positions from 0, B excluded, either side may be empty.

    Raises
    ------
    typer.BadParameter
        Anything else.
    """
    parts = re.fullmatch(f"({DIGITS}?):({DIGITS}?)", text)
    if not parts:
        raise typer.BadParameter(
            f"{text!r} is not A:B with whole numbers from 0, such as 5000:10000"
        )
    found = slice(*(int(part) if part else None for part in parts.groups()))
    if found.stop is not None and found.stop <= (found.start or 0):
        raise typer.BadParameter(f"{text!r} is empty: A must be below B")
    return found


def from_zero(text: str) -> int:
    """Read a whole number, 0 or more.

    Raises
    ------
    typer.BadParameter
        Anything else.
    """
    return _whole(text, 0)


def from_one(text: str) -> int:
    """Read a whole number, 1 or more.

    Raises
    ------
    typer.BadParameter
        Anything else.
    """
    return _whole(text, 1)


def _whole(given: object, least: int) -> int:
    text = str(given)  # typer parses defaults, too
    if re.fullmatch("[0-9]+", text) and not re.fullmatch(DIGITS, text):
        raise typer.BadParameter(f"{text!r} is not a whole number of at most 18 digits")
    if not re.fullmatch(DIGITS, text) or int(text) < least:
        raise typer.BadParameter(f"{text!r} is not a whole number from {least}")
    return int(text)


def directory_of(text: str) -> Path:
    """Read the path of a directory; an empty text, as an unset variable leaves it, is none.

    Raises
    ------
    typer.BadParameter
        An empty text.
    """
    if not str(text):
        raise typer.BadParameter("the path is empty; . is the current directory")
    return Path(text)


def positive(text: str) -> float:
    """Read a finite number above 0.

    Raises
    ------
    typer.BadParameter
        Anything else.
    """
    return _number(text, lambda value: 0 < value < math.inf, "a number above 0")


def below_half(text: str) -> float:
    """Read a number from 0 to below one half.

    Raises
    ------
    typer.BadParameter
        Anything else.
    """
    return _number(text, lambda value: 0 <= value < 0.5, "a share from 0 to below 0.5")


def _number(text: str, accepts: Callable[[float], bool], wanted: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not accepts(value):
        raise typer.BadParameter(f"{text!r} is not {wanted}")
    return value


def classes_of(text: str) -> dict[int, int]:
    """Read `queue=class,...`.

    Raises
    ------
    typer.BadParameter
        Anything else, or a queue named twice.
    """
    classes: dict[int, int] = {}
    for part in text.split(","):
        pair = re.fullmatch(f" *(-?{DIGITS}) *= *({DIGITS}) *", part)
        if not pair:
            raise typer.BadParameter(f"{part!r} is not queue=class with whole numbers, such as 7=0")
        queue, rank = map(int, pair.groups())
        if queue in classes:
            raise typer.BadParameter(f"queue {queue} is named twice")
        classes[queue] = rank
    return classes


def refuse_without(option: str, context: typer.Context, names: Collection[str]) -> None:
    """Refuse options that were typed although the one that they need was not.

    Parameters
    ----------
    option : str
        That they need, as it is typed.
    context : typer.Context
        Of the command.
    names : collection of str
        Their names as parameters.

    Raises
    ------
    InputError
        One of them was typed.
    """
    from swfx import InputError

    for parameter in context.command.params:
        source = context.get_parameter_source(str(parameter.name))
        if parameter.name in names and source is not None and source.name == "COMMANDLINE":
            raise InputError(f"{parameter.opts[0]} needs {option}")


WorkloadText = Annotated[
    str, typer.Argument(metavar="WORKLOAD", help=WORKLOAD_HELP, show_default=False)
]
Jobs = Annotated[
    slice | None,
    typer.Option(
        "--jobs",
        metavar="A:B",
        parser=slice_of,
        help="Job lines A to B only, from 0, B excluded, before cleaning.",
    ),
]
Procs = Annotated[
    int | None,
    typer.Option(
        "--procs",
        metavar="N",
        parser=from_one,
        help="Processors of the machine.",
        show_default="the log's header",
    ),
]
Strict = Annotated[
    bool | None,
    typer.Option(
        "--strict/--lenient",
        help="Refuse what cleaning would drop or repair / drop malformed lines, too.",
    ),
]
Apply = Annotated[
    list[str] | None,
    typer.Option(
        "--apply",
        "-a",
        metavar="NAME",
        help="Transform the jobs: NAME or NAME:key=value,...; repeat, in order. "
        "Names: utilitysched transformations.",
        show_default=False,
    ),
]
Checkpoints = Annotated[
    str | None,
    typer.Option(
        "--checkpoints",
        metavar="SPEC",
        help="Which jobs take checkpoints: survey, reported:file=CSV, expanded:file=CSV or all, "
        "with options as in survey:jobs=0.2,node_hours=0.6.",
        show_default=False,
    ),
]
SoftEstimates = Annotated[
    str | None,
    typer.Option(
        "--soft-estimates",
        metavar="FILE",
        help="CSV of job, soft_estimate (s), confidence (0 to 5).",
        show_default=False,
    ),
]
To = Annotated[
    str | None,
    typer.Option(
        "--to",
        metavar="FORMAT",
        help="NAME or NAME:key=value,...; see convert --list.",
        show_default="by the suffix of -o, else swfx",
    ),
]
Users = Annotated[
    str | None,
    typer.Option(
        "--users",
        metavar="MODEL",
        help="Deal the jobs to users: zipf, or zipf:users=100,exponent=1,groups=10,...",
        show_default=False,
    ),
]
Estimates = Annotated[
    str | None,
    typer.Option(
        "--estimates",
        metavar="MODEL",
        help="Requested times: tsafrir, exact, factor:f=2 or uniform:f=4.",
        show_default=False,
    ),
]
Priorities = Annotated[
    str | None,
    typer.Option(
        "--priorities",
        metavar="MODEL",
        help="Queues: random, by-user, by-request or by-size:limits=8:1,64:2.",
        show_default=False,
    ),
]
Seed = Annotated[
    int,
    typer.Option("--seed", metavar="N", parser=from_zero, help="Of everything random."),
]
UtilitySeed = Annotated[
    int | None,
    typer.Option(
        "--utility-seed", metavar="N", parser=from_zero, help="Of the utility functions only."
    ),
]
SchedulerSeed = Annotated[
    int | None,
    typer.Option("--scheduler-seed", metavar="N", parser=from_zero, help="Of the schedulers only."),
]
Classes = Annotated[
    dict[int, int] | None,
    typer.Option(
        "--classes",
        metavar="Q=C,...",
        parser=classes_of,
        help="Priority class of queues, 0 the most urgent.",
        show_default="queues 0 to 5 are their own, others 3",
    ),
]
Dask = Annotated[
    str | None,
    typer.Option(
        "--dask",
        metavar="ADDRESS",
        help="Run on the Dask cluster of the scheduler at ADDRESS; local:N starts one of N "
        "processes.",
        show_default=False,
    ),
]
JobQueue = Annotated[
    str | None,
    typer.Option(
        "--jobqueue",
        metavar="SYSTEM",
        help="Run on Dask workers that are jobs of a batch system: htcondor, lsf, moab, oar, pbs, "
        "sge or slurm.",
        show_default=False,
    ),
]
JobQueueOption = Annotated[
    list[str] | None,
    typer.Option(
        "--jobqueue-option",
        metavar="KEY=VALUE",
        help="Of dask-jobqueue, as in memory=8GB, and jobs=N, how many to submit; repeat for "
        "several.",
        show_default=False,
    ),
]
Json = Annotated[
    bool, typer.Option("--json", help="One JSON object on standard output, nothing else.")
]
Quiet = Annotated[
    bool, typer.Option("--quiet", "-q", help="Say nothing but errors on standard error.")
]
Out = Annotated[
    Path | None,
    typer.Option(
        "--out",
        "-o",
        metavar="DIR",
        parser=directory_of,
        help="Write each scheduler's files to DIR/SCHEDULER/.",
        show_default=False,
    ),
]
OutFile = Annotated[
    Path,
    typer.Option(
        "-o",
        "--out",
        metavar="FILE",
        show_default=False,
        help="File to write, packed if .gz, .xz or .zst; - is standard output.",
    ),
]
