"""`utilitysched simulate`."""

from typing import Annotated

import typer

from utilitysched.cli.options import (
    SPEC_HELP,
    Apply,
    Classes,
    Jobs,
    Json,
    Out,
    Procs,
    Quiet,
    SchedulerSeed,
    Seed,
    Strict,
    UtilitySeed,
    WorkloadText,
    below_half,
    positive,
)

DEFAULT_SCHEDULER = "easy"

EPILOG = """\b
Examples:
  utilitysched simulate sample: --scheduler easy --scheduler ga
  utilitysched simulate log.swf.gz --jobs 5000:10000 --scheduler saf:placement=none --out runs/saf
  utilitysched simulate log.swf.gz --apply nodes:per=8 --apply scale-load:load=0.85
  zcat log.swf.gz | utilitysched simulate - --json | jq '.runs[0].summary'
"""


def simulate(
    workload: WorkloadText,
    jobs: Jobs = None,
    procs: Procs = None,
    scheduler: Annotated[
        list[str] | None,
        typer.Option(
            "--scheduler",
            "-s",
            metavar="NAME",
            help="NAME or NAME:key=value,...; repeat to compare, the first is the baseline. "
            "Names: utilitysched schedulers.",
            show_default=DEFAULT_SCHEDULER,
        ),
    ] = None,
    apply: Apply = None,
    utilities: Annotated[
        str | None,
        typer.Option(
            "--utilities",
            metavar="SPEC",
            help=f"Draw new utility functions: {SPEC_HELP}; 'none' simulates as it is.",
            show_default="the workload's own, else drawn",
        ),
    ] = None,
    seed: Seed = 0,
    utility_seed: UtilitySeed = None,
    scheduler_seed: SchedulerSeed = None,
    classes: Classes = None,
    tau: Annotated[
        float,
        typer.Option(
            "--tau",
            metavar="S",
            parser=positive,
            help="Least run time in bounded slowdowns, seconds.",
        ),
    ] = 10.0,
    trim: Annotated[
        float,
        typer.Option(
            "--trim",
            metavar="SHARE",
            parser=below_half,
            help="Share of the jobs left out of means and percentiles at either end of the log.",
        ),
    ] = 0.0,
    out: Out = None,
    force: Annotated[
        bool, typer.Option("--force", help="Let --out replace the results of another workload.")
    ] = False,
    swf: Annotated[
        bool, typer.Option("--swf", help="Write each schedule as SWF, too, with its waits.")
    ] = False,
    no_allocations: Annotated[
        bool,
        typer.Option("--no-allocations", help="Leave processor numbers out of jobs.csv: faster."),
    ] = False,
    dependencies: Annotated[
        bool,
        typer.Option(
            "--dependencies",
            help="Submit a job with a preceding job (fields 17 and 18) once that one has ended and "
            "the think time has passed; slower.",
        ),
    ] = False,
    preemption: Annotated[
        str | None,
        typer.Option(
            "--preemption",
            metavar="RULES",
            help="Let running jobs be bumped, by key=value,... of scratch, overhead, on_demand, "
            "actual, overrun; or 'default', which schedulers that bump have anyway.",
            show_default=False,
        ),
    ] = None,
    failures: Annotated[
        str | None,
        typer.Option(
            "--failures",
            metavar="DOMAINS",
            help="Let processors fail: nodes=N,per=P,mtbf=TIME,repair=TIME,... or file=PATH; "
            "prefer=safe hands out first what fails least.",
            show_default=False,
        ),
    ] = None,
    strict: Strict = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Simulate schedulers on a workload and compare them.

    Prints waits, expansion factors, bounded slowdown, the share of their start value that jobs
    earned, and the aggregate utility.
    """
    from swfx.reading.workload_source import WorkloadSource
    from utilitysched.cli.notifier import notifier, noting_compilation, watcher
    from utilitysched.report.comparison import print_runs
    from utilitysched.report.terminal import print_json
    from utilitysched.runs.plan import RunSeeds, SimulationPlan
    from utilitysched.runs.provenance import document
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
    )
    echo = notifier(quiet=quiet)
    with noting_compilation(echo):
        prepared = prepare(plan, echo)
        runs = list(simulate_all(plan, prepared, echo, watcher(quiet=quiet)))
    if json:
        print_json(document(plan, prepared, runs))
    else:
        print_runs(plan, prepared, runs)
