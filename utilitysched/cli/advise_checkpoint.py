"""`utilitysched advise-checkpoint`."""

from typing import TYPE_CHECKING

import typer

from utilitysched.cli.options import (
    CHECKPOINTS,
    JOBS,
    JSON,
    PROCS,
    QUIET,
    SEED,
    STRICT,
    WORKLOAD_HELP,
    argument,
    from_one,
    from_zero,
    option,
)

if TYPE_CHECKING:
    from checkpoint.advice import Costs
    from checkpoint.stops import Stops
    from swfx import Workload
    from utilitysched.report.advice import OneJob

EPILOG = """\b
Failures are taken to be exponential. Times: 90 (s), 30min, 24h, 2d; --mtbf also 5y.
Examples:
  utilitysched advise-checkpoint --mtbf 5y --nodes 64 --cost 60 --run 24h
  utilitysched advise-checkpoint log.swfx.gz --mtbf 5y --per 8 --cost 120
  utilitysched advise-checkpoint log.swf.gz --checkpoints survey --failures
    nodes=260,per=8,mtbf=5y,repair=4h,rack=32:mtbf=20y --bumps 2d
"""


def advise_checkpoint(
    workload: str | None = argument(
        "WORKLOAD", f"{WORKLOAD_HELP} Without one: advice on one job.", None
    ),
    mtbf: str | None = option("--mtbf TIME", "Mean time between failures of one node."),
    per: int | None = option("--per N", "Processors of a node.", parser=from_one, shown="1"),
    failures: str | None = option(
        "--failures TEXT",
        "In place of --mtbf and --per: nodes and what they share, as in "
        "nodes=260,per=8,mtbf=5y,repair=4h,rack=32:mtbf=20y, or file=PATH.",
    ),
    preemptions: str = option(
        "--bumps TIME", "Mean time between preemptions of a running job, too.", "never"
    ),
    cost: str | None = option(
        "--cost S[/processor]", "What writing a checkpoint takes.", shown="as the job's restart"
    ),
    restart: str | None = option(
        "--restart S[/processor]",
        "What a restart takes, for jobs of which the workload does not say it.",
        shown="as --cost, else 1/processor",
    ),
    nodes: int | None = option("--nodes N", "Of the one job.", parser=from_one),
    run: str | None = option("--run TIME", "Of the one job: its work."),
    checkpoints: str | None = CHECKPOINTS,
    top: int = option("--top N", "Users to print.", 10, parser=from_zero),
    jobs: slice | None = JOBS,
    procs: int | None = PROCS,
    strict: bool | None = STRICT,
    seed: int = SEED,
    json: bool = JSON,
    quiet: bool = QUIET,
) -> None:
    """Say how often jobs should write checkpoints.

    Of one job: the best interval, Daly's and Young's, and what it costs to miss them. Of a
    workload: what its intervals cost by user and queue, and which jobs should take none.
    """
    from checkpoint.advice import Costs, advise
    from checkpoint.stops import Stops
    from swfx.reading.notes import read_notes
    from swfx.reading.workload_source import WorkloadSource
    from utilitysched.cli.notifier import notifier
    from utilitysched.report.advice import (
        document,
        groups_of,
        print_advice,
        print_job,
        rows_of,
    )
    from utilitysched.report.terminal import print_json
    from utilitysched.runs.steps import checkpointing, take_steps

    stops = Stops.from_texts(mtbf, per, failures, preemptions)
    costs = Costs.from_texts(cost, restart)
    if workload is None:
        job = _one_job(_alone(stops, nodes, run), stops, costs)
        print_json({**job._asdict(), "intervals": rows_of(job)}) if json else print_job(job)
        return
    if nodes is not None or run is not None:
        raise typer.BadParameter("--nodes and --run are of one job: leave out WORKLOAD, or them")
    loaded = WorkloadSource(workload, jobs, procs, strict).load()
    echo = notifier(quiet=quiet)
    for line in read_notes(loaded.report):
        echo(line)
    annotated = take_steps(loaded.workload, [checkpointing(checkpoints, seed)], echo)
    advice = advise(annotated, stops.between(annotated.size), costs)
    groups = groups_of(annotated)
    if json:
        print_json(document(advice, groups, stops))
    else:
        print_advice(advice, groups, stops, top)


def _alone(stops: "Stops", nodes: int | None, run: str | None) -> "Workload":
    """Return a workload of one job."""
    from swfx import Workload
    from swfx.base.options import as_seconds

    if nodes is None or run is None:
        raise typer.BadParameter("give a WORKLOAD, or --nodes and --run of one job")
    work = as_seconds(run, "", "run")
    if work < 1:
        raise typer.BadParameter(f"{run!r} is not a run time from 1 s", param_hint="'--run'")
    return Workload.from_columns(run=[work], processors=[nodes * stops.node_size])


def _one_job(alone: "Workload", stops: "Stops", costs: "Costs") -> "OneJob":
    from checkpoint.advice import advise
    from utilitysched.report.advice import OneJob

    between = stops.between(alone.size)
    advise(alone, between, costs)  # refuses what cannot be computed
    cost, restart = costs.of(alone)
    return OneJob(float(alone.run[0]), float(cost[0]), float(restart[0]), float(between[0]))
