"""Invoices of runs and of logs: charged by a mechanism, ruled by a centre, paid from a ledger.

All of it is possible, or nothing is written and nobody pays.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from pricing.charges import Charges
from swfx import InputError
from swfx.reading.notes import Echo
from utilitysched.market.billing import BillPlan, BillSource, charges_of, write_bill
from utilitysched.workers.executor import Executor
from utilitysched_centre.payment import Payment, Reconciled, paying, write_reconciliation
from utilitysched_centre.rules import Invoice, Rules, invoice, write_invoice
from utilitysched_centre.rules.invoice import FINEST
from utilitysched_centre.rules.selection import strangers

MOST_STRANGERS = 5
"""Names of rules that no job has, and that are said."""


@dataclass(frozen=True)
class InvoicePlan:
    """What invoices are to be made of.

    Attributes
    ----------
    bill : BillPlan
        What jobs are charged by; who is let off is for the rules to say.
    rules : Rules, optional
        What the centre makes of the charges. Without them these are to be paid as they are: they
        are posted as such, and no invoice is written beside the bill.
    ledger, month : str, optional
        Whose accounts pay, and in which month all of it is entered.
    pages : Path, optional
        Folder for pages, which has to be there before anything is posted.
    """

    bill: BillPlan
    rules: Rules | None = None
    ledger: str | None = None
    month: str | None = None
    pages: Path | None = None


class MadeInvoice(NamedTuple):
    """Invoice as computed, its folder, and the reconciliation with a ledger.

    Attributes
    ----------
    invoice : Invoice
        What the rules make of the charges.
    reconciled : Reconciled or None
        What the ledger says.
    directory : Path or None
        Folder of the run, where there is one.
    """

    invoice: Invoice
    reconciled: Reconciled | None
    directory: Path | None


def make_invoice(
    plan: InvoicePlan,
    source: BillSource,
    *,
    executor: Executor | None = None,
    echo: Echo = lambda _: None,
    on_progress: Callable[[float], None] = lambda _: None,
) -> MadeInvoice:
    """Charge the jobs of a run or a log, apply the rules, post what comes of it and reconcile it.

    The posting is complete when the files are, so that each is there without the other for a
    moment only, and the next call makes up for it. What tells of the ledger is written last.

    Parameters
    ----------
    plan : InvoicePlan
        What is wanted.
    source : BillSource
        The run or the log. Files are written into the folder of a run, if there is one.
    executor : Executor, optional
        Where the log is replayed; this process if not given.
    echo : callable
        Takes lines for people.
    on_progress : callable
        Takes the share of jobs that counterfactuals are known of.

    Raises
    ------
    InputError
        The run cannot be read, charged or ruled so, or an account cannot pay: nothing is written.
    """
    rules = plan.rules or Rules()
    with paying(plan.ledger, plan.month) as payment:
        if payment:
            payment.require_counted(rules)
        billed = source.read(echo)
        decimals = payment.decimals(plan.bill.decimals) if payment else plan.bill.decimals
        bill = replace(plan.bill, exclude_statuses=(), exclude_states=(), decimals=decimals)
        charges = charges_of(bill, billed, executor=executor, echo=echo, on_progress=on_progress)
        payers = payment.payers(charges.workload, rules) if payment else None
        ruled = invoice_of(charges, rules, payers, payment, echo)
        owed = ruled if plan.rules else charges
        memo = f"{billed.directory or source.text}, {bill.mechanism or charges.mechanism}"
        with payment.posting(owed, memo) if payment else nullcontext(None) as settled:
            if plan.pages:
                _make_folder(plan.pages)
            if billed.directory:
                files = write_files(billed.directory, owed)
                echo(f"wrote {', '.join(path.name for path in files)} in {billed.directory}")
        reconciled = None
        if settled:
            reconciled = settled.reconciled()
            echo(settled.line)
            if billed.directory:
                path = write_reconciliation(billed.directory, reconciled)
                echo(f"wrote {path.name} in {billed.directory}")
    return MadeInvoice(ruled, reconciled, billed.directory)


def invoice_of(
    charges: Charges,
    rules: Rules,
    payers: Sequence[str] | None,
    payment: Payment | None,
    echo: Echo = lambda _: None,
) -> Invoice:
    """Apply rules to charges of jobs with these payers; it is for a ledger to say, if there is one.

    Raises
    ------
    InputError
        A rule cannot be applied, or nobody pays for a job.
    """
    for stranger in islice(strangers(rules, charges.workload), MOST_STRANGERS):
        echo(f"rules: {stranger}")
    finest = payment.book.money.decimals if payment else FINEST
    return invoice(charges, rules, payer=payers, finest=finest)


def write_files(directory: Path, owed: Invoice | Charges) -> list[Path]:
    """Write a bill, and the invoice of it if there is one, into the folder of a run."""
    if isinstance(owed, Invoice):
        return write_bill(directory, owed.charges) + write_invoice(directory, owed)
    return write_bill(directory, owed)


def _make_folder(path: Path) -> None:
    """Make a folder, so that what cannot be made is known before anything is posted."""
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise InputError(f"cannot be made: {reason}", source=str(path)) from error
