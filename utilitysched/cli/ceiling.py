"""`utilitysched ceiling`."""

from typing import Annotated

from swfx.base.document_values import whole
from swfx.base.request_fields import Directory, Force, MachineFile, Page, PriorityClasses, Steps
from swfx.base.typed import Typed
from swfx.reading.workload_source import WorkloadSource
from utilitysched.cli.shared import Json, Quiet
from utilitysched.runs.records import RunSeeds

EPILOG = """\b
Examples:
  utilitysched ceiling sample: --jobs 0:500
  utilitysched ceiling log.swf.gz --jobs 5000:10000 --out runs --page ceiling.html
  utilitysched ceiling log.swf.gz --preemptive --json
  utilitysched ceiling log.swf.gz --machine machine.toml
"""


ON_MACHINES = ("index", "easy")
"""Schedulers of which the better one is found where jobs cannot be placed in hindsight."""


def ceiling(
    source: WorkloadSource,
    seeds: RunSeeds,
    apply: Steps = (),
    utilities: Annotated[
        str | None, Typed("--utilities SPEC", shown="the workload's own, else drawn")
    ] = None,
    iterations: Annotated[int, whole(), Typed("--iterations N")] = 240,
    moves: Annotated[int, whole(), Typed("--moves N")] = 16,
    preemptive: Annotated[bool, Typed("--preemptive")] = False,
    machine: MachineFile = None,
    classes: PriorityClasses = None,
    out: Annotated[Directory, Typed("--out -o DIR")] = None,
    force: Force = False,
    page: Page = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Bound what any scheduler could earn from a log.

    Prices of processor time prove a bound on all schedules that run each job in one piece, even
    those of one who knows all jobs in advance. The best such schedule found is set beside it. With
    a machine file, each resource of each pool has prices: what a GPU hour is worth next to a
    processor-hour.

    Parameters
    ----------
    utilities : str, optional
        Draw new utility functions: factor=3,step=1, diurnal:at=09:00, curves:file=FILE, default.
    iterations : int
        Maximum number of steps in the search for prices.
    moves : int
        Moves per job in the search for a schedule; with a machine file the better of index and easy
        is taken.
    preemptive : bool
        Also bound schedules that may preempt jobs at no cost.
    out : Path, optional
        Write the schedule found to DIR/offline/, a run like any other, and prices and profits
        beside it. With a machine file, to DIR/index/ and DIR/easy/.
    """
    from utilitysched.cli.notifier import notifier, noting_compilation, watcher
    from utilitysched.exact.ceiling import ceiling_of, ceiling_record, write_ceiling
    from utilitysched.report.ceiling import ceiling_description
    from utilitysched.report.templating import write_page
    from utilitysched.report.terminal import print_description, print_json
    from utilitysched.runs.records import SimulationPlan
    from utilitysched.runs.simulation import prepare, simulate_all

    plan = SimulationPlan(
        source,
        schedulers=ON_MACHINES if machine else (f"offline:moves={moves}",),
        apply=apply,
        utilities=utilities,
        seeds=seeds,
        classes=classes,
        out=out,
        force=force,
        machine=machine,
    )
    echo, watch = notifier(quiet=quiet), watcher(quiet=quiet)
    with noting_compilation(echo):
        with watch("reading the log"):
            prepared = prepare(plan, echo)
        with watch("ceiling") as progress:
            bounds = ceiling_of(
                prepared.workload,
                iterations,
                preemptively=preemptive,
                watch=progress,
                machine=prepared.machine,
            )
        runs = list(simulate_all(plan, prepared, echo, watch))
    run = max(runs, key=lambda run: float(str(run.summary["aggregate_utility"])))
    if out:
        for path in [run.directory, *write_ceiling(out, bounds, run.schedule)]:
            echo(f"wrote {path}")
    description = ceiling_description(bounds, run.schedule)
    if page:
        write_page(description, page)
        echo(f"wrote {page}")
    if json:
        print_json(ceiling_record(bounds, float(str(run.summary["aggregate_utility"]))))
    else:
        print_description(description)
