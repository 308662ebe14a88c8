"""Tables of a ledger: balances, entries, checks; amounts are exact decimals."""

from collections.abc import Sequence
from typing import Any

from pricing.accounts import Account, Balance, Book, HistoryLine
from pricing.properties import Check
from utilitysched.report.amounts import aligned
from utilitysched.report.console import console, grid, show

ANY = "any"


def balance_rows(book: Book, accounts: Sequence[Account] | None) -> list[dict[str, Any]]:
    """Return what accounts have, for JSON."""
    return [_balance_row(book, balance) for balance in book.balances(accounts)]


def balance_document(book: Book, accounts: Sequence[Account] | None) -> dict[str, Any]:
    """Return what accounts have, and the unit, for JSON."""
    return {
        "unit": book.money.unit,
        "decimals": book.money.decimals,
        "accounts": balance_rows(book, accounts),
    }


def show_balances(book: Book, accounts: Sequence[Account] | None) -> None:
    """Print what accounts have."""
    found = book.balances(accounts)
    unit = book.money.unit
    grown = grid(["account", f"balance ({unit})", f"held ({unit})", f"credit limit ({unit})"])
    available, held = [one.available for one in found], [one.held for one in found]
    columns = (
        [*available, sum(available)],
        [*held, sum(held)],
        [*(one.limit for one in found), None],
    )
    cells = zip(*(aligned(column, book.money.decimals) for column in columns), strict=True)
    rows = list(zip([*(str(one.account) for one in found), "total"], cells, strict=True))
    for account, (balance, reserved, limit) in rows[:-1]:
        grown.add_row(account, balance, reserved, limit or ANY)
    if len(found) > 1:
        grown.add_section()
        total, figures = rows[-1]
        grown.add_row(total, *figures)
    show(console(), grown, uncut=True)


def income_document(book: Book, month: str) -> dict[str, Any]:
    """Return what a month has brought in, for JSON."""
    found = book.income(month)
    return {
        "unit": book.money.unit,
        "charged": book.money.plain(sum(one.charged for one in found)),
        "refunded": book.money.plain(sum(one.refunded for one in found)),
        "accounts": [
            {
                "account": str(one.account),
                "charged": book.money.plain(one.charged),
                "refunded": book.money.plain(one.refunded),
            }
            for one in found
        ],
    }


def history_rows(book: Book, lines: Sequence[HistoryLine]) -> list[dict[str, Any]]:
    """Return entries, for JSON."""
    return [
        line._asdict()
        | {
            "account": str(line.account),
            "available": book.money.plain(line.available),
            "held": book.money.plain(line.held),
        }
        for line in lines
    ]


def show_history(book: Book, lines: Sequence[HistoryLine]) -> None:
    """Print entries."""
    unit = book.money.unit
    left = ["posting", "posted", "month", "what", "account", "job", "reference", "memo"]
    grown = grid([*left, f"balance ({unit})", f"held ({unit})"], left=len(left))
    columns = [[getattr(line, part) or None for line in lines] for part in ("available", "held")]
    amounts = zip(*(aligned(column, book.money.decimals, "+") for column in columns), strict=True)
    for line, (available, held) in zip(lines, amounts, strict=True):
        grown.add_row(
            str(line.posting),
            line.posted_at,
            line.month,
            line.kind,
            str(line.account),
            "" if line.job is None else str(line.job),
            line.reference or "",
            line.memo,
            available,
            held,
        )
    show(console(), grown, uncut=True)


def show_checks(checks: Sequence[Check]) -> None:
    """Print what holds and what does not."""
    grown = grid(["check", "holds", "detail"], left=3)
    for check in checks:
        grown.add_row(check.name, "yes" if check.holds else "NO", check.detail)
    show(console(), grown, uncut=True)


def _balance_row(book: Book, balance: Balance) -> dict[str, Any]:
    return {
        "account": str(balance.account),
        "balance": book.money.plain(balance.available),
        "held": book.money.plain(balance.held),
        "credit_limit": None if balance.limit is None else book.money.plain(balance.limit),
    }
