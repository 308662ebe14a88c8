"""Money given back: refunds of jobs, and postings undone."""

from __future__ import annotations

from collections.abc import Iterator

from pricing.accounts import journal, moves
from pricing.accounts.journal import Entry
from pricing.accounts.standing import standing
from pricing.accounts.transaction import Amount, Posted, Transaction
from swfx import InputError

GIVEN_BACK = ("endow", "hold", "charge")
"""Kinds of entries that can be undone."""


def refund(
    ledger: Transaction, reference: str, amount: Amount | None, about: tuple[str, str]
) -> Posted:
    """Give back what is held for a job, and its charge or a part; `about` is month and memo."""
    month, memo = about
    money = ledger.money
    units = None if amount is None else ledger.above_zero(amount)
    stand = standing(ledger.connection, ledger.chart, [reference]).get(reference)
    if stand is None or not (stand.held or stand.charged):
        raise InputError(f"there is nothing to give back for {reference!r}", field="reference")
    if units is not None and (stand.held or units > stand.charged):
        raise InputError(
            f"{reference} was charged {money.text(stand.charged)}, and "
            f"{money.text(stand.held)} are held",
            field="amount",
            remedy="give back at most the charge, and what is held altogether",
        )
    entries = list(moves.give_back(ledger.chart, reference, stand, month, units))
    return ledger.post(ledger.heading("refund", memo=memo), entries)


def undo(ledger: Transaction, number: int, about: tuple[str, str]) -> Posted:
    """Give back all that a posting took and that is not given back yet."""
    month, memo = about
    entries = journal.entries_of(ledger.connection, number)
    before = journal.undone(ledger.connection, number)
    if before is not None:
        return Posted(before, new=False, entries=len(entries))
    if not any(entry.kind in GIVEN_BACK for entry in entries):
        raise InputError(
            f"posting {number} gives nothing that could be taken back",
            field="posting",
            remedy="utilitysched ledger history lists postings",
        )
    back = list(_taken_back(ledger, entries, number, month))
    heading = ledger.heading("reverse", f"reverse:{number}", memo)
    return ledger.post(heading._replace(reverses=number), back)


def _taken_back(
    ledger: Transaction, entries: list[Entry], number: int, month: str
) -> Iterator[Entry]:
    references = {entry.reference: None for entry in entries if entry.reference is not None}
    stands = standing(ledger.connection, ledger.chart, list(references))
    for reference, stand in stands.items():
        yield from moves.give_back(ledger.chart, reference, stand.by(number), month)
    for entry in entries:
        if entry.kind == "endow":
            yield Entry("reverse", entry.credit, entry.debit, entry.amount, month)
