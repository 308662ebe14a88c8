"""`utilitysched invoice`."""

from pathlib import Path
from typing import Annotated

from swfx.base.document_values import whole
from swfx.base.numbers import CENTS, MOST_DECIMALS
from swfx.base.request_fields import Directory
from swfx.base.typed import Typed
from utilitysched.cli.shared import Json, LogMachine, LogUtilities, Quiet
from utilitysched.workers.places import Workplace

EPILOG = """\b
Examples:
  utilitysched invoice runs/blue/ga --rules rules.toml --html invoices
  utilitysched invoice slurm:sacct.txt --mechanism single-price --rules rules.toml
  utilitysched invoice runs/blue/ga --rules rules.toml --ledger books.db
"""


def invoice(
    run: Annotated[str, Typed("RUN")],
    mechanism: Annotated[
        str, Typed("--mechanism NAME", shown="that of simulate, else first-price")
    ] = "",
    rules: Annotated[
        Path | None, Typed("--rules FILE", shown="what jobs are charged is to be paid")
    ] = None,
    by: Annotated[str, Typed("--by KIND")] = "account",
    ledger: Annotated[str | None, Typed("--ledger LEDGER")] = None,
    month: Annotated[
        str | None, Typed("--month YYYY-MM", shown="in which each job completed")
    ] = None,
    html: Annotated[Path | None, Typed("--html FOLDER")] = None,
    cap: Annotated[bool, Typed("--cap")] = False,
    drawn_values: Annotated[bool, Typed("--drawn-values")] = False,
    decimals: Annotated[int, whole(0, MOST_DECIMALS), Typed("--decimals N")] = CENTS,
    out: Annotated[Directory, Typed("--out DIR")] = None,
    machine_size: LogMachine = None,
    utilities: LogUtilities = None,
    *,
    place: Workplace,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Make invoices of charges, and let accounts pay.

    With --rules, invoice.csv, invoice-by-KIND.csv and invoice.json are written beside the bill into
    the folder of a run. With --ledger the accounts pay, and what they paid is reconciled with the
    invoice; if one cannot, none does, and nothing is written.

    Parameters
    ----------
    run : str
        Folder of one run, or a log, as for bill.
    mechanism : str
        What jobs are charged by, as for bill.
    rules : Path, optional
        What the centre makes of the charges: minimums, weights, exemptions, discounts, allowances,
        currency, tax (TOML).
    by : str
        Who gets an invoice: account (whoever pays), user, group, queue, month, project, ...
    ledger : str, optional
        Charge the accounts of this ledger: a file, or postgresql://USER@HOST/DATABASE. A second
        time changes nothing.
    month : str, optional
        Of the ledger's charges.
    html : Path, optional
        Write each invoice as a page to print, its evidence, and its jobs as CSV.
    cap : bool
        Charge no job more than it turned out to be worth.
    drawn_values : bool
        Charge a log by values that were drawn at random.
    decimals : int
        Of each job's charge, as for bill; of a ledger, at most its own.
    out : Path, optional
        Write the schedule of a log, its bill and invoice, in DIR/recorded.
    """
    from pricing.keys import check_kind
    from utilitysched.cli.notifier import ProgressBar, notifier
    from utilitysched.market.billing import BillPlan, BillSource, replay_places, usual_mechanism
    from utilitysched.report.terminal import print_json
    from utilitysched_centre.invoicing import InvoicePlan, make_invoice
    from utilitysched_centre.report.invoice import invoice_document, show_invoice
    from utilitysched_centre.report.statements import Statements, write_pages
    from utilitysched_centre.rules import KINDS, read_rules
    from utilitysched_centre.rules.statements import ACCOUNT

    echo = notifier(quiet=quiet)
    executor = replay_places(mechanism or usual_mechanism(run), place, echo)
    check_kind(by, KINDS)
    owner = None if by == ACCOUNT else by
    bill = BillPlan(mechanism, cap=cap, by=owner, drawn_values=drawn_values, decimals=decimals)
    plan = InvoicePlan(bill, read_rules(rules) if rules else None, ledger, month, html)
    source = BillSource(run, out, machine_size, utilities)
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
