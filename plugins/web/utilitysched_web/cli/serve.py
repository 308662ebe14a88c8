"""`utilitysched serve`."""

import gc
from pathlib import Path

from utilitysched.cli import shared
from utilitysched.cli.options import argument, directory_of, option, port_of
from utilitysched_web.cli import KEY_FILE

EPILOG = """\b
Examples:
  utilitysched serve
  utilitysched serve runs/blue/ga --ledger books.db --state /var/lib/utilitysched
  utilitysched serve slurm:/var/lib/utilitysched/sacct.txt --slurm ga
  utilitysched serve --base-path /node/login1/8080 --proxy 10.0.0.2 --user-header X-Forwarded-User
"""
PROXY = "Behind a proxy"


def serve(
    run: str = argument("RUN", "Folder of one run, or a log; default: sample:.", "sample:"),
    ledger: str = option(
        "--ledger LEDGER", "A file, or postgresql://USER@HOST/DATABASE.", "", shown="a file in DIR"
    ),
    slurm: str = option(
        "--slurm SCHEDULER",
        "Show the queue of the Slurm cluster here, planned by this scheduler.",
        "",
        shown="a busy moment of RUN",
    ),
    state: Path | None = option(
        "--state DIR",
        "Where curves, quotes and the audit log are kept.",
        parser=directory_of,
        shown="nowhere once it ends",
    ),
    key_file: Path | None = KEY_FILE,
    host: str = option("--host ADDRESS", "Address to listen on.", "127.0.0.1"),
    port: int = option("--port N", "Port to listen on; 0: any that is free.", 8080, parser=port_of),
    base_path: str = option(
        "--base-path PATH", "Path below which it is reached.", "", shown=False, group=PROXY
    ),
    allowed_host: list[str] = option(
        "--allowed-host NAME",
        "Name by which it is called; repeatable.",
        [],
        shown="localhost",
        group=PROXY,
    ),
    https: bool = option(
        "--https", "It encrypts: cookies are for encrypted connections only.", False, group=PROXY
    ),
    proxy: str | None = option(
        "--proxy ADDRESS", "Address of a proxy that says who is asking.", group=PROXY
    ),
    user_header: str | None = option(
        "--user-header NAME", "Header in which it says so.", group=PROXY
    ),
    operator: list[str] = option(
        "--operator NAME", "An operator among those; repeatable.", [], shown=False, group=PROXY
    ),
    quiet: bool = shared.QUIET,
) -> None:
    """Show the market in a browser, to users and operators.

    Curves, quotes, the queue as it is planned, bills; to operators everybody's, and the ledger.
    Prints a link for the operator, good once and for ten minutes; others sign in with a token,
    see utilitysched token. Stops at Ctrl-C.
    """
    gc.disable()  # what is loaded stays; `serve_site` looks for garbage once it serves
    from utilitysched.cli.notifier import notifier
    from utilitysched_web.application import Outside
    from utilitysched_web.serving import Serving, serve_site, trusted_proxy

    wanted = Serving(
        run,
        ledger,
        state,
        key_file,
        host,
        port,
        Outside(base_path, tuple(allowed_host), https),
        slurm,
    )
    serve_site(wanted, trusted_proxy(proxy, user_header, operator), notifier(quiet=quiet))
