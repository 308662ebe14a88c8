"""Entries that what happens to jobs leads to."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from pricing.accounts.chart import Chart
from pricing.accounts.claims import Claim
from pricing.accounts.journal import Entry
from pricing.accounts.money import Money
from pricing.accounts.payers import paying
from pricing.accounts.standing import Stand
from swfx import InputError


def hold(chart: Chart, claim: Claim, stands: Mapping[str, Stand], money: Money) -> Iterator[Entry]:
    """Set aside what a job can cost at most; nothing if so much is held for it already.

    Raises
    ------
    InputError
        Another amount is held for the job, or it was charged already.
    """
    payer = chart.paying(claim.user, claim.group, claim.account)
    stand = stands.get(claim.reference)
    if stand is not None and stand.charged:
        raise charged_already(claim.job, stand)
    if stand is not None and stand.held:
        if (stand.held, stand.account) != (claim.units, payer):
            raise InputError(
                f"{money.text(stand.held)} of {stand.account} are held for job {claim.job} already",
                remedy=f"give them back first: utilitysched ledger refund LEDGER {claim.reference}",
            )
    elif claim.units:
        parts = chart.open(payer)
        yield _entry("hold", parts.available, parts.held, claim.units, claim)


def charge(chart: Chart, claim: Claim, stands: Mapping[str, Stand]) -> Iterator[Entry]:
    """Take what a job costs: first from what is held for it, whose rest is given back.

    Raises
    ------
    InputError
        The job was charged already, or another pays than holds something for it.
    """
    stand = stands.get(claim.reference)
    if stand is not None and stand.charged:
        raise charged_already(claim.job, stand)
    held = stand.held if stand is not None else 0
    parts = chart.open(paying(chart, claim, stand))
    taken = min(held, claim.units)
    if taken:
        yield _entry("charge", parts.held, chart.income, taken, claim)
    if claim.units > taken:
        yield _entry("charge", parts.available, chart.income, claim.units - taken, claim)
    if held > taken:
        yield _entry("release", parts.held, parts.available, held - taken, claim)


def give_back(
    chart: Chart, reference: str, stand: Stand, month: str, units: int | None = None
) -> Iterator[Entry]:
    """Give back what is held for a job, and what it was charged, or `units` of the charge."""
    parts = chart.find(stand.account)
    if stand.held:
        yield Entry("release", parts.held, parts.available, stand.held, month, reference, stand.job)
    refund = stand.charged if units is None else units
    if refund:
        yield Entry("refund", chart.income, parts.available, refund, month, reference, stand.job)


def charged_already(job: int | None, stand: Stand) -> InputError:
    """Return the refusal to charge a job twice."""
    return InputError(
        f"job {job} was charged already, by posting {stand.posting}",
        remedy=f"undo that first: utilitysched ledger refund LEDGER --posting {stand.posting}",
    )


def _entry(kind: str, debit: int, credit: int, units: int, claim: Claim) -> Entry:
    return Entry(kind, debit, credit, units, claim.month, claim.reference, claim.job)
