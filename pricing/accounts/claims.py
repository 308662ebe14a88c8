"""Claims: what jobs of a run owe, or may come to owe, in minor units of a ledger."""

from __future__ import annotations

import hashlib
import json
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from pricing.accounts.money import Money, within
from pricing.accounts.references import job_references
from pricing.charges import Charges
from pricing.ledger import Ledger, coarser
from pricing.months import months
from swfx import InputError, Workload


class Claim(NamedTuple):
    """What one job owes.

    Attributes
    ----------
    reference : str
        Which job; see `pricing.accounts.references`.
    job : int
        Its number in the log.
    user, group : int
        Whose it is.
    month : str
        To which its entries belong.
    units : int
        Minor units, 0 or more.
    """

    reference: str
    job: int
    user: int
    group: int
    month: str
    units: int


class Claims(NamedTuple):
    """What the jobs of a run owe by one price mechanism.

    Attributes
    ----------
    mechanism : str
        Label.
    jobs : list of Claim
        In the order of the workload.
    """

    mechanism: str
    jobs: list[Claim]

    @property
    def total(self) -> int:
        """Minor units."""
        return sum(job.units for job in self.jobs)

    def digest(self) -> str:
        """SHA-256 (hex) of mechanism, jobs, months and amounts: equal claims are posted once."""
        content = json.dumps(self, separators=(",", ":"))
        return hashlib.sha256(content.encode()).hexdigest()


def charged(charges: Charges, money: Money, *, month: str | None = None) -> Claims:
    """Return a bill as claims.

    Amounts are the bill's decimal lines; if the ledger has fewer decimals, they are rounded so that
    they add up to the rounded total, as those of a statement are.

    Parameters
    ----------
    charges : Charges
        The bill.
    money : Money
        What the ledger counts in.
    month : str, optional
        To which all entries belong; default: that in which each job completed.
    """
    units = in_units(charges.ledger, money)
    when = charges.month if month is None else np.full(len(charges), month)
    return Claims(charges.mechanism, claims_of(charges.workload, when, units))


def at_most(
    workload: Workload, ceilings: npt.NDArray[np.float64], money: Money, *, month: str | None = None
) -> Claims:
    """Return what jobs can come to cost as claims, rounded up to the minor unit.

    Parameters
    ----------
    workload : Workload
        n jobs.
    ceilings : ndarray of float64, shape (n,)
        SU; see `pricing.ceilings`.
    money : Money
        What the ledger counts in.
    month : str, optional
        To which all entries belong; default: that in which each job was submitted.
    """
    scale = 10**money.decimals
    units = []
    for ceiling in ceilings.tolist():
        above, below = ceiling.as_integer_ratio()
        units.append(within(-(-above * scale // below), money))
    clock = workload.header.unix_start_time
    when = months(workload.submit, clock) if month is None else np.full(len(workload), month)
    return Claims("", claims_of(workload, when, units))


def in_units(lines: Ledger, money: Money) -> list[int]:
    """Return exact decimal lines in minor units of a ledger.

    Raises
    ------
    InputError
        64 bits do not hold them.
    """
    rounded = coarser(lines, money.decimals)
    finer = 10 ** (money.decimals - rounded.decimals)
    return [within(units * finer, money) for units in rounded.units.tolist()]


def require_payable(claims: Claims) -> None:
    """Refuse claims that no bill of ours has.

    Raises
    ------
    InputError
        Naming the job.
    """
    for job in claims.jobs:
        if job.units < 0:
            raise InputError(f"job {job.job} is charged less than 0", field="charge")


def claims_of(workload: Workload, when: npt.NDArray[np.str_], units: list[int]) -> list[Claim]:
    """Return one claim for each job: month and minor units beside what the log says of it."""
    columns = (
        job_references(workload),
        workload.job_id.tolist(),
        workload.user.tolist(),
        workload.group.tolist(),
        when.tolist(),
        units,
    )
    return [Claim(*job) for job in zip(*columns, strict=True)]
