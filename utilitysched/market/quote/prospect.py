"""Prospects of a job: what to expect once it is submitted."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from utilitysched.model.state import Floats

MEDIAN = 0.5


class Spread(NamedTuple):
    """A figure over all samples.

    Attributes
    ----------
    mean, median : float
        Their mean, and the value that half of them do not exceed.
    quantiles : tuple of float
        Values of samples: the least that the given shares of them do not exceed.
    """

    mean: float
    median: float
    quantiles: tuple[float, ...]

    @classmethod
    def of(cls, samples: Floats, shares: Sequence[float]) -> "Spread":
        """Return mean and quantiles."""
        found = np.quantile(samples, shares, method="inverted_cdf")
        # a mean of equal numbers is rounded; it must not leave their range
        mean = float(samples.mean().clip(samples.min(), samples.max()))
        return cls(mean, median(samples), tuple(found.tolist()))


class Displaced(NamedTuple):
    """Stops to expect, of the job for others and of others for the job.

    Attributes
    ----------
    chance : float
        Share of the samples in which the job is stopped for others.
    stops : float
        How often that is, on average.
    compensation : Spread
        What that is taken to cost it (SU), and what it gets where the displaced are paid.
    payment : Spread
        What those lose whom it displaces (SU), and what it pays where they are paid.
    """

    chance: float
    stops: float
    compensation: Spread
    payment: Spread


@dataclass(frozen=True)
class Prospect:
    """What to expect.

    Attributes
    ----------
    submit : float
        When the job is submitted (s).
    wait, turnaround : Spread
        From then to its start, and to its completion (s).
    completion : Spread
        When it completes (s), on the log's clock.
    worth : Spread
        Its utility function at its completion (SU).
    charges : mapping of str to Spread
        What it pays (SU), by the mechanism's label, but for displacing others.
    displaced : Displaced or None
        Stops, where the scheduler takes processors back at a price.
    """

    submit: float
    wait: Spread
    turnaround: Spread
    completion: Spread
    worth: Spread
    charges: Mapping[str, Spread]
    displaced: Displaced | None = None


def median(samples: Floats) -> float:
    """Return the value that half of the samples do not exceed."""
    return float(np.quantile(samples, MEDIAN, method="inverted_cdf"))
