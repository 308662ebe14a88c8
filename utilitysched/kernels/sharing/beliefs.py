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
        many that were: infinite if it is known.
    """

    speeds: Speeds
    friends: NDArray[np.bool_]
    mean: Floats
    seen: Floats

    @classmethod
    def sure_of(cls, speeds: Speeds, threshold: float, seen: float = np.inf) -> "Beliefs":
        """Return what a scheduler believes that has seen the true speeds so often."""
        beside = speeds.beside
        mean = np.column_stack((beside, speeds.alone))
        friends = (beside + beside.T) / 2 > threshold
        own = Speeds(speeds.alone.copy(), beside.copy())
        return cls(own, friends, mean, np.full(mean.shape, seen))

    @classmethod
    def blank(cls, applications: int, policy: "SharingPolicy") -> "Beliefs":
        """Return what a scheduler believes that has seen nothing."""
        equal = Speeds(np.ones(applications), np.ones((applications, applications)))
        beliefs = cls.sure_of(equal, policy.threshold, 0.0)
        beliefs.mean[:] = 0.0
        for application in range(applications):
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
