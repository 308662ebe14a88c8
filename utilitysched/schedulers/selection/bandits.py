"""Choices among policies of which only those in use tell what they cost."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from utilitysched.model.state import Floats


@dataclass
class Evidence:
    """Decayed costs of the periods of each policy.

    Attributes
    ----------
    cost : (k,) float64
        Sums over the jobs that ended while a policy was in use.
    jobs : (k,) float64
        How many those were.
    periods : (k,) float64
        Periods in which a policy was in use and some job ended.
    mean, square : (k,) float64
        Sums of the mean costs of those periods, and of their squares.
    weight : (k,) float64
        Logarithms of the weights of Exp3.
    largest : float
        Largest mean cost of a period, of any policy, so far: what costs are measured by.
    """

    cost: Floats
    jobs: Floats
    periods: Floats
    mean: Floats
    square: Floats
    weight: Floats
    largest: float = 0.0

    @classmethod
    def none(cls, policies: int) -> Evidence:
        """Return the evidence before the first period."""
        return cls(*np.zeros((6, policies)))

    def add(self, policy: int, cost: float, jobs: int, decay: float) -> None:
        """Decay the evidence, and add a period that ended."""
        for column in (self.cost, self.jobs, self.periods, self.mean, self.square):
            np.multiply(column, decay, out=column)
        if jobs:
            mean = cost / jobs
            self.cost[policy] += cost
            self.jobs[policy] += jobs
            self.periods[policy] += 1.0
            self.mean[policy] += mean
            self.square[policy] += mean * mean
            self.largest = max(self.largest, mean)

    @property
    def unseen(self) -> list[int]:
        """Policies under which no job has ended."""
        arms: list[int] = np.flatnonzero(self.jobs == 0).tolist()
        return arms


def greedy(known: Evidence, random: np.random.Generator, epsilon: float) -> int:
    """Choose who cost least per job; now and then anybody (GAUSSIER 5.3). The unseen go first."""
    if random.random() < epsilon:
        return int(random.integers(len(known.cost)))
    if known.unseen:
        return known.unseen[0]
    return int(np.argmin(known.cost / known.jobs))


def ucb1(known: Evidence, random: np.random.Generator, epsilon: float) -> int:  # noqa: ARG001
    """Choose who may cost least: mean of periods less a margin that shrinks with their number.

    Auer, Cesa-Bianchi, Fischer (2002), with costs as shares of the largest.
    """
    if known.unseen:
        return known.unseen[0]
    margin = np.sqrt(2.0 * math.log(max(known.periods.sum(), 1.0)) / known.periods)
    return int(np.argmin(known.mean / known.periods / (known.largest or 1.0) - margin))


def thompson(known: Evidence, random: np.random.Generator, epsilon: float) -> int:  # noqa: ARG001
    """Choose who costs least by a draw of each mean from what periods say of it.

    Normal around the mean of its periods, with their variance over their number; that of all
    policies together stands for a variance that one or two periods cannot tell.
    """
    if known.unseen:
        return known.unseen[0]
    mean = known.mean / known.periods
    variance = np.maximum(known.square / known.periods - mean * mean, 0.0)
    pooled = float((variance * known.periods).sum() / known.periods.sum())
    spread = np.sqrt(np.where(known.periods > 2, variance, max(pooled, 0.0)) / known.periods)
    return int(np.argmin(mean + spread * random.standard_normal(len(mean))))


def exp3(known: Evidence, random: np.random.Generator, epsilon: float) -> int:
    """Choose by probabilities that fall exponentially with costs (Auer et al. 2002, Exp3)."""
    chances = exp3_chances(known, epsilon)
    return int(np.searchsorted(np.cumsum(chances), random.random() * chances.sum()))


def exp3_chances(known: Evidence, epsilon: float) -> Floats:
    """Return the chance of each policy, the share `epsilon` of it the same for all."""
    weights = np.exp(known.weight - known.weight.max())
    chances: Floats = (1.0 - epsilon) * weights / weights.sum() + epsilon / len(weights)
    return chances


def exp3_update(known: Evidence, policy: int, mean: float, epsilon: float) -> None:
    """Update the weight of a policy with the mean cost of a period, relative to the largest."""
    chance = exp3_chances(known, epsilon)[policy]
    reward = 1.0 - mean / (known.largest or 1.0)
    known.weight[policy] += epsilon * reward / chance / len(known.weight)


CHOICES = {"greedy": greedy, "ucb1": ucb1, "thompson": thompson, "exp3": exp3}
