"""Names of accounts on invoices: ``climate`` for project:climate, ``user 7``."""

from __future__ import annotations

import re

from pricing.accounts.account import PROJECT, Account, read_account
from pricing.rules.account_of import own_name
from swfx import InputError


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
