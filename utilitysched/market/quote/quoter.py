"""Making of quotes: the job is added to a moment, all is played on, and the job is charged."""

import math
from collections.abc import Callable
from dataclasses import replace

import numpy as np

from checkpoint import PreemptionRules
from pricing import make_mechanism
from pricing.registry import PriceMechanism
from swfx import InputError, UtilityFunction
from swfx.base.numbers import plural, span
from utilitysched.counterfactual.plan_comparison import search_time
from utilitysched.counterfactual.readings import reading_of
from utilitysched.kernels.compiling import working_time
from utilitysched.market.quote.charging import FutureCharges
from utilitysched.market.quote.foresight import Playing, foresight_of
from utilitysched.market.quote.futures import Futures
from utilitysched.market.quote.offer import (
    Displaced,
    Hurry,
    Offer,
    Prospect,
    Quote,
    Spread,
    median,
)
from utilitysched.market.quote.request import WORTHLESS, QuotedJob
from utilitysched.market.quote.run_times import Draws
from utilitysched.market.quote.scenario import Scenario, record_of
from utilitysched.market.quote.terms import QuoteTerms
from utilitysched.model.state import Floats
from utilitysched.runs.snapshot import Snapshot
from utilitysched.schedulers.registry import make_scheduler

STEPS = 8
"""Factors looked at between a value and twice that: the factor found is at most 9% too large."""

DOUBLINGS = 10
"""Of a bid at most: 1,024 times the bid."""

TRIES = 2
"""Steps tried from the one found in rough futures on, before the largest."""

SETTLED = 3
"""Samples after which the shortest took no time for loading code."""


def quote(
    snapshot: Snapshot,
    job: QuotedJob,
    terms: QuoteTerms | None = None,
    on_progress: Callable[[float], None] = lambda _: None,
) -> Quote:
    """Return the predicted start, completion and charges of a job if submitted at a moment.

    Run times of the job and of all others are drawn from what is known of jobs that ended
    (`utilitysched.market.quote.run_times.Past`); nobody else is submitted. Utility functions are
    compared with the same draws.

    Parameters
    ----------
    snapshot : Snapshot
        The moment.
    job : QuotedJob
        The job; each of its utility functions gets an offer.
    terms : QuoteTerms, optional
        Terms of the quote.
    on_progress : callable
        Takes the share that is done, now and then.

    Raises
    ------
    InputError
        The job cannot run on the machine, no scheduler is named, a mechanism cannot charge in
        advance, the later time is not after the moment, or the quote takes longer than its limit.

    Examples
    --------
    >>> curve = UtilityFunction([0, 3600], [36, 0])
    >>> job = QuotedJob(4, 1800.0, curves={"": curve})
    >>> made = quote(Snapshot(0.0, 4), job, QuoteTerms("easy"))
    >>> made.offers[0].now.charges["first-price"].mean
    18.0
    """
    job = job if job.curves else replace(job, curves={"worth nothing": WORTHLESS})
    quoter = Quoter(snapshot, job, terms or QuoteTerms(), on_progress)
    offers = tuple(quoter.offer(name) for name in job.curves)
    return Quote(snapshot, job, quoter.terms, offers)


class Patience:
    """Time limit of a quote, without compilation, and its progress.

    Parameters
    ----------
    limit : float
        Longest time that the quote may take (s).
    samples : int
        Samples of each scenario.
    scenarios : int
        Scenarios that are played, about.
    on_progress : callable
        Takes the share that is done.
    """

    def __init__(
        self, limit: float, samples: int, scenarios: int, on_progress: Callable[[float], None]
    ) -> None:
        self.limit, self.samples = limit, samples
        self._all, self._done, self._on_progress = samples * scenarios, 0, on_progress
        self._began = self._latest = working_time()
        self._shortest = math.inf

    def look(self) -> None:
        """Refuse to go on after the limit.

        Raises
        ------
        InputError
            The limit is reached.
        """
        if working_time() - self._began > self.limit:
            raise self._refusal(
                f"{plural(self._done, 'sample')} of {self._all:,} took {span(self.limit)}"
            )

    def count(self) -> None:
        """Note that one more sample is done, and refuse to begin what lasts beyond the limit.

        Raises
        ------
        InputError
            The other samples of the scenario would take too long.
        """
        self.look()
        self._done += 1
        self._on_progress(min(1.0, self._done / self._all))
        now = working_time()
        self._shortest, self._latest = min(self._shortest, now - self._latest), now
        left = -self._done % self.samples
        if left and self._done >= SETTLED:
            self._require(now + left * self._shortest, f"{self.samples} samples of one scenario")

    def require_plans(self, queued: int) -> None:
        """Refuse to search for plans of so many jobs if that takes too long.

        Raises
        ------
        InputError
            The search would take beyond the limit, or it is reached.
        """
        self.look()
        end = working_time() + search_time(queued)
        self._require(end, f"plans without the job, for charges by vcg with {queued:,} queued,")

    def _require(self, end: float, what: str) -> None:
        if end - self._began > self.limit:
            raise self._refusal(f"{what} would take about {span(end - self._began)}")

    def _refusal(self, problem: str) -> InputError:
        return InputError(
            f"{problem}, and the limit is {span(self.limit)}",
            field="limit",
            remedy="give a longer one, fewer samples, a scheduler such as easy, or mechanisms"
            " without vcg",
        )


