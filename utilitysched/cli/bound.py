"""`utilitysched bound`."""

from pathlib import Path
from typing import Annotated

import typer

from utilitysched.cli.options import Json, Seed, positive

EPILOG = """\b
Needs OR-tools: install utilitysched[exact].
Examples:
  utilitysched bound queue.json
  utilitysched bound queue.json --scheduler ga --scheduler easy --charges
  utilitysched bound queue.json --read predicted --effort 600 --json
"""


def bound(
    snapshot: Annotated[
        Path,
        typer.Argument(
            metavar="SNAPSHOT",
            help="JSON of a moment, as utilitysched snapshot writes it.",
            show_default=False,
        ),
    ],
    scheduler: Annotated[
        list[str] | None,
        typer.Option(
            "--scheduler",
            "-s",
            metavar="NAME",
            help="Whose plan is set beside it; repeatable.",
            show_default="ga",
        ),
    ] = None,
    read: Annotated[
        str | None,
        typer.Option(
            "--read",
            metavar="DURATION",
            help="For how long jobs are taken to run when their utility functions are read: "
            "requested, zero, fraction, predicted or expected.",
            show_default="as the first scheduler does",
        ),
    ] = None,
    effort: Annotated[
        float,
        typer.Option(
            "--effort",
            metavar="N",
            parser=positive,
            help="Where to stop without a proof, by the solver's own clock: about a second each, "
            "and the same result on every machine.",
        ),
    ] = 60.0,
    charges: Annotated[
        bool, typer.Option("--charges", help="Exact charges by VCG, too: one more optimum a job.")
    ] = False,
    seed: Seed = 0,
    json: Json = False,
) -> None:
    """Find the best schedule of a queue, or how good one can be at most.

    It is taken for granted that nobody else comes and all run as requested. The best of all queue
    orders under easy placement, which the genetic scheduler searches, is shown for up to 8 jobs.
    """
    from utilitysched.exact import exact_charges
    from utilitysched.exact.comparison import compare, problem_for
    from utilitysched.report.bound import document, print_bound, print_charges
    from utilitysched.report.terminal import print_json
    from utilitysched.runs.snapshot import read_snapshot
    from utilitysched.schedulers.registry import make_scheduler

    schedulers = [make_scheduler(name) for name in scheduler or ("ga",)]
    problem = problem_for(read_snapshot(snapshot), schedulers[0], read)
    compared = compare(problem, schedulers, seed, effort)
    charged = exact_charges(problem, effort) if charges else None
    if json:
        print_json(document(problem, compared, charged))
        return
    print_bound(problem, compared)
    if charged is not None:
        print_charges(charged)
