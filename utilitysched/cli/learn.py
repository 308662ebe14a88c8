"""`utilitysched learn index|mixed|nonlinear`."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from utilitysched.cli import shared
from utilitysched.cli.experiment import PROCESSES
from utilitysched.cli.layout import CommandFamily, Commands
from utilitysched.cli.options import argument, from_one, from_zero, option

if TYPE_CHECKING:
    from utilitysched.learning.forms import FittedForm
    from utilitysched.workers.executor import Executor
    from utilitysched.workers.places import Workplace

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

AIM = "Cost to minimise: slowdown, wait, or lost-value (what utility functions lose by waits)."
OUTPUT = option(
    "--output -o FILE", "File for what is learned; FILE.journal beside it lets a search resume."
)


@app.command("index", epilog=EPILOG, plugins=False)
def index(
    logs: list[str] = argument("LOG...", "As other commands take a workload; used in turn."),
    output: Path = OUTPUT,
    scheduler: str = option(
        "--scheduler -s SPEC", "Whose weights are learned: index:key=value,...", "index"
    ),
    jobs: list[str] | None = option(
        "--jobs A:B", "Job lines A to B only; once for all logs, or once for each, in order."
    ),
    procs: int | None = shared.PROCS,
    apply: list[str] | None = shared.APPLY,
    loads: str = option("--loads A:B", "Offered loads of the cells.", "0.8:1"),
    utilities: str = option(
        "--utilities SPEC", f"Utility functions: {shared.SPEC_HELP}.", "default"
    ),
    objective: str = option(
        "--objective NAME", "Metric to maximise; see docs/metrics.md.", "aggregate_utility"
    ),
    least: bool = option("--least", "Minimise it instead.", False),
    cell_jobs: int = option("--cell-jobs N", "Jobs of a cell.", 2000, parser=from_one),
    batch: int = option(
        "--batch N", "Cells that each generation is tried on.", 14, parser=from_one
    ),
    generations: int = option(
        "--generations N", "Generations of the search.", 120, parser=from_one
    ),
    start: Path | None = option("--start FILE", "Weights to begin with.", shown="a simple rule"),
    fix: str = option("--fix NAME,...", "Weights that stay as they begin.", ""),
    seed: int = shared.SEED,
    processes: int | None = PROCESSES,
    dask: str | None = shared.DASK,
    quiet: bool = shared.QUIET,
) -> None:
    """Learn the weights of the ordering index, by simulations of pieces of logs.

    May be interrupted, killed, and started again at any time: what was tried is kept.
    """
    from utilitysched.learning.request import LearningRequest
    from utilitysched.learning.study import learn as found_by
    from utilitysched.workers.places import Workplace

    wanted = LearningRequest(
        scheduler,
        tuple(logs),
        tuple(jobs or [None]),
        procs,
        tuple(apply or ()),
        loads,
        utilities,
        objective,
        least,
        cell_jobs,
        batch,
        generations,
        start,
        fix,
        seed,
    )
    learning = wanted.learning()
    place = Workplace(processes, dask)
    with _at_work(place, f"learning {scheduler}", quiet=quiet) as (executor, progress):
        found = found_by(learning, output, executor, progress)
    print(
        f"wrote {output}; {objective} over that of easy on {batch} cells more: "
        f"{found.start:.3f} at the start, {found.shipped:.3f} as the package has it, "
        f"{found.learned:.3f} learned"
    )


@app.command("nonlinear", epilog=EPILOG, plugins=False)
def nonlinear(
    log: str = argument("LOG", "As other commands take a workload, in a file."),
    output: Path = OUTPUT,
    jobs: str | None = option(
        "--jobs A:B", "Job lines A to B, or a window of time, such as '30d 7', the seventh month."
    ),
    procs: int | None = shared.PROCS,
    apply: list[str] | None = shared.APPLY,
    tuples: int = option("--tuples N", "Pieces of the log that are tried.", 100, parser=from_one),
    warm: int = option("--warm-up N", "Jobs of a piece that run first.", 16, parser=from_zero),
    ordered: int = option("--ordered N", "Jobs of a piece that are ordered.", 32, min=2),
    trials: int = option("--trials N", "Orders of each piece.", 16_000, parser=from_one),
    aim: str = option("--aim NAME", AIM, "slowdown"),
    utilities: str = option(
        "--utilities SPEC", f"With --aim lost-value: {shared.SPEC_HELP}.", "default"
    ),
    shown: int = option("--show N", "Formulas to print, the best first.", 10, parser=from_one),
    rank: int = option("--write N", "Formula to write, 1 for the least error.", 1, parser=from_one),
    latex: bool = option("--latex", "Print formulas for LaTeX.", False),
    seed: int = shared.SEED,
    processes: int | None = PROCESSES,
    dask: str | None = shared.DASK,
    quiet: bool = shared.QUIET,
) -> None:
    """Learn a formula of run time, processors and arrival, by trials of orders.

    May be interrupted, killed, and started again at any time: what was tried is kept.
    """
    from swfx.reading.sources import check_source
    from utilitysched.experiments.inputs import Log, check_part
    from utilitysched.learning.first_jobs import FirstJobTrials
    from utilitysched.learning.nonlinear import learn_nonlinear
    from utilitysched.workers.places import Workplace

    check_source(log)
    if jobs is not None:
        check_part(jobs)
    source = Log(log, jobs, procs)
    wanted = FirstJobTrials(
        source, tuple(apply or ()), utilities, warm, ordered, trials, _cost(aim, "nonlinear"), seed
    )
    place = Workplace(processes, dask)
    with _at_work(place, "trying orders", quiet=quiet) as (executor, progress):
        found = learn_nonlinear(wanted, tuples, output, executor, progress, rank)
    print("\n".join(_fits(found.fits[:shown], latex=latex)))
    print(f"wrote {output}: {found.fits[rank - 1].text}")


@app.command("mixed", epilog=EPILOG, plugins=False)
def mixed(
    log: str = argument("LOG", "As other commands take a workload, in a file."),
    output: Path = OUTPUT,
    scheduler: str = option(
        "--scheduler -s SPEC",
        "Whose weights are learned: mixed, with options of list schedulers.",
        "mixed:backfill=spf,threshold=200000",
    ),
    windows: str = option(
        "--windows TEXT",
        "Windows of the log, each from an empty machine: weeks, half-months or 36h; "
        "behind whole, without jobs that start in one and end in another.",
        "whole weeks",
    ),
    learn_on: str | None = option("--learn-on A:B", "Windows A to B.", shown="the first half"),
    judge_on: str | None = option("--judge-on A:B", "Windows A to B.", shown="those that follow"),
    procs: int | None = shared.PROCS,
    apply: list[str] | None = shared.APPLY,
    aim: str = option("--aim NAME", AIM, "slowdown"),
    utilities: str = option(
        "--utilities SPEC", f"With --aim lost-value: {shared.SPEC_HELP}.", "default"
    ),
    points: int = option(
        "--grid N", "Weights of size, request and wait on two grids of N x N.", 20, min=2
    ),
    generations: int = option(
        "--generations N", "Generations of each search by XNES.", 50, parser=from_zero
    ),
    page: Path | None = option("--page FILE", "Tables and maps as HTML."),
    seed: int = shared.SEED,
    processes: int | None = PROCESSES,
    dask: str | None = shared.DASK,
    quiet: bool = shared.QUIET,
) -> None:
    """Learn weights of six job features from weeks of a log.

    May be interrupted, killed, and started again at any time: what was tried is kept.
    """
    from swfx.reading.sources import check_source
    from utilitysched.experiments.inputs import Log
    from utilitysched.learning.mixed import WindowTrials
    from utilitysched.learning.weekly import WeeklyProtocol, learn_mixed
    from utilitysched.report.mixed import describe_mixed, landscapes
    from utilitysched.report.templating import write_page
    from utilitysched.report.terminal import print_description
    from utilitysched.workers.places import Workplace

    check_source(log)
    trials = WindowTrials(
        Log(log, windows, procs),
        scheduler,
        _cost(aim, "mixed"),
        tuple(apply or ()),
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
    place = Workplace(processes, dask)
    with _at_work(place, "simulating windows", quiet=quiet) as (executor, progress):
        found = learn_mixed(protocol, output, executor, progress)
    described = describe_mixed(found, f"Mixed policies of {Path(log).name}, {windows}", aim)
    print_description(described)
    if page is not None:
        maps = landscapes(found, aim)
        write_page(replace(described, panels=[*described.panels, *maps]), page)
    print(f"wrote {output}")


@contextmanager
def _at_work(
    place: "Workplace", what: str, *, quiet: bool
) -> "Iterator[tuple[Executor, Callable[[float], None]]]":
    """Open where simulations run, and what shows how far they are."""
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
    """Return what costs, checked."""
    from swfx.base.options import as_choice
    from utilitysched.kernels.trials import AIMS

    return as_choice(aim, tuple(AIMS), f"learn {learned}", "--aim")


def _fits(fits: "list[FittedForm]", *, latex: bool) -> list[str]:
    """Return lines of formulas with their mean absolute errors."""
    formulas = [fit.latex if latex else fit.text for fit in fits]
    rows = [f"{fit.error:.4e}  {text}" for fit, text in zip(fits, formulas, strict=True)]
    return ["mean error  score, lowest first", *rows]
