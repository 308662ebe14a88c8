"""`utilitysched learn`."""

from pathlib import Path

from utilitysched.cli import shared
from utilitysched.cli.experiment import PROCESSES
from utilitysched.cli.options import argument, from_one, option

EPILOG = """\b
Examples:
  utilitysched learn index sample: -o weights.toml
  utilitysched learn index a.swf.gz b.swf.gz --jobs 0:20000 --jobs 0:30000 -o weights.toml
  utilitysched simulate log.swf.gz --scheduler index:weights=weights.toml
"""


def learn(
    ordering: str = argument("ORDERING", "What is learned: index, or index:key=value,..."),
    logs: list[str] = argument("LOG...", "As other commands take a workload; used in turn."),
    output: Path = option("--output -o FILE", "Weights; beside it FILE.journal, to go on from."),
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
        "--objective NAME", "Figure of docs/metrics.md to have most of.", "aggregate_utility"
    ),
    least: bool = option("--least", "Have the least of it.", False),
    cell_jobs: int = option("--cell-jobs N", "Jobs of a cell.", 2000, parser=from_one),
    batch: int = option(
        "--batch N", "Cells that each generation is tried on.", 14, parser=from_one
    ),
    generations: int = option("--generations N", "Of the search.", 120, parser=from_one),
    start: Path | None = option("--start FILE", "Weights to begin with.", shown="a simple rule"),
    seed: int = shared.SEED,
    processes: int | None = PROCESSES,
    dask: str | None = shared.DASK,
    jobqueue: str | None = shared.JOB_QUEUE,
    jobqueue_option: list[str] | None = shared.JOB_QUEUE_OPTION,
    quiet: bool = shared.QUIET,
) -> None:
    """Learn the weights of an ordering from pieces of logs.

    May be interrupted, killed, and started again at any time: what was tried is kept.
    """
    from utilitysched.cli.notifier import notifier, noting_compilation, watcher
    from utilitysched.learning.request import LearningRequest
    from utilitysched.learning.study import learn as found_by
    from utilitysched.workers.places import Workplace

    wanted = LearningRequest(
        ordering,
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
        seed,
    )
    learning = wanted.learning()
    echo = notifier(quiet=quiet)
    place = Workplace(processes, dask, jobqueue, tuple(jobqueue_option or ()))
    executor = place.executor(echo)
    with noting_compilation(echo), watcher(quiet=quiet)(f"learning {ordering}") as progress:
        found = found_by(learning, output, executor, progress)
    print(
        f"wrote {output}; {objective} over that of easy on {batch} cells more: "
        f"{found.start:.3f} at the start, {found.shipped:.3f} as the package has it, "
        f"{found.learned:.3f} learned"
    )
