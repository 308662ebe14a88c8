"""`utilitysched slurm ...`."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from utilitysched.cli import shared
from utilitysched.cli.layout import Commands
from utilitysched.cli.options import directory_of, option, positive_duration
from utilitysched.cli.plugins import takes_plugins

if TYPE_CHECKING:
    from utilitysched.slurm.journal import LookNote
    from utilitysched.slurm.watch import Shadow

EPILOG = """\b
Examples:
  utilitysched slurm check
  utilitysched slurm watch -s ga -o shadow --for 30d
  utilitysched report shadow/runs
  utilitysched compare recorded ga -w slurm:shadow/sacct.txt --utilities none
"""

app = Commands(
    help="Watch what a scheduler would do on a real Slurm.",
    epilog=EPILOG,
    no_args_is_help=True,
)

PARTITION = option("--partition NAME", "Only jobs and nodes of this one.", "", shown="all")


@contextmanager
def _stopped_by_signals() -> Iterator[threading.Event]:
    """Give what is set by the first Ctrl-C or SIGTERM."""
    stop = threading.Event()
    before = {
        number: signal.signal(number, lambda *_: stop.set())
        for number in (signal.SIGINT, signal.SIGTERM)
    }
    try:
        yield stop
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _look_until(
    shadow: Shadow, until: float, every: float, stop: threading.Event, echo: Callable[[str], None]
) -> None:
    """Look again and again, until a time on the monotonic clock or until stopped (s).

    A cluster that does not answer is asked again later, unless it has not answered once.
    """
    import time

    from utilitysched.slurm.commands import SlurmError

    trouble, looked = "", False
    while True:
        try:
            decided = shadow.look(time.time())
        except SlurmError as error:
            if not looked:
                raise
            if trouble != (trouble := str(error)):
                echo(f"{trouble}: asked again later")
        else:
            if decided.starts or decided.preempts or decided.began:
                echo(_told(decided))
            trouble, looked = "", True
        if stop.wait(max(0.0, min(every, until - time.monotonic()))) or time.monotonic() >= until:
            return


def _told(decided: LookNote) -> str:
    """Return a line on what was decided, and what Slurm did."""
    from swfx.base.numbers import plural

    parts = (
        ("would start", decided.starts),
        ("would preempt", decided.preempts),
        ("Slurm started", decided.began),
    )
    said = "; ".join(f"{what} {', '.join(keys)}" for what, keys in parts if keys)
    return f"{plural(decided.queued, 'job')} queued, {decided.free} processors free: {said}"


@app.command("watch")
@takes_plugins
def watch(
    out: Path = option(
        "-o --out DIR", "Notes and runs; go on with what is there.", ..., parser=directory_of
    ),
    scheduler: str = option(
        "--scheduler -s NAME", "Who decides; see utilitysched schedulers.", "ga"
    ),
    partition: str = PARTITION,
    every: float = option(
        "--every TIME", "Between two looks.", 30.0, parser=positive_duration, shown="30s"
    ),
    how_long: float | None = option(
        "--for TIME", "How long to watch.", parser=positive_duration, shown="until stopped"
    ),
    utilities: str = option(
        "--utilities SPEC",
        f"Curves of jobs whose comments say none: {shared.SPEC_HELP}, or none.",
        "default",
    ),
    timezone: str = option(
        "--timezone ZONE", "Of clocks that curves go by, such as Europe/Berlin.", "UTC"
    ),
    seed: int = shared.SEED,
    quiet: bool = shared.QUIET,
) -> None:
    """Look at queue and nodes, decide, and touch nothing.

    DIR/sacct.txt lists all runs as sacct would, DIR/decisions.csv what would have been started.
    When it is stopped, by Ctrl-C or SIGTERM, it writes what Slurm did and what the scheduler would
    have done to DIR/runs.
    """
    import math
    import time

    from swfx import InputError
    from swfx.base.zones import find_zone
    from utilitysched.cli.notifier import notifier, noting_compilation, watcher
    from utilitysched.schedulers.registry import make_scheduler
    from utilitysched.slurm import commands
    from utilitysched.slurm.watch import Shadow
    from utilitysched.slurm.worth import worth_by

    echo = notifier(quiet=quiet)
    chosen = make_scheduler(scheduler)
    if not chosen.decides:
        raise InputError(f"{scheduler} decides nothing", field="--scheduler", remedy="name another")
    worth = worth_by(utilities, seed, find_zone(timezone), echo)
    until = math.inf if how_long is None else time.monotonic() + how_long
    with (
        Shadow(out, commands, chosen, worth, partition, seed) as shadow,
        noting_compilation(echo),
        _stopped_by_signals() as stop,
    ):
        _look_until(shadow, until, every, stop, echo)
        written = shadow.write_runs(echo, watcher(quiet=quiet))
    print(shadow.summary())
    for directory in written.values():
        print(directory)


@app.command("check")
def check(json: bool = shared.JSON) -> None:
    """Check what slurm.conf says, and say what to change; exit code 2 if anything.

    What the watch needs comes first, then what a market in command needs, then what a ledger does.
    """
    import time
    from itertools import groupby

    from utilitysched.report.terminal import print_json
    from utilitysched.slurm import commands
    from utilitysched.slurm.preconditions import Caller, preconditions

    found = preconditions(commands.configuration(), Caller(*commands.caller()), time.time())
    if json:
        print_json({"preconditions": [each._asdict() for each in found]})
    else:
        for purpose, group in groupby(found, lambda each: each.purpose):
            print(f"to {purpose}")
            for each in group:
                print(f"  {'FAILED' if each.problem else 'ok':6}  {each.name:21}  {each.found}")
                if each.problem:
                    print(f"{'':10}{each.problem}\n{'':10}-> {each.line}")
    if any(each.problem for each in found):
        raise typer.Exit(2)
