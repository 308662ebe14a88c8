"""Why jobs are charged, or not, in the words of each mechanism."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from pricing import charge
from pricing.pivots import Losses, Pivots
from pricing.replays import Replays
from tests.pricing.jobs import END, START, KnownAnswers, three_charges, three_jobs, three_replays


@pytest.mark.parametrize(
    ("mechanism", "reasons"),
    [
        (
            "first-price:reading=end",
            ["charged: what it was worth"] * 2 + ["not charged: no utility function"],
        ),
        ("single-price", ["charged: by the processor-hour"] * 3),
        (
            "multi-queue:rates=1:0",
            [
                "not charged: no time used, or its rate is 0",
                *["charged: by the processor-hour"] * 2,
            ],
        ),
        (
            "second-price",
            ["not charged: no other job in its round bid as much or less"] * 3,
        ),
        (
            "vcg",
            [
                "charged: what others lose by its start",
                "not charged: no other job was queued",
                "charged: what others lose by its start",
            ],
        ),
        (
            "vcg:method=replay",
            [
                "charged: what others would have more without it",
                "not charged: others would have less without it",
                "not charged: it delayed no other job",
            ],
        ),
    ],
)
def test_every_mechanism_says_why(mechanism: str, reasons: list[str]) -> None:
    assert three_charges(mechanism).reason == reasons


def test_a_job_that_ends_too_late_was_worth_nothing() -> None:
    charges = charge(three_jobs(), START, [7200.0, 5400.0, START[2]], "first-price:reading=end")

    assert charges.reason[0] == "not charged: it was worth nothing"


def test_bids_that_set_prices() -> None:
    jobs = three_jobs().replace(submit=[0, 0, 0], queue=[1, 1, 1])
    charges = charge(jobs, [0, 0, 0], [3600, 3600, 0], "second-price")

    # the third has no curve and bids 0: it sets the price of the others
    assert charges.reason == [
        "not charged: the bid that sets its price is 0",
        "not charged: the bid that sets its price is 0",
        "not charged: no other job in its round bid as much or less",
    ]


def test_charges_that_are_cut_say_so() -> None:
    late = [3600.0, 5400.0, START[2] + 9]
    charges = charge(three_jobs(), START, late, "single-price:rate=9", cap=True)
    worthless = charge(
        three_jobs(), [7200.0, *START[1:]], [9000.0, *late[1:]], cap=True, mechanism="single-price"
    )

    assert charges.reason[:2] == ["charged: cut to what it was worth"] * 2
    assert worthless.reason[0] == "not charged: cut to what it was worth"


class Unhindered(KnownAnswers):
    """The whole queue starts at once, in plans; nobody else is there, in replays."""

    def pivots(self, *_: object, **__: object) -> Pivots:
        return replace(
            super().pivots("requested", 1, reservations=False, players="jobs"),
            others=np.array([1, 0, 2]),
            with_job=np.array([np.nan, np.nan, 5.0]),
            charge=np.zeros(3),
            losses=Losses.nothing(),
        )

    def replays(self, *_: object) -> Replays:
        count = np.array([[0], [1], [0]])
        return replace(three_replays(), count=count, losses=Losses.nothing())


@pytest.mark.parametrize(
    ("mechanism", "reasons"),
    [
        (
            "vcg",
            [
                "all other jobs in the queue started with it",
                "no other job was queued",
                "it delayed no other job",
            ],
        ),
        (
            "vcg:method=replay",
            ["no other job was there", "it delayed no other job", "no other job was there"],
        ),
    ],
)
def test_those_who_are_in_nobodys_way(mechanism: str, reasons: list[str]) -> None:
    charges = charge(three_jobs(), START, END, mechanism, counterfactual=Unhindered())

    assert charges.reason == [f"not charged: {why}" for why in reasons]
