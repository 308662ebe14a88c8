"""What is said of stops, and of who pays for them."""

from __future__ import annotations

import numpy as np
import pytest

from pricing import Waste, charge
from pricing.waste import NOBODY
from tests.pricing.jobs import three_charges
from tests.pricing.stopped import charged
from tests.utilitysched.preempted import preempted_schedule, preempted_workload
from utilitysched.report.sentences import stop_sentences

STOPPED = (
    "It was preempted once (for job 12): 0.0311 processor-hours of lost work and restarts, which"
    " cost"
)


@pytest.mark.parametrize(
    ("mechanism", "eleven", "twelve"),
    [
        ("single-price", f"{STOPPED} 0.03 SU. Of that it pays 0.03 SU.", ""),
        ("single-price:lost=centre", f"{STOPPED} 0.03 SU. The centre bears that.", ""),
        (
            "first-price:reading=end,lost=preemptor,lost_rate=100",
            f"{STOPPED} 3.11 SU. Of that job 12 pays 3.11 SU.",
            "It pays 3.11 SU for the losses of others: job 11 (3.11).",
        ),
        ("single-price:rate=0", f"{STOPPED} 0.00 SU.", ""),
    ],
)
def test_who_was_stopped_for_whom_and_who_pays(mechanism: str, eleven: str, twelve: str) -> None:
    bill = charged(preempted_workload(), preempted_schedule(), mechanism).rounded()

    said = [" ".join(stop_sentences(bill, place)) for place in range(3)]

    assert said == [eleven, twelve, ""]


BY = "for being displaced by job 12 of user 2 (20 s of work lost,"
LIMIT = "compensation is at most what the job was still worth when it was stopped (150.00 SU)"
LIMITED = f"{LIMIT} and what it pays itself (47.00 SU)."


@pytest.mark.parametrize(
    ("displaced", "price", "eleven", "twelve"),
    [
        (
            "owners",
            12.5,
            f" It is compensated with 12.50 SU {BY} 12.50 SU).",
            "12.50 SU to the owners of jobs that it displaced: job 11 (12.50).",
        ),
        (
            "owners",
            100.0,
            (
                f" It is compensated with 47.00 SU {BY} 47.00 of 100.00 SU)."
                f" The other 53.00 SU goes to the centre: {LIMITED}"
            ),
            (
                "100.00 SU for jobs that it displaced, 47.00 SU to their owners and 53.00 SU to the"
                " centre: job 11 (100.00)."
            ),
        ),
        (
            "owners-only",
            100.0,
            (
                f" It is compensated with 47.00 SU {BY} 47.00 of 100.00 SU)."
                f" The other 53.00 SU is not charged: {LIMITED}"
            ),
            "47.00 SU to the owners of jobs that it displaced: job 11 (47.00).",
        ),
        (
            "centre",
            12.5,
            "",
            "12.50 SU to the centre for jobs that it displaced: job 11 (12.50).",
        ),
        ("no", 12.5, "", ""),
    ],
)
def test_who_displaced_whom_and_what_that_costs(
    displaced: str, price: float, eleven: str, twelve: str
) -> None:
    bill = charged(
        preempted_workload(),
        preempted_schedule(price),
        f"first-price:reading=end,lost_rate=0,displaced={displaced}",
    ).rounded()

    said = [" ".join(stop_sentences(bill, place)) for place in range(3)]

    pays = f"It pays {twelve}" if twelve else ""
    assert said == [f"{STOPPED} 0.00 SU.{eleven}", pays, ""]


def test_many_stops_are_counted_and_few_named() -> None:
    """Job 11 of 128 s, stopped seven times for a second each."""
    jobs, schedule = preempted_workload(), preempted_schedule()
    waste = Waste(
        np.zeros(7, np.int64),
        np.array([1, 2, 1, NOBODY, NOBODY, NOBODY, NOBODY]),
        np.array([True, True, True, True, True, False, False]),
        np.arange(7.0),
        np.ones(7),
        np.zeros(7),
    )

    bill = charge(
        jobs,
        schedule.start,
        schedule.end,
        "single-price:lost=preemptor,rate=3600",
        used=schedule.running_time,
        waste=waste,
    ).rounded()

    assert " ".join(stop_sentences(bill, 0)) == (
        "It was preempted 5 times (for job 12, for job 13) and stopped by failures 2 times: 0.0078"
        " processor-hours of lost work and restarts, which cost 28.00 SU. Of that job 12 pays 8.00"
        " SU, job 13 pays 4.00 SU, the centre bears 16.00 SU."
    )


def test_nothing_is_said_where_nobody_can_be_stopped() -> None:
    assert list(stop_sentences(three_charges(), 0)) == []
