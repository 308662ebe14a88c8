"""`utilitysched ceiling`."""

from pathlib import Path

from utilitysched.cli import shared
from utilitysched.cli.options import directory_of, from_zero, option

EPILOG = """\b
Examples:
  utilitysched ceiling sample: --jobs 0:500
  utilitysched ceiling log.swf.gz --jobs 5000:10000 --out runs --page ceiling.html
  utilitysched ceiling log.swf.gz --preemptive --json
"""


def ceiling(
    workload: str = shared.WORKLOAD,
    jobs: slice | None = shared.JOBS,
    procs: int | None = shared.PROCS,
    apply: list[str] | None = shared.APPLY,
    utilities: str | None = option(
        "--utilities SPEC",
        f"Draw new utility functions: {shared.SPEC_HELP}.",
        shown="the workload's own, else drawn",
    ),
    iterations: int = option(
        "--iterations N", "Maximum number of steps in the search for prices.", 240, parser=from_zero
    ),
    moves: int = option(
        "--moves N", "Moves per job in the search for a schedule.", 16, parser=from_zero
    ),
    preemptive: bool = option(
        "--preemptive", "Also bound schedules that may preempt jobs at no cost.", False
    ),
    seed: int = shared.SEED,
    utility_seed: int | None = shared.UTILITY_SEED,
    scheduler_seed: int | None = shared.SCHEDULER_SEED,
    classes: dict[int, int] | None = shared.CLASSES,
    out: Path | None = option(
        "--out -o DIR",
        "Write the schedule found to DIR/offline/, a run like any other, and prices and profits "
        "beside it.",
        parser=directory_of,
    ),
    force: bool = option("--force", "Let --out replace the results of another workload.", False),
    page: Path | None = option("--page FILE", "Also write an HTML page."),
    strict: bool | None = shared.STRICT,
    json: bool = shared.JSON,
    quiet: bool = shared.QUIET,
) -> None:
    """Bound what any scheduler could earn from a log.

    Prices of processor time prove a bound on all schedules that run each job in one piece, even
    those of one who knows all jobs in advance. The best such schedule found is set beside it.
    """
    from swfx.reading.workload_source import WorkloadSource
    from utilitysched.cli.notifier import notifier, noting_compilation, watcher
    from utilitysched.exact.ceiling import ceiling_of, ceiling_record, write_ceiling
    from utilitysched.report.ceiling import ceiling_description
    from utilitysched.report.templating import write_page
    from utilitysched.report.terminal import print_description, print_json
    from utilitysched.runs.plan import RunSeeds, SimulationPlan
    from utilitysched.runs.simulation import prepare, simulate_all

    plan = SimulationPlan(
        source=WorkloadSource(workload, jobs, procs, strict),
        schedulers=(f"offline:moves={moves}",),
        apply=tuple(apply or ()),
        utilities=utilities,
        seeds=RunSeeds(seed, utility_seed, scheduler_seed),
        classes=classes,
        out=out,
        force=force,
    )
    echo, watch = notifier(quiet=quiet), watcher(quiet=quiet)
    with noting_compilation(echo):
        with watch("reading the log"):
            prepared = prepare(plan, echo)
        with watch("ceiling") as progress:
            found = ceiling_of(
                prepared.workload, iterations, preemptively=preemptive, watch=progress
            )
        [run] = simulate_all(plan, prepared, echo, watch)
    if out:
        for path in [run.directory, *write_ceiling(out, found, run.schedule)]:
            echo(f"wrote {path}")
    description = ceiling_description(found, run.schedule)
    if page:
        write_page(description, page)
        echo(f"wrote {page}")
    if json:
        print_json(ceiling_record(found, float(str(run.summary["aggregate_utility"]))))
    else:
        print_description(description)
