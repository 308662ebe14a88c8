"""A second price in each queue, for each instant at which its jobs start."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from pricing.ledger import TOLERANCE
from pricing.outcome import SECONDS_PER_HOUR, Outcome
from pricing.reader import NOBODY, Rounds
from pricing.readings import REQUESTED, SCHEDULER, ReadingMechanism, worth_of
from pricing.reasons import CUT, first_that_holds
from pricing.registry import HourlyMechanism, Prices, register
from swfx import Workload
from swfx.base.columns import Floats, Ints
from swfx.base.configured import choice

BATCH = 1_000_000
"""Bids that are found out at a time."""


@register("second-price")
@dataclass(frozen=True)
class SecondPrice(ReadingMechanism, HourlyMechanism):
    """The lowest bid among the jobs of a queue that start together; whose it is, the next lower.

    A round is an instant at which jobs of a queue start for the first time. Who takes part: the
    jobs of the queue that start then, and those that have been submitted and wait on. A bid is a
    job's value per processor-hour requested if it starts then; without a curve it is 0. The lowest
    bid of the jobs that start sets the price, which the others that start pay. It pays itself the
    best other bid of the round that is not above it, 0 if there is none: the first in the log, if
    several are lowest. The price is per processor-hour used.

    On shared nodes a job that ends after its requested end, because neighbours slowed it or a node
    failed, pays no more than it was then worth.

    Only the schedule is looked at: why a job waits while one with a lower bid starts (it may be too
    wide) is not. Jobs that are let off or never start are not known, and bid nothing.

    Attributes
    ----------
    reading : {"requested", "scheduler"}
        ``requested``: bids are what jobs are worth at their requested end, if they start at that
        instant. Nobody pays more than the job is worth, if it runs no longer than requested:
        utility functions never rise. ``scheduler``: what the scheduler took the jobs to be worth at
        that instant. The realised end is not known when jobs bid.

    Raises
    ------
    InputError
        By `price`, if no job has a utility function, or the scheduler's reading is charged and it
        reads none or is not known.

    References
    ----------
    Armada (armadaproject/armada, issues 4070, 4079 and 4868): market pools with a price for each
    round, where the bid that sets the price pays the second price.
    """

    scope = "round"

    reading: str = choice((REQUESTED, SCHEDULER), REQUESTED)

    @property
    def about(self) -> str:
        """What a user pays for."""
        return (
            "Jobs of a queue that start together pay the lowest bid among them for each"
            " processor-hour. The job that made this bid pays the next lower one."
        )

    def price(self, outcome: Outcome) -> Prices:
        """Price of the round in which each job started x its processor-hours."""
        outcome.require_utilities(self.name)
        rate = np.zeros(len(outcome))
        setter = None
        for begun in _batches(_begun_rounds(outcome)):
            bids, duration = self._bids(outcome, begun)
            if setter is None:
                setter = Rounds.blank(len(outcome), duration.shape[1] if self.ranks else 0)
            places = np.cumsum([0, *(len(each.present) for each in begun)])
            for each, first, last in zip(begun, places, places[1:], strict=False):
                each.enter(bids[first:last], duration[first:last], rate, setter)
        rounds = setter or Rounds.blank(len(outcome))
        charge = rate * outcome.processor_hours
        why = _why(charge, rate, rounds.setter)
        if not self.ranks:
            charge = _as_worth(charge, outcome.utility)
            # it ended later than it bid for, and not by its own doing
            late = outcome.shared & (outcome.end > outcome.start + outcome.workload.request)
            cut = late & (charge > outcome.utility)
            charge, rate = np.where(cut, outcome.utility, charge), np.where(cut, np.nan, rate)
            why = np.where(cut, CUT, why).tolist()
        return Prices(charge, rate, rounds, why)

    def _bids(self, outcome: Outcome, begun: list[_BegunRound]) -> tuple[Floats, Floats]:
        """Return the bids in some rounds, one after the other, and the durations read for them.

        A bid is a value per processor-hour requested (SU), a duration (s) of K samples.
        """
        jobs = np.concatenate([each.present for each in begun])
        at = np.repeat([each.now for each in begun], [len(each.present) for each in begun])
        workload = outcome.workload
        request = workload.request[jobs]
        duration = request[:, np.newaxis]
        if self.ranks:
            duration = self.reader(outcome).forecasts(outcome.position[jobs], at)
        hours = workload.size[jobs] * request / SECONDS_PER_HOUR
        worth = worth_of(workload, jobs, at, duration)
        bids = np.divide(worth, hours, out=np.zeros(len(jobs)), where=hours > 0)
        return bids, duration

    def ceiling(self, workload: Workload) -> Floats:
        """Return what each utility function begins with: no job pays above its bid."""
        return workload.utility.start_values


def _as_worth(charge: Floats, worth: Floats) -> Floats:
    """Keep rounding from making a charge more than what the job was worth."""
    same = np.isclose(charge, worth, rtol=TOLERANCE, atol=0)
    return np.where((charge > worth) & same, worth, charge)


class _BegunRound(NamedTuple):
    """An instant at which jobs of a queue start.

    Attributes
    ----------
    now : float
        When (s).
    present : (k,) int64
        Who takes part, by place among the n jobs that pay.
    starting : (s,) int64
        Who starts, by place among those present.
    """

    now: float
    present: Ints
    starting: Ints

    def enter(self, bids: Floats, duration: Floats, rate: Floats, rounds: Rounds) -> None:
        """Enter the prices of the jobs that start, and their round.

        Parameters
        ----------
        bids, duration : (k,) and (k, K) float64
            Of those present.
        rate, rounds : (n,) float64, Rounds
            What is filled in.
        """
        present, starting = self.present, self.starting
        setter = _setters(present, bids, starting)
        second = setter != NOBODY
        started = present[starting]
        rate[started] = np.where(second, bids[setter], 0.0)
        rounds.others[started] = len(present) - 1
        rounds.bid[started] = bids[starting]
        rounds.setter[started] = np.where(second, present[setter], NOBODY)
        if rounds.duration.shape[1]:
            rounds.duration[started] = duration[starting]
            rounds.setter_duration[started[second]] = duration[setter[second]]


def _begun_rounds(outcome: Outcome) -> Iterator[_BegunRound]:
    """Yield the rounds of every queue, one queue after the other, by time."""
    for queue in np.unique(outcome.workload.queue):
        jobs = np.flatnonzero(outcome.workload.queue == queue)
        arrivals = jobs[np.argsort(outcome.workload.submit[jobs], kind="stable")]
        submit, start = outcome.workload.submit[arrivals], outcome.start[arrivals]
        first = 0
        for now in np.unique(start).tolist():
            while start[first] < now:
                first += 1
            known = slice(first, np.searchsorted(submit, now, side="right"))
            here = start[known] >= now
            yield _BegunRound(now, arrivals[known][here], np.flatnonzero(start[known][here] == now))


def _batches(rounds: Iterable[_BegunRound]) -> Iterator[list[_BegunRound]]:
    """Yield rounds of about `BATCH` bids at a time: a scheduler is asked for many at once."""
    batch, bids = list[_BegunRound](), 0
    for each in rounds:
        batch.append(each)
        bids += len(each.present)
        if bids >= BATCH:
            yield batch
            batch, bids = [], 0
    if batch:
        yield batch


def _setters(present: Ints, bids: Floats, starting: Ints) -> Ints:
    """Return the job whose bid each starting job pays, by position among the jobs present."""
    setter = _first(present, starting[bids[starting] == bids[starting].min()])
    below = np.flatnonzero(bids <= bids[setter])
    below = below[below != setter]
    next_lower = NOBODY
    if len(below):
        next_lower = _first(present, below[bids[below] == bids[below].max()])
    setters: Ints = np.where(starting == setter, next_lower, setter)
    return setters


def _first(present: Ints, places: Ints) -> int:
    """Of some places, that of the job which is first in the log."""
    return int(places[np.argmin(present[places])])


def _why(charge: Floats, rate: Floats, setter: Ints) -> list[str]:
    """Say why each job is charged, or not."""
    cases = (
        (charge > 0, "by the bid that sets its price"),
        (setter == NOBODY, "no other job in its round bid as much or less"),
        (rate == 0, "the bid that sets its price is 0"),
    )
    why: list[str] = first_that_holds(cases, "no time used").tolist()
    return why
