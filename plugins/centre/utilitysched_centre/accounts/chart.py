"""The chart of accounts: which there are, who pays for whom, what each has."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from typing import NamedTuple, Self

from sqlalchemy import Connection, Table, func, insert, select

from swfx import InputError
from utilitysched_centre.accounts.account import (
    AVAILABLE,
    CENTRE,
    ENDOWMENTS,
    HELD,
    INCOME,
    NAMED,
    PAYMENTS,
    Account,
    named_alone,
    read_account,
)
from utilitysched_centre.accounts.journal import next_number
from utilitysched_centre.accounts.schema import ACCOUNT, LIMIT, MEMBER


class AccountParts(NamedTuple):
    """Numbers of the two rows of an account."""

    available: int
    held: int


class Chart:
    """Accounts of a ledger, read once and opened where needed.

    Parameters
    ----------
    connection : Connection
        In whose transaction accounts are read and opened.
    payer : {"user", "group", "project"}
        Who pays for a job, unless its user or group was assigned to another account.
    credit_limit : int or None
        Of accounts that are opened.
    now : str
        When accounts are opened.

    Attributes
    ----------
    has_grown : bool
        Whether something was laid down that no posting seals yet.
    """

    def __init__(
        self, connection: Connection, payer: str, credit_limit: int | None, now: str
    ) -> None:
        self._connection = connection
        self._payer = payer
        self._credit_limit = credit_limit
        self._now = now
        self._sealed_by: int | None = None
        self._held: set[int] = set()
        self.has_grown = False
        self._numbers: dict[tuple[Account, str], int] = {}
        self.limits: dict[int, int | None] = {}
        self.accounts: dict[int, Account] = {}
        for row in connection.execute(select(ACCOUNT).order_by(ACCOUNT.c.id)):
            self._enter(row.id, Account(row.kind, row.name), row.part, row.credit_limit)
        for row in connection.execute(select(LIMIT).order_by(LIMIT.c.id)):
            self.limits[row.account] = row.credit_limit
        members = connection.execute(select(MEMBER).order_by(MEMBER.c.id))
        self._members = {Account(row.kind, row.name): int(row.account) for row in members}

    def go_on(self, connection: Connection, now: str) -> Self:
        """Return the same accounts, to be opened in another transaction at another time."""
        self._connection, self._now, self._sealed_by = connection, now, None
        return self

    @property
    def income(self) -> int:
        """Number of the centre's income."""
        return self._of_centre(INCOME)

    @property
    def endowments(self) -> int:
        """Number of the account that endowments come from."""
        return self._of_centre(ENDOWMENTS)

    @property
    def payments(self) -> int:
        """Number of the account that payments of invoices come from."""
        return self._of_centre(PAYMENTS)

    def _of_centre(self, account: Account) -> int:
        if (account, AVAILABLE) not in self._numbers:
            raise InputError(
                f"the ledger is damaged: it has no {account}",
                remedy="go back to the last copy that is sound",
            )
        return self._numbers[account, AVAILABLE]

    def name(self, number: int) -> str:
        """Return the name of an account, or the number of an unknown account."""
        return str(self.accounts.get(number, f"account {number}"))

    def holds(self) -> AbstractSet[int]:
        """Return the numbers of what is held."""
        return self._held

    def payers(self) -> list[Account]:
        """Return the accounts that pay, by kind and name, numbers in their order."""
        payers = {account for account in self.accounts.values() if account.kind != CENTRE}
        return sorted(payers, key=_order)

    def find(self, account: Account) -> AccountParts:
        """Return the numbers of an account.

        Raises
        ------
        InputError
            There is no such account.
        """
        if (account, AVAILABLE) not in self._numbers:
            raise InputError(
                f"there is no account {account}", remedy="utilitysched ledger balance lists them"
            )
        return AccountParts(self._numbers[account, AVAILABLE], self._numbers[account, HELD])

    def open(self, account: Account) -> AccountParts:
        """Return the numbers of an account, opened if need be.

        Raises
        ------
        InputError
            A new account cannot be called so.
        """
        if (account, AVAILABLE) not in self._numbers:
            account = read_account(str(account))
        for part, limit in ((AVAILABLE, self._credit_limit), (HELD, 0)):
            if (account, part) not in self._numbers:
                self._open(account, part, limit)
        return self.find(account)

    def open_centre(self) -> None:
        """Open the centre's own accounts, which have no limit."""
        self._open(ENDOWMENTS, AVAILABLE, None)
        self._open(INCOME, AVAILABLE, None)
        self._open(PAYMENTS, AVAILABLE, None)

    def paying(
        self,
        user: int | str,
        group: int | str,
        named: Account | None = None,
        own: Account | None = None,
    ) -> Account:
        """Return who pays for a job.

        Parameters
        ----------
        user, group : int or str
            Whose job it is, by name or number.
        named : Account, optional
            Who is to pay, by somebody else than the ledger: a project, if neither user nor group
            is assigned to another account, or who pays by the ledger, too.
        own : Account, optional
            The job's own project, by the log; it pays where projects do.

        Raises
        ------
        InputError
            Projects pay, and neither job, user nor group has one. Another was named than pays.
        """
        if named is not None and named.kind in NAMED and not self._assigned(user, group):
            return named
        account = self._paying(user, group, own)
        if named not in (None, account):
            raise InputError(
                f"{named} is to pay for user {user}, but by the ledger {account} does",
                remedy=f"utilitysched ledger assign LEDGER user:{user} {named}, or name the other",
            )
        return account

    @property
    def named(self) -> str:
        """Kind of the accounts that invoices call by their names alone."""
        return named_alone(self._payer)

    def _assigned(self, user: int | str, group: int | str) -> Account | None:
        for member in (Account("user", str(user)), Account("group", str(group))):
            if member in self._members:
                return self.accounts[self._members[member]]
        return None

    def _paying(self, user: int | str, group: int | str, own: Account | None) -> Account:
        if assigned := self._assigned(user, group):
            return assigned
        if own is not None and self._payer in NAMED:
            return own._replace(kind=self._payer)
        members = {"user": Account("user", str(user)), "group": Account("group", str(group))}
        if self._payer not in members:
            raise InputError(
                f"user {user} of group {group} has no {self._payer} that pays",
                remedy=f"utilitysched ledger assign LEDGER user:{user} {self._payer}:NAME",
            )
        return members[self._payer]

    def assign(self, member: Account, account: Account) -> None:
        """Let an account pay for a user or a group from now on."""
        number = self.open(account).available
        if self._members.get(member) == number:
            return
        self.number_and_lay_down(
            MEMBER, {**member._asdict(), "account": number, "since": self._now}
        )
        self._members[member] = number

    def limit(self, account: Account, units: int | None) -> None:
        """Let an account go so far below 0; None = any."""
        number = self.open(account).available
        if self.limits[number] == units:
            return
        row = {"account": number, "credit_limit": units, "since": self._now}
        self.number_and_lay_down(LIMIT, row)
        self.limits[number] = units

    def number_and_lay_down(self, table: Table, row: Mapping[str, object]) -> None:
        """Store a row as `lay_down` does, under the next number of its table."""
        before = self._connection.scalar(select(func.max(table.c.id))) or 0
        self.lay_down(table, {"id": before + 1, **row})

    def lay_down(self, table: Table, row: Mapping[str, object]) -> None:
        """Store a row that gives amounts their meaning; the next posting seals it."""
        if self._sealed_by is None:
            self._sealed_by = next_number(self._connection)
        self._connection.execute(insert(table), {**row, "sealed_by": self._sealed_by})
        self.has_grown = True

    def seal(self) -> None:
        """Take note that a posting sealed what was laid down: later rows are for a later one."""
        self._sealed_by, self.has_grown = None, False

    def _open(self, account: Account, part: str, limit: int | None) -> None:
        number = len(self.accounts) + 1
        row = {"id": number, **account._asdict(), "part": part, "credit_limit": limit}
        self.lay_down(ACCOUNT, row | {"opened_at": self._now})
        self._enter(number, account, part, limit)

    def _enter(self, number: int, account: Account, part: str, limit: int | None) -> None:
        self._numbers[account, part] = number
        self.accounts[number] = account
        if part == HELD:
            self._held.add(number)
        self.limits[number] = limit


def _order(account: Account) -> tuple[str, float, str]:
    is_number = re.fullmatch("-?[0-9]{1,18}", account.name)
    return account.kind, float(account.name) if is_number else math.inf, account.name
