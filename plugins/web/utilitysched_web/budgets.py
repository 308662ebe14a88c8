"""Accounts that pay for the jobs of a run: what each used, has left, and until when that lasts."""

from __future__ import annotations

from calendar import monthrange
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from swfx.base.columns import Bools, Floats, Ints
from swfx.base.numbers import span, whole
from swfx.clock import calendar_of
from utilitysched.analysis.documents import (
    Column,
    Fact,
    Facts,
    ResultTable,
    column,
    panel,
)
from utilitysched_centre.accounts import Account, Balance, Book, Income, Money
from utilitysched_web.answers import linked
from utilitysched_web.site import Site
from utilitysched_web.trends import DAY, HOUR, change_text, month_after

RECENT = 30.0
"""Days whose spending says how long a budget lasts."""

SOON = 30.0
"""Days within which a budget that runs out is warned of."""

SPENT = "spent"
"""In place of a date, of a budget of which nothing is left."""

NEVER = 36_500.0
"""Days that nobody plans for: a budget that lasts so long has no date."""


class Spending(NamedTuple):
    """What an account has used and has left.

    Attributes
    ----------
    account : str
        Its name, as people know it.
    jobs : int
        That it paid for.
    used : float
        Their processor-hours.
    charge, recent, before : float
        Charged in all, in the last 30 days, and in the 30 days before (SU).
    rate, pending : float
        Spent a day, and used since the latest month that the ledger has charged, in its unit.
    left : float or None
        Balance, and credit if it has a limit, in the ledger's unit; None where the ledger has no
        such account.
    days : float or None
        For how long what is left, less what is pending, lasts at that rate; None if for ever.
    """

    account: str
    jobs: int
    used: float
    charge: float
    recent: float
    before: float
    rate: float
    pending: float
    left: float | None = None
    days: float | None = None

    @property
    def change(self) -> float | None:
        """Of the last 30 days against those before, as a share; None without any before."""
        return self.recent / self.before - 1 if self.before > 0 else None


@dataclass(frozen=True, eq=False)
class Spenders:
    """Accounts of a site, and which of them pays for each job.

    Attributes
    ----------
    site : Site
        What is shown.
    names : tuple of str
        Of the accounts.
    payer : (n,) int64
        Place of the account of each job among the names.
    """

    site: Site
    names: tuple[str, ...]
    accounts: tuple[Account, ...]
    payer: Ints

    @classmethod
    def of(cls, site: Site) -> Spenders:
        """Return who pays for the jobs of a site."""
        accounts, payer = site.payers()
        names = [account_name(site, each) for each in accounts]
        times = Counter(names)
        alone = [
            name if times[name] == 1 else str(account)
            for name, account in zip(names, accounts, strict=True)
        ]
        return cls(site, tuple(alone), accounts, payer)

    def jobs_of(self, name: str) -> Bools | None:
        """Return which jobs an account pays for; None if there is no such account."""
        return self.payer == self.names.index(name) if name in self.names else None

    def spending(self) -> list[Spending]:
        """Return what each account has used and has left, the largest charge first."""
        results, charges = self.site.results, np.nan_to_num(self.site.bill.charge)
        end = results.schedule.end
        now = float(end.max(initial=0.0))
        used = results.workload.size * results.schedule.running_time / HOUR
        recent, before = (
            self.charged(
                charges * ((end > now - (i + 1) * RECENT * DAY) & (end <= now - i * RECENT * DAY))
            )
            for i in range(2)
        )
        columns = (self.sums(np.ones(len(end))), self.sums(used), self.charged(charges))
        balances, money, income = self.site.books.ask(_read)
        rates, pending = self._pace(charges, recent, money, income)
        rows = [
            _with_balance(Spending(name, int(jobs), *rest), balances.get(account), money)
            for name, account, jobs, *rest in zip(
                self.names,
                self.accounts,
                *(each.tolist() for each in (*columns, recent, before, rates, pending)),
                strict=True,
            )
        ]
        return sorted(rows, key=lambda row: -row.charge)

    def sums(self, amounts: Floats) -> Floats:
        """Return the sum of the amounts of each account's jobs."""
        sums: Floats = np.bincount(self.payer, amounts, len(self.names)).astype(np.float64)
        return sums

    def charged(self, charges: Floats) -> Floats:
        """Return the sum of the charges of each account's jobs, as exact as the bill has them."""
        return self.sums(charges).round(self.site.bill.decimals)

    def _pace(
        self, charges: Floats, recent: Floats, money: Money, income: Sequence[Income]
    ) -> tuple[Floats, Floats]:
        """Return what each account spends a day, and has used since the ledger's latest month.

        By the bill where the ledger counts in SU, else by the ledger's latest month.
        """
        results, last = self.site.results, max((each.month for each in income), default="")
        end, clock = results.schedule.end, calendar_of(results.workload.header)
        since = end >= (month_after(last, clock) if last and clock else np.inf)
        if money.unit == "SU":
            covered = float(np.ptp(end)) / DAY if len(end) else 1.0
            return recent / max(1.0, min(RECENT, covered)), self.charged(charges * since)
        spent = {
            each.account: float(money.plain(each.charged - each.refunded))
            for each in income
            if each.month == last
        }
        days = monthrange(int(last[:4]), int(last[5:]))[1] if last else 1
        rates = np.array([spent.get(account, 0.0) / days for account in self.accounts])
        elapsed = float(np.ptp(end[since])) / DAY if since.any() else 0.0
        return rates, rates * elapsed


