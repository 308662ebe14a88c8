"""Balances, entries and checks of a ledger, as tables or JSON; amounts are exact decimals."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import date
from pathlib import Path
from typing import Any, NamedTuple

from pricing.properties import Check
from swfx import InputError
from swfx.base.numbers import plural
from utilitysched.analysis.documents import ResultTable, plain_table
from utilitysched.report.terminal import print_json, print_table
from utilitysched_centre.accounts import (
    Account,
    Book,
    Closing,
    HistoryLine,
    Money,
    OpenHold,
    Posted,
    Terms,
    create,
    read_account,
    read_anchors,
    read_key,
    write_anchor,
)
from utilitysched_centre.accounts.keys import VARIABLE
from utilitysched_centre.payment import open_book, posted_bill, posting_line
from utilitysched_centre.register import check_register
from utilitysched_centre.report.amounts import aligned
from utilitysched_centre.report.open_items import (
    open_items_document,
    open_items_table,
    statement_document,
    statement_table,
)

ANY = "any"
"""Instead of a credit limit: there is none."""

REGISTER = "register"
"""Check of a folder of bills against the ledger."""

MOST_FAULTS = 50
"""Differences that are shown, a line each."""


class BookPrinter(NamedTuple):
    """Printer of an open ledger's answers, as tables or as one JSON object."""

    book: Book
    json: bool

    def posted(self, posted: Posted, accounts: Sequence[Account] | None = None) -> None:
        """Say what a posting has led to, and what the accounts in question have now."""
        if self.json:
            shown = {} if accounts is None else balance_document(self.book, accounts)
            print_json(posted._asdict() | {key: shown[key] for key in shown if key == "accounts"})
            return
        print(posting_line(posted))
        if accounts is not None:
            self.balances(accounts)

    def balances(self, accounts: Sequence[Account] | None) -> None:
        """Print what accounts have; None for all."""
        if self.json:
            print_json(balance_document(self.book, accounts))
        else:
            print_table(balances(self.book, accounts))

    def closing(self, closing: Closing) -> None:
        """Say what a closed month has brought in."""
        document = income_document(self.book, closing.month)
        if self.json:
            print_json({**closing._asdict(), **document})
            return
        done = "is closed" if closing.new else "was closed before"
        print(f"{closing.month} {done}")
        unit = self.book.money.unit
        print(f"charged {document['charged']}, given back {document['refunded']} {unit}")

    def holds(self) -> None:
        """Print what is held, the oldest first."""
        holds = self.book.holds()
        if self.json:
            print_json(holds_document(self.book, holds))
        elif holds:
            print_table(holds_table(self.book, holds))
        else:
            print("nothing is held")

    def paid(self, posted: Posted, number: str) -> None:
        """Say what a payment has led to, and what is open of the invoice now."""
        units = next((each.open for each in self.book.open_items() if each.number == number), 0)
        if self.json:
            print_json(posted._asdict() | {"open": self.book.money.plain(units)})
        else:
            print(posting_line(posted))
            print(f"{number} has {self.book.money.text(units)} open")

    def open_items(self, today: date | None = None) -> None:
        """Print invoices that are not settled, the oldest first."""
        items = self.book.open_items(today)
        if self.json:
            print_json(open_items_document(self.book.money, items))
        elif items:
            print_table(open_items_table(self.book.money, items))
        else:
            print("no invoice is open")

    def statement(self, account: Account, year: int | None) -> None:
        """Print an account over a year."""
        statement = self.book.statement(account, year)
        if self.json:
            print_json(statement_document(self.book.money, statement))
        else:
            print_table(statement_table(self.book.money, statement))

    def anchor(self, to: Path | None) -> None:
        """Print the last seal, and add it to a file of anchors if one is named.

        Raises
        ------
        InputError
            The file cannot be written, or the ledger has other seals than it says.
        """
        anchor = self.book.anchor()
        if to is not None:
            before = read_anchors(to) if to.exists() else []
            if before:
                self._require([self.book.anchored(before)])
            write_anchor(to, anchor)
        if self.json:
            print_json(anchor._asdict())
        else:
            print(f"posting {anchor.posting}: {anchor.seal}")

    def checks(
        self,
        against: Path | None = None,
        bills: Sequence[Path] = (),
        documents: Path | None = None,
    ) -> None:
        """Say what holds, against a file of anchors if one is named, and of posted bills.

        Parameters
        ----------
        against : Path, optional
            File of anchors.
        bills : sequence of Path
            Runs whose bills were posted.
        documents : Path, optional
            Folder of bills, whose register and documents are compared with the ledger.

        Raises
        ------
        InputError
            Something does not.
        """
        posted = [posted_bill(directory, self.book) for directory in bills]
        ledger = self.book.verify(None if against is None else read_anchors(against))
        checks = [*ledger, *posted, *register_checks(documents, self.book)]
        if self.json:
            print_json({"checks": [check._asdict() for check in checks]})
        else:
            print_table(checks_table(checks))
        self._require(checks)

    def _require(self, checks: Sequence[Check]) -> None:
        failed = list(dict.fromkeys(check.name for check in checks if not check.holds))
        if failed:
            in_ledger = set(failed) - {"documents", REGISTER}
            raise InputError(
                f"does not hold: {', '.join(failed)}",
                source=self.book.source,
                remedy="go back to the last copy that does" if in_ledger else "see the details",
            )

    def history(self, account: str | None, latest: int | None) -> None:
        """Print entries of an account or of all, the oldest first."""
        lines = self.book.history(read_account(account) if account else None, latest=latest)
        if self.json:
            print_json(history_document(self.book, lines))
        else:
            print_table(history(self.book, lines))


