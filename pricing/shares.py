"""Shares of what stops cost, by payer: lost work and restarts, and the value of displaced jobs.

A job is charged by the mechanism for what it did. A stop has two prices of its own.

*Lost work and restart overhead* cost processor-hours at the rate of the job that lost them, or,
where charges come from no rate, at `lost_rate`. The centre has that to get. It is paid by one of

- *the centre*: nobody is charged for it;
- *the preemptor*: the job for whose sake another one was preempted. What nobody caused falls to the
  centre: failures, preemptions for nobody's sake, and those for jobs that are let off;
- *the preempted*: the job that was preempted. Failures fall to the centre;
- *the stopped*: the job that was stopped, for whatever reason, failures too; not one that pays
  nothing because neighbours slowed it until it was killed.

*The value of a displaced job*: a scheduler that displaces jobs at a price has said what each stop
costs its job: lost work, at a share of what processors earn, and lost value. The job for whose sake
it was stopped pays that. The owner of the job that was stopped gets of it, with all that the job
got before, at most

- what the job was still worth when it was stopped, by its own utility function, and
- what the job itself pays, but for displacing others.

So nobody is paid for a job that is worth nothing, whatever its user says that it is worth. The rest
is the centre's, or is not charged; or all of it is the centre's. Nobody pays for other stops, nor
for jobs that are let off.

What is lost by jobs that are let off has no price. With a cap a job pays first for itself, then for
lost work, one stop after the other, then those whom it displaced, until it has paid what it was
worth; the rest is borne by whoever would have got it. What it gets itself is not for that.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from pricing.outcome import SECONDS_PER_HOUR, Outcome
from pricing.reasons import COMPENSATED, CUT, FOR_DISPLACED, FOR_ITSELF, FOR_OTHERS
from pricing.resources import CPU, amounts_of
from pricing.waste import (
    LOST_RATE,
    NO,
    NOBODY,
    OWNERS,
    OWNERS_ONLY,
    PREEMPTED,
    PREEMPTOR,
    STOPPED,
    Waste,
    WasteRule,
)
from swfx import InputError
from swfx.base.columns import Bools, Floats, Ints


@dataclass(frozen=True, eq=False)
class Dues:
    """Costs of w stops, with the payers and receivers of each.

    Attributes
    ----------
    price : ndarray of float64, shape (w,)
        SU.
    payer, receiver : ndarray of int64, shape (w,)
        Places, among the n jobs that pay, of the jobs that pay and get it; `NOBODY` for the centre.
    paid : ndarray of float64, shape (w,)
        SU, no more than the price.
    received : ndarray of float64, shape (w,)
        What the receiver gets of that (SU); the centre gets the rest.
    """

    price: Floats
    payer: Ints
    receiver: Ints
    paid: Floats
    received: Floats

    @classmethod
    def of(cls, price: Floats, payer: Ints, receiver: Ints) -> Dues:
        """Return prices that are paid in full to the centre where there is a payer."""
        paid = np.where(payer == NOBODY, 0.0, price)
        return cls(price, payer, receiver, paid, np.zeros(len(price)))

    @property
    def borne(self) -> Floats:
        """What whoever should get the price bears of it (SU), shape (w,)."""
        left: Floats = self.price - self.paid
        return left

    @property
    def to_centre(self) -> Floats:
        """What the centre gets (SU), shape (w,)."""
        rest: Floats = self.paid - self.received
        return rest

    def paid_by(self, jobs: int) -> Floats:
        """Return what each of the jobs pays (SU)."""
        return _by_job(self.payer, self.paid, jobs)

    def paid_to(self, jobs: int) -> Floats:
        """Return what each of the jobs gets (SU)."""
        return _by_job(self.receiver, self.received, jobs)

    def within(self, left: Floats) -> Dues:
        """Return dues of jobs that have no more left than so much (SU), shape (n,): it is taken."""
        paid = self.paid.copy()
        for row in np.flatnonzero(self.payer != NOBODY).tolist():
            job = self.payer[row]
            paid[row] = min(paid[row], left[job])
            left[job] -= paid[row]
        return replace(self, paid=paid)

    def passed_on(self, value_left: Floats, asked: Floats) -> Dues:
        """Return the dues with what receivers get of them.

        Parameters
        ----------
        value_left : ndarray of float64, shape (w,)
            What the receiver of each still had to lose (SU).
        asked : ndarray of float64, shape (n,)
            What each job pays, but for displacing others (SU).
        """
        received, total = np.zeros(len(self.paid)), np.zeros(len(asked))
        # stops of a job are in order of time: what it got for the first counts at the next
        for row in np.flatnonzero(self.receiver != NOBODY).tolist():
            job = self.receiver[row]
            most = min(value_left[row], asked[job])
            received[row] = min(self.paid[row], max(most - total[job], 0.0))
            total[job] += received[row]
        return replace(self, received=received)


def _by_job(place: Ints, amount: Floats, jobs: int) -> Floats:
    known = place != NOBODY
    sums: Floats = np.bincount(place[known], amount[known], jobs).astype(np.float64)
    return sums


@dataclass(frozen=True, eq=False)
class Shares:
    """Charges of n jobs, and the cost of each stop with its payer.

    Attributes
    ----------
    own : ndarray of float64, shape (n,)
        What each pays for itself (SU).
    waste : Waste
        The w stops.
    rule : WasteRule
        Who was to pay, and whom.
    stopped : ndarray of int64, shape (w,)
        Place, among the n jobs that pay, of the job that was stopped.
    hours : ndarray of float64, shape (w,)
        Hours lost, of the resource that rates are for: processors.
    rate : ndarray of float64, shape (w,)
        SU for each of them.
    work : Dues
        For lost work and restarts.
    displaced : Dues
        For the value that displaced jobs lost.
    value_left : ndarray of float64, shape (w,)
        What each stopped job was still worth when it was stopped, by its utility function (SU).
    """

    own: Floats
    waste: Waste
    rule: WasteRule
    stopped: Ints
    hours: Floats
    rate: Floats
    work: Dues
    displaced: Dues
    value_left: Floats

    @property
    def unpaid_seconds(self) -> Floats:
        """For how long each job held its processors for nothing at others' cost (s), shape (n,)."""
        others = self.work.payer != self.stopped
        return _by_job(self.stopped[others], self.waste.seconds[others], len(self.own))

    @property
    def gross(self) -> Floats:
        """What each job pays, for itself and for stops (SU), shape (n,)."""
        jobs = len(self.own)
        whole: Floats = self.own + self.work.paid_by(jobs) + self.displaced.paid_by(jobs)
        return whole

    @property
    def received(self) -> Floats:
        """What each job gets for having been displaced (SU), shape (n,)."""
        return self.displaced.paid_to(len(self.own))

    @property
    def charge(self) -> Floats:
        """What each job pays in all, less what it gets (SU), shape (n,)."""
        net: Floats = self.gross - self.received
        return net

    @property
    def to_centre(self) -> Floats:
        """What the centre gets (SU), shape (n + 2 w,): for the jobs themselves, then for stops."""
        return np.concatenate((self.own, self.work.to_centre, self.displaced.to_centre))

    def within(self, limit: Floats) -> Shares:
        """Return the shares of jobs that pay no more than so much (SU), shape (n,)."""
        own = np.minimum(self.own, limit)
        left = limit - own
        work = self.work.within(left)
        asked = own + work.paid_by(len(own))
        due = Dues.of(self.displaced.price, self.displaced.payer, self.displaced.receiver)
        if self.rule.receiver == OWNERS_ONLY:
            due = due.passed_on(self.value_left, asked)
            due = replace(due, paid=due.received)
        displaced = due.within(left).passed_on(self.value_left, asked)
        return replace(self, own=own, work=work, displaced=displaced)

    def reasons(self, why: Sequence[str], cut: Bools) -> list[str]:
        """Add to why the mechanism charges each job, or not, what else it pays for, and gets.

        Parameters
        ----------
        why : sequence of str
            Said by the mechanism, of each job.
        cut : ndarray of bool, shape (n,)
            Whose charge is cut: more is not said of what they pay.
        """
        tags = [[CUT] if cut[job] else [text] for job, text in enumerate(why)]
        itself = self.work.payer == self.stopped
        for owner, reason in (
            (_payers_of(self.work, itself), FOR_ITSELF),
            (_payers_of(self.work, ~itself), FOR_OTHERS),
            (_payers_of(self.displaced), FOR_DISPLACED),
            (np.flatnonzero(self.received), COMPENSATED),
        ):
            for job in owner.tolist():
                if reason == COMPENSATED or not cut[job]:
                    tags[job].append(reason)
        for job in np.flatnonzero(self.own == 0).tolist():
            if len(tags[job]) > 1 and not cut[job]:
                tags[job][0] = ""  # the mechanism has said why it does not charge
        return [", ".join(filter(None, each)) for each in tags]


