"""The most that a job can come to cost, known when it is submitted: what is held for it."""

from __future__ import annotations

from typing import Protocol, runtime_checkable

import numpy as np

from pricing.registry import Mechanism, make_mechanism
from pricing.waste import WasteRule
from swfx import InputError, Workload
from swfx.base.columns import Floats


@runtime_checkable
class Bounded(Protocol):
    """A price mechanism that knows what a job can cost at most."""

    def ceiling(self, workload: Workload) -> Floats:
        """Return the most each job can cost (SU)."""


def ceilings(
    workload: Workload, mechanism: str | Mechanism = "first-price", *, cap: bool = False
) -> Floats:
    """Return the most that each job can come to cost.

    By first price that is what its utility function begins with; by a rate it is the rate times the
    processor-hours requested, for a job is killed at its request. One that is preempted, and does
    lost work again, can use more. What jobs pay for the lost work of others, or beside a charge
    that is not by the hour, has no bound. What jobs will pay for those that they displace comes on
    top: for each less than its utility function begins with.

    Parameters
    ----------
    workload : Workload
        n jobs.
    mechanism : str or Mechanism
        As for `pricing.charge`.
    cap : bool, default False
        Charges will be cut to the realised utility, as `pricing.charge` does with ``cap=True``.

    Returns
    -------
    ndarray of float64, shape (n,)
        SU.

    Raises
    ------
    InputError
        The mechanism knows no bound: ``vcg`` without `cap`, for one.

    Examples
    --------
    >>> jobs = Workload.from_columns(run=[1800], requested_time=[3600], processors=[4])
    >>> ceilings(jobs, "single-price:rate=0.5")
    array([2.])
    """
    if isinstance(mechanism, str):
        mechanism = make_mechanism(mechanism)
    most = np.full(len(workload), np.inf)
    if isinstance(mechanism, Bounded) and WasteRule.of(mechanism).is_bounded:
        most = mechanism.ceiling(workload)
    if cap:
        worth = np.minimum(most, workload.utility.start_values)
        most = np.where(workload.utility.defined, worth, most)
    if not np.isfinite(most).all():
        job = int(np.argmin(np.isfinite(most)))
        raise InputError(
            f"{mechanism.label} does not say beforehand what job {workload.job_name(job)} can cost",
            remedy="cut charges to what jobs are worth (`cap=True`), or hold amounts of your own",
        )
    return most
