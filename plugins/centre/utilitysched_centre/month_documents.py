"""Documents of a month: the invoices and credit notes that a billing run issues."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import date
from fractions import Fraction
from typing import NamedTuple

from pricing.ledger import amount as in_currency
from pricing.ledger import plain
from swfx import InputError
from utilitysched_centre.accounts import CREDIT_NOTE, INVOICE, Account, Document, DocumentLine
from utilitysched_centre.accounts.documents import (
    LEDGER_ALONE,
    LedgerRefund,
    live_invoices,
    refund_key,
    refunding,
)
from utilitysched_centre.accounts.issuing import Issue
from utilitysched_centre.adjustments import (
    BilledJob,
    ExactCredit,
    MonthAdjustments,
    rounded_credits,
)
from utilitysched_centre.month_bill import AccountBill, MonthBill
from utilitysched_centre.register import INVOICES_FOLDER
from utilitysched_centre.report.statements import Statement, Statements
from utilitysched_centre.report.statements.heading import Registered
from utilitysched_centre.report.statements.issue import issued_invoice
from utilitysched_centre.report.statements.issued import (
    Additions,
    CreditLine,
    IssuedDocument,
    content_of,
)
from utilitysched_centre.report.statements.sheet import write_document
from utilitysched_centre.staging import Staging

CHARGED = 0.6
"""Share of the time of a billing run after which invoices are written; measured."""


class IssuePlan(NamedTuple):
    """What a billing run issues documents of.

    Attributes
    ----------
    month : MonthBill
        Bill of the month.
    adjustments : MonthAdjustments
        What is given back.
    staging : Staging
        Where files are made.
    today : date
        Day of issue.
    on_progress : callable
        Takes the share of the billing run that is done.
    """

    month: MonthBill
    adjustments: MonthAdjustments
    staging: Staging
    today: date
    on_progress: Callable[[float], None]


class CreditedJob(NamedTuple):
    """Amount given back of a job; minor units of the bill.

    Attributes
    ----------
    key : str
        Adjustment, or refund in the ledger, that gives it back.
    reference, name : str
        Reference of the job in the ledger, and its name.
    net, tax : int
        Minor units.
    reason : str
        Reason.
    """

    key: str
    reference: str
    name: str
    net: int
    tax: int
    reason: str

    @property
    def shown(self) -> CreditLine:
        """Line of a document."""
        return CreditLine(self.name, self.net, self.tax, self.reason)

    def line(self, document: str, place: int, finer: int) -> DocumentLine:
        """Return the line of a document in the ledger, whose unit is so many times finer."""
        amounts = self.net * finer, self.tax * finer
        return DocumentLine(
            document, place, self.key, self.reference, self.name, *amounts, self.reason
        )


class MonthIssue:
    """Issue of a month's documents, within a transaction of the ledger.

    Parameters
    ----------
    plan : IssuePlan
        What is issued.
    issue : Issue
        The transaction.
    """

    def __init__(self, plan: IssuePlan, issue: Issue) -> None:
        self._plan, self._issue, self._month = plan, issue, plan.month
        self._numbers = issue.numbers(plan.month.month, plan.month.bill.rules.invoice.prefix)
        self._issued: list[Document] = []
        self._notes: dict[str, list[Document]] = defaultdict(list)
        for one in issue.documents():
            self._notes[one.corrects].append(one)
        self._lines: dict[str, list[DocumentLine]] = defaultdict(list)
        for line in issue.lines():
            self._lines[line.document].append(line)
        self._carried: dict[Account, list[CreditedJob]] = {}
        self._statements = Statements(plan.month.bill)

    def documents(self) -> tuple[Document, ...]:
        """Issue credit notes, then invoices, and return them in the order of their numbers.

        Raises
        ------
        InputError
            An account cannot pay, or more is to be given back than is left of a job.
        """
        live = live_invoices(self._issue.documents(), self._month.month)
        right = set()
        for invoice in sorted(live.values(), key=lambda one: one.number):
            mine = self._month.of(invoice.account)
            credited = list(self._credited(invoice))
            refunds = list(self._refunds(invoice, mine, credited))
            if mine.digest == invoice.digest:
                right.add(mine.account)
                self._correct(invoice, mine, credited, refunds)
            else:
                if refunds:
                    self._credit(invoice, mine, refunds, refunded=True)
                self._cancel(invoice, mine)
                alone = [one for one in credited + refunds if one.key.startswith(LEDGER_ALONE)]
                self._carried[mine.account] = alone
        unpaid = [
            one for one in self._month.accounts.values() if one.digest and one.account not in right
        ]
        if unpaid:
            self._invoice(unpaid)
        return tuple(self._issued)

    def _credited(self, invoice: Document) -> Iterator[CreditedJob]:
        """Yield what documents give back of an invoice's jobs so far."""
        finer = self._month.finer
        for document in (invoice, *self._notes[invoice.number]):
            for line in self._lines[document.number]:
                amounts = line.net // finer, line.tax // finer
                yield CreditedJob(line.key, line.reference, line.job, *amounts, line.reason)

    def _refunds(
        self, invoice: Document, mine: AccountBill, credited: Sequence[CreditedJob]
    ) -> Iterator[CreditedJob]:
        """Yield what was given back of an invoice's jobs in the ledger alone."""
        items = {item.reference: item for item in mine.items}
        stated = Counter[str]()
        for one in credited:
            stated[one.reference] += (one.net + one.tax) * self._month.finer
        for refund in self._issue.refunds(invoice):
            units = self._bill_units(refund, refund.units - stated[refund.reference])
            if units <= 0:
                continue
            item = items.get(refund.reference)
            if item is None:  # no longer in the log
                name = refund.reference if refund.job is None else str(refund.job)
                item = BilledJob(name, mine.name, refund.reference, invoice.net, invoice.tax)
            net_left, tax_left = _left([item], credited)[item.reference]
            share = Fraction(units * item.net, item.cost) if item.cost else Fraction(units)
            net = min(max(round(share), units - tax_left), net_left)
            key = refund_key(refund.posting, refund.reference)
            reason = refund.memo or f"refunded by posting {refund.posting} of the ledger"
            yield CreditedJob(key, item.reference, item.name, net, units - net, reason)

    def _bill_units(self, refund: LedgerRefund, more: int) -> int:
        """Return in minor units of the bill what was refunded without a document."""
        units, rest = divmod(more, self._month.finer)
        if rest:
            money, lacks = self._month.money, self._month.finer - rest
            raise InputError(
                f"posting {refund.posting} gave back {money.text(more)}, and documents have"
                f" {self._month.bill.decimals} decimals",
                remedy="refund what is lacking, too: utilitysched ledger refund LEDGER"
                f" {refund.reference} {money.plain(lacks)}",
            )
        return int(units)

    def _correct(
        self,
        invoice: Document,
        mine: AccountBill,
        credited: Sequence[CreditedJob],
        refunds: list[CreditedJob],
    ) -> None:
        """Issue a credit note for adjustments of an invoice and for refunds without a document."""
        known = {one.key for one in credited}
        wanted = self._plan.adjustments.of(mine.name)
        pending = [one for one in wanted if one.key not in known]
        _require_unchanged(credited, wanted, pending, self._month)
        given = _rounded(pending, _left(mine.items, [*credited, *refunds]), self._month)
        if not any(one.net + one.tax for one in given):
            given = []  # less than half a minor unit
        if given:
            self._give_back(invoice, given)
        if refunds or given:
            self._credit(invoice, mine, refunds + given, refunded=not given)

    def _give_back(self, invoice: Document, given: Iterable[CreditedJob]) -> None:
        units = Counter[str]()
        for one in given:
            units[one.reference] += (one.net + one.tax) * self._month.finer
        nonzero = {reference: each for reference, each in units.items() if each}
        self._issue.give_back(invoice, nonzero, f"credits of {invoice.number}")

    def _credit(
        self,
        invoice: Document,
        mine: AccountBill,
        given: Sequence[CreditedJob],
        *,
        refunded: bool = False,
    ) -> None:
        """Issue a credit note for jobs; those that were refunded before have postings already."""
        posting = max(refunding(one.key) or 0 for one in given) if refunded else 0
        self._note(invoice, mine, [one.shown for one in given], given, posting)

    def _cancel(self, invoice: Document, mine: AccountBill) -> None:
        """Issue a credit note that gives back all that is left of an invoice."""
        self._issue.give_back(invoice, None, f"cancels {invoice.number}")
        notes = self._notes[invoice.number]
        finer = self._month.finer
        net = (invoice.net - sum(one.net for one in notes)) // finer
        tax = (invoice.tax - sum(one.tax for one in notes)) // finer
        rest = CreditLine("all jobs", net, tax, f"{invoice.number} is cancelled")
        self._note(invoice, mine, [rest], [])

    def _note(
        self,
        invoice: Document,
        mine: AccountBill,
        shown: Sequence[CreditLine],
        given: Sequence[CreditedJob],
        posting: int = 0,
    ) -> None:
        number, day = next(self._numbers), self._plan.today.isoformat()
        about = issued_invoice(self._statement(mine.name, (), invoice.number), str(mine.account))
        note = about.credit_note(number, day, shown, cancels=not given)
        self._add(note, None, self._blank(CREDIT_NOTE, mine)._replace(posting=posting), given)

    def _invoice(self, unpaid: Sequence[AccountBill]) -> None:
        """Charge accounts, and issue an invoice for each, with the credits that are known."""
        numbers = [next(self._numbers) for _ in unpaid]
        memo = f"invoices from {numbers[0]} on"
        # by its memo, what was charged, given back and is charged again differs from the first time
        self._issue.charge(self._month.claims_on(unpaid, memo), memo)
        for place, (mine, number) in enumerate(zip(unpaid, numbers, strict=True)):
            self._plan.on_progress(CHARGED + (1 - CHARGED) * place / len(unpaid))
            given = self._known_credits(mine)
            statement = self._statement(mine.name, mine.places, number)
            added = Additions(mine.lines, sum(mine.line_tax), tuple(one.shown for one in given))
            issued = issued_invoice(statement, str(mine.account), added)
            blank = self._blank(INVOICE, mine)._replace(digest=mine.digest)
            invoice = self._add(issued, statement, blank, given)
            if any(one.net + one.tax for one in given):
                self._give_back(invoice, given)

    def _known_credits(self, mine: AccountBill) -> list[CreditedJob]:
        """Return the credits on a new invoice: carried over from one that it replaces, and new.

        What is carried over is at most what the job costs now.
        """
        items, left = {item.reference: item for item in mine.items}, _left(mine.items, ())
        carried = []
        for one in self._carried.get(mine.account, ()):
            if item := items.get(one.reference):
                most = left[one.reference]
                net, tax = min(one.net, most[0]), min(one.tax, most[1])
                left[one.reference] = most[0] - net, most[1] - tax
                carried.append(ExactCredit(one.key, item, Fraction(net), Fraction(tax), one.reason))
        every = [*carried, *self._plan.adjustments.of(mine.name)]
        return _rounded(every, _left(mine.items, ()), self._month)

    def _statement(self, name: str, places: Sequence[int], number: str) -> Statement:
        known = Registered(number, self._plan.today, self._month.month)
        return self._statements.registered(name, places, known)

    def _blank(self, kind: str, mine: AccountBill) -> Document:
        return Document("", kind, self._month.month, mine.account, 0, 0, "")

    def _add(
        self,
        issued: IssuedDocument,
        statement: Statement | None,
        blank: Document,
        given: Sequence[CreditedJob],
    ) -> Document:
        """Stage the files of a document, and lay it down in the ledger."""
        staging, month, finer = self._plan.staging, self._month.month, self._month.finer
        staging.require_new(month, issued.number)
        folder = staging.month(month) / INVOICES_FOLDER
        write_document(issued, statement, folder)
        document = blank._replace(
            number=issued.number,
            net=issued.net * finer,
            tax=issued.tax * finer,
            issued=issued.issued,
            due=issued.due,
            corrects=issued.corrects,
            cancels=issued.cancels,
            content=content_of(folder / f"{issued.number}.json"),
        )
        lines = [one.line(issued.number, place, finer) for place, one in enumerate(given)]
        stored = self._issue.add(document, lines)
        self._issued.append(stored)
        self._notes[stored.corrects].append(stored)
        return stored


