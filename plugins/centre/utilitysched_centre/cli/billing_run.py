"""`utilitysched billing-run`."""

from pathlib import Path

from utilitysched.cli import shared
from utilitysched.cli.options import argument, day_of, option

EPILOG = """\b
Examples:
  utilitysched billing-run billing.toml
  utilitysched billing-run billing.toml --month 2026-10
"""


def billing_run(
    config: Path = argument(
        "CONFIG", "TOML that names log, mechanism, rules and ledger; see docs/billing.md."
    ),
    month: str | None = option(
        "--month YYYY-MM", "Month in which the jobs completed.", shown="the last complete month"
    ),
    issued: str | None = option(
        "--issued YYYY-MM-DD", "Date on the documents.", shown="today", parser=day_of
    ),
    json: bool = shared.JSON,
    quiet: bool = shared.QUIET,
) -> None:
    """Bill a month of a log, and write an invoice per account.

    The bill is posted once. Run it again at any time: what is invoiced stays, and where the log has
    grown or was corrected since, the invoice of an account is cancelled by a credit note and
    replaced. Nothing is sent.
    """
    from datetime import UTC, date, datetime

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
    day = date.fromisoformat(issued) if issued else datetime.now(UTC).date()
    billed = run(read_config(config), month or last_month(day), day, echo=echo)
    with ProgressBar("writing invoices", quiet=quiet) as progress:
        written = write_documents(billed, progress)
    echo(f"wrote {len(written):,} files in {billed.directory.parent}")
    if json:
        print_json(month_document(billed))
    else:
        show_month(billed)
