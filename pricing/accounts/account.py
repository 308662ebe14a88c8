"""Names of accounts: ``user:7``, ``group:3``, ``project:climate``; on invoices ``climate``."""

from __future__ import annotations

import re
from typing import NamedTuple

from pricing.rules.account_of import own_name
from swfx import InputError
from swfx.base.options import nearest

PROJECT = "project"

PAYERS = ("user", "group", PROJECT)
"""Kinds of accounts that pay."""

CENTRE = "centre"
"""Kind of the centre's own accounts."""

AVAILABLE, HELD = "available", "held"
"""Parts of an account: what can be spent, and what is set aside for jobs that have not ended."""


class Account(NamedTuple):
    """Who pays.

    Attributes
    ----------
    kind : {"user", "group", "project"}
        Or ``centre`` for the centre's own.
    name : str
        For users and groups their number in the log, -1 where it does not say.
    """

    kind: str
    name: str

    def __str__(self) -> str:
        return f"{self.kind}:{self.name}"


ENDOWMENTS = Account(CENTRE, "endowments")
"""What was ever given out, as a negative balance."""

INCOME = Account(CENTRE, "income")
"""What was paid for jobs."""


def read_account(text: str, kinds: tuple[str, ...] = PAYERS) -> Account:
    """Read ``KIND:NAME``.

    Raises
    ------
    InputError
        If the text is not of that form, or there are no accounts of that kind.

    Examples
    --------
    >>> read_account("project:climate")
    Account(kind='project', name='climate')
    """
    kind, colon, name = text.partition(":")
    if not colon or not re.fullmatch(r"[^\s:]{1,64}", name) or not name.isprintable():
        raise InputError(
            f"{text!r} is not KIND:NAME", field="account", remedy="write for instance user:7"
        )
    if kind not in kinds:
        raise InputError(
            f"no accounts of kind {kind!r}", field="account", remedy=nearest(kind, kinds)
        )
    return Account(kind, name)


def require_short(text: str, field: str) -> None:
    """Refuse a name that is empty, longer than 64 characters, or has blanks.

    Raises
    ------
    InputError
        Naming the field.
    """
    if not re.fullmatch(r"\S{1,64}", text) or not text.isprintable():
        raise InputError(
            f"{text!r} cannot be used", field=field, remedy="give 1 to 64 characters, no blanks"
        )


def payer_name(account: Account) -> str:
    """Return what an invoice calls an account.

    Examples
    --------
    >>> payer_name(Account("project", "climate")), payer_name(Account("user", "7"))
    ('climate', 'user 7')
    """
    return account.name if account.kind == PROJECT else own_name(*account)


def read_payer(name: str) -> Account:
    """Return the account that an invoice names.

    Raises
    ------
    InputError
        No account of a ledger can have that name.

    Examples
    --------
    >>> read_payer("climate"), read_payer("user 7")
    (Account(kind='project', name='climate'), Account(kind='user', name='7'))
    """
    if own := re.fullmatch(r"(user|group) (\S+)", name):
        return Account(own[1], "-1" if own[2] == "unknown" else own[2])
    try:
        return read_account(f"{PROJECT}:{name}")
    except InputError as error:
        raise InputError(
            f"a ledger can have no account {name!r}",
            remedy="give it a name of up to 64 characters, without blanks and colons",
        ) from error