@contextmanager
def opened(ledger: str, *, json: bool) -> Iterator[BookPrinter]:
    """Open a ledger: a file, or a database by its address."""
    with open_book(ledger) as book:
        yield BookPrinter(book, json)


def limit_of(text: str) -> str | None:
    """Read a credit limit: an amount, or ``any``."""
    return None if text == ANY else text


def make_ledger(
    ledger: str, money: Money, payer: str, credit: str, *, keyed: bool, json: bool
) -> None:
    """Make a ledger and say so.

    Raises
    ------
    InputError
        It cannot be made, or is to have a key and there is none.
    """
    limit = limit_of(credit)
    units = None if limit is None else money.units(limit)
    key = read_key() if keyed else None
    if keyed and key is None:
        raise InputError(
            f"{VARIABLE} holds no key",
            field="--keyed",
            remedy=f"set {VARIABLE} to one, or to @FILE",
        )
    create(ledger, Terms(money, payer, units), key=key)
    if json:
        print_json(
            {
                "ledger": ledger,
                "unit": money.unit,
                "decimals": money.decimals,
                "payer": payer,
                "credit_limit": None if units is None else money.plain(units),
            }
        )
    else:
        print(f"made {ledger}: {money.unit} with {money.decimals} decimals; {payer}s pay")


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
    amounts, unit = book.balances(accounts), book.money.unit
    available, held = [each.available for each in amounts], [each.held for each in amounts]
    columns = [
        aligned(column, book.money.decimals)
        for column in (
            [*available, sum(available)],
            [*held, sum(held)],
            [*(each.limit for each in amounts), None],
        )
    ]
    *rows, total = zip([*(str(each.account) for each in amounts), "total"], *columns, strict=True)
    return plain_table(
        ["account", f"balance ({unit})", f"held ({unit})", f"credit limit ({unit})"],
        [(*row[:-1], row[-1] or ANY) for row in rows],
        total=[total] if len(amounts) > 1 else [],
    )


def income_document(book: Book, month: str) -> dict[str, Any]:
    """Return what a month has brought in, for JSON."""
    incomes, plain = book.income(month), book.money.plain
    return {
        "unit": book.money.unit,
        "charged": plain(sum(each.charged for each in incomes)),
        "refunded": plain(sum(each.refunded for each in incomes)),
        "accounts": [
            {
                "account": str(each.account),
                "charged": plain(each.charged),
                "refunded": plain(each.refunded),
            }
            for each in incomes
        ],
    }


def holds_document(book: Book, holds: Sequence[OpenHold]) -> dict[str, Any]:
    """Return what is held, for JSON."""
    written = [
        each._asdict() | {"account": str(each.account), "held": book.money.plain(each.held)}
        for each in holds
    ]
    return {"unit": book.money.unit, "holds": written}


def holds_table(book: Book, holds: Sequence[OpenHold]) -> ResultTable:
    """Return the table of open holds."""
    amounts = [*(each.held for each in holds), sum(each.held for each in holds)]
    *shown, total = aligned(amounts, book.money.decimals)
    rows = [
        (
            each.reference,
            "" if each.job is None else str(each.job),
            str(each.account),
            each.since[:10],
            f"{each.days:,}",
            held,
        )
        for each, held in zip(holds, shown, strict=True)
    ]
    heads = ["reference", "job", "account", "since", "days", f"held ({book.money.unit})"]
    sums = [("total", "", "", "", "", total)] if len(holds) > 1 else []
    return plain_table(heads, rows, left=4, total=sums)


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


def register_checks(folder: Path | None, book: Book) -> list[Check]:
    """Return what differs between a folder of bills and a ledger, a check for each."""
    if folder is None:
        return []
    faults = check_register(folder, book)
    checks = [Check(REGISTER, holds=False, detail=fault) for fault in faults[:MOST_FAULTS]]
    if faults[MOST_FAULTS:]:
        others = f"and {len(faults) - MOST_FAULTS:,} other differences"
        checks.append(Check(REGISTER, holds=False, detail=others))
    detail = f"{plural(len(book.documents()), 'document')} as in the ledger"
    return checks or [Check(REGISTER, holds=True, detail=detail)]


def checks_table(checks: Sequence[Check]) -> ResultTable:
    """Return the table of checks, passed and failed."""
    rows = [(each.name, "yes" if each.holds else "NO", each.detail) for each in checks]
    return plain_table(["check", "holds", "detail"], rows, left=3)
