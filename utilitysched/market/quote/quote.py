"""Quotes: what a job would get, and what it would cost, at a moment."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Self

import numpy as np

from checkpoint import PreemptionRules
from pricing import PriceMechanism, make_mechanism
from pricing.outcome import SECONDS_PER_HOUR
from swfx import InputError, UtilityFunction
from swfx.base.displayed import Displayed
from swfx.base.numbers import span
from utilitysched.counterfactual.readings import as_read_by, reading_of
from utilitysched.market.quote.charging import charges_of
from utilitysched.market.quote.faster import Faster, twice_as_fast
from utilitysched.market.quote.foresight import foresight_of
from utilitysched.market.quote.futures import Foresight, Futures
from utilitysched.market.quote.inquiry import Inquiry
from utilitysched.market.quote.prospect import Displaced, Prospect, Spread
from utilitysched.market.quote.quantiles import Quantiles
from utilitysched.market.quote.scenario import Scenario
from utilitysched.market.quote.stops import record_of
from utilitysched.model.forecast import ForecastRule
from utilitysched.model.state import Floats
from utilitysched.runs.snapshot import Snapshot
from utilitysched.schedulers.registry import make_scheduler

SAMPLES = 30
"""Samples of all run times, unless others are asked for."""

QUANTILES = (0.1, 0.5, 0.9)
"""Shares of the samples that are shown."""

MECHANISMS = ("single-price", "multi-queue", "first-price", "second-price", "vcg")
"""Who charges, unless others are asked for."""


@dataclass(frozen=True)
class QuoteTerms:
    """How a quote is made.

    Attributes
    ----------
    scheduler : str
        Who decides, as `utilitysched.make_scheduler` takes it; empty for whom the snapshot names.
    mechanisms : tuple of str
        Who charges, as `pricing.make_mechanism` takes it; of `MECHANISMS`, those that go by what
        the scheduler reads do so by the reading at the end where it reads nothing.
    samples : int
        Of all run times.
    quantiles : tuple of float
        Shares of the samples to be shown, 0 to 1.
    seed : int
        Of all draws.
    later : float or None
        When else the job might be submitted (s on the log's clock).
    replan : bool
        Let the genetic scheduler search again at every event.
    """

    scheduler: str = ""
    mechanisms: tuple[str, ...] = MECHANISMS
    samples: int = SAMPLES
    quantiles: tuple[float, ...] = QUANTILES
    seed: int = 0
    later: float | None = None
    replan: bool = False


@dataclass(frozen=True)
class Hurry:
    """What it takes to halve the median turnaround.

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
    """What to expect with one utility function.

    Attributes
    ----------
    name : str
        What it is called.
    curve : UtilityFunction
        SU by turnaround time (s).
    now, later : Prospect
        If the job is submitted at the moment, and at `QuoteTerms.later`; None if that is not asked.
    hurry : Hurry
        What it takes to have it in half the time.
    rerunnable : Prospect or None
        If the job is submitted at the moment and may be killed and run again; None where the
        scheduler takes no processors back.
    """

    name: str
    curve: UtilityFunction
    now: Prospect
    hurry: Hurry
    later: Prospect | None
    rerunnable: Prospect | None = None

    @property
    def refusals(self) -> tuple[str, ...]:
        """The mechanisms by which the job, submitted now, pays more than it is worth (mean)."""
        worth = self.now.worth.mean
        told = self.curve.values.max(initial=0.0) > 0
        return tuple(
            name
            for name, paid in self.now.charges.items()
            if told and paid.mean > worth and not math.isclose(paid.mean, worth)
        )


@dataclass(frozen=True)
class Quote(Displayed):
    """An answer.

    Attributes
    ----------
    snapshot : Snapshot
        The moment.
    inquiry : Inquiry
        The job.
    terms : QuoteTerms
        How it was made; the scheduler is filled in.
    offers : tuple of Offer
        One for each utility function.
    """

    snapshot: Snapshot
    inquiry: Inquiry
    terms: QuoteTerms
    offers: tuple[Offer, ...]

    def __repr__(self) -> str:
        job = self.inquiry
        return (
            f"<Quote: {job.processors} processors for {span(job.request)} under"
            f" {self.terms.scheduler}>"
        )

    @property
    def reserve(self) -> float:
        """SU per requested processor-hour below which the scheduler has jobs wait for idle time."""
        return float(str(make_scheduler(self.terms.scheduler).options.get("reserve", 0)))

    def below_reserve(self, offer: Offer) -> bool:
        """Return whether even what the job is worth at once is too little for the scheduler."""
        hours = self.inquiry.processors * self.inquiry.request / SECONDS_PER_HOUR
        return float(offer.curve.values.max(initial=0.0)) < self.reserve * hours


def quote(
    snapshot: Snapshot,
    inquiry: Inquiry,
    curves: Mapping[str, UtilityFunction],
    terms: QuoteTerms | None = None,
) -> Quote:
    """Tell when a job would complete and what it would be charged, if it were submitted.

    Run times of the job and of all others are drawn from what is known of jobs that ended
    (`utilitysched.market.quote.ratios.Past`); nobody else is submitted. Utility
    functions are compared with the same draws.

    Parameters
    ----------
    snapshot : Snapshot
        The moment.
    inquiry : Inquiry
        The job.
    curves : mapping of str to UtilityFunction
        What it may be worth; each gets an offer.
    terms : QuoteTerms, optional
        How.

    Raises
    ------
    InputError
        The job cannot run on the machine, nobody is named who decides, a mechanism cannot charge
        in advance, or the later time is not after the moment.

    Examples
    --------
    >>> curve = UtilityFunction([0, 3600], [36, 0])
    >>> empty = Snapshot(0.0, 4)
    >>> made = quote(empty, Inquiry(4, 1800.0), {"": curve}, QuoteTerms("easy"))
    >>> made.offers[0].now.charges["first-price:reading=end"].mean
    18.0
    """
    quoter = Quoter.of(snapshot, inquiry, terms or QuoteTerms())
    offers = tuple(quoter.offer(name, curve) for name, curve in curves.items())
    return Quote(snapshot, inquiry, quoter.terms, offers)


@dataclass(frozen=True, eq=False)
class Quoter:
    """Makes offers for one job at one moment.

    Attributes
    ----------
    snapshot, inquiry, terms
        As `quote` takes them.
    foresight : Foresight
        Tells what the scheduler will do.
    draws : Quantiles
        What is drawn.
    mechanisms : tuple of PriceMechanism
        Who charges.
    takes_back : bool
        The scheduler takes processors back from jobs that may be run again.
    rule : ForecastRule or None
        How the scheduler reads utility functions, where charges go by that.
    """

    snapshot: Snapshot
    inquiry: Inquiry
    terms: QuoteTerms
    foresight: Foresight
    draws: Quantiles
    mechanisms: tuple[PriceMechanism, ...]
    takes_back: bool = False
    rule: ForecastRule | None = None

    @classmethod
    def of(cls, snapshot: Snapshot, inquiry: Inquiry, terms: QuoteTerms) -> Self:
        """Return who makes offers by these terms, as `quote` does; it refuses what that refuses."""
        terms = _settled(terms, snapshot)
        _check(inquiry, snapshot)
        scheduler = make_scheduler(terms.scheduler)
        mechanisms = tuple(make_mechanism(name) for name in terms.mechanisms)
        return cls(
            snapshot,
            inquiry,
            terms,
            foresight_of(scheduler, snapshot, terms.seed, replan=terms.replan),
            Quantiles(snapshot, terms.samples, terms.seed),
            mechanisms,
            takes_back=scheduler.restart_terms is not None,
            rule=reading_of(scheduler) if any(each.ranks for each in mechanisms) else None,
        )

    def expected(self, curve: UtilityFunction, submit: float) -> Prospect:
        """Return what to expect of the job alone, if it is submitted at some time (s)."""
        return self._prospect(self._futures(curve, submit), curve)

    def offer(self, name: str, curve: UtilityFunction) -> Offer:
        """Answer for one utility function."""
        futures = self._futures(curve, self.snapshot.now)
        found = twice_as_fast(
            futures,
            lambda factor, *, roughly: self._futures(
                multiplied(curve, factor), self.snapshot.now, roughly=roughly
            ),
            bids_matter=self.foresight.bids_matter,
            worth=curve.start_value,
        )
        later = None
        if self.terms.later is not None:
            later = self.expected(curve, self.terms.later)
        rerunnable = None
        if self.takes_back:
            killed = self._futures(curve, self.snapshot.now, rerunnable=True)
            rerunnable = self._prospect(killed, curve)
        now, hurry = self._prospect(futures, curve), self._hurry(found, curve)
        return Offer(name, curve, now, hurry, later, rerunnable)

    def _hurry(self, found: Faster, curve: UtilityFunction) -> Hurry:
        if found.factor is None or found.futures is None:
            return Hurry(None, found.why, None)
        bid = multiplied(curve, found.factor)
        return Hurry(found.factor, "", self._prospect(found.futures, bid))

    def _futures(
        self,
        curve: UtilityFunction,
        submit: float,
        *,
        roughly: bool = False,
        rerunnable: bool = False,
    ) -> Futures:
        """Play what happens if the job is submitted at some time with this utility function."""
        snapshot, told = self.snapshot, None
        if rerunnable:
            rules = PreemptionRules.from_text(snapshot.rules)
            told = record_of(self.inquiry.processors, rules, rerunnable=True)
        numbers = [job.id for job in snapshot.running] + [job.id for job in snapshot.queued]
        number = 1 + max(numbers, default=0)
        scenario = Scenario.of(snapshot, self.inquiry.submitted(number, submit, curve, told))
        runs = scenario.runs(self.draws.shares(scenario))
        return self.foresight.futures(scenario, runs, roughly=roughly)

    def _prospect(self, futures: Futures, curve: UtilityFunction) -> Prospect:
        """Sum up what was played for a job with this utility function, and charge for it."""

        def spread(samples: Floats) -> Spread:
            return Spread.of(samples, self.terms.quantiles)

        return Prospect(
            futures.scenario.submit,
            spread(futures.wait),
            spread(futures.turnaround),
            spread(futures.completion),
            spread(curve(futures.turnaround)),
            {
                mechanism.label: spread(charges_of(mechanism, futures, self.terms.seed, self.rule))
                for mechanism in self.mechanisms
            },
            self._displaced(futures) if self.takes_back else None,
        )

    def _displaced(self, futures: Futures) -> Displaced | None:
        """Sum up who is stopped for whom."""
        found, shares = futures.displacements, self.terms.quantiles
        if found is None:
            return None
        chance, stops = float((found.stopped > 0).mean()), float(found.stopped.mean())
        sums = (Spread.of(each, shares) for each in (found.lost, found.taken))
        return Displaced(chance, stops, *sums)


def multiplied(curve: UtilityFunction, factor: float) -> UtilityFunction:
    """Return a utility function with all values multiplied."""
    return UtilityFunction(curve.times, curve.values * factor)


def _settled(terms: QuoteTerms, snapshot: Snapshot) -> QuoteTerms:
    """Return the terms with whoever decides, and refuse what cannot be."""
    scheduler = terms.scheduler or snapshot.scheduler
    if not scheduler:
        raise InputError("the snapshot does not say who decides", remedy="give --scheduler NAME")
    if terms.samples < 1:
        raise InputError(f"{terms.samples} samples", field="samples", remedy="give 1 or more")
    for share in terms.quantiles:
        if not 0 <= share <= 1:
            raise InputError(f"{share:.15g} is no share of 1", field="quantiles")
    if terms.later is not None and not snapshot.now < terms.later < np.inf:
        raise InputError(
            f"{terms.later:.15g} is not after the moment ({snapshot.now:.15g})", field="later"
        )
    mechanisms = terms.mechanisms
    if mechanisms == MECHANISMS:
        mechanisms = as_read_by(scheduler, mechanisms)
    return replace(terms, scheduler=scheduler, mechanisms=mechanisms)


def _check(inquiry: Inquiry, snapshot: Snapshot) -> None:
    """Refuse a job that cannot run."""
    if not 1 <= inquiry.processors <= snapshot.machine_size:
        raise InputError(
            f"{inquiry.processors} is not from 1 to {snapshot.machine_size}", field="processors"
        )
    if not 0 <= inquiry.request < np.inf:
        raise InputError(f"{inquiry.request:.15g} s", field="request", remedy="give 0 or more")
    if inquiry.priority < 0:
        raise InputError(f"{inquiry.priority} is below 0", field="priority")
