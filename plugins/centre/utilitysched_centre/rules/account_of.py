"""Payers of jobs."""

from __future__ import annotations

import re
from collections.abc import Mapping

from swfx import Workload

UNKNOWN = "unknown"
"""What those are called whom the log does not tell."""

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
    found = {user: account for user, account in listed.items() if isinstance(user, int)}
    for user, account in listed.items():
        if isinstance(user, str) and user in named:
            found[named[user]] = account
    return found


def _account(name: str) -> str:
    """Return what an account of the log is called: not what those are who pay for themselves."""
    return f"account {name}" if is_own_name(name) else name


def own_name(kind: str, number: str) -> str:
    """Return what a user or a group is called who pays without an account.

    Examples
    --------
    >>> own_name("user", "7"), own_name("user", "-1")
    ('user 7', 'user unknown')
    """
    return f"{kind} {UNKNOWN}" if number.startswith("-") else f"{kind} {number}"


def is_own_name(name: str) -> bool:
    """Return whether a text is what somebody is called who pays without an account."""
    return _OWN.fullmatch(name) is not None
