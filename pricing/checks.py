"""Certificates that anybody can verify on a set of charges."""

from __future__ import annotations

import math
from collections.abc import Callable
from decimal import Decimal
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from pricing.charges import Charges
from pricing.properties import Check
from pricing.statement import KINDS, statement
from pricing.tolerance import TOLERANCE

__all__ = ["Check", "Rationality", "check_charges", "individual_rationality"]


class Rationality(NamedTuple):
    """Jobs that pay more than they earned: individual rationality is broken for them.

    Attributes
    ----------
    job_ids : ndarray of int64
        The jobs charged above their realised utility.
    overcharge : float
        What they pay beyond it, together (SU).
    judged : int
        Jobs with a utility function; the others cannot be judged.
    """

    job_ids: npt.NDArray[np.int64]
    overcharge: float
    judged: int


def individual_rationality(charges: Charges) -> Rationality:
    """Find the jobs with a utility function whose charge is above their realised utility."""
    judged = charges.workload.utility.defined
    excess = charges.charge - charges.outcome.utility
    over = judged & (excess > 0)
    return Rationality(
        charges.workload.job_id[over], math.fsum(excess[over]), int(np.count_nonzero(judged))
    )


def check_charges(charges: Charges) -> tuple[Check, ...]:
    """Every certificate of this module, none of which relies on how the lines were made.

    Returns
    -------
    tuple of Check
        ``total``: the job lines add up to the total digit for digit. ``lines``: no line differs
        from its charge by more than rounding. ``statements``: each kind of statement adds up to the
        same total and counts every job once. ``evidence``: where a rate is given, rate x
        processor-hours is the charge. ``rationality``: nobody pays more than the job earned;
        asserted where the mechanism promises it, else reported.
    """
    checks: tuple[Callable[[Charges], Check], ...] = (
        _total,
        _lines,
        _statements,
        _evidence,
        _rationality,
    )
    return tuple(check(charges) for check in checks)


def _total(charges: Charges) -> Check:
    total = Decimal(repr(math.fsum(charges.charge)))
    return Check(
        "total",
        charges.billed == total,
        f"{len(charges)} lines add up to {charges.billed} SU; the exact sum is {total} SU",
    )


def _lines(charges: Charges) -> Check:
    unit = 10.0**-charges.ledger.decimals
    billed = charges.ledger.units * unit
    # a float total is itself off by half its last bit, which the lines share
    allowed = 2 * unit + math.ulp(charges.total) + np.spacing(charges.charge)
    worst = float(np.max(np.abs(billed - charges.charge), initial=0.0))
    return Check(
        "lines",
        bool(np.all(np.abs(billed - charges.charge) <= allowed)),
        f"the largest rounding of a line is {worst:.1e} SU",
    )


def _statements(charges: Charges) -> Check:
    off = []
    for by in KINDS:
        table = statement(charges, by)
        if sum(table["charge"], Decimal(0)) != charges.billed or table["jobs"].sum() != len(
            charges
        ):
            off.append(by)
    held = "all kinds add up to the total" if not off else f"not adding up: {', '.join(off)}"
    return Check("statements", not off, held)


def _evidence(charges: Charges) -> Check:
    rated = ~np.isnan(charges.rate)
    expected = charges.rate[rated] * charges.outcome.processor_hours[rated]
    agrees = np.allclose(charges.charge[rated], expected, rtol=TOLERANCE, atol=0.0)
    return Check(
        "evidence", bool(agrees), f"{np.count_nonzero(rated)} charges are rate x processor-hours"
    )


def _rationality(charges: Charges) -> Check:
    found = individual_rationality(charges)
    return Check(
        "rationality",
        len(found.job_ids) == 0,
        f"{len(found.job_ids):,} of {found.judged:,} jobs with a utility function pay more than"
        f" they earned, {found.overcharge:,.2f} SU in all",
        asserted="rationality" in charges.promises,
    )
