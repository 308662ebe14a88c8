"""Check of a ledger's documents against its entries."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence

from pricing.properties import Check
from swfx.base.numbers import plural
from utilitysched_centre.accounts.account import CENTRE, Account
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
    """Sums of what documents are about, while entries go by in the order of postings.

    Parameters
    ----------
    documents : sequence of Document
        All documents of a ledger, in the order of issue.
    lines : sequence of DocumentLine
        The credits on them.
    accounts : mapping of int to Account
        Accounts by number.
    """

    def __init__(
        self,
        documents: Sequence[Document],
        lines: Sequence[DocumentLine],
        accounts: Mapping[int, Account],
    ) -> None:
        self._documents, self._accounts = documents, accounts
        self._lines: dict[str, list[DocumentLine]] = defaultdict(list)
        for line in lines:
            self._lines[line.document].append(line)
        self._notes: dict[str, list[Document]] = defaultdict(list)
        for one in documents:
            if one.kind == CREDIT_NOTE:
                self._notes[one.corrects].append(one)
        self._invoices = InvoiceOfCharge(documents)
        self._charged: dict[str, Counter[str | None]] = defaultdict(Counter)
        self._refunded: dict[str, Counter[str | None]] = defaultdict(Counter)
        self._latest: dict[tuple[str, str | None], tuple[int, int | None]] = {}
        self._paid: Counter[tuple[str | None, Account]] = Counter()

    def add(self, entry: Entry, posting: int) -> None:
        """Take in an entry."""
        for account, change in ((entry.debit, -entry.amount), (entry.credit, entry.amount)):
            payer = self._accounts.get(account)
            if payer is not None and payer.kind != CENTRE:
                self._add(entry, posting, payer, change)

    def _add(self, entry: Entry, posting: int, payer: Account, change: int) -> None:
        if entry.kind in PAID:
            self._paid[entry.reference, payer] += change
            return
        invoice = self._invoices.find(entry.kind, posting, entry.reference, payer)
        if invoice is None:
            return
        if entry.kind in TAKEN:
            self._charged[invoice.number][entry.reference] -= change
        elif entry.kind == "refund":
            self._refunded[invoice.number][entry.reference] += change
            self._latest[invoice.number, entry.reference] = posting, entry.job

    def check(self, money: Money) -> Check:
        """Say whether documents and entries agree."""
        faults = [
            *self.faults([one.number for one in self._documents], money),
            *self._undocumented(money),
            *self._unpaid(money),
        ]
        if not faults:
            detail = f"{plural(len(self._documents), 'document')} checked"
            return Check("documents", holds=True, detail=detail)
        others = f"; {plural(len(faults) - 1, 'other fault')}" if faults[1:] else ""
        return Check("documents", holds=False, detail=faults[0] + others)

    def faults(self, numbers: Collection[str], money: Money) -> Iterator[str]:
        """Yield what can never be put right: numbers, and what invoices and credit notes state.

        Parameters
        ----------
        numbers : collection of str
            Invoices to look at, with the credit notes about them.
        money : Money
            What the ledger counts in.
        """
        rows = [(one.number, one.net, one.tax) for one in self._documents]
        rows += [
            (line.document, line.net, line.tax) for each in self._lines.values() for line in each
        ]
        odd = [number for number, net, tax in rows if not type(net) is type(tax) is int]
        if odd:
            yield f"{odd[0]} has an amount that is none"
            return
        kinds = [one for one in self._documents if one.kind not in {INVOICE, CREDIT_NOTE}]
        yield from (f"{one.number} is a {one.kind!r}" for one in kinds[:1])
        yield from self._misnumbered()
        invoices = {one.number: one for one in self._documents if one.kind == INVOICE}
        for one in self._documents:
            if one.kind == CREDIT_NOTE:
                yield from self._misstated(one, invoices.get(one.corrects))
        for number in invoices.keys() & set(numbers):
            yield from self._uncharged(invoices[number], money)
            yield from self._unrefunded(number, money)

    def _misnumbered(self) -> Iterator[str]:
        """Yield the first document of each month that is not in its place."""
        months: dict[str, list[str]] = defaultdict(list)
        for one in self._documents:
            months[one.month].append(one.number)
        for month, numbers in months.items():
            for place, number in enumerate(numbers, start=1):
                if not f"-{number}".endswith(f"-{month}-{place:04}"):
                    yield f"document {place} of {month} has the number {number}"
                    break

    def _misstated(self, note: Document, invoice: Document | None) -> Iterator[str]:
        """Yield whether a credit note is not about its invoice, or not what its lines add up to."""
        mine = self._lines[note.number]
        sums = sum(line.net for line in mine), sum(line.tax for line in mine)
        if invoice is None or (note.account, note.month) != (invoice.account, invoice.month):
            yield f"{note.number} corrects no invoice of {note.account} for {note.month}"
        elif sums != (note.net, note.tax) and (mine or not note.cancels):
            yield f"{note.number} is not about what its lines add up to"

    def _uncharged(self, invoice: Document, money: Money) -> Iterator[str]:
        charged = self._charged[invoice.number].total()
        credited = sum(line.amount for line in self._lines[invoice.number])
        if charged - credited != invoice.amount:
            yield (
                f"{invoice.number} is about {money.text(invoice.amount)}, but posting"
                f" {invoice.posting} charges {invoice.account} {money.text(charged)}, less"
                f" {money.text(credited)} credited on it"
            )

    def _unrefunded(self, number: str, money: Money) -> Iterator[str]:
        """Yield what documents give back of an invoice and the ledger does not."""
        charged, refunded = self._charged[number], self._refunded[number]
        if self._is_cancelled(number):
            own = sum(line.amount for line in self._lines[number])
            credited = own + sum(one.amount for one in self._notes[number])
            if not credited == refunded.total() == charged.total():
                yield (
                    f"{number} is cancelled: of {money.text(charged.total())} documents give back"
                    f" {money.text(credited)}, the ledger {money.text(refunded.total())}"
                )
            return
        stated = self._stated(number)
        for reference, units in stated.items():
            more = units - refunded[reference]
            if more > 0 if charged[reference] >= 0 else more < 0:
                yield (
                    f"{number}: {money.text(units)} are credited for {reference}, of which the"
                    f" ledger gave back {money.text(refunded[reference])}"
                )

    def _undocumented(self, money: Money) -> Iterator[str]:
        """Yield refunds that no document states."""
        for number, refunded in self._refunded.items():
            stated = self._stated(number)
            for reference, units in refunded.items():
                more = units - stated[reference]
                is_more = more > 0 if self._charged[number][reference] > 0 else more < 0
                if is_more and not self._is_cancelled(number):
                    posting, job = self._latest[number, reference]
                    name = reference if job is None else f"job {job}"
                    yield (
                        f"posting {posting} gave back {money.text(more)} for {name} of {number}"
                        " without a credit note: the next billing-run issues one"
                    )

    def _is_cancelled(self, number: str) -> bool:
        return any(one.cancels for one in self._notes[number])

    def _stated(self, number: str) -> Counter[str | None]:
        """Return the credits for the jobs of an invoice, on it and on its credit notes."""
        stated: Counter[str | None] = Counter()
        for document in (number, *(one.number for one in self._notes[number])):
            for line in self._lines[document]:
                stated[line.reference] += line.amount
        return stated

    def _unpaid(self, money: Money) -> Iterator[str]:
        """Yield payments of no invoice, and of more than it is about."""
        invoices = [one for one in self._documents if one.kind == INVOICE]
        amounts = {(one.number, one.account): one.amount for one in invoices}
        for (number, account), units in self._paid.items():
            if not 0 <= units <= amounts.get((str(number), account), -1):
                yield f"{account} paid {money.text(units)} for {number}"
