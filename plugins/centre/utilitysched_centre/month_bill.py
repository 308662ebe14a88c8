"""Bills of a month: what each account has to pay for its jobs, and beside them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

from pricing.ledger import amount, positions
from utilitysched_centre.accounts import (
    Account,
    Claims,
    Document,
    DocumentLine,
    Money,
    payer_name,
    read_payer,
)
from utilitysched_centre.accounts.claims import Claim
from utilitysched_centre.accounts.documents import live_invoices
from utilitysched_centre.adjustments import (
    AdjustedMonth,
    Adjustment,
    BilledJob,
    ExactCredit,
    MonthAdjustments,
    digest_of,
)
from utilitysched_centre.recurring import FurtherLines
from utilitysched_centre.rules import Invoice
from utilitysched_centre.rules.job_names import job_names
from utilitysched_centre.rules.lines import InvoiceLine

NO_JOB = -1
"""Number of the job of an entry that is about none."""


class AccountBill(NamedTuple):
    """What an account has to pay for a month; amounts in minor units of the bill.

    Attributes
    ----------
    name : str
        Name on the invoice.
    account : Account
        Account of the ledger.
    places : tuple of int
        Places of its jobs in the bill.
    lines : tuple of InvoiceLine
        Recurring lines and shared costs.
    line_tax : tuple of int
        Tax on each of these.
    items : tuple of BilledJob
        Its jobs, and its lines as if they were jobs.
    """

    name: str
    account: Account
    places: tuple[int, ...] = ()
    lines: tuple[InvoiceLine, ...] = ()
    line_tax: tuple[int, ...] = ()
    items: tuple[BilledJob, ...] = ()

    @property
    def net(self) -> int:
        """Amount without tax."""
        return sum(item.net for item in self.items)

    @property
    def tax(self) -> int:
        """Tax on top."""
        return sum(item.tax for item in self.items)

    @property
    def digest(self) -> str:
        """Digest of what is charged for each job and line; empty if nothing is."""
        charged = sorted((item.reference, item.net, item.tax) for item in self.items)
        return digest_of(charged) if self.net + self.tax else ""


@dataclass(frozen=True)
class MonthBill:
    """A month's bill, by the accounts that pay it.

    Attributes
    ----------
    month : str
        ``YYYY-MM``.
    bill : Invoice
        Amounts of all jobs.
    further : FurtherLines
        Recurring lines and shared costs.
    claims : Claims
        Debts of the jobs.
    money : Money
        What the ledger counts in.
    named : str
        Kind of accounts that invoices call by their names alone.
    """

    month: str
    bill: Invoice
    further: FurtherLines
    claims: Claims
    money: Money
    named: str

    @property
    def finer(self) -> int:
        """Minor units of the ledger in one of the bill."""
        return int(10 ** (self.money.decimals - self.bill.decimals))

    @cached_property
    def jobs(self) -> tuple[BilledJob, ...]:
        """Every job, by its place in the bill."""
        bill, jobs = self.bill, self.claims.jobs
        columns = zip(
            job_names(bill.charges.workload), bill.payer, jobs, bill.net, bill.tax, strict=True
        )
        return tuple(
            BilledJob(name, payer, job.reference, int(net), int(tax))
            for name, payer, job, net, tax in columns
        )

    @cached_property
    def accounts(self) -> dict[str, AccountBill]:
        """Accounts that have jobs or lines, by name."""
        mine, further = positions(self.bill.payer), self.further
        return {
            name: AccountBill(
                name,
                read_payer(name, self.named),
                tuple(mine.get(name, ())),
                further.lines.get(name, ()),
                further.tax.get(name, ()),
                (*(self.jobs[place] for place in mine.get(name, ())), *self._lines(name)),
            )
            for name in sorted({*mine, *further.lines})
        }

    @property
    def adjustable(self) -> AdjustedMonth:
        """Billed jobs of the month, by the names that adjustments use."""
        return AdjustedMonth(self.month, self.jobs, self.bill.decimals)

    def of(self, account: Account) -> AccountBill:
        """Return what an account of the ledger has to pay; nothing if the bill has none of it."""
        mine = self._by_account.get(account)
        return mine or AccountBill(payer_name(account, self.named), account)

    @cached_property
    def _by_account(self) -> dict[Account, AccountBill]:
        return {one.account: one for one in self.accounts.values()}

    def claims_on(self, accounts: Sequence[AccountBill], mechanism: str) -> Claims:
        """Return the debts of some accounts: those of their jobs, then those for their lines."""
        jobs = self.claims.jobs
        [month] = {job.month for job in jobs}
        owed = [jobs[place] for one in accounts for place in one.places]
        owed += [
            Claim(
                item.reference,
                NO_JOB,
                NO_JOB,
                NO_JOB,
                month,
                item.cost * self.finer,
                one.account,
            )
            for one in accounts
            for item in one.items[len(one.places) :]
        ]
        return Claims(mechanism, owed)

    def _lines(self, name: str) -> Iterator[BilledJob]:
        """Yield the recurring lines and shared costs of an account as the ledger refers to them."""
        seen = Counter[str]()
        pairs = zip(self.further.lines.get(name, ()), self.further.tax.get(name, ()), strict=True)
        for line, tax in pairs:
            reference = digest_of([self.month, name, line.kind, line.text, seen[line.text]])
            seen[line.text] += 1
            yield BilledJob(line.text, name, reference, line.net, tax)


class BilledMonth(NamedTuple):
    """What a billing run has led to.

    Attributes
    ----------
    bill : MonthBill
        What every account of the month comes to.
    issued : tuple of Document
        Credit notes and invoices that are new, in the order of their numbers.
    documents : tuple of Document
        All documents of the ledger.
    lines : tuple of DocumentLine
        Credits on them.
    adjustments : MonthAdjustments
        Of the file of adjustments.
    directory : Path
        Folder of the month.
    """

    bill: MonthBill
    issued: tuple[Document, ...]
    documents: tuple[Document, ...]
    lines: tuple[DocumentLine, ...]
    adjustments: MonthAdjustments
    directory: Path

    @property
    def month(self) -> str:
        """``YYYY-MM``."""
        return self.bill.month

    def name_of(self, account: Account) -> str:
        """Return the name of an account on invoices."""
        return self.bill.of(account).name

    def text(self, units: int) -> str:
        """Return an amount in minor units of the ledger for people, without the currency."""
        whole, rest = divmod(units, self.bill.finer)
        if rest:  # of a month with more decimals
            return f"{amount(units, self.bill.money.decimals):,f}"
        return f"{amount(whole, self.bill.bill.decimals):,f}"

    def live_lines(self) -> list[DocumentLine]:
        """Return the credits on the invoices of the month that stand, and on their credit notes."""
        live = {one.number for one in live_invoices(self.documents, self.month).values()}
        numbers = live | {one.number for one in self.documents if one.corrects in live}
        return [line for line in self.lines if line.document in numbers]


class AdjustedJob(NamedTuple):
    """A job with an adjustment that is in the file.

    Attributes
    ----------
    adjustment : Adjustment
        The adjustment.
    is_new : bool
        False if the file had it before.
    credits : tuple of ExactCredit
        What it gives back of each part of the job.
    bill : MonthBill
        Bill of the month.
    invoice : Document or None
        Invoice of the account that stands.
    """

    adjustment: Adjustment
    is_new: bool
    credits: tuple[ExactCredit, ...]
    bill: MonthBill
    invoice: Document | None
