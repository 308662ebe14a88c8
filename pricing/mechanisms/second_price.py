"""A second price in each queue, for each instant at which its jobs start."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pricing.ledger import TOLERANCE
from pricing.outcome import SECONDS_PER_HOUR, Outcome
from pricing.reasons import first_that_holds
from pricing.registry import HourlyMechanism, Prices, register
from pricing.rounds import NOBODY, Rounds
from swfx import Workload
from swfx.base.columns import Floats, Ints


@register("second-price")
@dataclass(frozen=True)
class SecondPrice(HourlyMechanism):
    """The lowest bid among the jobs of a queue that start together; whose it is, the next lower.

    A round is an instant at which jobs of a queue start. Who takes part: the jobs of the queue that
    start then, and those that have been submitted and wait on. A bid is a job's value per
    processor-hour if it starts then and runs as long as it requested; without a curve it is 0.
    The lowest bid of the jobs that start sets the price, which the others that start pay. It pays
    itself the best other bid of the round that is not above it, 0 if there is none: the first in
    the log, if several are lowest. The price is per processor-hour used.

    Nobody pays more than the job is worth, if it runs no longer than it requested, as jobs that are
    killed at their request do: utility functions never rise.

    Only the schedule is looked at: why a job waits while one with a lower bid starts (it may be too
    wide) is not. Jobs that are let off or never start are not known, and bid nothing.

    Raises
    ------
    InputError
        By `price`, if no job has a utility function.

    References
    ----------
    Armada (armadaproject/armada, issues 4070, 4079 and 4868): market pools with a price for each
    round, where the bid that sets the price pays the second price.
    """

    scope = "round"
    promises = frozenset({"rationality"})

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
        rate, rounds = np.zeros(len(outcome)), Rounds.blank(len(outcome))
        for queue in np.unique(outcome.workload.queue):
            _price_queue(outcome, np.flatnonzero(outcome.workload.queue == queue), rate, rounds)
        charge = _as_worth(rate * outcome.processor_hours, outcome.utility)
        return Prices(charge, rate, rounds, _why(charge, rate, rounds.setter))

    def ceiling(self, workload: Workload) -> Floats:
        """Return what each utility function begins with: no job pays above its bid."""
        return workload.utility.start_values


def _as_worth(charge: Floats, worth: Floats) -> Floats:
    """Keep rounding from making a charge more than what the job was worth."""
    same = np.isclose(charge, worth, rtol=TOLERANCE, atol=0)
    return np.where((charge > worth) & same, worth, charge)


def _price_queue(outcome: Outcome, jobs: Ints, rate: Floats, rounds: Rounds) -> None:
    """Enter the prices of a queue's jobs, given by position, and their rounds."""
    arrivals = jobs[np.argsort(outcome.workload.submit[jobs], kind="stable")]
    submit, start = outcome.workload.submit[arrivals], outcome.start[arrivals]
    first = 0
    for now in np.unique(start).tolist():
        while start[first] < now:
            first += 1
        known = slice(first, np.searchsorted(submit, now, side="right"))
        here = start[known] >= now
        present = arrivals[known][here]
        bids = _bids(outcome.workload, present, now)
        starting = np.flatnonzero(start[known][here] == now)
        setter = _setters(present, bids, starting)
        found = setter != NOBODY
        started = present[starting]
        rate[started] = np.where(found, bids[setter], 0.0)
        rounds.others[started] = len(present) - 1
        rounds.bid[started] = bids[starting]
        rounds.setter[started] = np.where(found, present[setter], NOBODY)


def _bids(workload: Workload, jobs: Ints, now: float) -> Floats:
    """Value per processor-hour requested of jobs that would start now (SU)."""
    request = workload.request[jobs]
    worth = workload.utility.take(jobs).evaluate(now - workload.submit[jobs] + request)
    hours = workload.size[jobs] * request / SECONDS_PER_HOUR
    bids: Floats = np.divide(worth, hours, out=np.zeros(len(jobs)), where=hours > 0)
    return bids


def _setters(present: Ints, bids: Floats, starting: Ints) -> Ints:
    """Whose bids those that start pay; all by their places among those present."""
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
        (setter == NOBODY, "nobody else in its round bid as little"),
        (rate == 0, "the bid that sets its price is 0"),
    )
    why: list[str] = first_that_holds(cases, "no time used").tolist()
    return why
