"""Balances, entries and checks of a ledger; amounts are exact decimals."""

from collections.abc import Callable, Sequence
from typing import Any

from pricing.accounts import Account, Book, HistoryLine, Posted
from pricing.properties import Check
from utilitysched.analysis.documents import ResultTable, plain_table
from utilitysched.market.payment import posting_line
from utilitysched.report.amounts import aligned
from utilitysched.report.terminal import print_table

ANY = "any"
"""Instead of a credit limit: there is none."""


def balance_document(book: Book, accounts: Sequence[Account] | None) -> dict[str, Any]:
    """Return what accounts have, and the unit, for JSON."""
    plain = book.money.plain
    return {
        "unit": book.money.unit,
        "decimals": book.money.decimals,
        "accounts": [
            {
                "account": str(each.account),
                "balance": plain(each.available),
                "held": plain(each.held),
                "credit_limit": None if each.limit is None else plain(each.limit),
            }
            for each in book.balances(accounts)
        ],
    }


def balances(book: Book, accounts: Sequence[Account] | None) -> ResultTable:
    """Return what accounts have, and several together."""
    found, unit = book.balances(accounts), book.money.unit
    available, held = [each.available for each in found], [each.held for each in found]
    columns = [
        aligned(column, book.money.decimals)
        for column in (
            [*available, sum(available)],
            [*held, sum(held)],
            [*(each.limit for each in found), None],
        )
    ]
    *rows, total = zip([*(str(each.account) for each in found), "total"], *columns, strict=True)
    return plain_table(
        ["account", f"balance ({unit})", f"held ({unit})", f"credit limit ({unit})"],
        [(*row[:-1], row[-1] or ANY) for row in rows],
        total=[total] if len(found) > 1 else [],
    )


def posted_document(
    book: Book, posted: Posted, accounts: Sequence[Account] | None
) -> dict[str, Any]:
    """Return what a posting has led to, for JSON."""
    shown = {} if accounts is None else balance_document(book, accounts)
    return posted._asdict() | {key: shown[key] for key in shown if key == "accounts"}


def print_posted(book: Book, posted: Posted, accounts: Sequence[Account] | None) -> None:
    """Print what a posting has led to, and what the accounts in question have now."""
    print(posting_line(posted))
    if accounts is not None:
        print_table(balances(book, accounts))


def income_document(book: Book, month: str) -> dict[str, Any]:
    """Return what a month has brought in, for JSON."""
    found, plain = book.income(month), book.money.plain
    return {
        "unit": book.money.unit,
        "charged": plain(sum(each.charged for each in found)),
        "refunded": plain(sum(each.refunded for each in found)),
        "accounts": [
            {
                "account": str(each.account),
                "charged": plain(each.charged),
                "refunded": plain(each.refunded),
            }
            for each in found
        ],
    }


def history_document(book: Book, lines: Sequence[HistoryLine]) -> dict[str, Any]:
    """Return entries, for JSON."""
    written: dict[str, Callable[[Any], str]] = {
        "account": str,
        "available": book.money.plain,
        "held": book.money.plain,
    }
    entries = [
        line._asdict() | {name: write(getattr(line, name)) for name, write in written.items()}
        for line in lines
    ]
    return {"unit": book.money.unit, "entries": entries}


def history(book: Book, lines: Sequence[HistoryLine]) -> ResultTable:
    """Return entries."""
    unit = book.money.unit
    left = ["posting", "posted", "month", "what", "account", "job", "reference", "memo"]
    columns = [[getattr(line, part) or None for line in lines] for part in ("available", "held")]
    amounts = zip(*(aligned(column, book.money.decimals, "+") for column in columns), strict=True)
    rows = [
        (
            str(line.posting),
            line.posted_at,
            line.month,
            line.kind,
            str(line.account),
            "" if line.job is None else str(line.job),
            line.reference or "",
            line.memo,
            *both,
        )
        for line, both in zip(lines, amounts, strict=True)
    ]
    heads = [*left, f"balance ({unit})", f"held ({unit})"]
    return plain_table(heads, rows, left=len(left))


def checks_table(checks: Sequence[Check]) -> ResultTable:
    """Return what holds and what does not."""
    rows = [(each.name, "yes" if each.holds else "NO", each.detail) for each in checks]
    return plain_table(["check", "holds", "detail"], rows, left=3)
