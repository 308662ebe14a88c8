"""Printing for the commands of `utilitysched ledger`: tables, or JSON of the same."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from swfx import InputError
from utilitysched.market.payment import needing_packages
from utilitysched.report.terminal import print_json, print_table

with needing_packages():
    from pricing.accounts import Money, Terms, create, read_account, upgrade
    from utilitysched.report import accounts as tables

if TYPE_CHECKING:
    from pricing.accounts import Account, Book, Closing, Posted


def account_of(name: str) -> Account:
    """Read the name of an account."""
    return read_account(name)


def limit_of(text: str) -> str | None:
    """Read a credit limit: an amount, or ``any``."""
    return None if text == tables.ANY else text


def make_ledger(
    ledger: str, money: tuple[str, int], payer: str, credit: str, *, json: bool
) -> None:
    """Make a ledger and say so."""
    counted = Money(*money)
    limit = limit_of(credit)
    units = None if limit is None else counted.units(limit)
    create(ledger, Terms(counted, payer, units))
    if json:
        print_json(
            {
                "ledger": ledger,
                "unit": counted.unit,
                "decimals": counted.decimals,
                "payer": payer,
                "credit_limit": None if units is None else counted.plain(units),
            }
        )
    else:
        print(f"made {ledger}: {counted.unit} with {counted.decimals} decimals; {payer}s pay")


def upgrade_ledger(ledger: str, *, json: bool) -> None:
    """Bring a ledger up to date and say so."""
    before, after = upgrade(ledger)
    if json:
        print_json({"before": before, "after": after})
    else:
        print(f"version {after} already" if before == after else f"version {before} is now {after}")


def show_posted(
    book: Book, posted: Posted, accounts: Sequence[Account] | None = None, *, json: bool
) -> None:
    """Say what a posting has led to, and what the accounts in question have now."""
    if json:
        print_json(tables.posted_document(book, posted, accounts))
    else:
        tables.print_posted(book, posted, accounts)


def show_balances(book: Book, accounts: Sequence[Account] | None, *, json: bool) -> None:
    """Print what accounts have."""
    if json:
        print_json(tables.balance_document(book, accounts))
    else:
        print_table(tables.balances(book, accounts))


def show_closing(book: Book, closing: Closing, *, json: bool) -> None:
    """Say what a closed month has brought in."""
    document = tables.income_document(book, closing.month)
    if json:
        print_json({**closing._asdict(), **document})
        return
    print(f"{closing.month} is closed" if closing.new else f"{closing.month} was closed before")
    print(f"charged {document['charged']}, given back {document['refunded']} {book.money.unit}")


def show_checks(book: Book, *, json: bool) -> None:
    """Say what holds.

    Raises
    ------
    InputError
        Something does not.
    """
    checks = book.verify()
    if json:
        print_json({"checks": [check._asdict() for check in checks]})
    else:
        print_table(tables.checks_table(checks))
    failed = [check.name for check in checks if not check.holds]
    if failed:
        raise InputError(
            f"does not hold: {', '.join(failed)}",
            source=book.source,
            remedy="go back to the last copy that does",
        )


def show_history(book: Book, account: str | None, latest: int | None, *, json: bool) -> None:
    """Print entries."""
    lines = book.history(read_account(account) if account else None, latest=latest)
    if json:
        print_json(tables.history_document(book, lines))
    else:
        print_table(tables.history(book, lines))