class Quoter:
    """Maker of the offers for one job at one moment.

    Parameters
    ----------
    snapshot, job, terms, on_progress
        As `quote` takes them; refused likewise.

    Attributes
    ----------
    terms : QuoteTerms
        The terms, with the scheduler filled in.
    """

    def __init__(
        self,
        snapshot: Snapshot,
        job: QuotedJob,
        terms: QuoteTerms,
        on_progress: Callable[[float], None] = lambda _: None,
    ) -> None:
        self.snapshot, self.job, self.terms = snapshot, job, _settled(terms, snapshot)
        _check(job, snapshot)
        scheduler = make_scheduler(self.terms.scheduler)
        self._steps = 1 if terms.rounded else STEPS
        self._mechanisms = [make_mechanism(name) for name in self.terms.mechanisms]
        self._foresight = foresight_of(scheduler, snapshot, terms.seed, replan=terms.replan)
        others = len(snapshot.queued) + len(snapshot.running)
        self._draws = Draws(others, terms.samples, terms.seed)
        self._takes_back = scheduler.restart_terms is not None
        reads = any(each.ranks for each in self._mechanisms)
        self._rule = reading_of(scheduler) if reads else None
        bids = TRIES + 1 + (DOUBLINGS * STEPS).bit_length() if self._foresight.bids_matter else 0
        scenarios = 1 + bids + (terms.later is not None) + self._takes_back
        self._patience = Patience(
            terms.limit, terms.samples, scenarios * max(1, len(job.curves)), on_progress
        )

    def expected(self, curve: UtilityFunction, submit: float) -> Prospect:
        """Return the prospect of the job with a utility function, submitted at some time (s)."""
        return self._prospect(self._futures(curve, submit), curve)

    def offer(self, name: str) -> Offer:
        """Return the offer for a utility function of the job, by name."""
        curve, now, later = self.job.curves[name], self.snapshot.now, self.terms.later
        futures = self._futures(curve, now)
        # charges are computed while the scheduler is as these futures have left it
        prospect = self._prospect(futures, curve)
        hurry = self._hurry(curve, futures)
        after = None if later is None else self.expected(curve, later)
        rerunnable = None
        if self._takes_back:
            rerunnable = self._prospect(self._futures(curve, now, rerunnable=True), curve)
        rounded = (each.label for each in self._mechanisms if self._is_rounded(each))
        return Offer(name, curve, prospect, hurry, after, rerunnable, tuple(rounded))

    def _hurry(self, curve: UtilityFunction, futures: Futures) -> Hurry:
        """Return the least factor on a utility function that halves the median turnaround.

        It is found by bisection in rough futures, as if a higher bid never made a job later, and
        then raised until it does in good ones. Schedulers may break that now and then; a smaller
        factor may do as well.
        """
        why = self._hopeless(curve, futures)
        if why:
            return Hurry(None, why, None)
        goal, now = median(futures.turnaround) / 2, self.snapshot.now
        most = self._most(curve)

        def with_bid(step: int, *, roughly: bool) -> Futures:
            return self._futures(multiplied(curve, self._factor(step)), now, roughly=roughly)

        step = _least(lambda step: median(with_bid(step, roughly=True).turnaround) <= goal, most)
        for tried in sorted({*range(step, min(step + TRIES, most)), most}):
            best = with_bid(tried, roughly=False)
            if median(best.turnaround) <= goal:
                bid = multiplied(curve, self._factor(tried))
                return Hurry(self._factor(tried), "", self._prospect(best, bid))
        return Hurry(None, f"not even with {self._factor(most):,.4g} times the bid", None)

    def _factor(self, step: int) -> float:
        return float(np.exp2(step / self._steps))

    def _most(self, curve: UtilityFunction) -> int:
        """Return the largest step that the budget allows, at most so many doublings."""
        room = self.terms.budget / float(curve.values.max())
        return math.floor(min(DOUBLINGS, math.log2(max(room, 1.0))) * self._steps)

    def _hopeless(self, curve: UtilityFunction, futures: Futures) -> str:
        """Return why no bid halves the median turnaround; empty if one may."""
        if median(futures.wait) == 0:
            return "the job starts at once anyway"
        if median(futures.turnaround - futures.wait) > median(futures.turnaround) / 2:
            return "it would run for more than half of that"
        if not self._foresight.bids_matter:
            return "the scheduler does not look at bids"
        if curve.start_value <= 0:
            return "the job is worth nothing, by whatever that is multiplied"
        if self._most(curve) == 0:
            return "the account could not pay a higher one"
        return ""

    def _futures(
        self,
        curve: UtilityFunction,
        submit: float,
        *,
        roughly: bool = False,
        rerunnable: bool = False,
    ) -> Futures:
        """Play on from the moment with the job submitted at some time with a utility function."""
        snapshot, record = self.snapshot, None
        if rerunnable:
            rules = PreemptionRules.from_text(snapshot.rules)
            record = record_of(self.job.processors, rules, rerunnable=True)
        numbers = [job.id for job in snapshot.running] + [job.id for job in snapshot.queued]
        job = self.job.submitted(1 + max(numbers, default=0), submit, curve, record)
        scenario = Scenario.of(snapshot, job)
        whole = any(each.scope == "schedule" for each in self._mechanisms)
        playing = Playing(roughly, whole, self._patience.look, self._patience.count)
        return self._foresight.futures(scenario, scenario.runs(self._draws), playing)

    def _prospect(self, futures: Futures, curve: UtilityFunction) -> Prospect:
        """Return the prospect in futures of a job with this utility function, with charges."""

        def spread(samples: Floats) -> Spread:
            return Spread.of(samples, self.terms.quantiles)

        charges = FutureCharges(futures, self.terms.seed, self._rule, self._patience.require_plans)
        return Prospect(
            futures.scenario.submit,
            spread(futures.wait),
            spread(futures.turnaround),
            spread(futures.completion),
            spread(curve(futures.turnaround)),
            {
                each.label: charge.in_bands() if self._is_rounded(each) else charge
                for each in self._mechanisms
                for charge in [spread(charges.by(each))]
            },
            self._displaced(futures, curve) if self._takes_back else None,
        )

    def _displaced(self, futures: Futures, curve: UtilityFunction) -> Displaced | None:
        stops, shares = futures.displacements(curve), self.terms.quantiles
        if stops is None:
            return None
        chance, mean = float((stops.stopped > 0).mean()), float(stops.stopped.mean())
        prices = [Spread.of(each, shares) for each in stops[1:]]
        if self.terms.rounded:
            prices = [each.in_bands() for each in prices]
        return Displaced(chance, mean, *prices)

    def _is_rounded(self, mechanism: PriceMechanism) -> bool:
        return self.terms.rounded and mechanism.tells_bids


