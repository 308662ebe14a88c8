"""Speeds that a scheduler reckons with: known, or learned from jobs that ran."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from utilitysched.kernels.compiling import kernel
from utilitysched.kernels.sharing.terms import SharingPolicy, Speeds
from utilitysched.model.state import Floats


class Beliefs(NamedTuple):
    """Speeds that a scheduler reckons with, estimated from observed speeds.

    Attributes
    ----------
    speeds : Speeds
        That it reckons with.
    friends : (a, a) bool
        Pairs whose mean speed exceeds the threshold of popularity.
    mean, seen : (a, a + 1) float64
        Mean of the speeds seen of each application beside each other, and beside nobody; and how
        many that were. A table counts for some: infinitely many if nothing is to be learned.
    """

    speeds: Speeds
    friends: NDArray[np.bool_]
    mean: Floats
    seen: Floats

    @classmethod
    def from_table(cls, table: Speeds, trust: float, policy: SharingPolicy) -> "Beliefs":
        """Return the beliefs of a scheduler that begins with a table of speeds.

        Parameters
        ----------
        table : Speeds
            NaN for pairs that it does not have.
        trust : float
            How many observations each of its speeds counts for.
        policy : SharingPolicy
            Whose threshold and optimism count.
        """
        speeds = table.columns()
        seen = np.where(np.isnan(speeds), 0.0, trust)
        mean = np.where(seen > 0, speeds, 0.0)
        count = len(mean)
        own = Speeds(np.zeros(count), np.zeros((count, count)))
        beliefs = cls(own, np.zeros((count, count), np.bool_), mean, seen)
        for application in range(count):
            reckon(policy, beliefs, application)
        return beliefs


@kernel
def reckon(policy: SharingPolicy, beliefs: Beliefs, one: int) -> None:
    """Let the speeds of an application, beside others and nobody, follow from what was seen of it.

    What was never seen has the mean of what was, 1 if nothing was.
    """
    alone, beside = beliefs.speeds
    mean, seen = beliefs.mean[one], beliefs.seen[one]
    # the mean of what was seen stands for what was not
    total, known = 0.0, 0
    for other in range(len(mean)):
        if seen[other] > 0:
            total += mean[other]
            known += 1
    usual = total / known if known else 1.0
    # a bonus for what was seen rarely, so that it is tried: UCB
    for other in range(len(mean)):
        speed = mean[other] if seen[other] > 0 else usual
        speed += policy.optimism / np.sqrt(1.0 + seen[other])
        if other < len(alone):
            beside[one, other] = speed
        else:
            alone[one] = speed
    # pairs count as friends by both directions
    for other in range(len(alone)):
        befriended = (beside[one, other] + beside[other, one]) / 2 > policy.threshold
        beliefs.friends[one, other] = befriended
        beliefs.friends[other, one] = befriended
