"""Standing of jobs in a ledger: what is held and charged for each, by whom, and what changes it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from sqlalchemy import Connection, select

from swfx import InputError, Workload
from utilitysched_centre.accounts.account import PROJECT, Account, ledger_name, read_payer
from utilitysched_centre.accounts.chart import Chart
from utilitysched_centre.accounts.claims import Claim, claims_of
from utilitysched_centre.accounts.journal import PAID, TAKEN, Entry
from utilitysched_centre.accounts.money import Money
from utilitysched_centre.accounts.references import job_references
from utilitysched_centre.accounts.schema import ENTRY

AT_ONCE = 5000
"""References asked for in one statement."""


class Stand(NamedTuple):
    """Amounts held and charged for one job.

    Attributes
    ----------
    account : Account
        Payer.
    held : int
        Minor units set aside.
    charged : int
        Minor units paid and not given back; below 0 for a credit.
    posting : int
        Latest posting that held or charged an amount for the job.
    job : int or None
        Number of the job in its log.
    """

    account: Account
    held: int
    charged: int
    posting: int
    job: int | None

    def by(self, posting: int) -> Stand:
        """Return the amounts if they come from the posting, else zero."""
        return self if self.posting == posting else self._replace(held=0, charged=0)


def standing(connection: Connection, chart: Chart, references: Sequence[str]) -> dict[str, Stand]:
    """Return holds and charges by reference, for jobs in the ledger."""
    holds, income = chart.holds(), chart.income
    stands: dict[str, Stand] = {}
    for reference, kind, debit, credit, amount, posting, job in _entries(connection, references):
        takes = kind in TAKEN or credit in holds
        payer = chart.accounts[credit if debit == income else debit]
        one = stands.get(reference, Stand(payer, 0, 0, posting, job))
        stands[reference] = Stand(
            payer,
            one.held + amount * ((credit in holds) - (debit in holds)),
            one.charged + amount * ((credit == income) - (debit == income)),
            posting if takes else one.posting,
            job,
        )
    return stands


def _entries(connection: Connection, references: Sequence[str]) -> Iterator[Any]:
    names = ("reference", "kind", "debit", "credit", "amount", "posting", "job")
    columns = [ENTRY.c[name] for name in names]
    for i in range(0, len(references), AT_ONCE):
        yield from connection.execute(
            select(*columns)
            .where(ENTRY.c.reference.in_(references[i : i + AT_ONCE]), ENTRY.c.kind.not_in(PAID))
            .order_by(ENTRY.c.posting, ENTRY.c.line)
        )


def paying(chart: Chart, claim: Claim, stand: Stand | None, own: Account | None = None) -> Account:
    """Return who pays for a job: who holds something for it, or who was named, or by the chart.

    `own` is the job's own project, by the log.

    Raises
    ------
    InputError
        Another is named than holds something, was charged, or pays by the ledger.
    """
    if stand is None or not (stand.held or stand.charged):
        return chart.paying(claim.user, claim.group, claim.account, own)
    if claim.account not in (None, stand.account):
        raise InputError(
            f"job {claim.job} is to be paid by {claim.account}, but "
            f"{'is held for' if stand.held else 'was charged'} by posting {stand.posting} "
            f"from {stand.account}",
            remedy=f"undo that first: utilitysched ledger refund LEDGER --posting {stand.posting}",
        )
    return stand.account


def payers(
    connection: Connection, chart: Chart, workload: Workload, listed: Mapping[int, str]
) -> list[Account]:
    """Return who pays for each job of a workload; accounts listed for a user are projects."""
    references = job_references(workload)
    stands = standing(connection, chart, references)
    accounts = {user: read_payer(name, chart.named) for user, name in listed.items()}
    own = workload.labels.of("account")
    projects = {number: Account(PROJECT, ledger_name(name)) for number, name in own.names.items()}
    claims = claims_of(
        workload,
        np.full(len(workload), ""),
        [0] * len(workload),
        [accounts.get(user) for user in workload.user.tolist()],
    )
    return [
        paying(chart, claim, stands.get(claim.reference), projects.get(account))
        for claim, account in zip(claims, own.numbers.tolist(), strict=True)
    ]


def holding(
    chart: Chart, claim: Claim, stands: Mapping[str, Stand], money: Money, *, more: bool = False
) -> Iterator[Entry]:
    """Set aside what a job can cost at most; nothing if so much is held for it already.

    If less is held, that is raised where `more` may be held.

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
        if more and stand.account == payer:
            parts = chart.open(payer)
            if claim.units > stand.held:
                lacks = claim.units - stand.held
                yield _entry("hold", parts.available, parts.held, lacks, claim)
        elif (stand.held, stand.account) != (claim.units, payer):
            raise InputError(
                f"{money.text(stand.held)} of {stand.account} are held for job {claim.job} already",
                remedy=f"give them back first: utilitysched ledger refund LEDGER {claim.reference}",
            )
    elif claim.units:
        parts = chart.open(payer)
        yield _entry("hold", parts.available, parts.held, claim.units, claim)


def charging(chart: Chart, claim: Claim, stands: Mapping[str, Stand]) -> Iterator[Entry]:
    """Take what a job costs: first from what is held for it, whose rest is given back.

    A job that gets more than it pays is credited with that.

    Raises
    ------
    InputError
        The job was charged already, or another pays than holds something for it.
    """
    stand = stands.get(claim.reference)
    if stand is not None and stand.charged:
        raise charged_already(claim.job, stand)
    held, units = stand.held if stand is not None else 0, max(claim.units, 0)
    parts = chart.open(paying(chart, claim, stand))
    taken = min(held, units)
    if taken:
        yield _entry("charge", parts.held, chart.income, taken, claim)
    if units > taken:
        yield _entry("charge", parts.available, chart.income, units - taken, claim)
    if claim.units < 0:
        yield _entry("credit", chart.income, parts.available, -claim.units, claim)
    if held > taken:
        yield _entry("release", parts.held, parts.available, held - taken, claim)


def giving_back(
    chart: Chart, reference: str, stand: Stand, month: str, units: int | None = None
) -> Iterator[Entry]:
    """Give back what is held for a job, and what it was charged, or `units` of the charge."""
    parts = chart.find(stand.account)
    if stand.held:
        yield Entry("release", parts.held, parts.available, stand.held, month, reference, stand.job)
    refund = stand.charged if units is None else units
    if refund:
        ways = (chart.income, parts.available)
        debit, credit = ways if refund > 0 else ways[::-1]
        yield Entry("refund", debit, credit, abs(refund), month, reference, stand.job)


def charged_already(job: int | None, stand: Stand) -> InputError:
    """Return the refusal to charge a job twice."""
    return InputError(
        f"job {job} was charged already, by posting {stand.posting}",
        remedy=f"undo that first: utilitysched ledger refund LEDGER --posting {stand.posting}",
    )


def _entry(kind: str, debit: int, credit: int, units: int, claim: Claim) -> Entry:
    return Entry(kind, debit, credit, units, claim.month, claim.reference, claim.job)
