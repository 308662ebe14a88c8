"""A server on a port, from the first file it needs to the last request."""

from __future__ import annotations

import gc
import os
import signal
import socket
import sys
import tempfile
import threading
import time
from collections.abc import Sequence
from contextlib import ExitStack, suppress
from dataclasses import replace
from importlib import import_module
from ipaddress import ip_address
from pathlib import Path
from typing import NamedTuple

from swfx import InputError
from swfx.base.errors import failed
from swfx.reading.notes import Echo
from utilitysched.schedulers.billed import as_billed_by
from utilitysched_slurm import commands
from utilitysched_web.application import Outside, application
from utilitysched_web.connections import BoundedServer
from utilitysched_web.doors import Doors, Proxy
from utilitysched_web.invoices import require_folder
from utilitysched_web.live import LiveView
from utilitysched_web.opening import open_site
from utilitysched_web.pages.files import static_files
from utilitysched_web.quote_store import PER_DAY
from utilitysched_web.quoting import quote_desk, quote_processes
from utilitysched_web.sign_ins import VOID_FILE, VoidTokens
from utilitysched_web.site import Site
from utilitysched_web.tokens import issue, signing_key

LINK_LASTS = 600.0
"""Seconds for which the printed link is good."""

SLOW_TO_LOAD = ("utilitysched.report.audit", "utilitysched.report.html.shown")
"""Modules of charts, which pages for operators need: half a second each."""


class Serving(NamedTuple):
    """Options of a server.

    Attributes
    ----------
    run : str
        Directory of a run, or a log.
    ledger : str
        Empty for one in `state`.
    state : Path or None
        Folder for what is written; None for one that goes away with the server.
    key_file : Path or None
        With the key that tokens are signed with.
    host, port : str, int
        To listen on.
    outside : Outside
        What stands before it.
    live : str
        Scheduler of the Slurm cluster here, whose queue is shown; empty for a moment of the run.
    quotes : int
        Jobs that a user is quoted for within a day.
    invoices : Path or None
        Billing folder whose invoices are shown.
    """

    run: str
    ledger: str = ""
    state: Path | None = None
    key_file: Path | None = None
    host: str = "127.0.0.1"
    port: int = 8080
    outside: Outside = Outside()
    live: str = ""
    quotes: int = PER_DAY
    invoices: Path | None = None


def trusted_proxy(
    address: str | None, header: str | None, operators: Sequence[str]
) -> Proxy | None:
    """Return the proxy that names users, None without its options.

    Raises
    ------
    InputError
        Only one of address and header is given, operators without them, or no address.
    """
    if address is None and header is None and not operators:
        return None
    if address is None or header is None:
        raise InputError(
            "a header is believed from one address only",
            field="--proxy",
            remedy="give both --proxy ADDRESS and --user-header NAME",
        )
    try:
        known = str(ip_address(address))
    except ValueError:
        raise InputError(
            f"{address!r} is no address", field="--proxy", remedy="write for instance 10.0.0.2"
        ) from None
    return Proxy(known, header, frozenset(operators))


def serve_site(wanted: Serving, proxy: Proxy | None, echo: Echo) -> None:
    """Serve until interrupted.

    Raises
    ------
    InputError
        There is no such run, ledger or key, or the port is taken.
    """
    base = wanted.outside.base_path.rstrip("/")
    if base and not base.startswith("/"):
        raise InputError(
            f"{base!r} does not begin with /", field="--base-path", remedy=f"write /{base}"
        )
    invoices = wanted.invoices and require_folder(wanted.invoices)
    key = signing_key(wanted.key_file)
    with ExitStack() as ending:
        ending.callback(os.umask, os.umask(0o077))  # whatever is written is for its owner only
        listening = ending.enter_context(_listening(wanted.host, wanted.port))
        before = signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
        ending.callback(signal.signal, signal.SIGTERM, before)
        state = wanted.state
        if state is None:
            state = Path(ending.enter_context(tempfile.TemporaryDirectory(prefix="utilitysched-")))
            echo("what is saved goes away when the server ends; --state DIR keeps it")
        processes = ending.enter_context(quote_processes())  # they load while this one prepares
        site = open_site(wanted.run, state, wanted.ledger, echo)
        site = replace(
            site,
            quotes_per_day=wanted.quotes,
            invoices=invoices,
        )
        if wanted.live:
            live = LiveView(commands, as_billed_by(wanted.live, (site.bill.mechanism,)))
            site = replace(site, live=live)
            ending.enter_context(live.kept_fresh())
        ending.callback(site.books.close)
        moment = site.moment
        desk = quote_desk(processes, site.rules, moment.question(moment.typical(-1), -1))
        doors = Doors(key, proxy, void=VoidTokens(state / VOID_FILE))
        app = application(site, doors, wanted.outside, desk)
        static_files()  # the first page with a chart does not wait for what draws it
        link = issue(key, "operator", "operator", time.time() + LINK_LASTS, once=True)
        address = f"http://{wanted.host}:{listening.getsockname()[1]}{base}"
        echo(f"serving {address}/")
        echo(f"sign in: {address}/login?link={link}")
        gc.freeze()  # what is there now stays: pages do not wait until it is looked through again
        gc.enable()
        warming = threading.Thread(target=_warm, args=(site,))
        warming.start()
        ending.callback(warming.join)
        BoundedServer(app).run([listening])


def _warm(site: Site) -> None:
    """Compute the values that pages keep, so that the first visitor does not wait for them."""
    parts = (site.payers, lambda: site.moment.plan, site.verdict, lambda: site.runs)
    for part in (*parts, lambda: site.rebill):
        with suppress(InputError):  # said on the page that needs it
            part()
    for module in SLOW_TO_LOAD:
        import_module(module)


def _listening(host: str, port: int) -> socket.socket:
    """Return a socket that listens.

    Raises
    ------
    InputError
        The port is taken, or not for us, or the address is none of this machine's.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family)
    except OSError as error:
        plain = OSError(error.errno, str(error.strerror).partition(" (while")[0])
        remedy = "name another --port or --host"
        raise failed("cannot listen", plain, f"{host}:{port}", remedy) from error
