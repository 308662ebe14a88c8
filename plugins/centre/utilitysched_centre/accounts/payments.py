"""Payments of invoices, and what is still open."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from datetime import date
from typing import NamedTuple

from sqlalchemy import Connection, select

from swfx import InputError
from utilitysched_centre.accounts import periods
from utilitysched_centre.accounts.account import Account, require_short
from utilitysched_centre.accounts.chart import Chart
from utilitysched_centre.accounts.documents import INVOICE, read_documents
from utilitysched_centre.accounts.journal import PAID, PAY, REPAY, Entry, Heading
from utilitysched_centre.accounts.schema import ENTRY, PAYMENT
from utilitysched_centre.accounts.sums import balances, halves, whole
from utilitysched_centre.accounts.transaction import Amount, Posted, Transaction


class PaymentOrder(NamedTuple):
    """Payment of an invoice, to be posted.

    Attributes
    ----------
    number : str
        Number of the invoice.
    amount : str, int, Decimal or None
        Amount in the ledger's unit; None: all that is open, or all that can go back.
    paid_on : date
        Day on which the money came in, or went back.
    back : bool
        Whether it goes back to the account.
    key : str or None
        Key by which a second order is recognised.
    """

    number: str
    amount: Amount | None
    paid_on: date
    back: bool = False
    key: str | None = None

    @property
    def kind(self) -> str:
        """Kind of the entry."""
        return REPAY if self.back else PAY


class OpenItem(NamedTuple):
    """Invoice that is not settled, in minor units.

    Attributes
    ----------
    number : str
        Number of the invoice.
    account : Account
        Payer.
    issued, due : str
        Days, ``YYYY-MM-DD``.
    age, overdue : int
        Days since the invoice was issued, and since it was due.
    amount : int
        Amount of the invoice, tax included.
    credited : int
        Amount of the credit notes about it.
    paid : int
        Payments, less what of them went back.
    covered : int
        Part that the account's endowments cover.
    open : int
        Rest; below 0 for an invoice that was paid and then credited.
    """

    number: str
    account: Account
    issued: str
    due: str
    age: int
    overdue: int
    amount: int
    credited: int
    paid: int
    covered: int
    open: int


def pay(ledger: Transaction, order: PaymentOrder) -> Posted:
    """Post the payment of an invoice, at most what is open of it; see `Book.pay`."""
    units = None if order.amount is None else ledger.above_zero(order.amount)
    if order.key is not None:
        require_short(order.key, "key")
    heading = ledger.heading(order.kind, None if order.key is None else f"pay:{order.key}")
    wanted: dict[str, object] = {"kind": order.kind, "reference": order.number}
    if units is not None:
        wanted["amount"] = units
    if known := ledger.repeated(heading, **wanted):
        return known
    if order.paid_on.isoformat() > periods.instant(ledger.now)[:10]:
        raise InputError(f"{order.paid_on} is yet to come", field="day of payment")
    invoices = list(_items(ledger.connection, ledger.chart, order.paid_on))
    item = next((each for each in invoices if each.number == order.number), None)
    if item is None:
        raise InputError(
            f"there is no invoice {order.number}",
            remedy="utilitysched ledger open-items LEDGER lists those that are open",
        )
    return _post(ledger, order, heading, item, units)


def _post(
    ledger: Transaction, order: PaymentOrder, heading: Heading, item: OpenItem, units: int | None
) -> Posted:
    # what was paid too much goes back first
    most = item.paid if order.back else item.open
    default = -item.open if order.back and item.open < 0 else most
    amount = default if units is None else units
    if not 0 < amount <= most:
        way = "to pay back" if order.back else "open"
        raise InputError(
            f"{item.number} has {ledger.money.text(max(most, 0))} {way}:"
            f" {ledger.money.text(item.amount)}, less {ledger.money.text(item.credited)} credited"
            f" and {ledger.money.text(item.paid)} paid",
            field="amount",
        )
    parts = ledger.chart.find(item.account)
    ways = (ledger.chart.payments, parts.available)
    debit, credit = ways[::-1] if order.back else ways
    closed, month = periods.closed_until(ledger.connection), order.paid_on.isoformat()[:7]
    if closed is not None and month <= closed:
        month = ledger.month
    ledger.chart.number_and_lay_down(PAYMENT, {"paid_on": order.paid_on.isoformat()})
    return ledger.post(heading, [Entry(order.kind, debit, credit, amount, month, item.number)])


def open_items(connection: Connection, chart: Chart, today: date) -> list[OpenItem]:
    """Return invoices with an amount that is open, the oldest first; see `Book.open_items`."""
    by_account: dict[Account, list[OpenItem]] = defaultdict(list)
    for item in _items(connection, chart, today):
        by_account[item.account].append(item)
    parts = {account: chart.find(account) for account in by_account}
    has = balances(connection, (number for part in parts.values() for number in part))
    items: list[OpenItem] = []
    for account, mine in by_account.items():
        owes = max(-sum(has.get(number, 0) for number in parts[account]), 0)
        items += _covered(mine, max(sum(each.open for each in mine) - owes, 0))
    return sorted((each for each in items if each.open), key=lambda each: each.issued)


def _covered(items: Iterable[OpenItem], rest: int) -> Iterator[OpenItem]:
    """Yield the invoices of an account, what else it has being taken for the oldest first."""
    for item in items:
        covered = min(max(item.open, 0), rest)
        rest -= covered
        yield item._replace(covered=covered, open=item.open - covered)


def _items(connection: Connection, chart: Chart, today: date) -> Iterator[OpenItem]:
    """Yield all invoices in the order of issue, without regard to endowments."""
    documents = read_documents(connection, chart)
    credited: Counter[str] = Counter()
    for one in documents:
        credited[one.corrects] -= one.signed  # invoices correct none
    paid = _paid(connection)
    for one in documents:
        if one.kind == INVOICE:
            left = one.amount - credited[one.number] - paid[one.number]
            yield OpenItem(
                one.number,
                one.account,
                one.issued,
                one.due,
                _days(one.issued, today),
                _days(one.due, today),
                one.amount,
                credited[one.number],
                paid[one.number],
                0,
                left,
            )


def _days(day: str, today: date) -> int:
    return max((today - date.fromisoformat(day)).days, 0) if day else 0


def _paid(connection: Connection) -> Counter[str]:
    """Sum what was paid for each invoice, less what went back."""
    paid: Counter[str] = Counter()
    rows = connection.execute(
        select(ENTRY.c.reference, ENTRY.c.kind, *halves(ENTRY.c.amount))
        .where(ENTRY.c.kind.in_(PAID))
        .group_by(ENTRY.c.reference, ENTRY.c.kind)
    )
    for number, kind, *sums in rows:
        paid[number] += whole(*sums) * (1 if kind == PAY else -1)
    return paid
