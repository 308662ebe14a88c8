"""`utilitysched slurm ...`."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from swfx.base.document_values import made, number, one_of, seconds, whole
from swfx.base.request_fields import SPECIFICATIONS, Seed, directory_of
from swfx.base.typed import Typed
from utilitysched.cli.layout import CommandFamily, Commands
from utilitysched.cli.shared import Json, Quiet

if TYPE_CHECKING:
    from utilitysched_slurm.driver import CycleReport
    from utilitysched_slurm.journal import LookNote

EPILOG = """\b
Examples:
  utilitysched slurm check
  utilitysched slurm watch -s ga -o shadow --for 30d
  utilitysched report shadow/runs
  utilitysched compare recorded ga -w slurm:shadow/sacct.txt --machine-size 4096 --utilities none
  utilitysched slurm run -s ga -o market --metrics 9817
  utilitysched slurm files /etc/slurm job_submit.lua utilitysched.lua
"""

app = Commands(
    cls=CommandFamily,
    help="Watch a real Slurm, or take command of it.",
    epilog=EPILOG,
)

Scheduler = Annotated[
    str, Typed("--scheduler -s NAME", text="Who decides; see utilitysched list schedulers.")
]
Partition = Annotated[
    str, Typed("--partition NAME", shown="all", text="Only jobs and nodes of this one.")
]
Utilities = Annotated[
    str,
    Typed(
        "--utilities SPEC",
        text=f"Curves of jobs whose comments say none: {SPECIFICATIONS}, or none.",
    ),
]
Heartbeat = Annotated[
    Path | None,
    Typed(
        "--heartbeat FILE",
        shown="DIR/heartbeat",
        text="Written every cycle, for the script of slurmctld.",
    ),
]
Value = Annotated[str, Typed("--value SU", text="What the job is worth until its deadline.")]
Deadline = Annotated[
    str, Typed("--deadline WHEN", text="Time of the day, as 18:00, or from now, as 4h.")
]
Timezone = Annotated[
    str, Typed("--timezone ZONE", text="Of clocks that curves go by, such as Europe/Berlin.")
]
MarketFolder = Annotated[Path, made(directory_of), Typed("-o --out DIR")]
HowLong = Annotated[float | None, seconds(gt=0), Typed("--for TIME", shown="until stopped")]


@app.command("watch")
def watch(
    out: MarketFolder,
    scheduler: Scheduler = "ga",
    partition: Partition = "",
    every: Annotated[float, seconds(gt=0), Typed("--every TIME", shown="30s")] = 30.0,
    how_long: HowLong = None,
    utilities: Utilities = "default",
    timezone: Timezone = "UTC",
    seed: Seed = 0,
    *,
    quiet: Quiet = False,
) -> None:
    """Look at queue and nodes, decide, and touch nothing.

    DIR/sacct.txt lists all runs as sacct would, DIR/decisions.csv what would have been started.
    When it is stopped, by Ctrl-C or SIGTERM, it writes what Slurm did and what the scheduler would
    have done to DIR/runs.

    Parameters
    ----------
    out : Path
        Notes and runs; go on with what is there.
    every : float
        Between two looks.
    how_long : float, optional
        How long to watch.
    """
    import time

    from swfx.base.zones import find_zone
    from utilitysched.cli.notifier import notifier, noting_compilation, watcher
    from utilitysched_slurm import commands
    from utilitysched_slurm.market import deciding, go_round, line_of, stopped_by_signals
    from utilitysched_slurm.watch import Shadow
    from utilitysched_slurm.worth import worth_by

    echo = notifier(quiet=quiet)
    chosen = deciding(scheduler)
    worth = worth_by(utilities, seed, find_zone(timezone), echo)
    with (
        Shadow(out, commands, chosen, worth, partition, seed) as shadow,
        noting_compilation(echo),
        stopped_by_signals() as stop,
    ):
        describe = partial(line_of, start="would start", preempt="would preempt")
        shadow.answers.echo = echo
        go_round(lambda: shadow.look(time.time()), every, how_long, stop, describe, echo)
        written = shadow.write_runs(echo, watcher(quiet=quiet))
    print(shadow.summary())
    if not written:
        echo("no job has ended yet: there are no runs to report, bill or compare")
    for directory in written.values():
        print(directory)


@app.command("run")
def run(
    out: MarketFolder,
    scheduler: Scheduler = "ga",
    partition: Partition = "",
    every: Annotated[float, seconds(gt=0), Typed("--every TIME", shown="5s")] = 5.0,
    how_long: HowLong = None,
    grace: Annotated[float, seconds(gt=0), Typed("--grace TIME", shown="1min")] = 60.0,
    order: Annotated[str, one_of(("hold", "priority")), Typed("--order HOW")] = "hold",
    *,
    fail_open: Annotated[bool, Typed("--fail-open/--fail-closed", shown="fail-open")] = True,
    heartbeat: Heartbeat = None,
    ledger: Annotated[str | None, Typed("--ledger LEDGER", shown="nobody pays")] = None,
    mechanism: Annotated[str, Typed("--mechanism -m NAME")] = "first-price",
    quantile: Annotated[float, number(), Typed("--quantile Q")] = 0.9,
    metrics: Annotated[int | None, whole(0, 65_535), Typed("--metrics PORT", shown="off")] = None,
    log: Annotated[str, one_of(("plain", "json")), Typed("--log FORMAT")] = "plain",
    utilities: Utilities = "default",
    timezone: Timezone = "UTC",
    seed: Seed = 0,
    quiet: Quiet = False,
) -> None:
    """Take command: admit jobs, decide, and have Slurm do it.

    A job is admitted when it is first seen: held by the administrator, its curve and its first
    submission written into its AdminComment and into DIR/market.db, for good. What the scheduler
    starts is released, what it preempts is told to write a checkpoint, ended and held. What a plan
    of processors cannot express is left to Slurm. Killed at any moment, it goes on from DIR.

    One market commands a cluster, or a partition, at a time: where another does, exit code 2, and
    a sentence says whose it is, since when, and what to do.

    With --ledger, what a job is expected to pay is held when it is admitted, and each run is
    charged when it is over.

    Parameters
    ----------
    out : Path
        Store and notes; go on with what is there.
    every : float
        Between two cycles.
    how_long : float, optional
        How long to command.
    grace : float
        For a preempted job to write its checkpoint, after signal USR1.
    order : str
        hold: each job is held until its turn; priority: Slurm orders and places all, by fair share
        and the like, and the scheduler's starts come first.
    fail_open : bool
        When it ends, for whatever reason: release all jobs, or keep them held.
    ledger : str, optional
        Accounts that pay, Slurm's by name: utilitysched ledger init --payer account.
    mechanism : str
        How jobs pay, by --ledger: NAME or NAME:key=value,...; first-price, single-price,
        multi-queue, vcg.
    quantile : float
        Share of a job's prospects in which it pays no more than is held.
    metrics : int, optional
        Give Prometheus figures, on 127.0.0.1 only.
    log : str
        What standard error is told: plain, or json, an object per line of all that is done.
    """
    from swfx.base.zones import find_zone
    from utilitysched.cli.notifier import notifier, noting_compilation
    from utilitysched.schedulers.billed import ranked_as_billed
    from utilitysched_slurm import commands
    from utilitysched_slurm.driver import HEARTBEAT, CommandedCluster
    from utilitysched_slurm.events import EventLog, LoggedCluster
    from utilitysched_slurm.market import (
        MarketTerms,
        PayTerms,
        go_round,
        line_of,
        open_market,
        rehearse_market,
        require_slurm,
        serving,
        stopped_by_signals,
    )
    from utilitysched_slurm.metrics import Metrics
    from utilitysched_slurm.script import require_heartbeat

    cluster: CommandedCluster = commands
    echo = notifier(quiet=quiet)
    describe: Callable[[LookNote, bool], str] = partial(line_of, start="starts", preempt="preempts")
    observers: list[Callable[[CycleReport], None]] = []
    if log == "json" and not quiet:
        events = EventLog(partial(print, file=sys.stderr, flush=True))
        cluster, echo, describe = LoggedCluster(commands, events), events.note, lambda *_: ""
        observers.append(events.cycle)
    pay = PayTerms(ledger, mechanism, quantile) if ledger else None
    ranked_as_billed(scheduler, (mechanism,) if pay else (), echo)
    zone, hold = find_zone(timezone), order == "hold"
    terms = MarketTerms(out, scheduler, utilities, partition, zone, grace, seed, hold, pay)
    require_slurm(terms)
    with noting_compilation(echo):
        rehearse_market(terms)
    with (
        nullcontext() if metrics is None else Metrics(metrics) as figures,
        open_market(terms, cluster, echo) as driver,
        stopped_by_signals() as stop,
    ):
        if figures is not None:
            observers.append(figures.cycle)
        beats = heartbeat or out / HEARTBEAT
        with serving(driver, beats, observers, echo, fail_open=fail_open) as cycle:
            driver.beat(beats)
            require_heartbeat(partition, beats)
            go_round(cycle, every, how_long, stop, describe, echo)
        print(driver.summary())


@app.command("open", plugins=False)
def open_all(out: MarketFolder, partition: Partition = "", heartbeat: Heartbeat = None) -> None:
    """Release all jobs that a driver held.

    For a driver that was killed; one that ends by itself does so anyway. Exit code 2 if a job stays
    held, or a driver elsewhere commands the cluster.

    Parameters
    ----------
    out : Path
        Of the driver that is no more.
    """
    from swfx import InputError
    from utilitysched.cli.notifier import ProgressBar
    from utilitysched.schedulers.registry import make_scheduler
    from utilitysched_slurm import commands
    from utilitysched_slurm.driver import HEARTBEAT, Driver, DriverTerms
    from utilitysched_slurm.lock import ClusterLock
    from utilitysched_slurm.store import FILE
    from utilitysched_slurm.worth import NONE, worth_by

    if not (out / FILE).exists():
        raise InputError("no market was here", source=str(out), remedy="give the -o of slurm run")
    worth = worth_by(NONE, 0)
    with (
        Driver(out, commands, make_scheduler("easy"), worth, DriverTerms(partition)) as driver,
        ClusterLock(out, partition=partition),
        ProgressBar("asking Slurm"),
    ):
        (heartbeat or out / HEARTBEAT).unlink(missing_ok=True)  # else new jobs would be held
        refused = driver.release_all()
    for key, why in refused.items():
        print(f"job {key} stays held: {why}")
    if refused:
        raise typer.Exit(2)
    print("nothing is held by the market any more")


@app.command("submit")
def submit(
    script: Annotated[str, Typed("SCRIPT")],
    options: Annotated[Sequence[str], Typed("SBATCH...")] = (),
    value: Value = "",
    deadline: Deadline = "",
    checkpoint: Annotated[str, Typed("--checkpoint TIME", shown="none")] = "",
    curve: Annotated[str, Typed("--curve TEXT", shown="the comment in the script")] = "",
    *,
    quoted: Annotated[bool, Typed("--quote")] = False,
    yes: Annotated[bool, Typed("--yes")] = False,
    scheduler: Annotated[str, Typed("--scheduler -s NAME")] = "ga",
    mechanism: Annotated[
        Sequence[str],
        Typed(
            "--mechanism -m NAME",
            shown="single-price, multi-queue, first-price, second-price, vcg",
        ),
    ] = (),
    partition: Partition = "",
    utilities: Utilities = "default",
    timezone: Timezone = "UTC",
    samples: Annotated[int, whole(1), Typed("--samples N")] = 30,
    seed: Seed = 0,
    quiet: Quiet = False,
) -> None:
    """Submit a job to the market, on request with a quote first.

    sbatch gets SCRIPT with the bid as its comment. Processors, limit and the rest are what sbatch
    makes of script and options. Scheduler, utilities and timezone of a quote are to be those of
    the market (utilitysched slurm run).

    Parameters
    ----------
    script : str
        What sbatch takes.
    options : sequence of str
        Options of sbatch, after --: -- -n 64 --time 4:00:00.
    checkpoint : str
        Between two checkpoints that it writes.
    curve : str
        In their place: TIME:SU,..., or the name of a curve of the centre.
    quoted : bool
        Show what it would get and pay now, and ask.
    yes : bool
        Do not ask.
    scheduler : str
        Of the quote: the market's.
    mechanism : sequence of str
        Of the quote: the market's; repeatable.
    samples : int
        Samples of all run times.
    """
    import getpass
    import sys
    import time

    from swfx.base.zones import find_zone
    from utilitysched_slurm import commands
    from utilitysched_slurm.submission import TypedBid

    zone = find_zone(timezone)
    comment = TypedBid(value, deadline, checkpoint, curve).comment(time.time(), zone)
    arguments = [*options, *([f"--comment={comment}"] if comment else ()), script]
    if quoted:
        from utilitysched.cli.notifier import ProgressBar, notifier, noting_compilation
        from utilitysched.market.quote import MECHANISMS, QuoteTerms
        from utilitysched.report.quote import print_quote
        from utilitysched.schedulers.billed import ranked_as_billed
        from utilitysched_slurm.submission import quote_of, tested
        from utilitysched_slurm.worth import worth_by

        echo = notifier(quiet=quiet)
        worth = worth_by(utilities, seed, zone, echo)
        decider = ranked_as_billed(scheduler, mechanism, echo)
        terms = QuoteTerms(
            decider, tuple(mechanism or MECHANISMS), samples, seed=seed, rounded=True
        )
        job = tested(arguments, time.time(), getpass.getuser())
        with noting_compilation(echo), ProgressBar("quoting", quiet=quiet):
            made = quote_of(job, partition, worth, terms)
        print_quote(made)
        if not yes and sys.stdin.isatty() and not typer.confirm("Submit it?"):
            return
    print(commands.submit(arguments), end="")


@app.command("amend", plugins=False)
def amend(
    job: Annotated[str, Typed("JOB")],
    value: Value = "",
    deadline: Deadline = "",
    curve: Annotated[str, Typed("--curve TIME:SU,...")] = "",
    wait: Annotated[float, seconds(gt=0), Typed("--wait TIME", shown="1min")] = 60.0,
    timezone: Timezone = "UTC",
) -> None:
    """Ask the market for other terms for a job that it has admitted.

    They may be lower at no time than those that the job has, and cost what they are expected to
    cost more.

    Parameters
    ----------
    job : str
        Its number; 15_3 of a task.
    curve : str
        In their place, from its submission on.
    wait : float
        For an answer.
    """
    import time

    from swfx import InputError
    from swfx.base.zones import find_zone
    from utilitysched.cli.notifier import ProgressBar
    from utilitysched_slurm import commands
    from utilitysched_slurm.submission import TypedBid, amendment_of, answered, job_called

    bid, now = TypedBid(value, deadline, curve=curve), time.time()
    amendment = amendment_of(job_called(job), bid, now, find_zone(timezone))
    commands.comment(job, amendment)
    until = time.monotonic() + wait
    with ProgressBar("waiting for the market's answer"):
        while (why := answered(job_called(job), amendment)) is None and time.monotonic() < until:
            time.sleep(1.0)
    if why:
        raise InputError(why, source=f"job {job}")
    print(f"job {job}: {amendment}" + ("; not answered yet" if why is None else ""))


@app.command("check", plugins=False)
def check(json: Json = False) -> None:
    """Check what slurm.conf says and which script is in force, and say what to change.

    Exit code 2 if anything fails, or could not be checked. The script is asked by a job that is
    tried (sbatch --test-only), not submitted. What the watch needs comes first, then what a market
    in command needs, then what a ledger does.
    """
    import time
    from itertools import groupby

    from utilitysched.cli.notifier import ProgressBar
    from utilitysched.report.terminal import print_json
    from utilitysched_slurm.preconditions import checked

    with ProgressBar("asking Slurm"):
        answers = checked(time.time())
    if json:
        print_json({"preconditions": [each._asdict() for each in answers]})
    else:
        for purpose, group in groupby(answers, lambda each: each.purpose):
            print(f"to {purpose}")
            for each in group:
                print(f"  {each.verdict:11}  {each.name:21}  {each.found}")
                if each.problem:
                    print(f"{'':15}{each.problem}\n{'':15}-> {each.line}")
    if any(each.problem for each in answers):
        raise typer.Exit(2)


@app.command("files", plugins=False)
def files(
    folder: Annotated[Path, Typed("DIR")],
    names: Annotated[Sequence[str], Typed("NAME...", shown="all")] = (),
    *,
    replace: Annotated[bool, Typed("--replace")] = False,
) -> None:
    """Write the submission script, the functions that it calls, and the unit of systemd.

    They are job_submit.lua, utilitysched.lua and utilitysched-slurm.service. Exit code 2 if another
    file of such a name is there, and stays.

    Parameters
    ----------
    folder : Path
        Where to: the folder of slurm.conf, or /etc/systemd/system.
    names : sequence of str
        Only these.
    replace : bool
        Replace other files; they are kept as NAME.before.
    """
    from utilitysched_slurm.installed_files import install

    done = list(install(folder, names, replace=replace))
    for each in done:
        print(f"{each.path}: {each.outcome}")
    if any(each.kept for each in done):
        raise typer.Exit(2)
