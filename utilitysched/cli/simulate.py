"""`utilitysched simulate`."""

from pathlib import Path

from utilitysched.cli import shared
from utilitysched.cli.options import below_half, option, positive_duration

DEFAULT_SCHEDULER = "easy"

EPILOG = """\b
Examples:
  utilitysched simulate sample: --scheduler easy --scheduler ga
  utilitysched simulate log.swf.gz --jobs 5000:10000 --scheduler saf:placement=none --out runs/saf
  utilitysched simulate log.swf.gz --apply nodes:per=8 --apply scale-load:load=0.85
  utilitysched simulate sample: --scheduler ga --logbook generations.csv
  zcat log.swf.gz | utilitysched simulate - --json | jq '.runs[0].summary'
"""


def simulate(
    workload: str = shared.WORKLOAD,
    jobs: slice | None = shared.JOBS,
    procs: int | None = shared.PROCS,
    scheduler: list[str] | None = option(
        "--scheduler -s NAME",
        "NAME or NAME:key=value,...; repeat to compare, the first is the baseline. "
        "Names: utilitysched schedulers.",
        shown=DEFAULT_SCHEDULER,
    ),
    apply: list[str] | None = shared.APPLY,
    utilities: str | None = option(
        "--utilities SPEC",
        f"Draw new utility functions: {shared.SPEC_HELP}; 'none' simulates as it is.",
        shown="the workload's own, else drawn",
    ),
    seed: int = shared.SEED,
    utility_seed: int | None = shared.UTILITY_SEED,
    scheduler_seed: int | None = shared.SCHEDULER_SEED,
    classes: dict[int, int] | None = shared.CLASSES,
    tau: float = option(
        "--tau TIME",
        "Minimum run time in bounded slowdowns.",
        10.0,
        parser=positive_duration,
        shown="10s",
    ),
    trim: float = option(
        "--trim SHARE",
        "Share of the jobs left out of means and percentiles at either end of the log.",
        0.0,
        parser=below_half,
    ),
    out: Path | None = shared.OUT,
    force: bool = option("--force", "Let --out replace the results of another workload.", False),
    swf: bool = option("--swf", "Also write each schedule as SWF, with its waits.", False),
    no_allocations: bool = option(
        "--no-allocations", "Leave processor numbers out of jobs.csv, which is faster.", False
    ),
    logbook: Path | None = option(
        "--logbook FILE",
        "Write a CSV with a row for every generation that genetic schedulers bred.",
    ),
    dependencies: bool = option(
        "--dependencies",
        "Submit a job with a preceding job (fields 17 and 18) once that one has ended and "
        "the think time has passed.",
        False,
    ),
    preemption: str | None = shared.PREEMPTION,
    failures: str | None = shared.FAILURES,
    strict: bool | None = shared.STRICT,
    json: bool = shared.JSON,
    quiet: bool = shared.QUIET,
) -> None:
    """Simulate schedulers on a workload and compare them.

    Prints waits, expansion factors, bounded slowdown, the share of their start value that jobs
    earned, and the aggregate utility.
    """
    from swfx.base.atomic import prove_writable
    from swfx.reading.workload_source import WorkloadSource
    from utilitysched.cli.notifier import notifier, noting_compilation, watcher
    from utilitysched.report.comparison import print_runs
    from utilitysched.report.terminal import print_json
    from utilitysched.runs.logbook import write_logbooks
    from utilitysched.runs.plan import RunSeeds, SimulationPlan, document
    from utilitysched.runs.simulation import prepare, simulate_all

    plan = SimulationPlan(
        source=WorkloadSource(workload, jobs, procs, strict),
        schedulers=tuple(scheduler or [DEFAULT_SCHEDULER]),
        apply=tuple(apply or ()),
        utilities=utilities,
        seeds=RunSeeds.of(seed, utility_seed, scheduler_seed),
        classes=classes,
        tau=tau,
        trim=trim,
        out=out,
        force=force,
        swf=swf,
        allocations=not no_allocations,
        dependencies=dependencies,
        preemption=preemption,
        failures=failures,
        logbook=logbook is not None,
    )
    if logbook:
        prove_writable(logbook)
    echo = notifier(quiet=quiet)
    watch = watcher(quiet=quiet)
    with noting_compilation(echo):
        with watch("reading the log"):
            prepared = prepare(plan, echo)
        runs = list(simulate_all(plan, prepared, echo, watch))
    if logbook:
        write_logbooks(logbook, runs)
    if json:
        print_json(document(plan, prepared, runs))
    else:
        print_runs(plan, prepared, runs)
