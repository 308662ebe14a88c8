"""Billing runs: a month of a log is billed and posted once, and every account gets an invoice.

A billing run can be repeated, and taken up again where it broke off. The ledger says who paid what,
the register which documents say so. Accounts whose jobs come to what they came to before are left
alone; where the listing of a month has grown or was corrected since, the invoice of an account is
cancelled by a credit note, and the account gets a new one.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field, replace
from datetime import date
from pathlib import Path
from typing import Annotated, NamedTuple

import pricing
from pricing.ledger import amount, positions
from swfx.base.document import DocumentTable, read_document
from swfx.base.document_values import BesideFile, made_beside, valid, whole
from swfx.families.utilities.registry import make_model
from swfx.reading.located import located, located_source
from swfx.reading.notes import Echo
from swfx.reading.workload_source import WorkloadSource
from utilitysched.engine.valued import AS_THEY_ARE
from utilitysched.market.billing import Billable, BillPlan, charges_of, run_to_charge
from utilitysched.runs.recorded import record_run
from utilitysched_centre.accounts import Book, Claims, read_payer
from utilitysched_centre.invoicing import invoice_of, write_files
from utilitysched_centre.payment import paying
from utilitysched_centre.register import CREDIT_NOTE, INVOICE, Document, Register
from utilitysched_centre.rules import Invoice, Rules, read_rules

REGISTER_FILE = "register.csv"

DIGITS = 20
"""Hexadecimal, of digests in the register."""


def _utilities(text: str, folder: Path) -> str:
    text = located(text, folder)
    make_model(text)
    return text


@dataclass(frozen=True)
class BillingConfig(DocumentTable):
    """Settings of a centre's monthly billing; files are relative to the document.

    Attributes
    ----------
    log : str
        Source of the log: a file, or a pattern of several.
    mechanism : str
        Name and options of the mechanism.
    ledger : str
        Ledger of the accounts that pay: a file, or the address of a database.
    processors : int, optional
        Size of the machine; default: that of the log.
    rules : Rules
        Rules of the centre.
    folder : Path, optional
        Folder of the register, with a folder for each month; default: ``billing``.
    utilities : str
        Source of the jobs' utility functions; default: the log.
    """

    log: Annotated[str, made_beside(located_source)]
    mechanism: Annotated[str, valid(pricing.make_mechanism)]
    ledger: Annotated[
        str, made_beside(lambda text, folder: text if "://" in text else str(folder / text))
    ]
    processors: Annotated[int | None, whole(1)] = None
    rules: Annotated[Rules, made_beside(lambda text, folder: read_rules(folder / text))] = field(
        default_factory=Rules
    )
    folder: BesideFile = Path("billing")
    utilities: Annotated[str, made_beside(_utilities)] = AS_THEY_ARE


class BilledMonth(NamedTuple):
    """What a billing run has led to.

    Attributes
    ----------
    month : str
        ``YYYY-MM``.
    bill : Invoice
        What every job of the month comes to.
    issued : tuple of Document
        Credit notes and invoices that are new, in the order of their numbers.
    register : Register
        All documents.
    directory : Path
        Of the run and its bill.
    """

    month: str
    bill: Invoice
    issued: tuple[Document, ...]
    register: Register
    directory: Path


def read_config(file: Path) -> BillingConfig:
    """Return the plan of a centre's monthly bills, read from a file.

    Parameters
    ----------
    file : Path
        TOML; docs/billing.md has its keys. Files are looked for beside it.

    Raises
    ------
    InputError
        The file cannot be read; a key is unknown or missing, or a value cannot be used.
    """
    config = read_document(BillingConfig, file, "a file that says how to bill")
    return replace(config, folder=file.parent / config.folder)


def billing_run(
    config: BillingConfig, month: str, today: date, *, echo: Echo = lambda _: None
) -> BilledMonth:
    """Bill a month: import it, charge it, post what is new, and number the documents.

    Parameters
    ----------
    config : BillingConfig
        How.
    month : str
        ``YYYY-MM`` in which the jobs completed.
    today : date
        Day of issue.
    echo : callable
        Takes lines for people.

    Raises
    ------
    InputError
        The log has no job of the month or cannot be charged so, or an account cannot pay: nothing
        is charged then.
    """
    path = config.folder / REGISTER_FILE
    with paying(config.ledger, month) as payment:
        assert payment is not None
        payment.require_counted(config.rules)
        book = payment.book
        register = Register.read(path).posted(lambda memo: book.number_of(memo) is not None)
        directory = record_run(
            WorkloadSource(config.log, machine_size=config.processors),
            config.folder / month,
            echo,
            month=month,
            utilities=config.utilities,
        )
        billed = Billable(run_to_charge(directory), directory)
        payers = payment.payers(billed.run.workload, config.rules)

        plan = BillPlan(config.mechanism, exclude_states=(), decimals=payment.decimals())
        charges = charges_of(plan, billed, echo=echo)
        mine = [payers[job] for job in charges.outcome.position.tolist()]
        bill = invoice_of(charges, config.rules, mine, payment, echo)
        claims = book.invoiced(bill, month=book.open_month(month))
        blank = Document.blank(INVOICE, month, bill.currency, today)
        wrong, invoices = _changes(register, _due(bill, claims), blank, bill)
        new = [_credit_note(one, number, today, book) for one, number in wrong]
        with _posting(book, bill, claims, invoices):
            new += invoices
            register = register.with_those(new)
            write_files(directory, bill)
            register.write(path)
    return BilledMonth(month, bill, tuple(new), register, directory)


class AccountDue(NamedTuple):
    """What the jobs of an account come to: units of the bill, and a digest of every job's."""

    units: int
    digest: str


