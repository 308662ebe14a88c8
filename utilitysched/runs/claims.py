"""Claims of a ledger on those who pay for a run: by its bill, or at most, before there is one."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from pathlib import Path
from typing import NamedTuple

import numpy as np

from pricing.accounts import (
    Account,
    Claims,
    Money,
    at_most,
    at_most_invoiced,
    read_month,
    read_payer,
)
from pricing.accounts.claims import claims_of, in_units, require_counted
from pricing.ceilings import ceilings
from pricing.ledger import from_lines
from pricing.rules import most, read_rules
from pricing.rules.files import INVOICE_FILE
from pricing.rules.rules import SU
from swfx import InputError
from utilitysched.runs.bill_csv import (
    BILL_AGAIN,
    CHARGES_FILE,
    BillRow,
    bill_rows,
    billed_positions,
    finite,
    rows_of,
)
from utilitysched.runs.stored import read_run


class Owed(NamedTuple):
    """What a bill says of one job: an exact decimal, in the currency of an invoice if it has one.

    The account is who pays by an invoice.
    """

    amount: Decimal
    currency: str = SU
    account: Account | None = None


class Ceiling(NamedTuple):
    """What jobs can be charged at most.

    Attributes
    ----------
    mechanism : str
        Name and options.
    cap : bool
        Nobody pays more than the job turned out to be worth.
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


def read_claims(directory: Path, money: Money, *, month: str | None = None) -> Claims:
    """Read the bill in a run's directory as what a ledger charges.

    They are the claims that `pricing.accounts.charged` makes of the same bill, or, where rules were
    applied to it, `pricing.accounts.invoiced` of the invoice.

    Parameters
    ----------
    directory : Path
        Of one run, with its charges.csv.
    money : Money
        What the ledger counts in.
    month : str, optional
        To which all entries belong, YYYY-MM; default: that of each line.

    Raises
    ------
    InputError
        There is no run, or no bill of it; the ledger counts in something else than the bill.
    """
    month = read_month(month) if month else None
    run = read_run(directory)
    path = directory / CHARGES_FILE
    rows = bill_rows(path)
    jobs = run.workload[billed_positions(rows, run.workload, run.start, path)]
    invoice = directory / INVOICE_FILE
    has_rules = invoice.exists()
    owed = _invoiced(invoice, rows) if has_rules else [Owed(row.charge) for row in rows]
    lines = from_lines([one.amount for one in owed])
    for currency in {one.currency for one in owed}:
        require_counted(currency, lines.decimals if has_rules else 0, money)
    units = in_units(lines, money)
    when = np.array([month or row.month for row in rows], dtype=np.str_)
    mechanism = rows[0].mechanism if rows else ""
    return Claims(mechanism, claims_of(jobs, when, units, [one.account for one in owed]))


def _invoiced(path: Path, rows: Sequence[BillRow]) -> list[Owed]:
    """Read what is to be paid for the jobs of a bill."""
    lines = rows_of(
        path,
        "is no invoice of ours",
        lambda job, charge, amount, *payer: (int(job), finite(charge), finite(amount), *payer),
        ("job_id", "charge", "amount", "currency", "account"),
    )
    if [line[:2] for line in lines] != [(row.job_id, row.charge) for row in rows]:
        raise InputError("is of another bill", source=str(path), remedy=BILL_AGAIN)
    return [Owed(amount, code, read_payer(name)) for _, _, amount, code, name in lines]
