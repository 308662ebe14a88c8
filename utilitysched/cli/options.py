"""Options that mean the same in every command that has them."""

import math
import re
from collections.abc import Callable, Collection
from pathlib import Path
from typing import Any

import typer

WORKLOAD_HELP = (
    "A log in SWF or extended SWF (plain, .gz, .xz, .zst), - for standard input, sample:, "
    "archive:KTH-SP2 once fetched, or model:lublin,jobs=5000,procs=256,seed=1."
)
DIGITS = "(?:[0-9]{1,18})"
"""A whole number that fits in 64 bits."""

SPEC_HELP = "key=value,... such as factor=3,base=wait,step=1, or diurnal:at=09:00, or 'default'"


def option(spec: str, text: str, default: Any = None, *, shown: Any = True, **more: Any) -> Any:
    """Declare an option as `--help` shows it.

    Parameters
    ----------
    spec : str
        Names, then what stands for the value: ``--jobs A:B``; of a flag only names.
    text : str
        What it means.
    default : object
        Value where it is not typed, ``...`` if it must be.
    shown : str or bool
        What `--help` says of the default in place of itself; False for nothing.
    **more
        As `typer.Option` takes it: a parser, a callback.
    """
    words = spec.split()
    names = [word for word in words if word.startswith("-")]
    metavar = words[-1] if len(words) > len(names) else None
    return typer.Option(default, *names, metavar=metavar, help=text, show_default=shown, **more)


def argument(metavar: str, text: str, default: Any = ..., **more: Any) -> Any:
    """Declare an argument; see `option`. Its default is never shown."""
    return typer.Argument(default, metavar=metavar, help=text, show_default=False, **more)


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


def refuse_without(needed: str, context: typer.Context, names: Collection[str]) -> None:
    """Refuse options that were typed although the one that they need was not.

    Parameters
    ----------
    needed : str
        The other option, as it is typed.
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
            raise InputError(f"{parameter.opts[0]} needs {needed}")


WORKLOAD_TEXT = argument("WORKLOAD", WORKLOAD_HELP)
JOBS = option(
    "--jobs A:B", "Job lines A to B only, from 0, B excluded, before cleaning.", parser=slice_of
)
PROCS = option("--procs N", "Processors of the machine.", parser=from_one, shown="the log's header")
STRICT = option(
    "--strict/--lenient", "Refuse what cleaning would drop or repair / drop malformed lines, too."
)
APPLY = option(
    "--apply -a NAME",
    "Transform the jobs: NAME or NAME:key=value,...; repeat, in order. "
    "Names: utilitysched transformations.",
)
CHECKPOINTS = option(
    "--checkpoints SPEC",
    "Which jobs take checkpoints: survey, reported:file=CSV, expanded:file=CSV or all, "
    "with options as in survey:jobs=0.2,node_hours=0.6.",
)
SOFT_ESTIMATES = option(
    "--soft-estimates FILE", "CSV of job, soft_estimate (s), confidence (0 to 5)."
)
TO = option(
    "--to FORMAT",
    "NAME or NAME:key=value,...; see convert --list.",
    shown="by the suffix of -o, else swfx",
)
USERS = option(
    "--users MODEL", "Deal the jobs to users: zipf, or zipf:users=100,exponent=1,groups=10,..."
)
ESTIMATES = option(
    "--estimates MODEL", "Requested times: tsafrir, exact, factor:f=2 or uniform:f=4."
)
PRIORITIES = option(
    "--priorities MODEL", "Queues: random, by-user, by-request or by-size:limits=8:1,64:2."
)
SEED = option("--seed N", "Of everything random.", 0, parser=from_zero)
UTILITY_SEED = option("--utility-seed N", "Of the utility functions only.", parser=from_zero)
SCHEDULER_SEED = option("--scheduler-seed N", "Of the schedulers only.", parser=from_zero)
CLASSES = option(
    "--classes Q=C,...",
    "Priority class of queues, 0 the most urgent.",
    parser=classes_of,
    shown="queues 0 to 5 are their own, others 3",
)
DASK = option(
    "--dask ADDRESS",
    "Run on the Dask cluster of the scheduler at ADDRESS; local:N starts one of N processes.",
)
JOB_QUEUE = option(
    "--jobqueue SYSTEM",
    "Run on Dask workers that are jobs of a batch system: htcondor, lsf, moab, oar, pbs, "
    "sge or slurm.",
)
JOB_QUEUE_OPTION = option(
    "--jobqueue-option KEY=VALUE",
    "Of dask-jobqueue, as in memory=8GB, and jobs=N, how many to submit; repeat for several.",
)
JSON = option("--json", "One JSON object on standard output, nothing else.", False)
QUIET = option("--quiet -q", "Say nothing but errors on standard error.", False)
OUT = option("--out -o DIR", "Write each scheduler's files to DIR/SCHEDULER/.", parser=directory_of)
OUT_FILE = option(
    "-o --out FILE", "File to write, packed if .gz, .xz or .zst; - is standard output.", ...
)
