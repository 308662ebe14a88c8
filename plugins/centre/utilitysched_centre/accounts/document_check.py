"""Check of a ledger's documents against its entries."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence

from pricing.properties import Check
from swfx.base.numbers import plural
from utilitysched_centre.accounts.account import Account
from utilitysched_centre.accounts.documents import (
    CREDIT_NOTE,
    INVOICE,
    Document,
    DocumentLine,
    InvoiceOfCharge,
)
from utilitysched_centre.accounts.journal import PAID, TAKEN, Entry
from utilitysched_centre.accounts.money import Money


class DocumentTally:
    """Sums of what documents are about, while all entries go by in the order of postings.

    Parameters
    ----------
    documents : sequence of Document
        All documents of a ledger.
    lines : sequence of DocumentLine
        The credits on them.
    """

    def __init__(self, documents: Sequence[Document], lines: Sequence[DocumentLine]) -> None:
        self.documents, self.lines = documents, lines
        self._invoices = InvoiceOfCharge(documents)
        self.charged: dict[str, Counter[str | None]] = defaultdict(Counter)
        self.refunded: dict[str, Counter[str | None]] = defaultdict(Counter)
        self.paid: Counter[tuple[str | None, Account]] = Counter()
        self.latest: dict[tuple[str, str | None], tuple[int, int | None]] = {}

    def add(self, entry: Entry, posting: int, payer: Account, change: int) -> None:
        """Take in an entry that changes what the payer has by so many minor units."""
        if entry.kind in PAID:
            self.paid[entry.reference, payer] += change
            return
        invoice = self._invoices.find(entry.kind, posting, entry.reference, payer)
        if invoice is None:
            return
        if entry.kind in TAKEN:
            self.charged[invoice.number][entry.reference] -= change
        elif entry.kind == "refund":
            self.refunded[invoice.number][entry.reference] += change
            self.latest[invoice.number, entry.reference] = posting, entry.job

    def check(self, money: Money) -> Check:
        """Say whether documents and entries agree."""
        faults = list(self._faults(money))
        if not faults:
            detail = f"{plural(len(self.documents), 'document')} checked"
            return Check("documents", holds=True, detail=detail)
        others = f"; {plural(len(faults) - 1, 'other fault')}" if faults[1:] else ""
        return Check("documents", holds=False, detail=faults[0] + others)

    def _faults(self, money: Money) -> Iterator[str]:
        rows = [(one.number, one.net, one.tax) for one in self.documents]
        rows += [(line.document, line.net, line.tax) for line in self.lines]
        odd = [number for number, net, tax in rows if not type(net) is type(tax) is int]
        if odd:
            yield f"{odd[0]} has an amount that is none"
            return
        yield from self._misnumbered()
        lines: dict[str, list[DocumentLine]] = defaultdict(list)
        for line in self.lines:
            lines[line.document].append(line)
        notes: dict[str, list[Document]] = defaultdict(list)
        for one in self.documents:
            if one.kind == CREDIT_NOTE:
                notes[one.corrects].append(one)
        for one in self.documents:
            if one.kind == INVOICE:
                mine = notes.pop(one.number, [])
                yield from _misstated(mine, one, lines)
                yield from self._uncharged(one, lines[one.number], money)
                yield from self._unrefunded(one, mine, lines, money)
        yield from (f"{one.number} corrects no invoice" for each in notes.values() for one in each)
        yield from self._unpaid(money)

    def _misnumbered(self) -> Iterator[str]:
        """Yield the first document of each month that is not in its place."""
        months: dict[str, list[str]] = defaultdict(list)
        for one in self.documents:
            months[one.month].append(one.number)
        for month, numbers in months.items():
            for place, number in enumerate(numbers, start=1):
                if not f"-{number}".endswith(f"-{month}-{place:04}"):
                    yield f"document {place} of {month} has the number {number}"
                    break

    def _uncharged(
        self, invoice: Document, own: Sequence[DocumentLine], money: Money
    ) -> Iterator[str]:
        charged = self.charged[invoice.number].total()
        credited = sum(line.amount for line in own)
        if charged - credited != invoice.amount:
            yield (
                f"{invoice.number} is about {money.text(invoice.amount)}, but posting"
                f" {invoice.posting} charges {invoice.account} {money.text(charged)}, less"
                f" {money.text(credited)} credited on it"
            )

    def _unrefunded(
        self,
        invoice: Document,
        notes: Sequence[Document],
        lines: dict[str, list[DocumentLine]],
        money: Money,
    ) -> Iterator[str]:
        """Yield how the refunds of an invoice's charges differ from what documents give back."""
        number = invoice.number
        own = sum(line.amount for line in lines[number])
        credited, refunded = own + sum(one.amount for one in notes), self.refunded[number]
        if any(one.cancels for one in notes):
            if not credited == refunded.total() == self.charged[number].total():
                yield (
                    f"{number} is cancelled, its documents give back {money.text(credited)} and"
                    f" the ledger {money.text(refunded.total())} of"
                    f" {money.text(self.charged[number].total())}"
                )
            return
        stated: Counter[str | None] = Counter()
        for document in (number, *(one.number for one in notes)):
            for line in lines[document]:
                stated[line.reference] += line.amount
        for reference in {**refunded, **stated}:
            more = refunded[reference] - stated[reference]
            posting, job = self.latest.get((number, reference), (0, None))
            name = f"job {job}" if job is not None else str(reference)
            if more > 0:
                yield (
                    f"posting {posting} gave back {money.text(more)} for {name} of {number}"
                    " without a credit note: the next billing-run issues one"
                )
            elif more < 0:
                yield f"{number}: {money.text(-more)} credited for {name} were not given back"

    def _unpaid(self, money: Money) -> Iterator[str]:
        """Yield payments of no invoice, and of more than it is about."""
        amounts = {
            (one.number, one.account): one.amount for one in self.documents if one.kind == INVOICE
        }
        for (number, account), units in self.paid.items():
            if not 0 <= units <= amounts.get((str(number), account), -1):
                yield f"{account} paid {money.text(units)} for {number}"


def _misstated(
    notes: Sequence[Document], invoice: Document, lines: dict[str, list[DocumentLine]]
) -> Iterator[str]:
    """Yield credit notes that are not about their invoice, or not about what their lines are."""
    for one in notes:
        mine = lines[one.number]
        sums = (sum(line.net for line in mine), sum(line.tax for line in mine))
        if (one.account, one.month) != (invoice.account, invoice.month):
            yield f"{one.number} corrects {invoice.number} of {invoice.account}"
        elif sums != (one.net, one.tax) and (mine or not one.cancels):
            yield f"{one.number} is not about what its lines add up to"
