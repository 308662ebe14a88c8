"""Open invoices, and statements of accounts, as tables or JSON."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from utilitysched.analysis.documents import ResultTable, plain_table
from utilitysched_centre.accounts import AccountStatement, Money, OpenItem
from utilitysched_centre.report.amounts import aligned

AMOUNTS = ("amount", "credited", "paid", "covered", "open")
"""Amounts of an open invoice."""

CHANGES = ("charge", "credit", "balance")
"""Amounts of a row of a statement."""


def open_items_document(money: Money, items: Sequence[OpenItem]) -> dict[str, Any]:
    """Return invoices that are not settled, for JSON."""
    rows = [
        one._asdict()
        | {"account": str(one.account)}
        | {name: money.plain(getattr(one, name)) for name in AMOUNTS}
        for one in items
    ]
    total = money.plain(sum(one.open for one in items))
    return {"unit": money.unit, "open": total, "invoices": rows}


def open_items_table(money: Money, items: Sequence[OpenItem]) -> ResultTable:
    """Return the table of invoices that are not settled: amount less settled is open."""
    columns = (
        [one.amount for one in items],
        [one.amount - one.open for one in items],
        [one.open for one in items],
    )
    written = (aligned([*column, sum(column)], money.decimals) for column in columns)
    *amounts, total = zip(*written, strict=True)
    rows = [
        (one.number, str(one.account), one.due, f"{one.age:,}", f"{one.overdue:,}", *mine)
        for one, mine in zip(items, amounts, strict=True)
    ]
    heads = ["invoice", "account", "due", "age", "overdue"]
    return plain_table(
        [*heads, "amount", "settled", f"open ({money.unit})"],
        rows,
        left=3,
        total=[("total", *[""] * (len(heads) - 1), *total)],
    )


def statement_document(money: Money, statement: AccountStatement) -> dict[str, Any]:
    """Return an account over a year, for JSON."""
    return {
        "unit": money.unit,
        "account": str(statement.account),
        "year": statement.year,
        "opening": money.plain(statement.opening),
        "rows": [
            row._asdict() | {name: money.plain(getattr(row, name)) for name in CHANGES}
            for row in statement.rows
        ],
        "closing": money.plain(statement.closing),
    }


def statement_table(money: Money, statement: AccountStatement) -> ResultTable:
    """Return the table of an account over a year: opening less charges plus credits is closing."""
    rows, year = statement.rows, f"{statement.year:04}"
    balances = [statement.opening, *(row.balance for row in rows), statement.closing]
    changes = ([getattr(row, name) for row in rows] for name in CHANGES[:-1])
    columns = [[None, *(each or None for each in side), sum(side)] for side in changes]
    written = (aligned(column, money.decimals) for column in (*columns, balances))
    texts = [
        (f"{year}-01-01", "opening balance", ""),
        *(row[:3] for row in rows),
        (f"{year}-12-31", "closing balance", ""),
    ]
    lines = [(*text, *mine) for text, mine in zip(texts, zip(*written, strict=True), strict=True)]
    heads = ["date", str(statement.account), "document"]
    heads += [f"{name} ({money.unit})" for name in CHANGES]
    return plain_table(heads, lines[:-1], left=len(texts[0]), total=lines[-1:])
