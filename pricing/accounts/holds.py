"""Holds: what jobs can cost at most, set aside until they are complete."""

from __future__ import annotations

from pricing.accounts import journal, moves
from pricing.accounts.account import Account, read_account, require_short
from pricing.accounts.claims import Claim, Claims, require_payable
from pricing.accounts.journal import Entry
from pricing.accounts.standing import standing
from pricing.accounts.transaction import Amount, Posted, Transaction
from swfx import InputError


def hold(
    ledger: Transaction, account: Account, amount: Amount, reference: str, month: str
) -> Posted:
    """Set aside what a job can cost at most."""
    units = ledger.above_zero(amount)
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
    parts = ledger.chart.open(read_account(str(account)))
    entry = Entry("hold", parts.available, parts.held, units, month, reference)
    return ledger.post(ledger.heading("hold"), [entry])


def hold_run(ledger: Transaction, claims: Claims, memo: str) -> Posted:
    """Set aside what each job of a run can cost at most."""
    require_payable(claims)
    references = [job.reference for job in claims.jobs]
    stands = standing(ledger.connection, ledger.chart, references)
    entries = [
        entry
        for job in claims.jobs
        for entry in moves.hold(ledger.chart, job, stands, ledger.money)
    ]
    if not entries:
        return Posted(journal.last(ledger.connection)[0], new=False, entries=0)
    return ledger.post(ledger.heading("hold", memo=memo), entries)


def capture(ledger: Transaction, reference: str, amount: Amount, month: str) -> Posted:
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
    claim = Claim(reference, -1, -1, -1, month, units)
    entries = [entry._replace(job=stand.job) for entry in moves.charge(ledger.chart, claim, stands)]
    return ledger.post(ledger.heading("charge"), entries)
