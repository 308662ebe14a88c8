from __future__ import annotations

import pytest

from pricing import charge, make_mechanism
from pricing.mechanisms.multi_queue import MultiQueue
from swfx import Header, InputError, Workload
from tests.pricing.jobs import three_charges


def test_express_high_and_low_pay_lees_rates() -> None:
    charges = three_charges("multi-queue")

    assert charges.rate.tolist() == [1.7, 2, 0.5]
    assert charges.charge.tolist() == [3.4, 8, 0.5]


def test_every_queue_of_blue_horizon_and_an_unknown_one() -> None:
    jobs = Workload.from_columns(
        submit=[0] * 8, run=[3600] * 8, processors=[1] * 8, queue=[0, 1, 2, 3, 4, 5, 22, -1]
    )

    charges = charge(jobs, [0] * 8, [3600] * 8, "multi-queue")

    assert charges.charge.tolist() == [1, 1.7, 2, 1, 0.5, 0.5, 1, 1]


def test_given_rates_replace_the_defaults_and_others_pay_the_other_rate() -> None:
    charges = three_charges("multi-queue:rates=1:3,4:0,other=0.5")

    assert charges.rate.tolist() == [3, 0.5, 0]


def test_the_label_makes_the_same_mechanism_again() -> None:
    mechanism = MultiQueue(rates=((1, 3.0), (4, 0.25)), other=0.5)

    assert mechanism.label == "multi-queue:rates=1:3,4:0.25,other=0.5"
    assert make_mechanism(mechanism.label) == mechanism


def test_no_jobs_no_charges() -> None:
    nothing = Workload.from_columns(submit=[])

    assert charge(nothing, [], [], "multi-queue").total == 0


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("rates=1.7", "'1.7' is not QUEUE:RATE; write for instance rates=1:1.7,2:2"),
        ("rates=1:2,1:3", "queue 1 is given twice; keep one of them"),
        ("rates=:2", "':2' is not QUEUE:RATE; write for instance rates=1:1.7,2:2"),
        ("rates=1:-2", "'-2' is negative; give 0 or more"),
    ],
)
def test_rates_that_cannot_be_read(text: str, problem: str) -> None:
    with pytest.raises(InputError) as error:
        make_mechanism(f"multi-queue:{text}")

    assert problem in str(error.value)


def test_queues_that_a_log_names_pay_by_their_names() -> None:
    jobs = Workload.from_columns(
        submit=[0] * 3,
        run=[3600] * 3,
        processors=[1] * 3,
        queue=[1, 2, 3],
        header=Header((" Queue: 1 low", " Queue: 2 high")),
    )

    charges = charge(jobs, [0] * 3, [3600] * 3, "multi-queue:rates=high:3,low:0.5,other=1")

    assert charges.charge.tolist() == [0.5, 3, 1]
    named = make_mechanism("multi-queue:rates=night:2,1:3")
    assert named.label == "multi-queue:rates=1:3,night:2"
