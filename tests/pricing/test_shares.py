"""Who pays for what stopped jobs lose: every mechanism, against a readable twin."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from pricing import (
    ConfiguredMechanism,
    Outcome,
    Prices,
    Waste,
    charge,
    check_charges,
    make_mechanism,
    mechanism_names,
    write_charges,
)
from pricing.parts import exact_sum
from pricing.rules import Rules, invoice
from pricing.rules.rules import Quantity
from pricing.rules.tres import read_weights
from pricing.statement import statement, waste_total
from pricing.waste import NOBODY, PAYERS
from swfx import InputError
from tests.pricing.jobs import END, START, three_charges, three_jobs
from tests.pricing.stopped import charged, random_run, readable
from tests.scale import many
from tests.utilitysched.preempted import preempted_schedule, preempted_workload

PRICED = {
    "first-price": ",lost_rate=3",
    "single-price": ",rate=0.5",
    "multi-queue": "",
    "second-price": "",
}
"""Mechanisms that need no scheduler, with options of their own."""

TERMS: tuple[tuple[bool, tuple[int, ...]], ...] = ((False, ()), (True, ()), (True, (0,)))
"""Whether charges are cut, and which statuses are let off."""

LAST_BIT = Fraction(1, 2**52)
"""Share of a sum that its rounding to a float may take."""

LOST = 4 * 28 / 3600  # processor-hours that job 11 loses: 20 s of work, 8 s of restart


# ---- worked out by hand: job 11 is preempted for job 12 ----


@pytest.mark.parametrize(
    ("mechanism", "charges", "borne"),
    [
        ("single-price", [4 * 128 / 3600, 30 / 3600, 20 / 3600], 0),
        ("single-price:lost=preempted", [4 * 128 / 3600, 30 / 3600, 20 / 3600], 0),
        ("single-price:lost=stopped", [4 * 128 / 3600, 30 / 3600, 20 / 3600], 0),
        ("single-price:lost=centre", [4 * 100 / 3600, 30 / 3600, 20 / 3600], LOST),
        ("single-price:lost=preemptor", [4 * 100 / 3600, 30 / 3600 + LOST, 20 / 3600], 0),
        (
            "multi-queue:rates=0:2,1:1,lost=preemptor",
            [800 / 3600, 30 / 3600 + 2 * LOST, 20 / 3600],
            0,
        ),
        ("first-price", [47, 0, 0], LOST),
        ("first-price:lost_rate=2", [47, 0, 0], 2 * LOST),
        ("first-price:lost=preempted,lost_rate=2", [47 + 2 * LOST, 0, 0], 0),
        ("first-price:lost=preemptor", [47, LOST, 0], 0),
    ],
)
def test_who_pays_what(mechanism: str, charges: list[float], borne: float) -> None:
    bill = charged(preempted_workload(), preempted_schedule(), mechanism)

    assert bill.charge.tolist() == pytest.approx(charges, rel=1e-12)
    total = waste_total(bill)
    assert total is not None
    assert float(total.borne) == pytest.approx(borne, abs=1e-6)
    assert (total.preemptions, total.failures, total.hours) == (1, 0, pytest.approx(LOST))


def test_reasons_name_both_parts() -> None:
    def reasons(mechanism: str) -> list[str]:
        return charged(preempted_workload(), preempted_schedule(), mechanism).reason

    assert reasons("single-price")[:2] == [
        "charged: by the processor-hour, what it lost when it was stopped",
        "charged: by the processor-hour",
    ]
    assert reasons("first-price:lost=preemptor") == [
        "charged: what it was worth",
        "charged: what jobs that it preempted lost",
        "not charged: no utility function",
    ]


def test_a_stop_that_costs_nothing_is_no_reason() -> None:
    bill = charged(
        preempted_workload(), preempted_schedule(), "first-price:lost=preemptor,lost_rate=0"
    )

    assert list(bill.reason) == list(
        charged(preempted_workload(), preempted_schedule(), "first-price:lost=centre").reason
    )


def test_a_cap_cuts_what_is_paid_for_stops_first() -> None:
    """Job 11 earned 47 SU and is asked 47 and as much again as it lost."""
    bill = charged(
        preempted_workload(), preempted_schedule(), "first-price:lost=preempted", cap=True
    )

    assert (bill.charge[0], bill.capped, bill.reason[0]) == (
        47,
        1,
        "charged: cut to what it was worth",
    )
    total = waste_total(bill)
    assert total is not None
    assert total.paid == 0
    assert total.price == total.borne == Decimal("0.03111111111111111")


def test_who_is_let_off_neither_pays_nor_is_paid_for() -> None:
    jobs, schedule = preempted_workload().replace(status=np.array([1, 5, 0])), preempted_schedule()

    without_preemptor = charged(jobs, schedule, "single-price:lost=preemptor", exclude_statuses=[5])
    without_preempted = charged(jobs, schedule, "single-price:lost=preemptor", exclude_statuses=[1])

    total = waste_total(without_preemptor)
    assert total is not None
    assert (total.paid, total.borne) == (0, total.price)
    assert without_preemptor.charge.tolist() == pytest.approx([400 / 3600, 20 / 3600])
    assert without_preempted.charge.tolist() == pytest.approx([30 / 3600, 20 / 3600])
    assert without_preempted.shares is not None
    assert len(without_preempted.shares.waste) == 0


@pytest.mark.parametrize(
    ("mechanism", "hours", "borne"),
    [
        ("single-price", 100, LOST),
        ("single-price:lost=preemptor", 100, LOST),
        ("single-price:lost=preempted", 100, LOST),
        ("single-price:lost=stopped", 128, 0),
    ],
)
def test_failures_fall_to_the_centre_unless_whoever_is_stopped_pays(
    mechanism: str, hours: int, borne: float
) -> None:
    jobs, schedule = preempted_workload(), preempted_schedule()
    stop = Waste(
        np.array([0]), np.array([NOBODY]), np.array([False]), np.array([20.0]), np.array([8.0])
    )

    bill = charge(
        jobs,
        schedule.start,
        schedule.end,
        mechanism,
        used=schedule.running_time,
        waste=stop,
    )

    assert bill.charge.tolist() == pytest.approx([4 * hours / 3600, 30 / 3600, 20 / 3600])
    total = waste_total(bill)
    assert total is not None
    assert (total.preemptions, total.failures) == (0, 1)
    assert float(total.borne) == pytest.approx(borne, abs=1e-6)
    by_month = statement(bill, "month")
    assert by_month.failures.tolist() == [1]
    assert by_month.failure_hours.tolist() == pytest.approx([4 * 28 / 3600])
    weighed = invoice(bill, Rules(quantity=Quantity(weights=read_weights("CPU=2"))))
    assert float(weighed.steps.base[0]) == pytest.approx(8 * hours / 3600)


# ---- random cases, with preemptions and failures ----


@pytest.mark.parametrize("payer", PAYERS)
@pytest.mark.parametrize("mechanism", PRICED)
@pytest.mark.slow
def test_charges_equal_those_of_the_twin(mechanism: str, payer: str) -> None:
    stops = 0
    for seed in range(many(12)):
        jobs, schedule = random_run(seed)
        for cap, let_off in TERMS:
            text = f"{mechanism}:lost={payer}{PRICED[mechanism]}"
            bill = charged(jobs, schedule, text, cap=cap, exclude_statuses=let_off)

            twin = readable(jobs, schedule, bill, payer)

            shares = bill.shares
            assert shares is not None
            stops += len(shares.waste)
            paying = bill.outcome.position.tolist()
            expected = [float(twin.charge(job)) for job in paying]
            assert bill.charge.tolist() == pytest.approx(expected, rel=1e-9, abs=1e-12)
            own = [float(twin.own[job]) for job in paying]
            assert shares.own.tolist() == pytest.approx(own, rel=1e-9, abs=1e-12)
            for name in ("price", "paid", "borne"):
                amounts = [float(getattr(stop, name)) for stop in twin.stops]
                assert getattr(shares, name).tolist() == pytest.approx(amounts, rel=1e-9, abs=1e-9)
    assert stops > many(12)


@pytest.mark.parametrize("payer", PAYERS)
@pytest.mark.parametrize("mechanism", PRICED)
@pytest.mark.slow
def test_parts_add_up_digit_for_digit(mechanism: str, payer: str) -> None:
    for seed in range(many(5)):
        jobs, schedule = random_run(seed)
        for cap, let_off in TERMS:
            text = f"{mechanism}:lost={payer}{PRICED[mechanism]}"
            bill = charged(jobs, schedule, text, cap=cap, exclude_statuses=let_off)

            parts, total = bill.parts, waste_total(bill)

            assert bill.shares is not None
            assert parts is not None
            assert total is not None
            assert parts.money(parts.own) + total.paid == bill.billed == Decimal(repr(bill.total))
            assert total.price == exact_sum(parts.price) == exact_sum((total.paid, total.borne))
            unit = Decimal(10) ** -parts.decimals
            exact = sum(map(Fraction, bill.shares.paid.tolist()), Fraction(0))
            assert abs(Fraction(total.paid) - exact) <= 2 * Fraction(unit) + exact * LAST_BIT
            assert (parts.own >= 0).all()
            assert (parts.paid >= 0).all()
            assert all(check.holds for check in check_charges(bill) if check.asserted)
            if payer == "centre":
                assert total.paid == 0
            if payer == "stopped" and not cap:
                assert total.borne == 0


# ---- an option of every mechanism ----


@pytest.mark.parametrize("name", mechanism_names())
def test_every_mechanism_has_the_option(name: str) -> None:
    usual = "preempted" if name in {"single-price", "multi-queue", "second-price"} else "centre"

    assert make_mechanism(name).lost == usual  # type: ignore[attr-defined]
    for payer in PAYERS:
        text = name if payer == usual else f"{name}:lost={payer}"
        assert make_mechanism(f"{name}:lost={payer}").label == text


def test_a_mechanism_from_elsewhere_has_it_without_code_of_its_own() -> None:
    @dataclass(frozen=True)
    class Fee(ConfiguredMechanism):
        """Two SU for everybody."""

        name = "fee"

        def price(self, outcome: Outcome) -> Prices:
            return Prices(np.full(len(outcome), 2.0), np.full(len(outcome), np.nan))

    fee = Fee.from_text("lost=preemptor,lost_rate=10")
    schedule = preempted_schedule()

    bill = charge(
        preempted_workload(),
        schedule.start,
        schedule.end,
        fee,
        used=schedule.running_time,
        waste=Waste(
            np.array([0]), np.array([1]), np.array([True]), np.array([20.0]), np.array([8.0])
        ),
    )

    assert fee.label == "fee:lost=preemptor,lost_rate=10"
    assert bill.charge.tolist() == pytest.approx([2, 2 + 10 * LOST, 2])


def test_own_options_come_before_those_of_the_family() -> None:
    assert make_mechanism("single-price:lost=centre,rate=2").label == (
        "single-price:rate=2,lost=centre"
    )


def test_promises_hold_of_what_a_job_pays_for_itself() -> None:
    """What a job pays for stops comes on top of what it was worth."""

    def promised(mechanism: str) -> bool:
        bill = charged(preempted_workload(), preempted_schedule(), mechanism)
        return "rationality" in bill.promises

    assert promised("first-price")
    assert not promised("first-price:lost=preempted")


# ---- runs in which nobody can be stopped ----


def test_without_stops_nothing_changes(tmp_path: Path) -> None:
    """The option stands in the mechanism's name, and nowhere else."""
    usual, other = three_charges("single-price"), three_charges("single-price:lost=preemptor")

    lines = write_charges(tmp_path / "a.csv", usual).read_text().splitlines()
    others = write_charges(tmp_path / "b.csv", other).read_text().splitlines()

    assert lines == [line.replace("single-price:lost=preemptor", "single-price") for line in others]
    assert lines[0].endswith(",reason")
    assert usual.shares is usual.parts is waste_total(usual) is None


