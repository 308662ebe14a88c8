"""Shares of lost work and restart overhead, by payer.

A job is charged by the mechanism for what it did. What was lost where jobs were stopped has a price
of its own: processor-hours at the rate of the job that lost them, or, where charges come from no
rate, at `lost_rate`. It is paid by one of

- *the centre*: nobody is charged for it;
- *the preemptor*: the job for whose sake another one was preempted. What nobody caused falls to the
  centre: failures, preemptions for nobody's sake, and those for jobs that are let off;
- *the preempted*: the job that was preempted. Failures fall to the centre;
- *the stopped*: the job that was stopped, for whatever reason, failures too.

What is lost by jobs that are let off has no price. With a cap a job pays first for itself, then for
one stop after the other, until it has paid what it was worth; the centre bears the rest.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from pricing.outcome import SECONDS_PER_HOUR, Outcome
from pricing.reasons import FOR_ITSELF, FOR_OTHERS
from pricing.resources import CPU, amounts_of
from pricing.waste import LOST_RATE, NOBODY, PREEMPTED, PREEMPTOR, STOPPED, Waste, WasteRule
from swfx import InputError
from swfx.base.columns import Floats, Ints


@dataclass(frozen=True, eq=False)
class Shares:
    """What n jobs pay for themselves, and what every stop of one of them costs, and whom.

    Attributes
    ----------
    own : ndarray of float64, shape (n,)
        What each pays for itself (SU).
    waste : Waste
        The w stops.
    payer_by : {"centre", "preemptor", "preempted", "stopped"}
        Who was to pay.
    stopped : ndarray of int64, shape (w,)
        Place, among the n jobs that pay, of the job that was stopped.
    hours : ndarray of float64, shape (w,)
        Hours lost, of the resource that rates are for: processors.
    rate : ndarray of float64, shape (w,)
        SU for each of them.
    payer : ndarray of int64, shape (w,)
        Place of the job that pays; `NOBODY` for the centre.
    paid : ndarray of float64, shape (w,)
        What it pays (SU); the centre bears the rest of the price.
    """

    own: Floats
    waste: Waste
    payer_by: str
    stopped: Ints
    hours: Floats
    rate: Floats
    payer: Ints
    paid: Floats

    @property
    def price(self) -> Floats:
        """What each stop costs (SU), shape (w,)."""
        return _price(self.hours, self.rate)

    @property
    def borne(self) -> Floats:
        """What the centre bears of that (SU), shape (w,)."""
        left: Floats = self.price - self.paid
        return left

    @property
    def unpaid_seconds(self) -> Floats:
        """For how long each job held its processors for nothing at others' cost (s), shape (n,)."""
        others = self.payer != self.stopped
        seconds = self.waste.seconds[others]
        found: Floats = np.bincount(self.stopped[others], seconds, len(self.own)).astype(np.float64)
        return found

    @property
    def charge(self) -> Floats:
        """What each job pays in all (SU), shape (n,)."""
        pays = self.payer != NOBODY
        for_stops = np.bincount(self.payer[pays], self.paid[pays], len(self.own))
        whole: Floats = self.own + for_stops
        return whole

    def within(self, limit: Floats) -> Shares:
        """Return the shares of jobs that pay no more than so much (SU), shape (n,)."""
        own, paid = np.minimum(self.own, limit), self.paid.copy()
        left = limit - own
        for row in np.flatnonzero(self.payer != NOBODY).tolist():
            job = self.payer[row]
            paid[row] = min(paid[row], left[job])
            left[job] -= paid[row]
        return replace(self, own=own, paid=paid)

    def reasons(self, why: Sequence[str]) -> list[str]:
        """Add to why the mechanism charges each job, or not, what it pays for beside."""
        tags = [[text] for text in why]
        for row in np.flatnonzero(self.paid > 0).tolist():
            job = self.payer[row]
            if not self.own[job]:
                tags[job][0] = ""  # the mechanism has said why it does not charge
            tag = FOR_ITSELF if job == self.stopped[row] else FOR_OTHERS
            if tag not in tags[job]:
                tags[job].append(tag)
        return [", ".join(filter(None, each)) for each in tags]


def shares_of(
    outcome: Outcome, rule: WasteRule, own: Floats, rate: Floats, per: str = CPU
) -> Shares | None:
    """Return what every stop costs, and whom; None where no job could be stopped.

    Parameters
    ----------
    outcome : Outcome
        n jobs that pay, with their `waste`.
    rule : WasteRule
        Of the mechanism.
    own : ndarray of float64, shape (n,)
        What it asks of each job (SU).
    rate : ndarray of float64, shape (n,)
        At which it charges each job (SU per hour of `per`), NaN where it does at none.
    per : str
        The resource that rates are for.

    Raises
    ------
    InputError
        A price is beyond what a number can say.
    """
    waste = outcome.waste
    if waste is None:
        return None
    stopped = outcome.places(waste.job)
    held = outcome.workload.size if per == CPU else np.nan_to_num(amounts_of(outcome.workload, per))
    hours = held[stopped] * waste.seconds / SECONDS_PER_HOUR
    of_waste = np.where(np.isnan(rate), LOST_RATE, rate)[stopped]
    if rule.rate is not None:
        of_waste = np.full(len(waste), rule.rate)
    price = _price(hours, of_waste)
    _require_finite(outcome, stopped, price)
    payer = _payers(outcome, rule.payer, stopped)
    paid = np.where(payer == NOBODY, 0.0, price)
    return Shares(own, waste, rule.payer, stopped, hours, of_waste, payer, paid)


def _payers(outcome: Outcome, payer_by: str, stopped: Ints) -> Ints:
    assert outcome.waste is not None
    if payer_by == STOPPED:
        return stopped
    if payer_by == PREEMPTED:
        return np.where(outcome.waste.preempted, stopped, NOBODY)
    if payer_by == PREEMPTOR:
        return outcome.places(outcome.waste.cause)
    return np.full(len(stopped), NOBODY)


def _price(hours: Floats, rate: Floats) -> Floats:
    with np.errstate(over="ignore"):  # refused
        price: Floats = hours * rate
    return price


def _require_finite(outcome: Outcome, stopped: Ints, price: Floats) -> None:
    endless = ~np.isfinite(price)
    if endless.any():
        job = outcome.workload.job_id[stopped[endless.argmax()]]
        raise InputError(
            f"what job {job} lost costs more SU than a number can say",
            source="price mechanism",
            field="lost_rate",
            remedy="give a lower rate",
        )
