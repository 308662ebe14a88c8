"""Operations on a ledger: endow, hold, charge, and give back."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from sqlalchemy import Connection, insert, select

from pricing.ledger import MOST_UNITS
from swfx import InputError
from utilitysched_centre.accounts import journal, periods
from utilitysched_centre.accounts.account import Account, read_account, require_short
from utilitysched_centre.accounts.claims import Claim, Claims, require_single
from utilitysched_centre.accounts.journal import TAKEN, Entry
from utilitysched_centre.accounts.periods import Closing
from utilitysched_centre.accounts.reconciliation import require_equal
from utilitysched_centre.accounts.schema import CLOSING, CLOSING_BALANCE
from utilitysched_centre.accounts.standing import charging, giving_back, holding, standing
from utilitysched_centre.accounts.sums import Excess, out_of_bounds
from utilitysched_centre.accounts.transaction import Amount, Posted, Transaction

GIVEN_BACK = ("endow", "hold", *TAKEN)
"""Kinds of entries that can be undone."""


def endow(ledger: Transaction, account: Account, amount: Amount, key: str | None) -> Posted:
    """Give an account something to spend."""
    if key is not None:
        require_short(key, "key")
    entry = _endowment(ledger, account, amount)
    heading = ledger.heading("endow", None if key is None else f"endow:{key}")
    known = ledger.repeated(heading, credit=entry.credit, amount=entry.amount)
    return known or ledger.post(heading, [entry])


def endow_all(ledger: Transaction, amounts: Mapping[Account, Amount]) -> Posted:
    """Give each of some accounts something to spend, by one posting."""
    entries = [_endowment(ledger, *each) for each in amounts.items()]
    return ledger.post(ledger.heading("endow"), entries)


def _endowment(ledger: Transaction, account: Account, amount: Amount) -> Entry:
    units, account = ledger.above_zero(amount), read_account(str(account))
    parts = ledger.chart.open(account)
    return Entry("endow", ledger.chart.endowments, parts.available, units, ledger.month)


def set_limit(ledger: Transaction, account: Account, amount: Amount | None) -> None:
    """Let an account go so far below 0; None = any."""
    money, account = ledger.money, read_account(str(account))
    units = None if amount is None else money.units(amount)
    if units is not None and units < 0:
        raise InputError(f"{amount} is below 0", field="limit")
    number = ledger.chart.open(account).available
    balance = ledger.sums.balance(number)
    if units is not None and balance < -units:
        raise InputError(
            f"{account} has {money.text(balance)} already",
            field="limit",
            remedy=f"endow it, or give at least {money.plain(-balance)}",
        )
    ledger.chart.limit(account, units)
    ledger.record("limit")


def assign(ledger: Transaction, member: Account, account: Account) -> None:
    """Let an account pay for the jobs of a user or a group from now on."""
    ledger.chart.assign(read_account(str(member), ("user", "group")), read_account(str(account)))
    ledger.record("assign")


def close(ledger: Transaction, month: str) -> Closing:
    """Close a month and all before it: balances are written down for good."""
    closed, number = periods.closed_until(ledger.connection), journal.last(ledger.connection)[0]
    if month == closed:
        before = select(CLOSING.c.posting).where(CLOSING.c.month == month)
        return Closing(month, new=False, posting=ledger.connection.execute(before).scalar_one())
    if closed is not None and month < closed:
        raise InputError(f"every month until {closed} is closed already", field="month")
    if month >= periods.month_of(ledger.now):
        raise InputError(
            f"{month} is not over", field="month", remedy="close it when nothing more can come"
        )
    ended_with = ledger.sums.balances(month)
    for account, balance in ended_with.items():
        if abs(balance) > MOST_UNITS:
            over = Excess(month, balance)
            raise out_of_bounds(ledger.chart.accounts[account], over, ledger.money)
    row = {"month": month, "closed_at": periods.instant(ledger.now), "posting": number}
    ledger.chart.lay_down(CLOSING, row)
    rows = [{"month": month, "account": each, "balance": ended_with[each]} for each in ended_with]
    if rows:
        ledger.connection.execute(insert(CLOSING_BALANCE), rows)
    ledger.record("close")
    return Closing(month, new=True, posting=number)


def hold(ledger: Transaction, account: Account, amount: Amount, reference: str) -> Posted:
    """Set aside what a job can cost at most."""
    units, account = ledger.above_zero(amount), read_account(str(account))
    require_short(reference, "reference")
    stand = standing(ledger.connection, ledger.chart, [reference]).get(reference)
    if stand is not None and (stand.held, stand.account) == (units, account):
        return Posted(stand.posting, new=False, entries=1)
    if stand is not None and (stand.held or stand.charged):
        raise InputError(
            f"{reference} has {ledger.money.text(stand.held)} held and "
            f"{ledger.money.text(stand.charged)} charged already",
            field="reference",
        )
    parts = ledger.chart.open(account)
    entry = Entry("hold", parts.available, parts.held, units, ledger.month, reference)
    return ledger.post(ledger.heading("hold"), [entry])


def hold_run(ledger: Transaction, claims: Claims, *, more: bool = False) -> Posted:
    """Set aside what each job of a run can cost at most, `more` for jobs that have less."""
    require_single(claims)
    references = [job.reference for job in claims.jobs]
    stands = standing(ledger.connection, ledger.chart, references)
    entries = [
        entry
        for job in claims.jobs
        for entry in holding(ledger.chart, job, stands, ledger.money, more=more)
    ]
    if not entries:
        return Posted(journal.last(ledger.connection)[0], new=False, entries=0)
    return ledger.post(ledger.heading("hold"), entries)


def capture(ledger: Transaction, reference: str, amount: Amount) -> Posted:
    """Charge a job for which something is held; the rest is given back."""
    units = ledger.money.units(amount)
    if units < 0:
        raise InputError(f"{amount} is below 0", field="amount")
    stands = standing(ledger.connection, ledger.chart, [reference])
    stand = stands.get(reference)
    if stand is not None and not stand.held and stand.charged == units:
        return Posted(stand.posting, new=False, entries=1)
    if stand is None or not stand.held:
        raise InputError(f"nothing is held for {reference!r}", field="reference")
    claim = Claim(reference, -1, -1, -1, ledger.month, units)
    entries = [entry._replace(job=stand.job) for entry in charging(ledger.chart, claim, stands)]
    return ledger.post(ledger.heading("charge"), entries)


@contextmanager
def posting(ledger: Transaction, claims: Claims) -> Iterator[Posted]:
    """Charge the jobs of a run when the block ends, if it does without an exception."""
    require_single(claims)
    key, before = unused(ledger.connection, _key(claims))
    if before is not None:
        require_equal(ledger, claims, before)
        yield Posted(before, new=False, entries=len(claims.jobs))
        return
    references = [job.reference for job in claims.jobs]
    stands = standing(ledger.connection, ledger.chart, references)
    entries = [entry for job in claims.jobs for entry in charging(ledger.chart, job, stands)]
    ledger.require_possible(entries)
    yield Posted(journal.next_number(ledger.connection), new=True, entries=len(entries))
    posted = ledger.store(ledger.heading("charge", key, ledger.memo or claims.mechanism), entries)
    require_equal(ledger, claims, posted.number)


def posted_as(connection: Connection, claims: Claims) -> int | None:
    """Return the number of the posting that charges these claims, if one does."""
    return unused(connection, _key(claims))[1]


def unused(connection: Connection, key: str) -> tuple[str, int | None]:
    """Return a key for what may have been posted and undone, or the posting that still counts."""
    candidate, times = key, 0
    while (known := journal.known(connection, candidate)) is not None:
        if journal.undone(connection, known.id) is None:
            return candidate, int(known.id)
        times += 1
        candidate = f"{key}:{times}"
    return candidate, None


def _key(claims: Claims) -> str:
    return f"charge:{claims.digest()}"


def refund(ledger: Transaction, reference: str, amount: Amount | None) -> Posted:
    """Give back what is held for a job, and its charge or a part."""
    money = ledger.money
    units = None if amount is None else ledger.above_zero(amount)
    stand = standing(ledger.connection, ledger.chart, [reference]).get(reference)
    if stand is None or not (stand.held or stand.charged):
        raise InputError(f"there is nothing to give back for {reference!r}", field="reference")
    if units is not None and (stand.held or units > stand.charged):
        raise InputError(
            f"{reference} was charged {money.text(stand.charged)}, and "
            f"{money.text(stand.held)} are held",
            field="amount",
            remedy="give back at most the charge, and what is held altogether",
        )
    entries = list(giving_back(ledger.chart, reference, stand, ledger.month, units))
    return ledger.post(ledger.heading("refund"), entries)


def undo(ledger: Transaction, number: int, account: Account | None = None) -> Posted:
    """Give back all that a posting took, or took from an account, and is not given back yet."""
    parts = None if account is None else ledger.chart.find(account)
    entries = journal.entries_of(ledger.connection, number, parts)
    key = f"reverse:{number}" + (f":{account}" if account else "")
    before = journal.known(ledger.connection, key)
    if before is not None:
        return Posted(before.id, new=False, entries=len(entries))
    if not any(entry.kind in GIVEN_BACK for entry in entries):
        raise InputError(
            f"posting {number} gives nothing that could be taken back",
            field="posting",
            remedy="utilitysched ledger history lists postings",
        )
    back = list(_taken_back(ledger, entries, number))
    heading = ledger.heading("reverse", key)
    return ledger.post(heading._replace(reverses=None if account else number), back)


def _taken_back(ledger: Transaction, entries: list[Entry], number: int) -> Iterator[Entry]:
    references = {entry.reference: None for entry in entries if entry.reference is not None}
    stands = standing(ledger.connection, ledger.chart, list(references))
    for reference, stand in stands.items():
        yield from giving_back(ledger.chart, reference, stand.by(number), ledger.month)
    for entry in entries:
        if entry.kind == "endow":
            yield Entry("reverse", entry.credit, entry.debit, entry.amount, ledger.month)
