"""`utilitysched advise-checkpoint`."""

from pathlib import Path

import typer

from utilitysched.cli import shared
from utilitysched.cli.options import argument, from_one, from_zero, option

EPILOG = """\b
Failures are taken to be exponential. Times: 90 (s), 30min, 24h, 2 days; --mtbf also 5y.
Examples:
  utilitysched advise-checkpoint --mtbf 5y --nodes 64 --cost 60 --run 24h
  utilitysched advise-checkpoint log.swfx.gz --mtbf 5y --per 8 --cost 120
  utilitysched advise-checkpoint log.swf.gz --checkpoints survey --mtbf 5y --preemptions 2d
"""


def advise_checkpoint(
    workload: str | None = argument(
        "WORKLOAD", f"{shared.WORKLOAD_HELP} Without one: advice on one job.", None
    ),
    mtbf: str | None = option("--mtbf TIME", "Mean time between failures of one node."),
    per: int | None = option("--per N", "Processors of a node.", parser=from_one, shown="1"),
    preemptions: str = option(
        "--preemptions TIME", "Mean time between preemptions of a running job.", "never"
    ),
    cost: str | None = option(
        "--cost TIME[/processor]", "Time to write a checkpoint.", shown="as the job's restart"
    ),
    restart: str | None = option(
        "--restart TIME[/processor]",
        "Time of a restart, for jobs of which the workload does not give it.",
        shown="as --cost, else 1/processor",
    ),
    nodes: int | None = option("--nodes N", "Of the one job.", parser=from_one),
    run: str | None = option("--run TIME", "Work of the one job."),
    checkpoints: str | None = shared.CHECKPOINTS,
    top: int = option("--top N", "Users to print.", 10, parser=from_zero),
    jobs: slice | None = shared.JOBS,
    procs: int | None = shared.PROCS,
    strict: bool | None = shared.STRICT,
    seed: int = shared.SEED,
    page: Path | None = shared.PAGE,
    json: bool = shared.JSON,
    quiet: bool = shared.QUIET,
) -> None:
    """Compute how often jobs should write checkpoints.

    Of one job: the best interval, Daly's and Young's, and what it costs to miss them. Of a
    workload: what its intervals cost by user and queue, and which jobs should take none.
    """
    from checkpoint.advice import Costs, advise
    from checkpoint.stops import Stops
    from swfx.base.options import as_seconds
    from swfx.reading.workload_source import WorkloadSource
    from utilitysched.cli.notifier import notifier
    from utilitysched.report.advice import (
        OneJob,
        advice_description,
        document,
        groups_of,
        job_description,
        print_advice,
        print_job,
    )
    from utilitysched.report.description import write_page
    from utilitysched.report.terminal import print_json
    from utilitysched.runs.steps import checkpointing, load_and_take

    echo = notifier(quiet=quiet)
    stops = Stops.from_texts(mtbf, per, preemptions)
    costs = Costs.from_texts(cost, restart)
    if workload is None:
        if nodes is None or run is None:
            raise typer.BadParameter("give a WORKLOAD, or --nodes and --run of one job")
        work = as_seconds(run, "", "run")
        if work < 1:
            raise typer.BadParameter(f"{run!r} is not a run time from 1 s", param_hint="'--run'")
        job = OneJob.of(work, nodes, stops, costs)
        if page:
            write_page(job_description(job), page)
            echo(f"wrote {page}")
        print_json(job.to_dict()) if json else print_job(job)
        return
    if nodes is not None or run is not None:
        raise typer.BadParameter("--nodes and --run are of one job: leave out WORKLOAD, or them")
    source, steps = (
        WorkloadSource(workload, jobs, procs, strict),
        [checkpointing(checkpoints, seed)],
    )
    annotated = load_and_take(source, steps, echo)
    advice = advise(annotated, stops.between(annotated.size), costs)
    groups = groups_of(annotated)
    if page:
        write_page(advice_description(advice, groups, stops), page)
        echo(f"wrote {page}")
    if json:
        print_json(document(advice, groups, stops))
    else:
        print_advice(advice, groups, stops, top)
