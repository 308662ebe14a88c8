"""Reasons of charges: one wording for bills and for what is made of them."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from swfx.base.columns import Bools

UNSAID = "the mechanism asks nothing"
"""Where a mechanism charges nothing and does not say why."""

BELOW = "it comes to less than {} SU"
"""Where a charge is rounded to nothing."""

CUT = "cut to what it was worth"

CUT_SHORT = "killed before its work was done"

FOR_ITSELF = "what it lost when it was stopped"
FOR_OTHERS = "what jobs that it preempted lost"
FOR_DISPLACED = "what the jobs that it displaced lose"
"""What a job pays for beside what the mechanism asks."""

FOR_LATER = "the reserve for later submissions"
"""What it pays for beside what its start takes from those who are there."""

COMPENSATED = "compensated for being displaced"


def first_that_holds(cases: Sequence[tuple[Bools, str]], otherwise: str) -> npt.NDArray[np.str_]:
    """Say of each of n jobs the first thing that holds of it.

    Parameters
    ----------
    cases : sequence of (ndarray of bool, shape (n,), str)
        Whether it holds of each job, and what to say then.
    otherwise : str
        Of jobs of which nothing else holds.
    """
    holds = [case for case, _ in cases]
    return np.select(holds, [np.array(text) for _, text in cases], otherwise)


def reason(charge: float | Fraction, *why: str) -> str:
    """Say whether a job was charged, and why.

    Parameters
    ----------
    charge : float or Fraction
        What it pays; below 0 if it receives more than it pays.
    *why : str
        Empty ones are left out.

    Examples
    --------
    >>> reason(1), reason(0, "it delayed no other job"), reason(-1, COMPENSATED)
    ('charged', 'not charged: it delayed no other job', 'credited: compensated for being displaced')
    """
    head = "charged" if charge > 0 else "credited" if charge < 0 else "not charged"
    sentence = ", ".join(text for text in why if text)
    return f"{head}: {sentence}" if sentence else head
