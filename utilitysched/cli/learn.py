"""`utilitysched learn index|mixed|nonlinear`."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from swfx.base.document_values import whole
from swfx.base.request_fields import SPECIFICATIONS, Seed, Steps
from swfx.base.typed import Typed
from utilitysched.cli.layout import CommandFamily, Commands
from utilitysched.cli.shared import Machine, Quiet
from utilitysched.learning.request import LearningRequest
from utilitysched.workers.places import Workplace

if TYPE_CHECKING:
    from utilitysched.learning.forms import FittedForm
    from utilitysched.workers.executor import Executor

EPILOG = """\b
Examples:
  utilitysched learn index sample: -o weights.toml
  utilitysched learn index a.swf.gz b.swf.gz --jobs 0:20000 --jobs 0:30000 -o weights.toml
  utilitysched simulate log.swf.gz --scheduler index:weights=weights.toml
  utilitysched learn nonlinear month.swf.gz -o policy.toml
  utilitysched simulate log.swf.gz --scheduler nonlinear:weights=policy.toml
  utilitysched learn mixed log.swf.gz -o mixed.toml --page landscapes.html
  utilitysched simulate log.swf.gz --scheduler mixed:weights=mixed.toml
"""

app = Commands(
    cls=CommandFamily,
    help="Learn an order of queues from simulations of logs.",
    epilog=EPILOG,
)

LogFile = Annotated[str, Typed("LOG", text="As other commands take a workload, in a file.")]
Aim = Annotated[
    str,
    Typed(
        "--aim NAME",
        text="Cost to minimise: slowdown, wait, or lost-value (what utility functions lose by "
        "waits).",
    ),
]
Output = Annotated[
    Path,
    Typed(
        "--output -o FILE",
        text="File for what is learned; FILE.journal beside it lets a search resume.",
    ),
]
LostValue = Annotated[
    str,
    Typed("--utilities SPEC", text=f"With --aim lost-value: {SPECIFICATIONS}."),
]


@app.command("index", epilog=EPILOG, plugins=False)
def index(request: LearningRequest, output: Output, place: Workplace, quiet: Quiet = False) -> None:
    """Learn the weights of the ordering index, by simulations of pieces of logs.

    May be interrupted, killed, and started again at any time: what was tried is kept.
    """
    from utilitysched.learning.study import learn, learning_of

    learning = learning_of(request)
    with _at_work(place, f"learning {request.scheduler}", quiet=quiet) as (executor, progress):
        utilities = learn(learning, output, executor, progress)
    print(
        f"wrote {output}; {request.metric} over that of easy on {request.batch} cells more: "
        f"{utilities.start:.3f} at the start, {utilities.shipped:.3f} as the package has it, "
        f"{utilities.learned:.3f} learned"
    )


@app.command("nonlinear", epilog=EPILOG, plugins=False)
def nonlinear(
    log: LogFile,
    output: Output,
    jobs: Annotated[str | None, Typed("--jobs A:B")] = None,
    machine_size: Machine = None,
    apply: Steps = (),
    tuples: Annotated[int, whole(1), Typed("--tuples N")] = 100,
    warm: Annotated[int, whole(), Typed("--warm-up N")] = 16,
    ordered: Annotated[int, whole(2), Typed("--ordered N")] = 32,
    trials: Annotated[int, whole(1), Typed("--trials N")] = 16_000,
    aim: Aim = "slowdown",
    utilities: LostValue = "default",
    shown: Annotated[int, whole(1), Typed("--show N")] = 10,
    rank: Annotated[int, whole(1), Typed("--write N")] = 1,
    latex: Annotated[bool, Typed("--latex")] = False,
    seed: Seed = 0,
    *,
    place: Workplace,
    quiet: Quiet = False,
) -> None:
    """Learn a formula of run time, processors and arrival, by trials of orders.

    May be interrupted, killed, and started again at any time: what was tried is kept.

    Parameters
    ----------
    jobs : str, optional
        Job lines A to B, or a window of time, such as '30d 7', the seventh month.
    tuples : int
        Pieces of the log that are tried.
    warm : int
        Jobs of a piece that run first.
    ordered : int
        Jobs of a piece that are ordered.
    trials : int
        Orders of each piece.
    shown : int
        Formulas to print, the best first.
    rank : int
        Formula to write, 1 for the least error.
    latex : bool
        Print formulas for LaTeX.
    """
    from swfx.reading.sources import check_source
    from utilitysched.experiments.inputs import Log, check_part
    from utilitysched.learning.nonlinear import FirstJobTrials, learn_nonlinear

    check_source(log)
    if jobs is not None:
        check_part(jobs)
    source = Log(log, jobs, machine_size)
    wanted = FirstJobTrials(
        source, tuple(apply), utilities, warm, ordered, trials, _cost(aim, "nonlinear"), seed
    )
    with _at_work(place, "trying orders", quiet=quiet) as (executor, progress):
        learned = learn_nonlinear(wanted, tuples, output, executor, progress, rank)
    print("\n".join(_fits(learned.fits[:shown], latex=latex)))
    print(f"wrote {output}: {learned.fits[rank - 1].text}")


@app.command("mixed", epilog=EPILOG, plugins=False)
def mixed(
    log: LogFile,
    output: Output,
    scheduler: Annotated[str, Typed("--scheduler -s SPEC")] = "mixed:backfill=spf,threshold=200000",
    windows: Annotated[str, Typed("--windows TEXT")] = "whole weeks",
    learn_on: Annotated[str | None, Typed("--learn-on A:B", shown="the first half")] = None,
    judge_on: Annotated[str | None, Typed("--judge-on A:B", shown="those that follow")] = None,
    machine_size: Machine = None,
    apply: Steps = (),
    aim: Aim = "slowdown",
    utilities: LostValue = "default",
    points: Annotated[int, whole(2), Typed("--grid N")] = 20,
    generations: Annotated[int, whole(), Typed("--generations N")] = 50,
    page: Annotated[Path | None, Typed("--page FILE")] = None,
    seed: Seed = 0,
    *,
    place: Workplace,
    quiet: Quiet = False,
) -> None:
    """Learn weights of six job features from weeks of a log.

    May be interrupted, killed, and started again at any time: what was tried is kept.

    Parameters
    ----------
    scheduler : str
        Whose weights are learned: mixed, with options of list schedulers.
    windows : str
        Windows of the log, each from an empty machine: weeks, half-months or 36h; behind whole,
        without jobs that start in one and end in another.
    learn_on, judge_on : str, optional
        Windows A to B.
    points : int
        Weights of size, request and wait on two grids of N x N.
    generations : int
        Generations of each search by XNES.
    page : Path, optional
        Tables and maps as HTML.
    """
    from swfx.reading.sources import check_source
    from utilitysched.experiments.inputs import Log
    from utilitysched.learning.mixed import WindowTrials
    from utilitysched.learning.weekly import WeeklyProtocol, learn_mixed
    from utilitysched.report.mixed import describe_mixed, landscapes
    from utilitysched.report.templating import write_page
    from utilitysched.report.terminal import print_description

    check_source(log)
    trials = WindowTrials(
        Log(log, windows, machine_size),
        scheduler,
        _cost(aim, "mixed"),
        tuple(apply),
        utilities,
        seed,
    )
    protocol = WeeklyProtocol(
        trials,
        _ends(learn_on, "--learn-on"),
        _ends(judge_on, "--judge-on"),
        points,
        generations,
    )
    with _at_work(place, "simulating windows", quiet=quiet) as (executor, progress):
        learned = learn_mixed(protocol, output, executor, progress)
    described = describe_mixed(learned, f"Mixed policies of {Path(log).name}, {windows}", aim)
    print_description(described)
    if page is not None:
        maps = landscapes(learned, aim)
        write_page(replace(described, panels=[*described.panels, *maps]), page)
    print(f"wrote {output}")


@contextmanager
def _at_work(
    place: "Workplace", what: str, *, quiet: bool
) -> "Iterator[tuple[Executor, Callable[[float], None]]]":
    """Open the executor of the simulations and a progress bar."""
    from utilitysched.cli.notifier import notifier, noting_compilation, watcher

    echo = notifier(quiet=quiet)
    executor = place.executor(echo)
    with noting_compilation(echo), watcher(quiet=quiet)(what) as progress:
        yield executor, progress


def _ends(text: str | None, field: str) -> tuple[int, int] | None:
    """Read the first and the last window of a part."""
    if text is None:
        return None
    from swfx import InputError

    first, _, last = text.partition(":")
    if not (first.isdecimal() and last.isdecimal() and 0 < int(first) <= int(last)):
        raise InputError(
            f"{text!r} is not A:B with numbers of windows from 1",
            field=field,
            remedy="write it as in 1:64",
        )
    return int(first), int(last)


def _cost(aim: str, learned: str) -> str:
    """Return the name of the cost after a check that there is one of this name."""
    from swfx.base.options import as_choice
    from utilitysched.kernels.trials import AIMS

    return as_choice(aim, tuple(AIMS), f"learn {learned}", "--aim")


def _fits(fits: "list[FittedForm]", *, latex: bool) -> list[str]:
    """Return lines of formulas with their mean absolute errors."""
    formulas = [fit.latex if latex else fit.text for fit in fits]
    rows = [f"{fit.error:.4e}  {text}" for fit, text in zip(fits, formulas, strict=True)]
    return ["mean error  score, lowest first", *rows]
