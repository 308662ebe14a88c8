"""Speeds that a scheduler reckons with: those of a table, corrected by jobs that ran."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from utilitysched.kernels.compiling import kernel, leaf
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
    mean : (a, a + 1) float64
        Mean of the table's speed and those seen of each application beside each other, and beside
        nobody.
    trust : (a, a + 1) float64
        How many observations the table's speed counts for, 0 without one; infinite if nothing is
        to be learned.
    seen : (a, a + 1) float64
        How many were seen.
    """

    speeds: Speeds
    friends: NDArray[np.bool_]
    mean: Floats
    trust: Floats
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
        weight = np.where(np.isnan(speeds), 0.0, trust)
        mean = np.where(weight > 0, speeds, 0.0)
        count = len(mean)
        own = Speeds(np.zeros(count), np.zeros((count, count)))
        friends = np.zeros((count, count), np.bool_)
        beliefs = cls(own, friends, mean, weight, np.zeros(mean.shape))
        for application in range(count):
            reckon(policy, beliefs, application)
        return beliefs


@kernel
def observe(policy: SharingPolicy, beliefs: Beliefs, one: int, other: int, speed: float) -> None:
    """Correct what is believed of an application beside another, or nobody, by a speed seen.

    What is known for sure stays as it is.
    """
    mean, trust, seen = beliefs.mean[one], beliefs.trust[one], beliefs.seen[one]
    if trust[other] == np.inf:
        return
    seen[other] += 1.0
    mean[other] += (speed - mean[other]) / (trust[other] + seen[other])
    reckon(policy, beliefs, one)


@kernel
def reckon(policy: SharingPolicy, beliefs: Beliefs, one: int) -> None:
    """Let the speeds of an application, beside others and nobody, follow from their means.

    What neither the table nor experience knows has the mean of what they know, 1 if nothing.
    """
    alone, beside = beliefs.speeds
    mean, count = beliefs.mean[one], beliefs.trust[one] + beliefs.seen[one]
    # the mean of what is known stands for what is not
    total, known = 0.0, 0
    for other in range(len(mean)):
        if count[other] > 0:
            total += mean[other]
            known += 1
    usual = total / known if known else 1.0
    # a bonus for what was seen rarely, so that it is tried: UCB
    for other in range(len(mean)):
        speed = mean[other] if count[other] > 0 else usual
        speed += policy.optimism / np.sqrt(1.0 + count[other])
        if other < len(alone):
            beside[one, other] = speed
        else:
            alone[one] = speed
    # pairs count as friends by both directions
    for other in range(len(alone)):
        befriended = (beside[one, other] + beside[other, one]) / 2 > policy.threshold
        beliefs.friends[one, other] = befriended
        beliefs.friends[other, one] = befriended


@leaf
def differ(one: Speeds, other: Speeds) -> bool:
    """Return whether two tables of speeds differ anywhere."""
    for a in range(len(one.alone)):
        if one.alone[a] != other.alone[a]:
            return True
        for b in range(len(one.alone)):
            if one.beside[a, b] != other.beside[a, b]:
                return True
    return False
