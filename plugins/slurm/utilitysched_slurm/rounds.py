"""Rounds of a watch or a market: one look after another, until somebody stops it."""

import math
import os
import signal
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

from swfx.base.numbers import plural
from utilitysched_slurm.commands import SlurmError
from utilitysched_slurm.journal import LookNote


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
    told, looked = "", False
    while True:
        try:
            said = describe(look(), not looked)
        except SlurmError as error:
            if not looked:
                raise
            said = f"{error}; Slurm is asked again"
        else:
            looked = True
        if said not in {"", told}:
            echo(said)
        told = said
        if stop.wait(max(0.0, min(every, until - time.monotonic()))) or time.monotonic() >= until:
            return


def line_of(decided: LookNote, first: bool, start: str, preempt: str) -> str:
    """Return a line on what was decided, and what Slurm did; empty if nothing, but at first."""
    parts = (
        (start, decided.starts),
        (preempt, decided.preempts),
        ("Slurm started", decided.began),
    )
    said = "; ".join(f"{what} {', '.join(keys)}" for what, keys in parts if keys)
    seen = f"{plural(decided.queued, 'job')} queued, {plural(decided.free, 'processor')} free"
    return f"{seen}: {said}" if said else seen if first else ""
