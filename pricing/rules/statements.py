"""Statements of what is to be paid: per user, group, account, queue or month."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from decimal import Decimal
from typing import NamedTuple

from pricing.ledger import amount
from pricing.rules.invoice import Invoice
from pricing.statement import check_kind

_KEYS: dict[str, Callable[[Invoice], Sequence[int | str]]] = {
    "user": lambda bill: bill.charges.workload.user.tolist(),
    "group": lambda bill: bill.charges.workload.group.tolist(),
    "queue": lambda bill: bill.charges.workload.queue.tolist(),
    "month": lambda bill: bill.charges.month.tolist(),
    "account": lambda bill: bill.payer,
}

KINDS: tuple[str, ...] = tuple(_KEYS)
"""What a statement of what is to be paid can be made per."""


class StatementLine(NamedTuple):
    """What jobs come to together.

    Attributes
    ----------
    key : int or str
        User, group, queue (-1 = not known), month or account.
    jobs : int
        Jobs that ran.
    charged : int
        Those of them that are charged.
    charge : Decimal
        By the mechanism (SU).
    net, tax, amount : Decimal
        Without tax, tax, and what is to be paid.
    """

    key: int | str
    jobs: int
    charged: int
    charge: Decimal
    net: Decimal
    tax: Decimal
    amount: Decimal


def keys(bill: Invoice, by: str) -> Sequence[int | str]:
    """Return for each job to which statement of a kind it belongs.

    Raises
    ------
    InputError
        If `by` is not one of `KINDS`.
    """
    check_kind(by, KINDS)
    return _KEYS[by](bill)


def lines(bill: Invoice, by: str) -> list[StatementLine]:
    """Sum up what is to be paid, ascending by key; lines add up to the total exactly.

    Raises
    ------
    InputError
        If `by` is not one of `KINDS`.
    """
    places: dict[int | str, list[int]] = defaultdict(list)
    for place, key in enumerate(keys(bill, by)):
        places[key].append(place)
    return [_line(bill, key, mine) for key, mine in sorted(places.items())]


def _line(bill: Invoice, key: int | str, mine: list[int]) -> StatementLine:
    ledger = bill.charges.ledger
    net, tax = bill.money(bill.net[mine]), bill.money(bill.tax[mine])
    charged = sum(bill.steps.reason[place].startswith("charged") for place in mine)
    charge = amount(int(ledger.units[mine].sum()), ledger.decimals)
    return StatementLine(key, len(mine), charged, charge, net, tax, net + tax)
