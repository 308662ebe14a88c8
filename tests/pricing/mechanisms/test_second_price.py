from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings

from pricing import Charges, charge
from pricing.reader import NOBODY, Rounds
from swfx import InputError, UtilityFunction, UtilityTable, Workload
from tests.pricing.jobs import charged, three_jobs
from tests.scale import many


def bidders(bids: list[float], queue: list[int]) -> Workload:
    """One processor for one hour each, all at once; each worth its bid whenever it ends."""
    jobs = len(bids)
    return Workload.from_columns(
        submit=[0] * jobs,
        run=[3600] * jobs,
        requested_time=[3600] * jobs,
        processors=[1] * jobs,
        queue=queue,
        utility=UtilityTable.from_functions([UtilityFunction([0, 1e6], [b, b]) for b in bids]),
    )


def rates(jobs: Workload, start: list[float]) -> list[float]:
    paid: list[float] = charge(jobs, start, np.array(start) + 3600, "second-price").rate.tolist()
    return paid


def test_the_lowest_bid_that_starts_is_the_price_and_pays_the_best_that_waits() -> None:
    # 5, 9 and 7 start, 3 and 4 wait; alone in the next rounds, 4 pays what still waits
    assert rates(bidders([5, 9, 7, 3, 4], [1] * 5), [0, 0, 0, 7200, 3600]) == [4, 5, 5, 0, 3]


def test_queues_are_priced_apart() -> None:
    assert rates(bidders([5, 9, 3], [1, 1, 2]), [0, 3600, 0]) == [0, 0, 0]


def test_a_higher_bid_that_waits_sets_no_price() -> None:
    assert rates(bidders([5, 9, 2], [1, 1, 1]), [0, 3600, 7200]) == [2, 2, 0]


def test_of_equal_bids_the_price_is_that_bid() -> None:
    assert rates(bidders([5, 5], [1, 1]), [0, 0]) == [5, 5]


def test_a_bid_falls_while_the_job_waits_and_is_per_hour_requested() -> None:
    curve = UtilityFunction([0, 7200], [40, 0])
    jobs = Workload.from_columns(
        submit=[0, 0],
        run=[900, 900],
        requested_time=[1800, 3600],
        processors=[2, 2],
        utility=UtilityTable.from_functions([curve, curve]),
    )

    charges = charge(jobs, [900, 1800], [1800, 2700], "second-price")

    # at 900 the second would end at 4500: 40 x 2700 / 7200 = 15 for two processor-hours
    assert charges.rate.tolist() == [7.5, 0]
    assert charges.charge.tolist() == [3.75, 0]


def test_it_needs_curves() -> None:
    bare = three_jobs().replace(utility=UtilityTable.empty(3))

    with pytest.raises(InputError, match="second-price needs utility functions"):
        charge(bare, bare.submit, bare.submit + 1, "second-price")


@given(charged("second-price"))
@settings(max_examples=many(25))
def test_no_job_pays_more_than_it_is_worth(charges: Charges) -> None:
    assert (charges.charge <= charges.outcome.utility * (1 + 1e-12)).all()


def test_the_evidence_says_how_many_others_bid_and_whose_bid_is_the_price() -> None:
    jobs, start = bidders([5, 9, 7, 3, 4], [1] * 5), np.array([0.0, 0, 0, 7200, 3600])

    rounds = charge(jobs, start, start + 3600, "second-price").evidence

    assert isinstance(rounds, Rounds)
    assert rounds.others.tolist() == [4, 4, 4, 0, 1]
    assert rounds.bid.tolist() == [5, 9, 7, 3, 4]
    assert rounds.setter.tolist() == [4, 0, 0, NOBODY, 3]