def _left(
    items: Iterable[BilledJob], credited: Iterable[CreditedJob]
) -> dict[str, tuple[int, int]]:
    """Return net and tax that are left of each job, by reference."""
    net, tax = Counter[str](), Counter[str]()
    for one in credited:
        net[one.reference] += one.net
        tax[one.reference] += one.tax
    return {
        item.reference: (item.net - net[item.reference], item.tax - tax[item.reference])
        for item in items
    }


def _require_unchanged(
    credited: Iterable[CreditedJob],
    wanted: Iterable[ExactCredit],
    pending: Iterable[ExactCredit],
    month: MonthBill,
) -> None:
    """Refuse a new adjustment of a job while one that was issued for it is not in the file.

    Whoever corrects a reason or a percentage does not mean to give back twice.
    """
    kept, new = {one.key for one in wanted}, {one.job.reference for one in pending}
    for one in credited:
        if one.reference in new and one.key not in kept and not one.key.startswith(LEDGER_ALONE):
            text = plain(in_currency(one.net + one.tax, month.bill.decimals))
            raise InputError(
                f"the adjustment that gave back {text} for job {one.name} ({one.reason!r}) was"
                " changed after it was issued: the one in the file would be given back besides",
                remedy="write it as it was, and add a table for what is to be given back besides",
            )


def _rounded(
    pending: Sequence[ExactCredit], left: dict[str, tuple[int, int]], month: MonthBill
) -> list[CreditedJob]:
    """Return credits of a document in minor units: of each adjustment those that are not 0, if any.

    Raises
    ------
    InputError
        More is to be given back than is left of a job.
    """
    wanted: dict[str, Fraction] = {}
    for one in pending:
        before = wanted.get(one.job.reference, Fraction(0))
        wanted[one.job.reference] = before + one.net + one.tax
        most = sum(left[one.job.reference])
        if wanted[one.job.reference] >= most + 1:  # less is rounding
            text = plain(in_currency(most, month.bill.decimals))
            raise InputError(
                f"adjustments give back more of {one.job.name} than the {text} that are left of it",
                remedy="it was refunded in the ledger, too: lower the adjustment",
            )
    credited = [
        CreditedJob(one.key, one.job.reference, one.job.name, net, tax, one.reason)
        for one, (net, tax) in zip(pending, rounded_credits(pending, left), strict=True)
    ]
    stated = {one.key for one in credited if one.net + one.tax}
    return [one for one in credited if one.net + one.tax or one.key not in stated]
