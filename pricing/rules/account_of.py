"""Payers of users."""

import re
from collections.abc import Mapping

from swfx.base.columns import Ints

UNKNOWN = "user unknown"

_OWN = re.compile(r"(user|group) \S+")


def accounts_of(user: Ints, accounts: Mapping[int, str]) -> tuple[str, ...]:
    """Return the account of every job; ``user N`` where none is listed for its user."""
    return tuple(accounts.get(number, own_name("user", str(number))) for number in user.tolist())


def own_name(kind: str, number: str) -> str:
    """Return what a user or a group is called who pays without an account.

    Examples
    --------
    >>> own_name("user", "7"), own_name("user", "-1")
    ('user 7', 'user unknown')
    """
    return f"{kind} unknown" if number.startswith("-") else f"{kind} {number}"


def is_own_name(name: str) -> bool:
    """Return whether a text is what somebody is called who pays without an account."""
    return _OWN.fullmatch(name) is not None