def _read(book: Book) -> tuple[Mapping[Account, Balance], Money, list[Income]]:
    """Return the balances of a ledger, their unit, and charges by month."""
    charged = [each for each in book.income() if each.charged]
    return {each.account: each for each in book.balances()}, book.money, charged


def account_name(site: Site, account: Account) -> str:
    """Return the name of an account: that of the user or group whose number it has."""
    if account.kind in {"user", "group"} and account.name.lstrip("-").isdecimal():
        return site.results.workload.labels.in_field(account.kind).title(int(account.name))
    return account.name


def _with_balance(row: Spending, balance: Balance | None, money: Money) -> Spending:
    if balance is None:
        return row
    left = float(money.plain(balance.available + (balance.limit or 0)))
    days = max(0.0, left - row.pending) / row.rate if row.rate > 0 else NEVER
    if left <= 0 and balance.limit is None:  # it pays by invoice, and has no budget
        days = NEVER
    return row._replace(left=left, days=days if days < NEVER else None)


def budget_facts(site: Site, balance: Balance, money: Money) -> Facts:
    """Return what the account of a user has."""
    account = str(balance.account)
    facts = [
        Fact("account", "account", account, account_name(site, balance.account)),
        Fact("balance", "left", money.plain(balance.available), money.text(balance.available)),
        Fact("held", "held for jobs", money.plain(balance.held), money.text(balance.held)),
    ]
    if balance.limit:
        credit = money.text(balance.limit)
        facts.append(Fact("credit", "credit besides", money.plain(balance.limit), credit))
    return Facts("budget", "Budget", facts)


def date_after(site: Site, days: float | None) -> str:
    """Return the date so many days after the end of the log, or how long that is."""
    if days is None:
        return ""
    clock = calendar_of(site.results.workload.header)
    if days == 0:
        return SPENT
    if clock is None:
        return f"in {span(days * DAY)}"
    end = float(site.results.schedule.end.max(initial=0.0))
    return clock.date(end + days * DAY).date().isoformat()


def running_out(rows: Sequence[Spending]) -> list[Spending]:
    """Return the accounts that are spent within 30 days at this rate, the next one first."""
    soon = [row for row in rows if row.days is not None and row.days <= SOON]
    return sorted(soon, key=lambda row: row.days or 0.0)


def account_column(to: Callable[[str], str]) -> Column:
    """Return a column of accounts, linked to their overviews."""
    return Column("account", write=linked(to, "/operators?account="), left=True, key="account")


def accounts_table(site: Site, rows: Sequence[Spending], to: Callable[[str], str]) -> ResultTable:
    """Return a table of accounts: use, charges, trend and budget."""
    text, unit = site.bill.text, site.books.ask(lambda book: book.money.unit)
    columns = [
        account_column(to),
        column("jobs", "count", "jobs"),
        Column("processor-hours", write=whole, key="processor_hours"),
        Column("charged", "SU", text, key="charge"),
        Column("last 30 days", "SU", text, key="last_30_days"),
        Column("change (%)", write=change_text, key="change"),
        Column("left", unit, amount_text, key="left"),
        Column("not charged yet", unit, amount_text, key="pending"),
        Column("lasts until", key="lasts_until"),
    ]
    cells = [
        (
            row.account,
            row.jobs,
            row.used,
            row.charge,
            row.recent,
            row.change,
            row.left,
            None if row.left is None else row.pending,
            date_after(site, row.days),
        )
        for row in rows
    ]
    note = (
        "Left: balance, and credit that has a limit. Not charged yet: used since the latest month"
        " in the ledger. What remains lasts so long at the rate of the last"
        f" {RECENT:g} days."
    )
    return panel("accounts", "Accounts, the largest charge first", note, columns, cells)


def amount_text(amount: float | None) -> str:
    """Return an amount to two decimals; empty where there is none."""
    return "" if amount is None else f"{amount:,.2f}"
