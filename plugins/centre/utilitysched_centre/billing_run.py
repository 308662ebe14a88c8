"""Billing runs: a month of a log is billed, and every account gets an invoice.

The ledger holds what was charged and which documents say so, each once. A billing run compares the
bill of a month with the invoices that stand: accounts whose jobs come to what they came to before
are left alone; where the listing has grown or was corrected since, the invoice of an account is
cancelled by a credit note, and the account gets a new one. What adjustments give back of single
jobs stands on the invoice itself if that is new, else on a credit note.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from datetime import date
from fractions import Fraction
from pathlib import Path

import numpy as np

from pricing.charges import Charges
from pricing.outcome import SECONDS_PER_HOUR
from swfx import InputError, Workload
from swfx.base.numbers import plural
from swfx.reading.notes import Echo
from utilitysched.market.billing import Billable, BillPlan, charges_of, run_to_charge
from utilitysched.runs.recorded import (
    load_schedule,
    month_bounds,
    record_run,
    recorded_run,
    used_in,
)
from utilitysched_centre.accounts.references import job_references
from utilitysched_centre.adjustments import (
    ADJUSTMENTS_FILE,
    Adjustment,
    Adjustments,
    append_adjustment,
)
from utilitysched_centre.billing_config import BillingConfig
from utilitysched_centre.invoicing import invoice_of, write_files
from utilitysched_centre.month_bill import AdjustedJob, BilledMonth, MonthBill
from utilitysched_centre.month_documents import IssuePlan, MonthIssue
from utilitysched_centre.payment import Payment, paying
from utilitysched_centre.recurring import FurtherLines, further_lines, idle_hours
from utilitysched_centre.report.billing_run import before, write_summary, write_views
from utilitysched_centre.rules import Invoice, Rules
from utilitysched_centre.staging import staging


def billing_run(
    config: BillingConfig,
    month: str,
    today: date,
    *,
    partial: bool = False,
    echo: Echo = lambda _: None,
    on_progress: Callable[[float], None] = lambda _: None,
) -> BilledMonth:
    """Bill a month: charge it, and issue what is new; or leave everything as it is.

    Parameters
    ----------
    config : BillingConfig
        How.
    month : str
        ``YYYY-MM`` in which the jobs completed.
    today : date
        Day of issue.
    partial : bool
        The month need not be over.
    echo : callable
        Takes lines for people.
    on_progress : callable
        Takes the share that is done, once the month is charged.

    Raises
    ------
    InputError
        The log has no job of the month or cannot be charged so, an account cannot pay, or an
        adjustment cannot be used: nothing is charged then.
    """
    with paying(config.ledger, month) as payment, staging(config.folder) as staged:
        assert payment is not None
        if not partial and month >= f"{today:%Y-%m}":
            raise InputError(
                f"{month} is not over on {today}",
                field="month",
                remedy="bill it when it is, or what there is of it with --partial",
            )
        book = payment.book
        write = functools.partial(write_views, config, book, echo)
        staged.settle(book.documents(), write)
        try:
            folder = staged.begin(month)
            bill = month_bill(config, month, payment, folder, echo=echo)
            if not config.adjustments.exists() and config.adjustments.name != ADJUSTMENTS_FILE:
                echo(f"no adjustments: there is no {config.adjustments}")
            adjustments = bill.adjustable.read(config.adjustments)
            plan = IssuePlan(bill, adjustments, staged, today, on_progress)
            with book.issuing(book.open_month(month), f"documents of {month}") as issue:
                issued = MonthIssue(plan, issue).documents()
                billed = BilledMonth(
                    bill, issued, issue.documents(), issue.lines(), adjustments, folder
                )
                write_summary(billed)
                staged.complete(month)
        finally:
            staged.settle(book.documents(), write)
    return billed._replace(directory=config.folder / month)


def adjust(config: BillingConfig, one: Adjustment, *, echo: Echo = lambda _: None) -> AdjustedJob:
    """Write an adjustment into the file, if the next billing run of its month can take it.

    Parameters
    ----------
    config : BillingConfig
        How the centre bills.
    one : Adjustment
        What is given back, with the month of the invoice.
    echo : callable
        Takes lines for people.

    Raises
    ------
    InputError
        The month has no such job, or more would be given back than it cost; the file is as it was.
    """
    # the lock: of two that read the file at once, one would be lost
    with paying(config.ledger, one.month) as payment, staging(config.folder):
        assert payment is not None
        bill = month_bill(config, one.month, payment, None, echo=echo)
        jobs = bill.adjustable
        is_new = append_adjustment(config.adjustments, one, jobs)
        given = jobs.resolved(Adjustments((one,))).credits
        account = bill.accounts[given[0].job.account].account
        return AdjustedJob(one, is_new, given, bill, payment.book.live(one.month).get(account))


def month_bill(
    config: BillingConfig, month: str, payment: Payment, folder: Path | None, *, echo: Echo
) -> MonthBill:
    """Return what every account has to pay for a month.

    Parameters
    ----------
    config : BillingConfig
        How the centre bills.
    month : str
        ``YYYY-MM``.
    payment : Payment
        The ledger.
    folder : Path or None
        Folder for the run and its bill; None: no file is written.
    echo : callable
        Takes lines for people.

    Raises
    ------
    InputError
        The log has no job of the month, or cannot be charged so.
    """
    rules, book = config.rules, payment.book
    payment.require_counted(rules)
    billed = _billable(config, month, folder, echo)
    payers = payment.payers(billed.run.workload, rules)
    plan = BillPlan(config.mechanism, exclude_states=(), decimals=payment.decimals())
    charges = charges_of(plan, billed, echo=echo)
    if config.is_split:
        _require_rates(charges, rules)
    mine = [payers[job] for job in charges.outcome.position.tolist()]
    bill = invoice_of(charges, rules, mine, payment, echo)
    if billed.directory:
        write_files(billed.directory, bill)
    claims = book.invoiced(bill, month=book.open_month(month))
    further = _further(config, month, bill, payment, echo)
    return MonthBill(month, bill, further, claims, book.money, book.terms.named)


def _billable(config: BillingConfig, month: str, folder: Path | None, echo: Echo) -> Billable:
    """Return the jobs of a month as they ran, written as a run where there is a folder."""
    source, utilities, split = config.source, config.utilities, config.is_split
    if folder is None:
        return Billable(recorded_run(source, echo, month=month, utilities=utilities, split=split))
    directory = record_run(source, folder, echo, month=month, utilities=utilities, split=split)
    return Billable(run_to_charge(directory), directory)


def _require_rates(charges: Charges, rules: Rules) -> None:
    """Refuse to split jobs whose charges do not follow from the hours that they used.

    Raises
    ------
    InputError
        The mechanism charges by no rate, or the rules charge for hours requested.
    """
    if np.isnan(charges.rate).any():
        raise InputError(
            f"{charges.mechanism} charges by no rate per hour, so no part of a job has a charge",
            field="split",
            remedy="leave split out, or charge by single-price, multi-queue or second-price",
        )
    if rules.quantity and rules.quantity.basis == "request":
        raise InputError(
            "hours requested are charged, not those used in a month",
            field="split",
            remedy='leave split out, or write basis = "use" below [quantity]',
        )


def _further(
    config: BillingConfig, month: str, bill: Invoice, payment: Payment, echo: Echo
) -> FurtherLines:
    """Return recurring lines and shared costs, and say what the month before lacks of its use."""
    recurring = [one for one in config.recurring if one.is_due(month)]
    shared = [one for one in config.shared if one.is_due(month)]
    idle = Fraction(0)
    if config.is_split or any(cost.rate is not None for cost in shared):
        log = load_schedule(config.source, lambda _: None)[0].workload
        begin, end = month_bounds(month, log)
        hours = Fraction(end - begin) / int(SECONDS_PER_HOUR)
        idle = idle_hours(log.machine_size or 0, used_in(month, log), hours)
        if config.is_split:
            _say_uncharged(before(month, 1), begin, log, payment, echo)
    return further_lines(bill, recurring, shared, idle)


def _say_uncharged(earlier: str, begin: float, log: Workload, payment: Payment, echo: Echo) -> None:
    """Say how many jobs ran over the end of a billed month and are not charged for it."""
    if not payment.book.documents(earlier):
        return
    ran_on = log[(log.submit + log.wait < begin) & (log.submit + log.wait + log.run > begin)]
    if not len(ran_on):
        return
    references = job_references(used_in(earlier, ran_on))
    known = payment.book.standing(references)
    missing = sum(reference not in known for reference in references)
    if missing:
        echo(
            f"{plural(missing, 'job')} ran over the end of {earlier} and had not ended when it was"
            f" billed: bill it again with --month {earlier}"
        )
