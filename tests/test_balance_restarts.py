"""Restarts, checkpoints, failures, dependencies and prices together, beside the readable twin.

Work: what is kept, lost and spent on restarts is what ran. Time: each processor runs a job, is
down, or is idle. Money: every job pays what the twin makes of the twin's own kills, and what jobs
pay for those whom they displaced is what these and the centre get, to the last unit.
"""

from __future__ import annotations

from collections import Counter, defaultdict, deque
from fractions import Fraction
from random import Random
from typing import NamedTuple

import pytest

import pricing
from pricing import Charges
from pricing.statements import displaced_total
from pricing.waste import PAYERS, RECEIVERS
from tests.checked import attempts_of
from tests.preempting import Case
from tests.pricing.stopped import charged
from tests.queues import jobs_of
from tests.reference import lost_work
from tests.reference.lost_work import Bill, Piece
from tests.reference.protocol import PREEMPTED
from tests.reference.values import utility
from tests.scale import enough, many
from tests.test_balance import assert_time_balances, assert_work_balances
from tests.test_differential_restarts import Restarted, judged
from utilitysched import Schedule

CASES = many(300)

LOST_RATE = 3
"""For lost work where charges are not by the hour, SU per processor-hour."""

HOURLY = "single-price:rate=0.5"

SEEN: Counter[str] = Counter()
"""What the cases have shown so far."""


class Prices(NamedTuple):
    """A mechanism as it is drawn: its name, who pays for lost work, who gets what, and a cap."""

    name: str
    payer: str
    displaced: str
    cap: bool

    @property
    def text(self) -> str:
        rate = "" if self.name == HOURLY else f",lost_rate={LOST_RATE}"
        return f"{self.name},lost={self.payer},displaced={self.displaced}{rate}"


def prices(seed: int, case: Case) -> Prices:
    rng = Random(f"prices {seed}")
    valued = case.workload.has_utilities
    name = rng.choice(["first-price:reading=end", HOURLY]) if valued else HOURLY
    displaced = rng.choice(["owners", *RECEIVERS])
    return Prices(name, rng.choice(PAYERS), displaced, rng.random() < 0.3)


@pytest.mark.parametrize("seed", range(CASES))
@pytest.mark.slow
def test_it_balances(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    made, schedule, idle = judged(seed, monkeypatch, compiled=bool(seed % 2))
    terms = prices(seed, made.case)

    assert schedule.segments is not None
    assert_work_balances(made.case, schedule.segments)
    assert_time_balances(made.case, schedule, idle)
    charges = charged(made.case.workload, schedule, terms.text, cap=terms.cap)
    expected = bill_of(made, schedule, terms)
    assert_jobs_pay_as_by_the_twin(made.case, charges, expected)
    assert_money_balances(charges, expected, terms)


def bill_of(made: Restarted, schedule: Schedule, terms: Prices) -> Bill:
    """Charge the jobs by the prices of the twin's kills, numbered by arrival."""
    case, jobs = made.case, jobs_of(made.case.workload)
    prices_of = defaultdict[int, deque[float]](deque)
    for kill in made.twin.killed:
        prices_of[kill.victim].append(kill.cost)
    pieces = []
    for job, *times, _, lost, stop, cause in attempts_of(case.workload, schedule):
        begin, end, overhead = map(Fraction, times)
        value = Fraction(prices_of[job].popleft()) if stop == PREEMPTED else Fraction(0)
        by = cause if cause >= 0 else None
        left = Fraction(utility(jobs[job].points, float(end) - jobs[job].submit))
        piece = Piece(job, begin, end, overhead, Fraction(lost), by, stop == PREEMPTED, value, left)
        pieces.append(piece)
    sizes = [job.size for job in jobs]
    ends = schedule.end[case.order].tolist()
    worth = {
        number: Fraction(utility(job.points, ends[number] - job.submit))
        for number, job in enumerate(jobs)
    }
    rate = Fraction(LOST_RATE)
    own = worth
    if terms.name == HOURLY:
        rate = Fraction(1, 2)
        own = {job: rate * lost_work.useful_hours(pieces, sizes, job) for job in worth}
    valued = case.workload.utility.defined[case.order]
    limit = {job: worth[job] for job in worth if valued[job]} if terms.cap else None
    rates = dict.fromkeys(own, rate)
    return lost_work.bill(pieces, sizes, own, rates, terms.payer, limit, terms.displaced)


def assert_jobs_pay_as_by_the_twin(case: Case, charges: Charges, expected: Bill) -> None:
    lines = charges.charge[case.order].tolist()
    assert lines == pytest.approx([float(expected.charge(job)) for job in expected.own], abs=1e-9)
    assert min(lines, default=0.0) > -1e-9
    SEEN["paid"] += sum(stop.paid > 0 for stop in expected.displaced)
    SEEN["compensated"] += sum(stop.received > 0 for stop in expected.displaced)


def assert_money_balances(charges: Charges, expected: Bill, terms: Prices) -> None:
    """Lines and dues of either kind come to one total; nobody gets what nobody pays."""
    assert charges.total == float(charges.billed)
    assert all(check.holds for check in pricing.check_charges(charges) if check.asserted)
    total, paid = displaced_total(charges), sum(stop.paid for stop in expected.displaced)
    if total is None:  # nobody was killed at a price
        assert not paid
        return
    assert total.paid == total.received + total.kept
    assert float(total.paid) == pytest.approx(float(paid), abs=1e-6)
    assert terms.displaced in ("owners", "owners-only") or not total.received
    assert terms.displaced in ("owners", "centre") or not total.kept


def test_there_was_something_to_balance() -> None:
    if sum(SEEN.values()):  # not where it runs alone
        assert SEEN["paid"] > enough(40)
        assert SEEN["compensated"] > enough(5)