NOTHING = AccountDue(0, "")


def _due(bill: Invoice, claims: Claims) -> dict[str, AccountDue]:
    """Return what each account has to pay for the month."""
    to_pay = bill.to_pay.tolist()
    due = {}
    for account, mine in positions(bill.payer).items():
        jobs = sorted((claims.jobs[place].reference, to_pay[place]) for place in mine)
        due[account] = AccountDue(sum(units for _, units in jobs), digest_of(jobs))
    return due


def _changes(
    register: Register, due: Mapping[str, AccountDue], blank: Document, bill: Invoice
) -> tuple[list[tuple[Document, str]], list[Document]]:
    """Return invoices to cancel, with the numbers of their credit notes, and invoices to post.

    Accounts that have to pay nothing get none.
    """
    live = register.live(blank.month)
    wrong = [one for one in live.values() if due.get(one.account, NOTHING).digest != one.digest]
    right = live.keys() - {one.account for one in wrong}
    unpaid = [
        blank._replace(account=account, amount=amount(one.units, bill.decimals), digest=one.digest)
        for account, one in sorted(due.items())
        if one.units and account not in right
    ]
    prefix = bill.rules.invoice.prefix
    numbers = register.numbers(blank.month, len(wrong) + len(unpaid), prefix)
    invoices = zip(unpaid, numbers[len(wrong) :], strict=True)
    memo = f"invoices from {numbers[len(wrong)]} on" if unpaid else ""
    return (
        list(zip(wrong, numbers, strict=False)),
        [one._replace(number=number, memo=memo) for one, number in invoices],
    )


def digest_of(content: object) -> str:
    """Return a short digest of what JSON can say."""
    return hashlib.sha256(json.dumps(content).encode()).hexdigest()[:DIGITS]


def _credit_note(wrong: Document, number: str, today: date, book: Book) -> Document:
    """Give back what an invoice took, and return the credit note that says so."""
    posting, memo = book.number_of(wrong.memo), f"cancels {wrong.number}"
    assert posting is not None  # a register has no documents that are not posted
    book.undo(posting, account=read_payer(wrong.account, book.terms.named), memo=memo)
    return wrong._replace(
        number=number,
        kind=CREDIT_NOTE,
        issued=today.isoformat(),
        cancels=wrong.number,
        digest="",
        memo=memo,
    )


def _posting(
    book: Book, bill: Invoice, claims: Claims, invoices: Sequence[Document]
) -> AbstractContextManager[object]:
    """Post the charges of invoices at the end of a ``with`` block, if there are any."""
    if not invoices:
        return nullcontext()
    memo, accounts = invoices[0].memo, {one.account for one in invoices}
    pairs = zip(claims.jobs, bill.payer, strict=True)
    jobs = [job for job, payer in pairs if payer in accounts]
    # by its memo, what was invoiced, cancelled, and is invoiced again differs from the first time
    return book.posting(claims._replace(mechanism=memo, jobs=jobs), memo=memo)
