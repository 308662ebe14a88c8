"""Quotes: what a job would get, and what it would cost, at a moment."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Self

import numpy as np

from pricing.disclosure import band
from pricing.outcome import SECONDS_PER_HOUR
from swfx import UtilityFunction
from swfx.base.displayed import Displayed
from swfx.base.numbers import span
from utilitysched.market.quote.request import QuotedJob
from utilitysched.market.quote.terms import QuoteTerms
from utilitysched.model.state import Floats
from utilitysched.runs.snapshot import Snapshot
from utilitysched.schedulers.registry import make_scheduler

MEDIAN = 0.5


class Spread(NamedTuple):
    """Distribution of a metric over the samples.

    Attributes
    ----------
    mean, median : float
        Mean, and the value that half of the samples do not exceed.
    quantiles : tuple of float
        Values of samples: the least that the given shares of them do not exceed.
    """

    mean: float
    median: float
    quantiles: tuple[float, ...]

    @classmethod
    def of(cls, samples: Floats, shares: Sequence[float]) -> Self:
        """Return mean and quantiles."""
        quantiles = np.quantile(samples, shares, method="inverted_cdf")
        # a mean of equal numbers is rounded; it must not leave their range
        mean = float(samples.mean().clip(samples.min(), samples.max()))
        return cls(mean, median(samples), tuple(quantiles.tolist()))

    def in_bands(self) -> Self:
        """Return the same amounts as users may see them; see `pricing.disclosure.band`."""
        return type(self)(band(self.mean), band(self.median), tuple(map(band, self.quantiles)))


def median(samples: Floats) -> float:
    """Return the value that half of the samples do not exceed."""
    return float(np.quantile(samples, MEDIAN, method="inverted_cdf"))


class Displaced(NamedTuple):
    """Expected stops of the job for others, and of others for the job.

    Attributes
    ----------
    chance : float
        Share of the samples in which the job is stopped for others.
    stops : float
        Mean number of these stops.
    compensation : Spread
        Most that the job gets for these stops by its utility function (SU), where the displaced are
        paid; in all it gets no more than it pays itself.
    payment : Spread
        Price of the stops of others for the job (SU), which it pays where these are charged.
    """

    chance: float
    stops: float
    compensation: Spread
    payment: Spread


@dataclass(frozen=True)
class Prospect:
    """Expected course of a job.

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


@dataclass(frozen=True)
class Hurry:
    """The cheapest bid that halves the median turnaround.

    Attributes
    ----------
    factor : float or None
        By which all values of the utility function are multiplied; None if no bid does it.
    why : str
        Why none does; empty if one does.
    prospect : Prospect or None
        What to expect then; the worth is by the function multiplied.
    """

    factor: float | None
    why: str
    prospect: Prospect | None


@dataclass(frozen=True)
class Offer:
    """Prospects of a job with one utility function.

    Attributes
    ----------
    name : str
        Name of the utility function.
    curve : UtilityFunction
        SU by turnaround time (s).
    now, later : Prospect
        If the job is submitted at the moment, and at `QuoteTerms.later`; None if that is not asked.
    hurry : Hurry
        The bid with which it is done in half the time.
    rerunnable : Prospect or None
        If the job is submitted at the moment and may be killed and run again; None where the
        scheduler takes no processors back.
    rounded : tuple of str
        Mechanisms whose charges are in bands, as `QuoteTerms.rounded` asks.
    """

    name: str
    curve: UtilityFunction
    now: Prospect
    hurry: Hurry
    later: Prospect | None
    rerunnable: Prospect | None = None
    rounded: tuple[str, ...] = ()

    @property
    def refusals(self) -> tuple[str, ...]:
        """The mechanisms by which the job, submitted now, pays more than it is worth (mean)."""
        worth = self.now.worth.mean
        # of a charge in the band of the worth nobody knows whether it is more
        limits = dict.fromkeys(self.rounded, max(worth, band(worth)))
        stated = self.curve.values.max(initial=0.0) > 0
        return tuple(
            name
            for name, paid in self.now.charges.items()
            for most in [limits.get(name, worth)]
            if stated and paid.mean > most and not math.isclose(paid.mean, most)
        )


@dataclass(frozen=True)
class Quote(Displayed):
    """Offers for a job at a moment.

    Attributes
    ----------
    snapshot : Snapshot
        The moment.
    job : QuotedJob
        The job.
    terms : QuoteTerms
        Terms of the quote; the scheduler is filled in.
    offers : tuple of Offer
        One for each utility function.
    """

    snapshot: Snapshot
    job: QuotedJob
    terms: QuoteTerms
    offers: tuple[Offer, ...]

    def __repr__(self) -> str:
        return (
            f"<Quote: {self.job.processors} processors for {span(self.job.request)} under"
            f" {self.terms.scheduler}>"
        )

    @property
    def reserve(self) -> float:
        """SU per requested processor-hour below which the scheduler has jobs wait for idle time."""
        return float(str(make_scheduler(self.terms.scheduler).options.get("reserve", 0)))

    def below_reserve(self, offer: Offer) -> bool:
        """Return whether even what the job is worth at once is too little for the scheduler."""
        hours = self.job.processors * self.job.request / SECONDS_PER_HOUR
        return float(offer.curve.values.max(initial=0.0)) < self.reserve * hours