def multiplied(curve: UtilityFunction, factor: float) -> UtilityFunction:
    """Return a utility function with all values multiplied."""
    return UtilityFunction(curve.times, curve.values * factor)


def _least(enough: Callable[[int], bool], most: int) -> int:
    """Return the first step that is enough, `most` if there is none below."""
    short = 0
    if not enough(most):
        return most
    while most - short > 1:
        middle = (short + most) // 2
        if enough(middle):
            most = middle
        else:
            short = middle
    return most


def _settled(terms: QuoteTerms, snapshot: Snapshot) -> QuoteTerms:
    """Return the terms with the scheduler filled in, and refuse impossible ones."""
    scheduler = terms.scheduler or snapshot.scheduler
    if not scheduler:
        raise InputError("the snapshot does not say who decides", remedy="give `scheduler=NAME`")
    if terms.samples < 1:
        raise InputError(f"{terms.samples} samples", field="samples", remedy="give 1 or more")
    for share in terms.quantiles:
        if not 0 <= share <= 1:
            raise InputError(f"{share:.15g} is no share of 1", field="quantiles")
    if terms.later is not None and not snapshot.now < terms.later < np.inf:
        raise InputError(
            f"{terms.later:.15g} is not after the moment ({snapshot.now:.15g})", field="later"
        )
    return replace(terms, scheduler=scheduler)


def _check(job: QuotedJob, snapshot: Snapshot) -> None:
    """Refuse a job that cannot run."""
    if not 1 <= job.processors <= snapshot.machine_size:
        raise InputError(
            f"{job.processors} is not from 1 to {snapshot.machine_size}", field="processors"
        )
    if not 0 <= job.request < np.inf:
        raise InputError(f"{job.request:.15g} s", field="request", remedy="give 0 or more")
    if job.priority < 0:
        raise InputError(f"{job.priority} is below 0", field="priority")
