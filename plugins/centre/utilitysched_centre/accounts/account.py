"""Names of accounts: ``user:7``, ``group:3``, ``project:climate``; on invoices ``climate``."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Iterable
from typing import NamedTuple

from swfx import InputError
from swfx.base.options import nearest
from utilitysched_centre.rules.account_of import UNKNOWN, is_own_name, own_name

PROJECT, ACCOUNT = "project", "account"

NAMED = (PROJECT, ACCOUNT)
"""Kinds of accounts that the log does not number: somebody has to name them."""

PAYERS = ("user", "group", *NAMED)
"""Kinds of accounts that pay."""

LONGEST = 64
"""Characters of a name."""

NAME_DIGITS = 8
"""Hexadecimal digits behind a name that is mapped."""

CENTRE = "centre"
"""Kind of the centre's own accounts."""

AVAILABLE, HELD = "available", "held"
"""Parts of an account: what can be spent, and what is set aside for jobs that have not ended."""


class Account(NamedTuple):
    """Account of a ledger: a payer, or one of the centre's own.

    Attributes
    ----------
    kind : {"user", "group", "project", "account"}
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

PAYMENTS = Account(CENTRE, "payments")
"""What came in for invoices, as a negative balance."""


def read_account(text: str, kinds: tuple[str, ...] = PAYERS) -> Account:
    """Read ``KIND:NAME``: one account has one name, whatever it is typed like.

    Letters with accents are composed (NFC); what reads as a number has to be written as numbers
    are, so that neither ``user:007`` nor other digits than 0 to 9 are an account of their own.

    Raises
    ------
    InputError
        If the text is not of that form, there are no accounts of that kind, or no such names.

    Examples
    --------
    >>> read_account("project:climate")
    Account(kind='project', name='climate')
    """
    kind, colon, name = text.partition(":")
    name = unicodedata.normalize("NFC", name)
    if not colon or not re.fullmatch(f"[^\\s:]([^:]{{0,{LONGEST - 2}}}[^\\s:])?", name):
        raise InputError(
            f"{text!r} is not KIND:NAME", field="account", remedy="write for instance user:7"
        )
    if not name.isprintable():
        raise InputError(
            f"{text!r} holds characters that cannot be seen", field="account", remedy="type it anew"
        )
    if kind not in kinds:
        raise InputError(
            f"no accounts of kind {kind!r}", field="account", remedy=nearest(kind, kinds)
        )
    plain = _as_number(name)
    if plain not in (None, name):
        raise InputError(
            f"{text!r} is not how a number is written",
            field="account",
            remedy=f"write {kind}:{plain}, if that is who is meant",
        )
    return Account(kind, name)


def _as_number(name: str) -> str | None:
    """Return the canonical digits of a whole number; None for any other name."""
    try:
        return str(int(name))
    except ValueError:
        return None


def ledger_name(name: str) -> str:
    """Return the name of the account that a user or an account of a log has in a ledger.

    It is the same where a ledger can have it. Others lose the characters that no account can have,
    and get a digest of the whole name, by which they differ.

    Examples
    --------
    >>> ledger_name("physics"), ledger_name("phys:ics"), ledger_name("007")
    ('physics', 'physics~509936e9', '007~629f4cf9')
    """
    try:
        return read_account(f"{PROJECT}:{name}").name
    except InputError:
        kept = "".join(each for each in name if each.isprintable() and each != ":")
        cut = unicodedata.normalize("NFC", kept)[: LONGEST - NAME_DIGITS - 1].strip()
        digest = hashlib.sha256(name.encode(errors="surrogatepass")).hexdigest()
        return f"{cut}~{digest[:NAME_DIGITS]}"


def mapped_names(names: Iterable[str]) -> dict[str, str]:
    """Return the names that are other names in a ledger, and those; see `ledger_name`."""
    return {name: mapped for name in names if (mapped := ledger_name(name)) != name}


def is_short(text: str) -> bool:
    """Return whether a text can be a reference or a key: 1 to 64 characters, no blanks."""
    return re.fullmatch(r"\S{1,64}", text) is not None and text.isprintable()


def require_short(text: str, field: str) -> None:
    """Refuse a text that can be no reference or key.

    Raises
    ------
    InputError
        Naming the field.
    """
    if not is_short(text):
        raise InputError(
            f"{text!r} cannot be used", field=field, remedy="give 1 to 64 characters, no blanks"
        )


def named_alone(payer: str) -> str:
    """Return the kind of accounts that invoices call by their names alone, by who pays.

    >>> named_alone("account"), named_alone("user")
    ('account', 'project')
    """
    return ACCOUNT if payer == ACCOUNT else PROJECT


def payer_name(account: Account, named: str = PROJECT) -> str:
    """Return what an invoice calls an account.

    Parameters
    ----------
    account : Account
        Who pays.
    named : {"project", "account"}
        Kind of accounts that are called by their names alone; see `named_alone`.

    Examples
    --------
    >>> payer_name(Account("project", "climate")), payer_name(Account("user", "7"))
    ('climate', 'user 7')
    """
    if account.kind == named and not is_own_name(account.name):
        return account.name
    return own_name(*account)


def read_payer(name: str, named: str = PROJECT) -> Account:
    """Return the account of a name on an invoice; inverse of `payer_name`.

    Names that no account can have are mapped as `ledger_name` does.

    Examples
    --------
    >>> read_payer("climate"), read_payer("user 7")
    (Account(kind='project', name='climate'), Account(kind='user', name='7'))
    """
    kind, _, rest = name.partition(" ") if is_own_name(name) else (named, "", name)
    return Account(kind, "-1" if rest == UNKNOWN else ledger_name(rest))