# ---- refusals ----


@pytest.mark.parametrize(
    ("mechanism", "message"),
    [
        (
            "single-price:lost=preemptor",
            "single-price:lost=preemptor asks what was lost where jobs were",
        ),
        ("single-price:lost=centre", "waste: .* leave the option lost out"),
        ("first-price:lost=preempted", "field waste: first-price:lost=preempted asks"),
    ],
)
def test_who_pays_cannot_be_said_without_knowing_what_was_lost(
    mechanism: str, message: str
) -> None:
    used = np.subtract(END, START)

    with pytest.raises(InputError, match=message):
        charge(three_jobs(), START, END, mechanism, used=used)
    assert len(charge(three_jobs(), START, END, mechanism)) == 3


def one_stop(**columns: object) -> Waste:
    row = {"job": 0, "cause": 1, "preempted": True, "lost": 20.0, "overhead": 8.0} | columns
    return Waste(**{name: np.array([value]) for name, value in row.items()})


@pytest.mark.parametrize(
    ("stop", "mechanism", "message"),
    [
        ({"job": 3}, "single-price", "waste: field job: is at position 3 of a workload of 3 jobs"),
        ({"cause": 9}, "single-price", "waste: field cause: is at position 9 of a workload of 3"),
        ({"lost": 3600.0}, "single-price", "waste: job 11: lost 3608 s of the 128 s for which it"),
    ],
)
def test_stops_of_another_schedule_are_refused(
    stop: dict[str, float], mechanism: str, message: str
) -> None:
    jobs, schedule = preempted_workload(), preempted_schedule()
    times = schedule.start, schedule.end

    with pytest.raises(InputError, match=message):
        charge(jobs, *times, mechanism, used=schedule.running_time, waste=one_stop(**stop))


def test_prices_beyond_all_numbers_are_refused() -> None:
    jobs = preempted_workload().replace(processors=np.array([4_000_000, 3, 1]))
    schedule = preempted_schedule()

    with pytest.raises(InputError, match=r"lost_rate: what job 11 lost costs more SU than a num"):
        charged(jobs, schedule, "first-price:lost_rate=1e308")


def test_stops_without_the_time_used_are_refused() -> None:
    schedule = preempted_schedule()

    with pytest.raises(InputError, match="field used: is not given, and jobs were stopped; give"):
        charge(preempted_workload(), schedule.start, schedule.end, "single-price", waste=one_stop())
