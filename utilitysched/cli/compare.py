"""`utilitysched compare`."""

from pathlib import Path
from typing import Annotated

import typer

from utilitysched.cli.experiment import Processes
from utilitysched.cli.options import (
    SPEC_HELP,
    Apply,
    Procs,
    Quiet,
    directory_of,
    from_one,
)

EPILOG = """\b
Examples:
  utilitysched compare easy ga
  utilitysched compare easy saf lexp --workload log.swf.gz --jobs 0:5000 --jobs 5000:10000
  utilitysched compare easy fcfs --metric 'wait_p*' --seeds 4
"""


def compare(
    schedulers: Annotated[
        list[str],
        typer.Argument(
            metavar="A B...",
            help="NAME or NAME:key=value,... of two schedulers or more; the first is the baseline.",
            show_default=False,
        ),
    ],
    workload: Annotated[
        list[str] | None,
        typer.Option(
            "--workload",
            "-w",
            metavar="WORKLOAD",
            help="As other commands take it, but not standard input. Repeat: each has tables of "
            "its own.",
            show_default="sample:",
        ),
    ] = None,
    jobs: Annotated[
        list[str] | None,
        typer.Option(
            "--jobs",
            metavar="A:B",
            help="Job lines A to B only; repeat: each slice is a pair of its own.",
            show_default=False,
        ),
    ] = None,
    procs: Procs = None,
    apply: Apply = None,
    utilities: Annotated[
        str,
        typer.Option(
            "--utilities",
            metavar="SPEC",
            help=f"Utility functions: {SPEC_HELP}; 'none' simulates as it is.",
        ),
    ] = "default",
    seeds: Annotated[
        int,
        typer.Option(
            "--seeds", metavar="N", parser=from_one, help="Draws of utility functions: pairs."
        ),
    ] = 8,
    repeats: Annotated[
        int,
        typer.Option(
            "--repeats",
            metavar="N",
            parser=from_one,
            help="Runs of schedulers that draw, averaged within each pair.",
        ),
    ] = 1,
    metric: Annotated[
        list[str] | None,
        typer.Option(
            "--metric",
            "-m",
            metavar="NAME",
            help="Figure of docs/metrics.md, or a pattern such as 'wait_p*'; repeat.",
            show_default="aggregate_utility, wait_mean, bounded_slowdown_mean",
        ),
    ] = None,
    preemption: Annotated[
        str | None,
        typer.Option(
            "--preemption",
            metavar="RULES",
            help="Let running jobs be bumped, as in simulate.",
            show_default=False,
        ),
    ] = None,
    failures: Annotated[
        str | None,
        typer.Option(
            "--failures",
            metavar="DOMAINS",
            help="Let processors fail, as in simulate; the same for all within a pair.",
            show_default=False,
        ),
    ] = None,
    store: Annotated[
        Path | None,
        typer.Option(
            "--store",
            metavar="DIR",
            parser=directory_of,
            help="Keep the results there, and do not run again what is in it.",
            show_default=False,
        ),
    ] = None,
    processes: Processes = None,
    quiet: Quiet = False,
) -> None:
    """Compare schedulers in pairs: ratios to the first with intervals, tests, effect sizes.

    A quick experiment; one that is to be repeated is a file for: utilitysched experiment.
    """
    from utilitysched.cli.experiment import run_and_report
    from utilitysched.cli.notifier import notifier
    from utilitysched.experiments.quick import QuickExperiment, quick_work
    from utilitysched.workers.places import Workplace

    wanted = QuickExperiment(
        tuple(schedulers),
        tuple(workload or ["sample:"]),
        tuple(jobs or [None]),
        procs,
        tuple(apply or ()),
        utilities,
        seeds,
        repeats,
        tuple(metric or ()),
        preemption,
        failures,
    )
    echo = notifier(quiet=quiet)
    executor = Workplace(processes).executor(echo)
    with quick_work(wanted, store, echo) as work:
        run_and_report(work, executor, quiet=quiet)
