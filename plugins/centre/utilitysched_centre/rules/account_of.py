"""Payers of jobs."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from pathlib import Path

from swfx import InputError, Workload
from swfx.base.csv_columns import read_columns

UNKNOWN = "unknown"
"""Name of users and groups that the log does not tell."""

ACCOUNT_COLUMNS = ("user", "account")

LONGEST = 64
"""Characters of the name of a user or an account."""

MOST_DIGITS = 18
"""Digits of the number of a user."""

_OWN = re.compile(r"(user|group|account|project) .+")


def accounts_of(workload: Workload, listed: Mapping[int | str, str]) -> tuple[str, ...]:
    """Return the account of every job.

    That is the one listed for its user; else that of the log, where the job has one; else
    ``user N``, or what the log calls the user.
    """
    users, accounts = (workload.labels.of(kind) for kind in ("user", "account"))
    mine = listed_by_number(workload, listed)
    return tuple(
        mine.get(user) or (_account(name) if account >= 0 else users.title(user))
        for user, account, name in zip(
            users.numbers.tolist(), accounts.numbers.tolist(), accounts.of_jobs(), strict=True
        )
    )


def listed_by_number(workload: Workload, listed: Mapping[int | str, str]) -> dict[int, str]:
    """Return the accounts listed for users by number or name, by number."""
    named = workload.labels.of("user").by_name
    by_number = {user: account for user, account in listed.items() if isinstance(user, int)}
    for user, account in listed.items():
        if isinstance(user, str) and user in named:
            by_number[named[user]] = account
    return by_number


def _account(name: str) -> str:
    """Return what an account of the log is called: not what those are who pay for themselves."""
    return f"account {name}" if is_own_name(name) else name


def read_accounts(file: Path) -> dict[int | str, str]:
    """Return the paying account of each user, read from a file.

    Parameters
    ----------
    file : Path
        CSV with the columns ``user`` (number or name) and ``account`` (name).

    Raises
    ------
    InputError
        The file cannot be read, a user has no name or is named twice, or an account has no name.
    """
    table = read_columns(str(file), "give a CSV file of users and accounts")
    if tuple(table.cells) != ACCOUNT_COLUMNS:
        raise InputError("does not begin with the columns user,account", source=str(file), line=1)
    listed: dict[int | str, str] = {}
    for user, account, line in zip(*table.cells.values(), table.line.tolist(), strict=True):
        try:
            number_or_name, name = _user(user.strip(), listed), _listed_account(account.strip())
        except InputError as error:
            raise InputError(
                error.message, source=str(file), line=line, field=error.field, remedy=error.remedy
            ) from None
        listed[number_or_name] = name
    return listed


def _user(text: str, listed: Collection[int | str]) -> int | str:
    is_number = text.isascii() and text.isdigit() and len(text) <= MOST_DIGITS
    if not is_number and (not text or re.match("[-+0-9]", text) or len(text) > LONGEST):
        shown = text if len(text) <= LONGEST else f"{text[:LONGEST]}..."
        problem = f"{shown!r} is no number, and no name of up to {LONGEST} characters"
        raise InputError(problem, field="user")
    user = int(text) if is_number else text
    if user in listed:
        raise InputError(f"{user} is named twice", field="user")
    return user


def _listed_account(name: str) -> str:
    if not name or not name.isprintable() or len(name) > LONGEST:
        raise InputError(f"is no name of up to {LONGEST} characters", field="account")
    if is_own_name(name):
        raise InputError(
            f"{name!r} is what those are called who pay for themselves",
            field="account",
            remedy="give another name",
        )
    return name


def own_name(kind: str, number: str) -> str:
    """Return what a user or a group is called who pays without an account.

    Examples
    --------
    >>> own_name("user", "7"), own_name("user", "-1")
    ('user 7', 'user unknown')
    """
    return f"{kind} {UNKNOWN}" if number == "-1" else f"{kind} {number}"


def is_own_name(name: str) -> bool:
    """Return whether a text is what somebody is called who pays without an account."""
    return _OWN.fullmatch(name) is not None
