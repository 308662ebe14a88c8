"""`utilitysched serve`."""

import gc
from collections.abc import Sequence
from typing import Annotated

from swfx.base.document_values import whole
from swfx.base.request_fields import Directory
from swfx.base.typed import Typed
from utilitysched.cli.shared import Quiet
from utilitysched_web.cli import KeyFile

EPILOG = """\b
Examples:
  utilitysched serve
  utilitysched serve runs/blue/ga --ledger books.db --state /var/lib/utilitysched
  utilitysched serve slurm:/var/lib/utilitysched/sacct.txt --slurm ga
  utilitysched serve --base-path /node/login1/8080 --proxy 10.0.0.2 --user-header X-Forwarded-User
"""
PROXY = "Behind a proxy"


def serve(
    run: Annotated[str, Typed("RUN")] = "sample:",
    ledger: Annotated[str, Typed("--ledger LEDGER", shown="a file in DIR")] = "",
    slurm: Annotated[str, Typed("--slurm SCHEDULER", shown="a busy moment of RUN")] = "",
    state: Annotated[Directory, Typed("--state DIR", shown="nowhere once it ends")] = None,
    quotes: Annotated[int, whole(0), Typed("--quotes-per-day N")] = 50,
    invoices: Annotated[Directory, Typed("--invoices DIR", shown="none")] = None,
    key_file: KeyFile = None,
    host: Annotated[str, Typed("--host ADDRESS")] = "127.0.0.1",
    port: Annotated[int, whole(0, 65_535), Typed("--port N")] = 8080,
    base_path: Annotated[str, Typed("--base-path PATH", group=PROXY)] = "",
    allowed_host: Annotated[
        Sequence[str], Typed("--allowed-host NAME", shown="localhost", group=PROXY)
    ] = (),
    *,
    https: Annotated[bool, Typed("--https", group=PROXY)] = False,
    proxy: Annotated[str | None, Typed("--proxy ADDRESS", group=PROXY)] = None,
    user_header: Annotated[str | None, Typed("--user-header NAME", group=PROXY)] = None,
    operator: Annotated[Sequence[str], Typed("--operator NAME", group=PROXY)] = (),
    quiet: Quiet = False,
) -> None:
    """Show the market in a browser, to users and operators.

    Curves, quotes, the queue as it is planned, bills; to operators everybody's, and the ledger.
    Prints a link for the operator, good once and for ten minutes; others sign in with a token,
    see utilitysched token. Stops at Ctrl-C.

    Parameters
    ----------
    run : str
        Folder of one run, or a log; default: sample:.
    ledger : str
        A file, or postgresql://USER@HOST/DATABASE.
    slurm : str
        Show the queue of the Slurm cluster here, planned by this scheduler.
    state : Path, optional
        Where curves, quotes and the audit log are kept.
    quotes : int
        Jobs that a user is quoted for within 24 hours.
    invoices : Path, optional
        Billing folder whose invoices are shown to those who pay them.
    host : str
        Address to listen on.
    port : int
        Port to listen on; 0: any that is free.
    base_path : str
        Path below which it is reached.
    allowed_host : sequence of str
        Name by which it is called; repeatable.
    https : bool
        It encrypts: cookies are for encrypted connections only.
    proxy : str, optional
        Address of a proxy that says who is asking.
    user_header : str, optional
        Header in which it says so.
    operator : sequence of str
        An operator among those; repeatable.
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
        quotes,
        invoices,
    )
    serve_site(wanted, trusted_proxy(proxy, user_header, operator), notifier(quiet=quiet))
