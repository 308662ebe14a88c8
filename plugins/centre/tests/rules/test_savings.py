"""What other choices would have saved, computed again by the same rules."""

from __future__ import annotations

from fractions import Fraction

from pricing import charge
from swfx import Header
from tests.pricing.jobs import END, START, KnownAnswers, three_charges, three_jobs
from utilitysched_centre.rules import Rules, invoice
from utilitysched_centre.rules.rules import Discount, JobSelection, Quantity
from utilitysched_centre.rules.savings import savings


def saved(mechanism: str, rules: Rules | None = None) -> dict[str, list[Fraction]]:
    bill = invoice(three_charges(mechanism), rules)
    return {
        each.choice: [
            before - after for before, after in zip(bill.steps.due, each.due, strict=True)
        ]
        for each in savings(bill)
    }


def test_nothing_is_saved_where_nothing_could_be_chosen() -> None:
    assert saved("single-price") == {}


def test_other_queues_at_their_rates() -> None:
    found = saved("multi-queue:rates=1:2,2:1,4:3")

    # 2, 4 and 1 processor-hours in the queues 1, 2 and 4
    assert found == {
        "all jobs had been in queue 1, and had run as they did": [0, -4, 1],
        "all jobs had been in queue 2, and had run as they did": [2, 0, 2],
        "all jobs had been in queue 4, and had run as they did": [-2, -8, 0],
    }


def test_a_log_whose_queues_are_something_else_says_their_names() -> None:
    jobs = three_jobs()
    header = Header((" QueueMeans: qos", " QOS: 1 high", " QOS: 2 low", " QOS: 4 night"))
    charges = charge(jobs.replace(header=header), START, END, "multi-queue:rates=1:2,2:1,4:3")
    assert [each.choice for each in savings(invoice(charges))] == [
        f"all jobs had been in QOS {name}, and had run as they did"
        for name in ("high", "low", "night")
    ]


def test_a_queue_with_a_discount() -> None:
    rules = Rules(discounts=(Discount("night", Fraction(25), JobSelection(queues=frozenset({4}))),))

    assert saved("single-price", rules) == {
        "all jobs had been in queue 4, and had run as they did": [Fraction(1, 2), 1, 0]
    }


def test_less_time_asked_for() -> None:
    jobs = three_jobs().replace(requested_time=[7200.0, 3600.0, 7200.0])
    charges = charge(jobs, START, END, "single-price")
    bill = invoice(charges, Rules(quantity=Quantity("request")))

    (found,) = savings(bill)

    assert found.choice == "no job had asked for more time than it used"
    assert [a - b for a, b in zip(bill.steps.due, found.due, strict=True)] == [2, 0, 1]


def test_lower_utility_functions() -> None:
    bill = invoice(three_charges("first-price:reading=end"))

    (found,) = savings(bill)

    for before, after in zip(bill.steps.due, found.due, strict=True):
        assert abs(float(after) - 0.9 * float(before)) < 1e-6


def test_what_others_do_is_not_guessed() -> None:
    charges = charge(three_jobs(), START, END, "vcg", counterfactual=KnownAnswers())

    assert savings(invoice(charges)) == []


def test_a_field_that_holds_another_kind_is_called_so() -> None:
    jobs = three_jobs()
    header = jobs.header.with_value("QueueMeans", "partition").with_value("Partition", "4 night")
    charges = charge(jobs.replace(header=header), START, END, "multi-queue:rates=4:0.5")

    assert "all jobs had been in partition night, and had run as they did" in {
        each.choice for each in savings(invoice(charges))
    }
