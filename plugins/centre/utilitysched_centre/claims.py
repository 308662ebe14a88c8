"""Claims of a ledger on those who pay for a run: by its bill, or at most, before there is one."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import repeat
from pathlib import Path
from typing import NamedTuple

from pricing.ceilings import ceilings
from pricing.charges import Charges
from pricing.recompute import Fault, differing, recompute
from pricing.recorded import BILL_AGAIN
from swfx import InputError
from swfx.base.csv_columns import read_columns
from utilitysched.engine.segments_log import waste_of
from utilitysched.runs.bill_csv import require_bill
from utilitysched.runs.plausibility import require_plausible
from utilitysched.runs.stored import read_run
from utilitysched_centre.accounts import (
    Book,
    Claims,
    Money,
    at_most,
    at_most_invoiced,
    payer_name,
    read_month,
)
from utilitysched_centre.accounts.claims import require_counted
from utilitysched_centre.rules import Invoice, Rules, invoice, most, read_rules
from utilitysched_centre.rules.account_of import accounts_of, listed_by_number
from utilitysched_centre.rules.files import INVOICE_FILE, invoice_table
from utilitysched_centre.rules.rules import SU


class Ceiling(NamedTuple):
    """What jobs can be charged at most.

    Attributes
    ----------
    mechanism : str
        Name and options.
    cap : bool
        Charge no job more than it turned out to be worth.
    rules : Path, optional
        What the centre makes of the charges.
    """

    mechanism: str
    cap: bool = False
    rules: Path | None = None


def claims_at_most(
    directory: Path, ceiling: Ceiling, money: Money, *, month: str | None = None
) -> Claims:
    """Return what the jobs of a run can come to cost.

    Parameters
    ----------
    directory : Path
        Of one run.
    ceiling : Ceiling
        By what they are charged.
    money : Money
        What the ledger counts in.
    month : str, optional
        To which all entries belong, YYYY-MM; default: that of each job.

    Raises
    ------
    InputError
        There is no run; the mechanism has no limit; the ledger counts in something else.
    """
    when = read_month(month) if month else None
    if ceiling.rules:
        rules = read_rules(ceiling.rules)
        jobs = read_run(directory).workload
        highest = most(jobs, ceiling.mechanism, rules, cap=ceiling.cap, finest=money.decimals)
        return at_most_invoiced(jobs, highest, money, month=when)
    require_counted(SU, 0, money)
    jobs = read_run(directory).workload
    return at_most(jobs, ceilings(jobs, ceiling.mechanism, cap=ceiling.cap), money, month=when)


def read_claims(
    directory: Path, book: Book, *, rules: Path | None = None, month: str | None = None
) -> Claims:
    """Make the bill in a run's directory anew, as what a ledger charges.

    By the schedule, the log, the evidence of the bill and, for an invoice, the rules: nothing is
    taken from a bill that does not follow from these. They are the claims that
    `charged` of `utilitysched_centre.accounts` makes of the charges, `invoiced` of the invoice.

    Parameters
    ----------
    directory : Path
        Of one run, with its charges.csv.
    book : Book
        The ledger.
    rules : Path, optional
        By which the invoice was made, if there is one.
    month : str, optional
        To which all entries belong, YYYY-MM; default: that in which each job completed.

    Raises
    ------
    InputError
        There is no run, or no bill of it; the ledger counts in something else than the bill; the
        schedule does not follow from the log, or a cell of the bill from its evidence.
    """
    month = read_month(month) if month else None
    path = directory / INVOICE_FILE
    if path.exists() != (rules is not None):
        raise InputError(
            "is an invoice" if rules is None else "is missing: no rules were applied to the bill",
            source=str(path),
            remedy="name the rules it was made by: --rules FILE" if rules is None else BILL_AGAIN,
        )
    charges = _billed(directory)
    if rules is None:
        require_counted(SU, 0, book.money)
        return book.charged(charges, month=month)
    return book.invoiced(_invoiced(path, charges, read_rules(rules), book), month=month)


def _billed(directory: Path) -> Charges:
    """Return the charges of a bill, if it says what follows from its evidence."""
    require_bill(directory)
    run = read_run(directory)
    require_plausible(run, directory)
    found = recompute(
        directory,
        run.workload,
        run.start,
        run.end,
        used=run.running_time,
        waste=waste_of(run.segments),
    )
    _require_none(found.faults, directory)
    return found.charges


def _invoiced(path: Path, charges: Charges, rules: Rules, book: Book) -> Invoice:
    """Return the invoice of a bill, if it says what follows from its rules.

    Who pays is for the ledger to say, or for the rules, where the bill was made without a ledger.
    """
    lines = read_columns(str(path), BILL_AGAIN)
    jobs, amounts = charges.workload, lines.cells.get("amount", [])
    paying = book.payers(jobs, listed_by_number(jobs, rules.account_of_user))
    payers = [payer_name(account, book.terms.named) for account in paying]
    by_rules = list(accounts_of(jobs, rules.account_of_user))
    stated = lines.cells.get("account") == by_rules
    decimals = max((len(text.partition(".")[2]) for text in amounts), default=0)
    bill = invoice(charges, rules, payer=by_rules if stated else payers, finest=decimals)
    columns, rows = invoice_table(bill)
    cells = zip(*(lines.cells.get(name, repeat("")) for name in columns), strict=False)
    _require_none(differing(path.name, columns, cells, rows), path.parent)
    return bill


def _require_none(faults: Iterable[Fault], directory: Path) -> None:
    for fault in faults:
        raise InputError(str(fault), source=str(directory), remedy=BILL_AGAIN)
