"""`utilitysched bound`."""

from functools import partial
from pathlib import Path

from utilitysched.cli import shared
from utilitysched.cli.options import argument, option, positive, positive_duration

EPILOG = """\b
Needs OR-tools: install utilitysched[exact].
Examples:
  utilitysched bound queue.json
  utilitysched bound queue.json --scheduler ga --scheduler easy --charges
  utilitysched bound queue.json --read predicted --effort 600 --json
"""


def bound(
    snapshot: Path = argument("SNAPSHOT", "JSON that utilitysched snapshot writes."),
    scheduler: list[str] | None = option(
        "--scheduler -s NAME", "Scheduler whose plan is compared with it; repeatable.", shown="ga"
    ),
    read: str | None = option(
        "--read DURATION",
        "Run time assumed when utility functions are read: requested, zero, fraction, "
        "predicted or expected.",
        shown="as the first scheduler does",
    ),
    effort: float = option(
        "--effort N",
        "Effort after which to stop without a proof: about a second each, and the same "
        "result on every machine.",
        60.0,
        parser=positive,
    ),
    limit: float = option(
        "--limit TIME",
        "Wall-clock limit of each optimum; the result says if it was reached.",
        120.0,
        shown="2min",
        parser=positive_duration,
    ),
    charges: bool = option(
        "--charges", "Also compute exact VCG charges: one more optimum per job.", False
    ),
    seed: int = shared.SEED,
    json: bool = shared.JSON,
) -> None:
    """Find the best schedule of a queue, or bound its value.

    Assumes that no other job arrives and all run for the requested time. The best of all queue
    orders under easy placement, which the genetic scheduler searches, is shown for up to 8 jobs.
    """
    from utilitysched.cli.notifier import ProgressBar, notifier, noting_compilation
    from utilitysched.exact import exact_charges, optimum
    from utilitysched.exact.comparison import compare, problem_for
    from utilitysched.report.bound import document, print_bound, print_charges
    from utilitysched.report.terminal import print_json
    from utilitysched.runs.snapshot import read_snapshot
    from utilitysched.schedulers.registry import make_scheduler

    schedulers = [make_scheduler(name) for name in scheduler or ("ga",)]
    problem = problem_for(read_snapshot(snapshot), schedulers[0], read)
    with noting_compilation(notifier(quiet=json)), ProgressBar("searching", quiet=json):
        compared = compare(problem, schedulers, seed, partial(optimum, effort=effort, limit=limit))
        charged = exact_charges(problem, effort, limit=limit) if charges else None
    if json:
        print_json(document(problem, compared, charged))
        return
    print_bound(problem, compared)
    if charged is not None:
        print_charges(charged)
