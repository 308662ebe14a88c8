"""A market in command of Slurm, put together from names: what ``utilitysched slurm run`` runs."""

import math
import os
import signal
import socket
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, tzinfo
from pathlib import Path

from swfx import InputError
from swfx.base.numbers import plural
from utilitysched.model.scheduler import Scheduler
from utilitysched.schedulers.billed import as_billed_by
from utilitysched.schedulers.registry import make_scheduler
from utilitysched_centre.payment import open_book
from utilitysched_slurm import commands
from utilitysched_slurm.commands import SlurmError
from utilitysched_slurm.driver import CommandedCluster, CycleReport, Driver, DriverTerms
from utilitysched_slurm.holds import QUANTILE, HoldRule
from utilitysched_slurm.journal import LookNote
from utilitysched_slurm.lock import ClusterLock, LockedCluster, LockedError
from utilitysched_slurm.money import Treasury
from utilitysched_slurm.preconditions import (
    CHARGE,
    COMMAND,
    WATCH,
    checked,
    cluster_name,
    demand,
    require_multifactor,
)
from utilitysched_slurm.watch import rehearse
from utilitysched_slurm.worth import worth_by

Echo = Callable[[str], None]
"""Takes a line for people."""


@dataclass(frozen=True)
class PayTerms:
    """Accounts that pay for the jobs of a market.

    Parameters
    ----------
    ledger : str
        A file, or the address of a database.
    mechanism : str
        Mechanism that charges jobs, as `pricing.make_mechanism` takes it.
    quantile : float
        Share of a job's prospects in which it pays no more than is held.
    """

    ledger: str
    mechanism: str = "first-price"
    quantile: float = QUANTILE


@dataclass(frozen=True)
class MarketTerms:
    """Terms of a market in command.

    Parameters
    ----------
    folder : Path
        Folder of its files; a market that was there goes on.
    scheduler : str
        Scheduler that decides; where jobs pay by first price, it ranks them by the requested end
        unless its text names another time.
    utilities : str
        Model of utility functions of jobs that bid nothing, or ``none``.
    partition : str
        Only partition of the market, if any.
    zone : tzinfo
        Time zone of clocks in bids.
    grace : float
        Time in which a preempted job may write its checkpoint (s).
    seed : int
        Seed of all draws.
    hold : bool
        Hold each job until its turn; else Slurm orders jobs, by fair share and whatever its
        multifactor priority has, and places them, and the scheduler's starts come first.
    pay : PayTerms, optional
        Accounts that pay; by default jobs are free.
    """

    folder: Path
    scheduler: str = "ga"
    utilities: str = "default"
    partition: str = ""
    zone: tzinfo = UTC
    grace: float = 60.0
    seed: int = 0
    hold: bool = True
    pay: PayTerms | None = None

    @property
    def decider(self) -> str:
        """Text of the scheduler as it ranks jobs that pay by the mechanism."""
        return as_billed_by(self.scheduler, (self.pay.mechanism,) if self.pay else ())


def deciding(name: str) -> Scheduler:
    """Return a scheduler by its name.

    Raises
    ------
    InputError
        There is no such scheduler, or it makes no decisions.
    """
    scheduler = make_scheduler(name)
    if not scheduler.decides:
        raise InputError(f"{name} decides nothing", field="--scheduler", remedy="name another")
    return scheduler


def require_slurm(terms: MarketTerms) -> None:
    """Refuse a Slurm whose configuration does not let the market do its work.

    Raises
    ------
    InputError
        A precondition fails; `utilitysched slurm check` lists all.
    """
    if not terms.hold:
        require_multifactor(commands.configuration())
    demand(checked(time.time()), WATCH, COMMAND, *([CHARGE] if terms.pay else []))


def rehearse_market(terms: MarketTerms) -> None:
    """Have the scheduler decide and the ledger's rule quote, so that all they compile is compiled.

    A market that compiles in a cycle keeps jobs waiting, and gives no sign of life meanwhile.
    """
    scheduler = deciding(terms.decider)
    rehearse(scheduler)
    if terms.pay is not None:
        _hold_rule(terms.pay, scheduler, terms.seed).rehearse()


def _hold_rule(pay: PayTerms, scheduler: Scheduler, seed: int) -> HoldRule:
    """Return how much is held for jobs; who preempts would be played event by event."""
    return HoldRule(
        pay.mechanism, "" if scheduler.preempts else scheduler.label, pay.quantile, seed
    )


