"""`utilitysched decision snapshot|explain|bound`."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from swfx.base.document_values import number, seconds
from swfx.base.request_fields import Seed
from swfx.base.typed import Typed
from utilitysched.cli.layout import CommandFamily, Commands
from utilitysched.cli.shared import AT_HELP, Json, Quiet

if TYPE_CHECKING:
    from utilitysched.runs.waiting import WaitingRun

EPILOG = """\b
Examples:
  utilitysched decision explain runs/blue/ga --job 5543
  utilitysched decision explain runs/blue/ga --at 25000000 -s ga:preset=lee -s saf
  utilitysched decision explain runs/cluster/easy --job 5543 --at 25000000
  utilitysched decision snapshot runs/blue/ga --at 2001-02-10T09:30 -o queue.json
  utilitysched decision bound queue.json --scheduler ga --scheduler easy --charges
  utilitysched decision bound queue.json --read predicted --effort 600 --json
"""

app = Commands(
    cls=CommandFamily,
    help="Explain a decision of a run, or bound its worth.",
    epilog=EPILOG,
)

RunFolder = Annotated[
    Path,
    Typed("DIR", text="Directory of one run, as simulate --out writes it: DIR/SCHEDULER."),
]


@app.command("explain", epilog=EPILOG, tables=True)
def explain(
    directory: RunFolder,
    at: Annotated[str | None, Typed("--at TIME", text=AT_HELP)] = None,
    job: Annotated[str | None, Typed("--job N")] = None,
    scheduler: Annotated[Sequence[str], Typed("--scheduler -s NAME", shown="simple rules")] = (),
    seed: Seed = 0,
    json: Json = False,
) -> None:
    """Explain what a run started at a moment, and why; or why jobs waited.

    Of a run on the pools of a machine file: what the queued jobs wait for at a moment, or one of
    them: a limit, a window, a resource, or its turn; and for how long a job waited for each.

    Of any other run: also shows what other schedulers would have planned. Plans are made anew from
    the moment alone, all jobs running as requested and no further arrivals; their worth is read as
    the run's scheduler reads values. Of a genetic scheduler it is shown how its plan was bred.

    Parameters
    ----------
    job : str, optional
        Instead of --at: the time when the job of this number or name started. Of a run on a machine
        file's pools: the job whose waits are explained.
    scheduler : sequence of str
        Scheduler whose plan is compared with the run's; repeatable.
    """
    from swfx import InputError
    from swfx.clock import clock_of, instant
    from utilitysched.exact.decision import OTHERS, explained, start_of
    from utilitysched.report.decision import document, print_decision
    from utilitysched.report.terminal import print_json
    from utilitysched.runs.stored import read_run
    from utilitysched.runs.waiting import WaitingRun

    run = read_run(directory)
    waiting = WaitingRun.of(run)
    if waiting is not None and not scheduler and (at or job):
        _explain_waits(waiting, at, job, json=json)
        return
    if (at is None) == (job is None):
        raise InputError("no moment is given", remedy="give one of --at TIME and --job N")
    if waiting is not None:
        problem = "plans are not compared on the pools of a machine file"
        raise InputError(problem, field="--scheduler", remedy="leave it out")
    clock = clock_of(run.workload.header)
    moment = start_of(run, job or "") if at is None else instant(at, clock, "--at")
    decision = explained(run, moment, scheduler or OTHERS, seed)
    if json:
        print_json(document(decision))
    else:
        print_decision(decision)


def _explain_waits(waiting: "WaitingRun", at: str | None, job: str | None, *, json: bool) -> None:
    """Print what jobs waited for on the pools of a machine file."""
    from swfx.clock import clock_of, instant
    from utilitysched.report import waiting as report
    from utilitysched.report.terminal import print_json

    if at is None:
        name = job or ""
        if json:
            print_json(report.life_document(waiting, name))
        else:
            report.print_life(waiting, name)
        return
    result = waiting.at(instant(at, clock_of(waiting.workload.header), "--at"))
    if json:
        print_json(report.queue_document(result, job))
    elif job is None:
        report.print_queue(result)
    else:
        report.print_reason(result, job)


@app.command("snapshot", epilog=EPILOG)
def snapshot(
    directory: RunFolder,
    at: Annotated[str, Typed("--at TIME", text=AT_HELP)],
    out: Annotated[Path, Typed("-o --out FILE")],
    quiet: Quiet = False,
) -> None:
    """Write what a run's scheduler saw at a moment.

    Holds the queue, the running jobs, and what had ended. Jobs that it started at the moment
    itself still wait.

    Parameters
    ----------
    out : Path
        JSON to write.
    """
    from swfx.base.atomic import prove_writable
    from swfx.base.numbers import plural
    from utilitysched.cli.notifier import notifier
    from utilitysched.runs.snapshot import snapshot_of_run, write_snapshot

    prove_writable(out)
    echo = notifier(quiet=quiet)
    taken = snapshot_of_run(directory, at, on_note=echo)
    write_snapshot(taken, out)
    echo(
        f"wrote {plural(len(taken.queued), 'queued job')} and"
        f" {plural(len(taken.running), 'running job')} to {out}"
    )


@app.command("bound", epilog=EPILOG, tables=True)
def bound(
    snapshot: Annotated[Path, Typed("SNAPSHOT")],
    scheduler: Annotated[Sequence[str], Typed("--scheduler -s NAME", shown="ga")] = ("ga",),
    read: Annotated[
        str | None, Typed("--read DURATION", shown="as the first scheduler does")
    ] = None,
    effort: Annotated[float, number(gt=0), Typed("--effort N")] = 60.0,
    limit: Annotated[float, seconds(gt=0), Typed("--limit TIME", shown="2min")] = 120.0,
    charges: Annotated[bool, Typed("--charges")] = False,
    seed: Seed = 0,
    json: Json = False,
) -> None:
    """Find the best schedule of a queue, or bound its value.

    Assumes that no other job arrives and all run for the requested time. The best of all queue
    orders under easy placement, which the genetic scheduler searches, is shown for up to 8 jobs.

    Parameters
    ----------
    snapshot : Path
        JSON that decision snapshot writes.
    scheduler : sequence of str
        Scheduler whose plan is compared with it; repeatable.
    read : str, optional
        Run time assumed when utility functions are read: requested, zero, fraction, predicted or
        expected.
    effort : float
        Effort after which to stop without a proof: about a second each, and the same result on
        every machine.
    limit : float
        Wall-clock limit of each optimum; the result says if it was reached.
    charges : bool
        Also compute exact VCG charges: one more optimum per job.
    """
    from utilitysched.cli.notifier import ProgressBar, notifier, noting_compilation
    from utilitysched.exact import exact_charges, optimum
    from utilitysched.exact.comparison import compare, problem_for
    from utilitysched.exact.model import solve  # noqa: F401 - refuses before anything is searched
    from utilitysched.report.decision import bound_document, print_bound, print_charges
    from utilitysched.report.terminal import print_json
    from utilitysched.runs.snapshot import read_snapshot
    from utilitysched.schedulers.registry import make_scheduler

    schedulers = [make_scheduler(name) for name in scheduler]
    problem = problem_for(read_snapshot(snapshot), schedulers[0], read)
    with noting_compilation(notifier(quiet=json)), ProgressBar("searching", quiet=json):
        compared = compare(problem, schedulers, seed, partial(optimum, effort=effort, limit=limit))
        charged = exact_charges(problem, effort, limit=limit) if charges else None
    if json:
        print_json(bound_document(problem, compared, charged))
        return
    print_bound(problem, compared)
    if charged is not None:
        print_charges(charged, problem)
