"""`utilitysched advise-checkpoint`."""

from typing import Annotated

import typer

from swfx.base.document_values import whole
from swfx.base.request_fields import Checkpoints, Page, Seed
from swfx.base.typed import Typed
from swfx.reading.workload_source import WorkloadSource
from utilitysched.cli.shared import Json, Quiet

EPILOG = """\b
Failures are taken to be exponential. Times: 90 (s), 30min, 24h, 2 days; --mtbf also 5y.
Examples:
  utilitysched advise-checkpoint --mtbf 5y --nodes 64 --cost 60 --run 24h
  utilitysched advise-checkpoint log.swfx.gz --mtbf 5y --per 8 --cost 120
  utilitysched advise-checkpoint log.swf.gz --checkpoints survey --mtbf 5y --preemptions 2d
"""


def advise_checkpoint(
    mtbf: Annotated[str | None, Typed("--mtbf TIME")] = None,
    per: Annotated[int | None, whole(1), Typed("--per N", shown="1")] = None,
    preemptions: Annotated[str, Typed("--preemptions TIME")] = "never",
    cost: Annotated[
        str | None, Typed("--cost TIME[/processor]", shown="as the job's restart")
    ] = None,
    restart: Annotated[
        str | None, Typed("--restart TIME[/processor]", shown="as --cost, else 1/processor")
    ] = None,
    nodes: Annotated[int | None, whole(1), Typed("--nodes N")] = None,
    run: Annotated[str | None, Typed("--run TIME")] = None,
    checkpoints: Checkpoints = None,
    top: Annotated[int, whole(), Typed("--top N")] = 10,
    source: WorkloadSource | None = None,
    seed: Seed = 0,
    page: Page = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Compute how often jobs should write checkpoints.

    Without a workload, of one job: the best interval, Daly's and Young's, and what it costs to
    miss them. Of a workload: what its intervals cost by user and queue, and which jobs should take
    none.

    Parameters
    ----------
    mtbf : str, optional
        Mean time between failures of one node.
    per : int, optional
        Processors of a node.
    preemptions : str
        Mean time between preemptions of a running job.
    cost : str, optional
        Time to write a checkpoint.
    restart : str, optional
        Time of a restart, for jobs of which the workload does not give it.
    nodes : int, optional
        Of the one job.
    run : str, optional
        Work of the one job.
    top : int
        Users to print.
    """
    from checkpoint.advice import Costs, Stops, advise
    from swfx.base.options import as_seconds
    from utilitysched.cli.notifier import notifier
    from utilitysched.report.advice import (
        OneJob,
        advice_description,
        document,
        groups_of,
        job_description,
    )
    from utilitysched.report.templating import write_page
    from utilitysched.report.terminal import print_answer, print_json
    from utilitysched.runs.steps import checkpointing, load_and_take

    echo = notifier(quiet=quiet)
    stops = Stops.from_texts(mtbf, per, preemptions)
    costs = Costs.from_texts(cost, restart)
    if source is None:
        if nodes is None or run is None:
            raise typer.BadParameter("give a WORKLOAD, or --nodes and --run of one job")
        work = as_seconds(run, "", "run")
        if work < 1:
            raise typer.BadParameter(f"{run!r} is not a run time from 1 s", param_hint="'--run'")
        job = OneJob.of(work, nodes, stops, costs)
        if page:
            write_page(job_description(job), page)
            echo(f"wrote {page}")
        print_json(job.to_dict()) if json else print_answer(job_description(job))
        return
    if nodes is not None or run is not None:
        raise typer.BadParameter("--nodes and --run are of one job: leave out WORKLOAD, or them")
    annotated = load_and_take(source, [checkpointing(checkpoints, seed)], echo)
    advice = advise(annotated, stops.between(annotated.size), costs)
    groups = groups_of(annotated)
    if page:
        write_page(advice_description(advice, groups, stops), page)
        echo(f"wrote {page}")
    if json:
        print_json(document(advice, groups, stops))
    else:
        print_answer(advice_description(advice, groups, stops, top))
