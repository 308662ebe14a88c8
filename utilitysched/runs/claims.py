"""Claims of a ledger by the bill of a run."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from pathlib import Path
from typing import NamedTuple

import numpy as np

from pricing.accounts import Account, Claims, Money, read_payer
from pricing.accounts.claims import claims_of, in_units, require_counted
from pricing.ledger import from_lines
from pricing.rules.files import INVOICE_FILE
from pricing.rules.invoice import SU
from swfx import InputError
from utilitysched.runs.charges_csv import (
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
        To which all entries belong; default: that of each line.

    Raises
    ------
    InputError
        There is no run, or no bill of it; the ledger counts in something else than the bill.
    """
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
    """Read what is to be paid for the jobs of a bill.

    Raises
    ------
    InputError
        It cannot be read, or is of another bill.
    """
    lines = rows_of(
        path,
        "is no invoice of ours",
        lambda job, charge, amount, *payer: (int(job), finite(charge), finite(amount), *payer),
        ("job_id", "charge", "amount", "currency", "account"),
    )
    if [line[:2] for line in lines] != [(row.job_id, row.charge) for row in rows]:
        raise InputError("is of another bill", source=str(path), remedy=BILL_AGAIN)
    return [Owed(amount, code, read_payer(name)) for _, _, amount, code, name in lines]
