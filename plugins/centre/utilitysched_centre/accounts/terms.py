"""Terms of a ledger, laid down when it is made."""

from __future__ import annotations

import re
from typing import NamedTuple

from sqlalchemy import Connection, select

from swfx import InputError
from swfx.base.options import nearest
from utilitysched_centre.accounts.account import PAYERS, named_alone
from utilitysched_centre.accounts.chart import Chart
from utilitysched_centre.accounts.keys import check_of
from utilitysched_centre.accounts.money import Money
from utilitysched_centre.accounts.schema import LEDGER

FINEST = 12
"""Most decimals: 64 bits then hold nine million units."""


class Terms(NamedTuple):
    """What never changes in a ledger.

    Attributes
    ----------
    money : Money
        What it counts in.
    payer : {"user", "group", "project", "account"}
        Who pays for a job, unless its user or group was assigned to another account.
    credit_limit : int or None
        Of new accounts, minor units; None = any.
    """

    money: Money = Money("SU", 6)
    payer: str = "user"
    credit_limit: int | None = 0

    @property
    def named(self) -> str:
        """Kind of the accounts that invoices call by their names alone."""
        return named_alone(self.payer)


def require_usable(terms: Terms) -> None:
    """Refuse terms that no ledger can have.

    Raises
    ------
    InputError
        Naming the field.
    """
    if not re.fullmatch(r"\S{1,16}", terms.money.unit):
        raise InputError(
            f"{terms.money.unit!r} is no unit", field="unit", remedy="give up to 16 characters"
        )
    if not 0 <= terms.money.decimals <= FINEST:
        raise InputError(f"{terms.money.decimals} is not from 0 to {FINEST}", field="decimals")
    if terms.payer not in PAYERS:
        raise InputError(
            f"no accounts of kind {terms.payer!r}",
            field="payer",
            remedy=nearest(terms.payer, PAYERS),
        )
    if terms.credit_limit is not None and terms.credit_limit < 0:
        raise InputError("is below 0", field="credit limit", remedy="give 0 or more")


def read_terms(connection: Connection) -> Terms:
    """Return the terms of a ledger.

    Raises
    ------
    InputError
        They are none that a ledger can have.
    """
    row = connection.execute(select(LEDGER)).first()
    try:
        assert row is not None
        terms = Terms(Money(row.unit, row.decimals), row.payer, row.credit_limit)
        require_usable(terms)
    except (AssertionError, TypeError, InputError) as error:
        raise InputError(
            "the ledger's terms are damaged", remedy="go back to the last copy that is sound"
        ) from error
    return terms


def key_check(connection: Connection) -> str | None:
    """Return what the ledger knows its key by; None if it has none."""
    check = connection.scalar(select(LEDGER.c.key_check))
    return None if check is None else str(check)


def write_terms(chart: Chart, terms: Terms, now: str, key: bytes | None) -> None:
    """Lay down the terms of a new ledger."""
    row = {
        "id": 1,
        **terms.money._asdict(),
        "payer": terms.payer,
        "credit_limit": terms.credit_limit,
        "opened_at": now,
        "key_check": check_of(key),
    }
    chart.lay_down(LEDGER, row)
