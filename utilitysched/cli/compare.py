"""`utilitysched compare`."""

from pathlib import Path

from utilitysched.cli import shared
from utilitysched.cli.experiment import PROCESSES
from utilitysched.cli.options import argument, directory_of, from_one, option

EPILOG = """\b
Examples:
  utilitysched compare easy ga
  utilitysched compare easy saf lexp --workload log.swf.gz --jobs 0:5000 --jobs 5000:10000
  utilitysched compare easy fcfs --metric 'wait_p*' --seeds 4
"""


def compare(
    schedulers: list[str] = argument(
        "A B...", "NAME or NAME:key=value,... of two schedulers or more; the first is the baseline."
    ),
    workload: list[str] | None = option(
        "--workload -w WORKLOAD",
        "Workload, as for other commands, but not standard input; repeatable, each has "
        "its own tables.",
        shown="sample:",
    ),
    jobs: list[str] | None = option(
        "--jobs A:B", "Job lines A to B only; repeatable, each slice is a pair."
    ),
    procs: int | None = shared.PROCS,
    apply: list[str] | None = shared.APPLY,
    utilities: str = option(
        "--utilities SPEC",
        f"Utility functions: {shared.SPEC_HELP}; 'none' simulates as it is.",
        "default",
    ),
    seeds: int = option(
        "--seeds N", "Draws of utility functions, each a pair.", 8, parser=from_one
    ),
    repeats: int = option(
        "--repeats N",
        "Runs of stochastic schedulers, averaged within each pair.",
        1,
        parser=from_one,
    ),
    metric: list[str] | None = option(
        "--metric -m NAME",
        "Metric of docs/metrics.md, or a pattern such as 'wait_p*'; repeatable.",
        shown="aggregate_utility, wait_mean, bounded_slowdown_mean",
    ),
    preemption: str | None = option(
        "--preemption RULES", "Allow running jobs to be preempted, as in simulate."
    ),
    failures: str | None = option(
        "--failures NODES", "Let nodes fail, as in simulate; the same for all within a pair."
    ),
    store: Path | None = option(
        "--store DIR",
        "Keep results there, and do not repeat what it has already.",
        parser=directory_of,
    ),
    processes: int | None = PROCESSES,
    quiet: bool = shared.QUIET,
) -> None:
    """Compare schedulers in pairs, with intervals and tests.

    Prints ratios to the first scheduler and effect sizes. For an experiment to keep and repeat,
    write a file: see utilitysched experiment.
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
