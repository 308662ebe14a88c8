"""Plans of a queue by hand, and prices beside who would have the place."""

from __future__ import annotations

import numpy as np
import pytest

from swfx import InputError, UtilityFunction
from utilitysched.market.queue_plan import HOUR, QueuePlan
from utilitysched.runs.snapshot import QueuedJob, RunningJob, Snapshot


def worth(value: float) -> UtilityFunction:
    return UtilityFunction([0, 100 * HOUR], [value, value])


def waiting(number: int, processors: int, hours: float, value: float) -> QueuedJob:
    return QueuedJob(number, 0.0, processors, hours * HOUR, worth(value))


MOMENT = Snapshot(
    0.0,
    4,
    (RunningJob(1, 4, HOUR),),
    (waiting(2, 4, 2, 80), waiting(3, 2, 1, 4), waiting(4, 2, 1, 6), waiting(5, 1, 1, 0)),
)
"""One hour of four processors is taken; then 10, 3, 2 and 0 SU per processor-hour are bid."""

PLAN = QueuePlan(MOMENT, "value-density")


def test_a_plan_says_who_starts_when() -> None:
    assert PLAN.start.tolist() == [HOUR, 3 * HOUR, 3 * HOUR, 4 * HOUR]
    assert PLAN.density.tolist() == [10.0, 2.0, 3.0, 0.0]
    assert PLAN.ahead_of(3).tolist() == [0, 1, 2]
    assert [PLAN.idle(at * HOUR, (at + 1) * HOUR) for at in range(6)] == [0, 0, 0, 0, 3, 4]
    assert PLAN.idle(3.5 * HOUR, 4.5 * HOUR) == 0
    assert PLAN.idle(4.5 * HOUR, 5.5 * HOUR) == 3


def test_an_hour_costs_what_the_cheapest_bids_that_would_have_to_go() -> None:
    assert PLAN.prices(6) == [None, 10.0, 10.0, 2.0, 0.0, 0.0]


@pytest.mark.parametrize(("bid", "start"), [(9.9, 3), (10.1, 1)])
def test_who_bids_more_than_the_price_has_the_place(bid: float, start: int) -> None:
    asked = MOMENT.with_queued(waiting(6, 4, 1, 4 * bid))

    plan = QueuePlan(asked, "value-density")
    assert plan.start[plan.place_of(6)] == start * HOUR


def test_a_higher_bid_changes_places() -> None:
    plan = PLAN.bidding(3, 6.0)

    assert plan.density.tolist() == [10.0, 12.0, 3.0, 0.0]
    assert plan.start[plan.place_of(3)] == HOUR
    assert PLAN.snapshot is MOMENT
    assert np.all(plan.snapshot.ids == MOMENT.ids)


@pytest.mark.parametrize(("job", "said"), [(1, "does not wait"), (5, "bids nothing")])
def test_only_bids_of_waiting_jobs_can_be_more(job: int, said: str) -> None:
    with pytest.raises(InputError, match=said):
        PLAN.bidding(job, 2.0)
