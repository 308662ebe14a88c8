"""Charges of a bill, by whom or what they are for."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from utilitysched.model.state import Floats, Integers


class Bill(NamedTuple):
    """What each job of a workload pays.

    Attributes
    ----------
    mechanism : str
        Label of the price mechanism.
    charge : (n,) float64
        SU, in workload order; NaN for a job that does not pay.
    """

    mechanism: str
    charge: Floats


class Totals(NamedTuple):
    """Sums over the jobs that pay, one row per key, the largest charge first.

    Attributes
    ----------
    key : (k,) int64
        User, queue, group or priority class.
    jobs : (k,) int64
        Jobs that pay.
    charge : (k,) float64
        SU.
    utility : (k,) float64
        Realised by them (SU).
    """

    key: Integers
    jobs: Integers
    charge: Floats
    utility: Floats


def charges_by(bill: Bill, keys: NDArray[np.int64], utility: Floats) -> Totals:
    """Sum the charges up by a key of each job.

    Parameters
    ----------
    bill : Bill
        Of n jobs.
    keys : (n,) int64
        For instance `Workload.user`, or `swfx.priority_classes` of the workload.
    utility : (n,) float64
        Realised utility (SU).
    """
    pays = ~np.isnan(bill.charge)
    key, member = np.unique(keys[pays], return_inverse=True)
    charge, utilities = (
        np.bincount(member, weights=amounts[pays], minlength=len(key)).astype(np.float64)
        for amounts in (bill.charge, utility)
    )
    order = np.argsort(-charge, kind="stable")
    jobs = np.bincount(member, minlength=len(key))
    return Totals(key[order], jobs[order], charge[order], utilities[order])
