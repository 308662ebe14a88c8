"""`utilitysched explain-decision`."""

from pathlib import Path

from utilitysched.cli import shared
from utilitysched.cli.options import argument, from_zero, option

EPILOG = """\b
Examples:
  utilitysched explain-decision runs/blue/ga --job 5543
  utilitysched explain-decision runs/blue/ga --at 25000000 -s ga:preset=lee -s saf
  utilitysched explain-decision runs/blue/ga --job 5543 --pareto utility+wait -o front.svg
"""


def explain_decision(
    directory: Path = argument(
        "DIR", "Directory of one run, as simulate --out writes it: DIR/SCHEDULER."
    ),
    at: str | None = option("--at TIME", shared.AT_HELP),
    job: int | None = option(
        "--job N", "Instead of --at: the time when this job started.", parser=from_zero
    ),
    scheduler: list[str] | None = option(
        "--scheduler -s NAME",
        "Scheduler whose plan is compared with the run's; repeatable.",
        shown="simple rules",
    ),
    pareto: str | None = option(
        "--pareto TERM+TERM",
        "Show the front of plans, too, by two or three terms of the fitness of ga: utility, wait,"
        " slowdown, longest, fairness, jain, large.",
    ),
    out: Path | None = option("--out -o FILE", "Draw that front: ends in .pdf, .svg or .png."),
    seed: int = shared.SEED,
    json: bool = shared.JSON,
) -> None:
    """Explain what a run started at a moment, and why.

    Also shows what other schedulers would have planned. Plans are made anew from the moment alone,
    all jobs running as requested and no further arrivals; their worth is read as the run's
    scheduler reads values. Of a genetic scheduler it is shown how its plan was bred.
    """
    from functools import partial

    from swfx import InputError
    from swfx.base.atomic import prove_writable
    from swfx.clock import clock_of, instant
    from utilitysched.exact.decision import OTHERS, explained, start_of
    from utilitysched.exact.front import plan_front
    from utilitysched.report.decision import document, front_document, print_decision, print_front
    from utilitysched.report.figures.canvas import check_format, require_matplotlib, save
    from utilitysched.report.figures.front import draw
    from utilitysched.report.figures.style import COLUMN
    from utilitysched.report.terminal import print_json
    from utilitysched.runs.stored import read_run

    if (at is None) == (job is None):
        raise InputError("which moment?", remedy="give one of --at TIME and --job N")
    if out:
        if not pareto:
            raise InputError("no front to draw", field="--out", remedy="give --pareto, too")
        require_matplotlib()
        check_format(out.suffix.removeprefix("."))
        prove_writable(out)
    run = read_run(directory)
    clock = clock_of(run.workload.header)
    moment = start_of(run, job or 0) if at is None else instant(at, clock, "--at")
    found = explained(run, moment, scheduler or OTHERS, seed)
    front = plan_front(found, pareto, seed) if pareto else None
    if json:
        print_json(document(found) | ({"front": front_document(front)} if front else {}))
    else:
        print_decision(found)
        if front:
            print_front(found, front)
    if front and out:
        save(partial(draw, front, COLUMN), out)