@contextmanager
def open_market(
    terms: MarketTerms, cluster: CommandedCluster = commands, echo: Echo = lambda _: None
) -> Iterator[Driver]:
    """Open a market with its files and accounts; `Driver.cycle` does all the rest.

    Parameters
    ----------
    terms : MarketTerms
        Terms of the market.
    cluster : CommandedCluster
        Cluster in command; by default the Slurm that answers on this machine.
    echo : callable
        Takes lines for people.

    Raises
    ------
    InputError
        A term cannot be met, the folder is in use, or another market commands the cluster.

    Examples
    --------
    ::

        with open_market(MarketTerms(Path("market"), "easy")) as driver:
            while True:
                print(driver.cycle())
                time.sleep(5)
    """
    scheduler = deciding(terms.decider)
    if scheduler.preempts and not terms.hold:
        raise InputError(
            f"{scheduler.label} preempts, which needs jobs that are held",
            field="--order",
            remedy="leave it out, or name a scheduler that preempts nobody",
        )
    drives = DriverTerms(terms.partition, terms.seed, terms.grace, terms.hold, echo=echo)
    worth = worth_by(terms.utilities, terms.seed, terms.zone, drives.notes.append)
    with _treasury(terms, scheduler, echo) as treasury:
        decider = treasury.watching(scheduler) if treasury else scheduler
        lock = ClusterLock(terms.folder, partition=terms.partition)
        alone = LockedCluster(cluster, lock)
        with Driver(terms.folder, alone, decider, worth, drives, treasury) as driver, lock:
            yield driver


@contextmanager
def _treasury(terms: MarketTerms, scheduler: Scheduler, echo: Echo) -> Iterator[Treasury | None]:
    """Open the accounts that pay, if any do."""
    pay = terms.pay
    if pay is None:
        yield None
        return
    rule = _hold_rule(pay, scheduler, terms.seed)
    name = cluster_name(commands.configuration())
    with (
        open_book(pay.ledger) as book,
        Treasury(terms.folder, book, rule, commands, name, echo) as treasury,
    ):
        yield treasury


@contextmanager
def serving(
    driver: Driver,
    heartbeat: Path,
    observers: Sequence[Callable[[CycleReport], None]] = (),
    echo: Echo = lambda _: None,
    *,
    fail_open: bool = True,
) -> Iterator[Callable[[], LookNote]]:
    """Give a cycle that shows the driver to be alive at each step, and at the end let the jobs go.

    Parameters
    ----------
    driver : Driver
        The market.
    heartbeat : Path
        File that the submission script reads; removed at the end.
    observers : sequence of callable
        Take the report of each cycle.
    echo : callable
        Takes lines for people.
    fail_open : bool
        Release all held jobs at the end, whatever ended it.
    """

    def alive() -> None:
        driver.beat(heartbeat)
        tell_service_manager("READY=1\nWATCHDOG=1")

    driver.on_step = alive

    def cycle() -> LookNote:
        alive()
        decided = driver.cycle()
        if driver.report is not None:
            for observe in observers:
                observe(driver.report)
        return decided

    try:
        yield cycle
    finally:
        heartbeat.unlink(missing_ok=True)
        if fail_open:
            _let_go(driver, echo)


def _let_go(driver: Driver, echo: Echo) -> None:
    """Release all held jobs, and say which stay held."""
    try:
        refused = driver.release_all()
    except LockedError:  # whoever commands has the jobs
        return
    except SlurmError as error:
        echo(f"{error}; held jobs stay held: utilitysched slurm open releases them")
        return
    for key, why in refused.items():
        echo(f"job {key} stays held: {why}")


@contextmanager
def stopped_by_signals() -> Iterator[threading.Event]:
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


def tell_service_manager(state: str) -> None:
    """Tell systemd the state of this process, if it listens: ``READY=1``; see sd_notify(3)."""
    address = os.environ.get("NOTIFY_SOCKET", "")
    if address:
        with suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as channel:
            channel.sendto(state.encode(), address.replace("@", "\0", 1))


def go_round(
    look: Callable[[], LookNote],
    every: float,
    how_long: float | None,
    stop: threading.Event,
    describe: Callable[[LookNote, bool], str],
    echo: Callable[[str], None],
) -> None:
    """Look again and again, for so long (s) or until stopped, and say what is new.

    `describe` is asked of what was decided, and whether that is the first.
    A cluster that does not answer is asked again later, unless it has not answered once.
    """
    until = math.inf if how_long is None else time.monotonic() + how_long
    message, looked = "", False
    while True:
        try:
            sentence = describe(look(), not looked)
        except SlurmError as error:
            if not looked:
                raise
            sentence = f"{error}; Slurm is asked again"
        else:
            looked = True
        if sentence not in {"", message}:
            echo(sentence)
        message = sentence
        if stop.wait(max(0.0, min(every, until - time.monotonic()))) or time.monotonic() >= until:
            return


def line_of(decided: LookNote, first: bool, start: str, preempt: str) -> str:
    """Return a line on what was decided, and what Slurm did; empty if nothing, but at first."""
    parts = (
        (start, decided.starts),
        (preempt, decided.preempts),
        ("Slurm started", decided.began),
    )
    sentence = "; ".join(f"{what} {', '.join(keys)}" for what, keys in parts if keys)
    seen = f"{plural(decided.queued, 'job')} queued, {plural(decided.free, 'processor')} free"
    return f"{seen}: {sentence}" if sentence else seen if first else ""
