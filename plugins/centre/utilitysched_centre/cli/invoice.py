"""`utilitysched invoice`."""

from pathlib import Path

from utilitysched.cli import shared
from utilitysched.cli.options import argument, directory_of, option

EPILOG = """\b
Examples:
  utilitysched invoice runs/blue/ga --rules rules.toml --html invoices
  utilitysched invoice slurm:sacct.txt --mechanism single-price --rules rules.toml
  utilitysched invoice runs/blue/ga --rules rules.toml --ledger books.db
"""


def invoice(
    run: str = argument("RUN", "Folder of one run, or a log, as for bill."),
    mechanism: str = option(
        "--mechanism NAME", "What jobs are charged by, as for bill.", "", shown="first-price"
    ),
    rules: Path | None = option(
        "--rules FILE",
        "What the centre makes of the charges: minimums, weights, exemptions, discounts, "
        "allowances, currency, tax (TOML).",
        shown="what jobs are charged is to be paid",
    ),
    by: str = option(
        "--by KIND",
        "Who gets an invoice: account (whoever pays), user, group, queue, month, project, ...",
        "account",
    ),
    ledger: str | None = option(
        "--ledger LEDGER",
        "Charge the accounts of this ledger: a file, or postgresql://USER@HOST/DATABASE. A "
        "second time changes nothing.",
    ),
    month: str | None = option(
        "--month YYYY-MM",
        "Of the ledger's charges.",
        shown="in which each job completed",
    ),
    html: Path | None = option(
        "--html FOLDER",
        "Write each invoice as a page to print, its evidence, and its jobs as CSV.",
    ),
    cap: bool = option("--cap", "Charge no job more than it turned out to be worth.", False),
    drawn_values: bool = option(
        "--drawn-values", "Charge a log by values that were drawn at random.", False
    ),
    out: Path | None = option(
        "--out DIR",
        "Write the schedule of a log, its bill and invoice, in DIR/recorded.",
        parser=directory_of,
    ),
    procs: int | None = shared.LOG_PROCS,
    utilities: str | None = shared.LOG_UTILITIES,
    processes: int | None = shared.REPLAY_PROCESSES,
    dask: str | None = shared.DASK,
    json: bool = shared.JSON,
    quiet: bool = shared.QUIET,
) -> None:
    """Make invoices of charges, and let accounts pay.

    With --rules, invoice.csv, invoice-by-KIND.csv and invoice.json are written beside the bill into
    the folder of a run. With --ledger the accounts pay, and what they paid is reconciled with the
    invoice; if one cannot, none does, and nothing is written.
    """
    from pricing.keys import check_kind
    from utilitysched.cli.notifier import ProgressBar, notifier
    from utilitysched.market.billing import BillPlan, BillSource, replay_places
    from utilitysched.report.terminal import print_json
    from utilitysched.workers.places import Workplace
    from utilitysched_centre.invoicing import InvoicePlan, make_invoice
    from utilitysched_centre.report.invoice import invoice_document, show_invoice
    from utilitysched_centre.report.statements import Statements, write_pages
    from utilitysched_centre.rules import KINDS, read_rules
    from utilitysched_centre.rules.statements import ACCOUNT

    echo = notifier(quiet=quiet)
    executor = replay_places(mechanism, Workplace(processes, dask), echo)
    check_kind(by, KINDS)
    bill = BillPlan(mechanism, cap=cap, by=None if by == ACCOUNT else by, drawn_values=drawn_values)
    plan = InvoicePlan(bill, read_rules(rules) if rules else None, ledger, month, html)
    source = BillSource(run, out, procs, utilities)
    with ProgressBar("replaying without each job", quiet=quiet) as progress:
        made = make_invoice(plan, source, executor=executor, echo=echo, on_progress=progress)
    if html:
        statements = Statements(made.invoice, by, made.directory, made.reconciled)
        with ProgressBar("writing invoices", quiet=quiet) as progress:
            written = write_pages(statements, html, progress)
        echo(f"wrote {len(written):,} files in {html}")
    if json:
        print_json(invoice_document(made))
    else:
        show_invoice(made, by)