def _payers_of(dues: Dues, rows: Bools | bool = True) -> Ints:
    """Return who pays anything, each once, in some rows."""
    payers: Ints = np.unique(dues.payer[(dues.paid > 0) & rows])
    return payers


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
    held = np.nan_to_num(amounts_of(outcome.workload, per))
    hours = held[stopped] * waste.seconds / SECONDS_PER_HOUR
    of_waste = np.where(np.isnan(rate), LOST_RATE, rate)[stopped]
    if rule.rate is not None:
        of_waste = np.full(len(waste), rule.rate)
    with np.errstate(over="ignore"):  # refused
        price = hours * of_waste
    _require_finite(outcome, stopped, price)
    nobody = np.full(len(stopped), NOBODY)
    work = Dues.of(price, _payers(outcome, rule.payer, stopped), nobody)
    displaced = _displaced(outcome, rule.receiver, stopped)
    since = waste.time - outcome.workload.submit[stopped]
    left = outcome.workload.utility.take(stopped).evaluate(since)
    shares = Shares(own, waste, rule, stopped, hours, of_waste, work, displaced, left)
    return shares.within(np.full(len(own), np.inf))


def _payers(outcome: Outcome, payer_by: str, stopped: Ints) -> Ints:
    assert outcome.waste is not None
    if payer_by == STOPPED:
        return np.where(outcome.let_off[stopped], NOBODY, stopped)
    if payer_by == PREEMPTED:
        return np.where(outcome.waste.preempted, stopped, NOBODY)
    if payer_by == PREEMPTOR:
        return outcome.places(outcome.waste.cause)
    return np.full(len(stopped), NOBODY)


def _displaced(outcome: Outcome, receiver: str, stopped: Ints) -> Dues:
    """Return what is due for the value that displaced jobs lost."""
    waste, nobody = outcome.waste, np.full(len(stopped), NOBODY)
    assert waste is not None
    price = np.zeros(len(stopped)) if waste.value_lost is None else waste.value_lost
    payer = (
        nobody if receiver == NO else np.where(waste.preempted, outcome.places(waste.cause), NOBODY)
    )
    return Dues.of(price, payer, stopped if receiver in (OWNERS, OWNERS_ONLY) else nobody)


def _require_finite(outcome: Outcome, stopped: Ints, price: Floats) -> None:
    endless = ~np.isfinite(price)
    if endless.any():
        job = outcome.workload.job_name(stopped[endless.argmax()])
        raise InputError(
            f"what job {job} lost costs more SU than a number can say",
            source="price mechanism",
            field="lost_rate",
            remedy="give a lower rate",
        )
