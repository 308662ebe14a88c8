"""Promises of price mechanisms, and the check of each.

Some things hold of every mechanism and are always asserted: sums agree (`pricing.checks`), names do
not matter (`check_relabelling`), and of those that charge for being in the way: who is in nobody's
way pays nothing (`check_undisturbing`). The others are asserted of the mechanisms that declare them
(``promises``) and reported of the rest, where the anomalies of scheduling break them lawfully.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from swfx import Workload
from swfx.base.columns import Bools, Floats, Ints

PROPERTIES: dict[str, str] = {
    "rationality": "no job pays more than it is worth",
    "value-blindness": "charges do not depend on utility functions",
    "externality": "no job is paid: the others never gain from a job's presence",
    "monotonicity": "a job reported to be worth more is served no worse",
    "truthfulness": "no lie gains more than the plan falls short of the optimum",
}
"""What a mechanism may declare in its ``promises``."""

Price = Callable[[Workload], Floats]
"""Charges (SU) of the jobs of a workload, in its order."""


class Check(NamedTuple):
    """Result of a certificate: name, verdict and numbers.

    `asserted` is whether the mechanism promises it; else it is reported for information.
    """

    name: str
    holds: bool
    detail: str
    asserted: bool = True


def check_rationality(charge: Floats, value: Floats, tolerance: float = 0.0) -> Check:
    """Check that no job pays more than it is worth (SU), but for `tolerance` (SU)."""
    excess = charge - value
    over = excess > tolerance
    return Check(
        "rationality",
        not over.any(),
        f"{np.count_nonzero(over):,} of {len(charge):,} jobs pay more than they are worth,"
        f" {excess[over].sum():,.2f} SU in all",
    )


def check_externality(charge: Floats, tolerance: float = 0.0) -> Check:
    """Check that no charge (SU), before it is clipped, is below 0."""
    paid = charge < -tolerance
    return Check(
        "externality",
        not paid.any(),
        f"{np.count_nonzero(paid):,} of {len(charge):,} charges are below 0,"
        f" {charge[paid].sum():,.2f} SU in all",
    )


def check_monotonicity(
    true: tuple[float, float], false: tuple[float, float], tolerance: float = 0.0
) -> Check:
    """Check that a report moves a job towards placements of higher reported value.

    Parameters
    ----------
    true : (float, float)
        What the job is truly worth (SU) where it is put on the truth, and on the false report.
    false : (float, float)
        The same by the false report.
    tolerance : float
        SU.
    """
    by_truth, by_report = (there - here for here, there in (true, false))
    return Check(
        "monotonicity",
        by_report >= by_truth - tolerance,
        f"the move is worth {by_truth:,.6g} SU in truth, {by_report:,.6g} SU as reported",
    )


def check_truthfulness(gain: float, short: float, tolerance: float = 0.0) -> Check:
    """Check that a lie's gain (SU) is at most what the plan on the truth is short of the best."""
    return Check(
        "truthfulness",
        gain <= short + tolerance,
        f"the lie gains {gain:,.6g} SU, the plan on the truth is {short:,.6g} SU short",
    )


def check_relabelling(workload: Workload, price: Price, seed: int = 0) -> Check:
    """Check that charges do not depend on what jobs, users and groups are called.

    The order in the file stays, and with it ties and random draws. -1, unknown, keeps its meaning.
    """
    rng = np.random.default_rng(seed)
    renamed = workload.replace(
        job_id=_renamed(workload.job_id, rng),
        user=_renamed(workload.user, rng),
        group=_renamed(workload.group, rng),
    )
    return _equal("relabelling", price(workload), price(renamed), "under other names")


def check_value_blindness(workload: Workload, price: Price) -> Check:
    """Check that charges are the same with all utility functions reversed among the jobs."""
    other = workload.replace(utility=workload.utility.take(np.arange(len(workload))[::-1]))
    return _equal("value-blindness", price(workload), price(other), "with other curves")


def check_undisturbing(charge: Floats, undisturbing: Bools) -> Check:
    """Check that jobs whose removal moves no start pay nothing."""
    wronged = undisturbing & (charge != 0)
    return Check(
        "undisturbing",
        not wronged.any(),
        f"{np.count_nonzero(wronged):,} of {np.count_nonzero(undisturbing):,} jobs that"
        " delay no other job pay",
    )


def _equal(name: str, charge: Floats, other: Floats, how: str) -> Check:
    differ = np.count_nonzero(charge != other)
    return Check(name, differ == 0, f"{differ:,} of {len(charge):,} charges differ {how}")


def _renamed(names: Ints, rng: np.random.Generator) -> Ints:
    known, place = np.unique(names, return_inverse=True)
    drawn = rng.permutation(len(known)) + 1
    return np.where(names < 0, names, drawn[place])
