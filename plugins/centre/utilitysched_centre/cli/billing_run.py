"""`utilitysched billing-run`."""

from datetime import date
from pathlib import Path
from typing import Annotated

from swfx.base.document_values import made
from swfx.base.typed import Typed
from utilitysched.cli.shared import Json, Quiet
from utilitysched_centre.cli.days import day_of

EPILOG = """\b
Examples:
  utilitysched billing-run billing.toml
  utilitysched billing-run billing.toml --month 2026-10
"""


def billing_run(
    config: Annotated[Path, Typed("CONFIG")],
    month: Annotated[str | None, Typed("--month YYYY-MM", shown="the last complete month")] = None,
    issued: Annotated[
        date | None, made(day_of), Typed("--issued YYYY-MM-DD", shown="today")
    ] = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Bill a month of a log, and write an invoice per account.

    The bill is posted once. Run it again at any time: what is invoiced stays, and where the log has
    grown or was corrected since, the invoice of an account is cancelled by a credit note and
    replaced. Nothing is sent.

    Parameters
    ----------
    config : Path
        TOML that names log, mechanism, rules and ledger; see docs/billing.md.
    month : str, optional
        Month in which the jobs completed.
    issued : date, optional
        Date on the documents.
    """
    from datetime import UTC, datetime

    from utilitysched.cli.notifier import ProgressBar, notifier
    from utilitysched.report.terminal import print_json
    from utilitysched_centre.billing_run import billing_run as run
    from utilitysched_centre.billing_run import read_config
    from utilitysched_centre.report.billing_run import (
        last_month,
        month_document,
        show_month,
        write_documents,
    )

    echo = notifier(quiet=quiet)
    day = issued or datetime.now(UTC).date()
    billed = run(read_config(config), month or last_month(day), day, echo=echo)
    with ProgressBar("writing invoices", quiet=quiet) as progress:
        written = write_documents(billed, progress)
    echo(f"wrote {len(written):,} files in {billed.directory.parent}")
    if json:
        print_json(month_document(billed))
    else:
        show_month(billed)
