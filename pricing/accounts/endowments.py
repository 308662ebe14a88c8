"""Endowments and credit limits: the means of accounts."""

from __future__ import annotations

from pricing.accounts import journal
from pricing.accounts.account import Account, read_account, require_short
from pricing.accounts.chart import balances
from pricing.accounts.journal import Entry
from pricing.accounts.transaction import Amount, Posted, Transaction
from swfx import InputError


def endow(
    ledger: Transaction, account: Account, amount: Amount, key: str | None, about: tuple[str, str]
) -> Posted:
    """Give an account something to spend; `about` is the month and a memo."""
    month, memo = about
    units = ledger.above_zero(amount)
    if key is not None:
        require_short(key, "key")
    parts = ledger.chart.open(read_account(str(account)))
    entry = Entry("endow", ledger.chart.endowments, parts.available, units, month)
    unique = f"endow:{key}" if key is not None else None
    if unique is not None:
        _require_same(ledger, unique, entry)
    return ledger.post(ledger.heading("endow", unique, memo), [entry])


def _require_same(ledger: Transaction, unique: str, entry: Entry) -> None:
    """Refuse a key under which something else was given."""
    before = journal.known(ledger.connection, unique)
    if before is None:
        return
    (given,) = journal.entries_of(ledger.connection, before.id)
    if (given.credit, given.amount) != (entry.credit, entry.amount):
        whose = "this account" if given.credit == entry.credit else "another account"
        raise InputError(
            f"posting {before.id} has this key, and gave {ledger.money.text(given.amount)} to"
            f" {whose}",
            field="key",
            remedy="name another key",
        )


def set_limit(ledger: Transaction, account: Account, amount: Amount | None) -> None:
    """Let an account go so far below 0; None = any."""
    money = ledger.money
    units = None if amount is None else money.units(amount)
    if units is not None and units < 0:
        raise InputError(f"{amount} is below 0", field="limit")
    number = ledger.chart.open(read_account(str(account))).available
    balance = balances(ledger.connection, [number]).get(number, 0)
    if units is not None and balance < -units:
        raise InputError(
            f"{account} has {money.text(balance)} already",
            field="limit",
            remedy=f"endow it, or give at least {money.plain(-balance)}",
        )
    ledger.chart.limit(account, units)
