"""Payers of jobs, by the ledger and by an invoice."""

from __future__ import annotations

from collections.abc import Mapping

from sqlalchemy import Connection

from pricing.accounts.account import Account
from pricing.accounts.chart import Chart
from pricing.accounts.claims import Claim
from pricing.accounts.payer_names import read_payer
from pricing.accounts.references import job_references
from pricing.accounts.standing import Stand, standing
from swfx import InputError, Workload


def paying(chart: Chart, claim: Claim, stand: Stand | None) -> Account:
    """Return who pays for a job: who holds something for it, or who was named, or by the chart.

    Raises
    ------
    InputError
        Another is named than holds something, was charged, or pays by the ledger.
    """
    if stand is None or not (stand.held or stand.charged):
        return chart.paying(claim.user, claim.group, claim.account)
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
    accounts = {user: read_payer(name) for user, name in listed.items()}
    columns = references, workload.job_id.tolist(), workload.user.tolist(), workload.group.tolist()
    return [
        paying(chart, Claim(*job, "", 0, accounts.get(job[2])), stands.get(job[0]))
        for job in zip(*columns, strict=True)
    ]
