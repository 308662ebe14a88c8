"""Who pays for what stopped jobs lose: every mechanism, against a readable twin."""

from __future__ import annotations

from dataclasses import dataclass, replace
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from pricing import (
    Charges,
    ConfiguredMechanism,
    Outcome,
    Prices,
    Shares,
    Waste,
    charge,
    check_charges,
    make_mechanism,
    mechanism_names,
    write_charges,
)
from pricing.parts import exact_sum
from pricing.statements import displaced_total, statement, waste_total
from pricing.waste import NOBODY, PAYERS, RECEIVERS
from swfx import InputError, UtilityFunction, UtilityTable, Workload
from tests.pricing.jobs import END, START, three_charges, three_jobs
from tests.pricing.stopped import charged, random_run, readable
from tests.scale import enough, many
from tests.utilitysched.preempted import preempted_schedule, preempted_workload

PRICED = {
    "first-price:reading=end,": ",lost_rate=3",
    "single-price:": ",rate=0.5",
    "multi-queue:": "",
    "second-price:": "",
}
"""Mechanisms that need no scheduler, and behind those that follow options of their own."""

TERMS: tuple[tuple[bool, tuple[int, ...]], ...] = ((False, ()), (True, ()), (True, (0,)))
"""Whether charges are cut, and which statuses are let off."""

LAST_BIT = Fraction(1, 2**52)
"""Share of a sum that its rounding to a float may take."""

LOST = 4 * 28 / 3600  # processor-hours that job 11 loses: 20 s of work, 8 s of restart


def one_stop(**columns: object) -> Waste:
    row: dict[str, object] = {"job": 0, "cause": 1, "preempted": True, "time": 30.0}
    row |= {"lost": 20.0, "overhead": 8.0} | columns
    return Waste(**{name: np.array([value]) for name, value in row.items()})


def with_stop(mechanism: str | ConfiguredMechanism, **columns: object) -> Charges:
    """Charge the schedule as if job 11 had been stopped for job 12, or otherwise."""
    schedule = preempted_schedule()
    times = schedule.start, schedule.end
    stop = one_stop(**columns)
    used = schedule.running_time
    return charge(preempted_workload(), *times, mechanism, used=used, waste=stop)


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
        ("first-price:reading=end", [47, 0, 0], LOST),
        ("first-price:reading=end,lost_rate=2", [47, 0, 0], 2 * LOST),
        ("first-price:reading=end,lost=preempted,lost_rate=2", [47 + 2 * LOST, 0, 0], 0),
        ("first-price:reading=end,lost=preemptor", [47, LOST, 0], 0),
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
    assert reasons("first-price:reading=end,lost=preemptor") == [
        "charged: what it was worth",
        "charged: what jobs that it preempted lost",
        "not charged: no utility function",
    ]


def test_a_stop_that_costs_nothing_is_no_reason() -> None:
    bill = charged(
        preempted_workload(),
        preempted_schedule(),
        "first-price:reading=end,lost=preemptor,lost_rate=0",
    )

    assert list(bill.reason) == list(
        charged(
            preempted_workload(), preempted_schedule(), "first-price:reading=end,lost=centre"
        ).reason
    )


def test_a_cap_cuts_what_is_paid_for_stops_first() -> None:
    """Job 11 earned 47 SU and is asked 47 and as much again as it lost."""
    bill = charged(
        preempted_workload(),
        preempted_schedule(),
        "first-price:reading=end,lost=preempted",
        cap=True,
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
    bill = with_stop(mechanism, cause=NOBODY, preempted=False)

    assert bill.charge.tolist() == pytest.approx([4 * hours / 3600, 30 / 3600, 20 / 3600])
    total = waste_total(bill)
    assert total is not None
    assert (total.preemptions, total.failures) == (0, 1)
    assert float(total.borne) == pytest.approx(borne, abs=1e-6)
    by_month = statement(bill, "month")
    assert by_month.failures.tolist() == [1]
    assert by_month.failure_hours.tolist() == pytest.approx([4 * 28 / 3600])


# ---- worked out by hand: it was stopped at a price ----


def displacing(
    mechanism: str, value: float = 12.5, jobs: Workload | None = None, **terms: Any
) -> Charges:
    """Charge the same schedule, in which job 12 took 12.50 SU from job 11, that earned 47 SU."""
    return charged(jobs or preempted_workload(), preempted_schedule(value), mechanism, **terms)


@pytest.mark.parametrize(
    ("mechanism", "charges", "kept"),
    [
        ("first-price:reading=end", [47 - 12.5, 12.5, 0], 0),
        ("first-price:reading=end,displaced=owners", [47 - 12.5, 12.5, 0], 0),
        ("first-price:reading=end,displaced=owners-only", [47 - 12.5, 12.5, 0], 0),
        ("first-price:reading=end,displaced=centre", [47, 12.5, 0], 12.5),
        ("first-price:reading=end,displaced=no", [47, 0, 0], 0),
        ("single-price:rate=450", [64 - 12.5, 3.75 + 12.5, 2.5], 0),
        ("single-price:rate=450,lost=preemptor", [50 - 12.5, 3.75 + 14 + 12.5, 2.5], 0),
    ],
)
def test_who_displaced_a_job_pays_what_that_cost_it(
    mechanism: str, charges: list[float], kept: float
) -> None:
    bill = displacing(mechanism)

    assert bill.charge.tolist() == pytest.approx(charges, rel=1e-12)
    total = displaced_total(bill)
    assert total is not None
    assert (float(total.price), float(total.kept)) == (12.5, kept)
    assert total.paid == total.received + total.kept
    assert bill.billed == Decimal(repr(bill.total))
    assert all(check.holds for check in check_charges(bill) if check.asserted)


def test_a_bill_without_what_jobs_pay_each_other_is_the_same_to_the_last_digit() -> None:
    """0.1 SU are no whole number of any unit; they go from one line to the other all the same."""
    before, after = (
        displacing(f"first-price:reading=end,displaced={who}", 0.1) for who in ("no", "owners")
    )

    assert (before.billed, before.total) == (after.billed, after.total) == (Decimal(47), 47.0)
    assert after.ledger.units.tolist() == [46_900_000, 100_000, 0]


def test_reasons_name_what_is_paid_and_got_for_being_displaced() -> None:
    assert displacing("first-price:reading=end").reason == [
        "charged: what it was worth, compensated for being displaced",
        "charged: what the jobs that it displaced lose",
        "not charged: no utility function",
    ]


# ---- what an owner gets at most: 150 SU at the stop, and what the job pays itself ----


@pytest.mark.parametrize(
    ("options", "charges", "kept"),
    [
        ("", [0, 200, 0], 153),
        (",displaced=owners-only", [0, 47, 0], 0),
        (",displaced=centre", [47, 200, 0], 200),
        (",lost=preempted,lost_rate=900", [0, 200, 0], 125),  # it pays 28 SU for lost work
        (",lost=preempted,lost_rate=9000", [47 + 280 - 150, 200, 0], 50),
    ],
)
def test_an_owner_gets_no_more_than_the_job_pays_and_was_worth(
    options: str, charges: list[float], kept: float
) -> None:
    bill = displacing(f"first-price:reading=end{options}", 200.0)

    assert bill.charge.tolist() == pytest.approx(charges, abs=1e-12)
    total = displaced_total(bill)
    assert total is not None
    assert (float(total.price), float(total.kept)) == (200, kept)
    assert all(check.holds for check in check_charges(bill) if check.asserted)


def test_what_a_job_got_counts_at_its_next_stop() -> None:
    """It is worth 180, 170 and 20 SU at its stops, and gets 100 + 70 + 0 SU of 100 each."""
    times = np.array([20.0, 30.0, 180.0])
    none, cause = np.zeros(3), np.full(3, 1)
    waste = Waste(
        np.zeros(3, np.int64), cause, np.ones(3, np.bool_), times, none, none, np.full(3, 100.0)
    )
    schedule = preempted_schedule()
    bill = charge(
        preempted_workload(),
        schedule.start,
        schedule.end,
        "single-price:rate=36000",
        used=schedule.running_time,
        waste=waste,
    )

    assert bill.shares is not None
    assert bill.shares.value_left.tolist() == [180, 170, 20]
    assert bill.shares.displaced.received.tolist() == [100, 70, 0]
    assert bill.shares.displaced.to_centre.tolist() == [0, 30, 100]


def test_the_owner_of_a_job_without_a_utility_function_gets_nothing() -> None:
    stop = {"job": 2, "cause": 1, "time": 60.0, "lost": 5.0, "overhead": 0.0, "value_lost": 12.5}

    bill = with_stop("single-price:rate=3600", **stop)

    assert bill.charge.tolist() == [512, 30 + 12.5, 20]


def test_a_check_finds_who_gets_more_than_it_was_worth() -> None:
    bill = displacing("first-price:reading=end")
    assert bill.shares is not None
    generous = replace(bill.shares, value_left=np.array([12.0]))

    def holds(shares: Shares) -> bool:
        checks = check_charges(replace(bill, shares=shares))
        return next(check.holds for check in checks if check.name == "displaced")

    assert holds(bill.shares)
    assert not holds(generous)


def test_who_is_cut_pays_itself_first_and_nobody_gets_what_nobody_pays() -> None:
    """Job 12 is worth 30 SU and pays them itself; with a rate of 3,600 a cap leaves it nothing."""
    curves = [UtilityFunction([0, 200], [200, 0]), UtilityFunction([0, 20], [60, 0]), None]
    jobs = preempted_workload().replace(utility=UtilityTable.from_functions(curves))

    by_value = displacing("first-price:reading=end", jobs=jobs, cap=True)
    by_hour = displacing("single-price:rate=2400,lost=centre", jobs=jobs, cap=True)

    assert by_value.charge.tolist() == [47, 30, 0]
    assert by_hour.charge.tolist() == pytest.approx([47 - 10, 20 + 10, 2400 * 20 / 3600])
    total = displaced_total(by_hour)
    assert total is not None
    assert float(total.price), float(total.paid) == (12.5, 10)
    assert by_hour.reason[:2] == [
        "charged: cut to what it was worth, compensated for being displaced",
        "charged: cut to what it was worth",
    ]


def test_who_gets_is_cut_before_it_gets() -> None:
    """Job 11 is worth 47 SU, is asked for 50 by the hour and its lost work, and gets 12.50."""
    assert displacing("single-price:rate=450", cap=True).charge[0] == 47 - 12.5


def test_who_is_let_off_pays_nobody_and_gets_nothing() -> None:
    """By the hour job 12 pays 30 processor-seconds, job 11 400 and those that it lost."""
    jobs = preempted_workload().replace(status=np.array([1, 5, 0]))

    without_cause = displacing("single-price:rate=3600", jobs=jobs, exclude_statuses=[5])
    without_owner = displacing("single-price:rate=3600", jobs=jobs, exclude_statuses=[1])

    assert without_cause.charge.tolist() == [4 * 128, 20]
    assert without_owner.charge.tolist() == [30, 20]


@pytest.mark.parametrize(("cause", "preempted"), [(NOBODY, True), (1, False)])
def test_only_who_displaced_a_job_pays_for_that(cause: int, *, preempted: bool) -> None:
    bill = with_stop("first-price:reading=end", cause=cause, preempted=preempted, value_lost=12.5)

    assert bill.charge.tolist() == [47, 0, 0]


def test_by_vcg_what_the_displaced_lose_is_in_the_charge_already() -> None:
    assert make_mechanism("vcg").displaced == "no"
    assert make_mechanism("vcg:displaced=centre").label == "vcg:displaced=centre"


# ---- random cases, with preemptions and failures ----


@pytest.mark.parametrize("payer", PAYERS)
@pytest.mark.parametrize("mechanism", PRICED)
@pytest.mark.slow
def test_charges_equal_those_of_the_twin(mechanism: str, payer: str) -> None:
    stops = between = 0
    for seed in range(many(12)):
        jobs, schedule = random_run(seed)
        displaced = RECEIVERS[seed % 4]
        for cap, let_off in TERMS:
            text = f"{mechanism}lost={payer},displaced={displaced}{PRICED[mechanism]}"
            bill = charged(jobs, schedule, text, cap=cap, exclude_statuses=let_off)

            twin = readable(jobs, schedule, bill, payer, displaced)

            shares = bill.shares
            assert shares is not None
            stops += len(shares.waste)
            between += int(((shares.displaced.paid > 0) & (shares.displaced.price > 0)).sum())
            paying = bill.outcome.position.tolist()
            expected = [float(twin.charge(job)) for job in paying]
            assert bill.charge.tolist() == pytest.approx(expected, rel=1e-9, abs=1e-12)
            own = [float(twin.own[job]) for job in paying]
            assert shares.own.tolist() == pytest.approx(own, rel=1e-9, abs=1e-12)
            for dues, of_twin in ((shares.work, twin.work), (shares.displaced, twin.displaced)):
                for name in ("price", "paid", "received", "borne"):
                    amounts = [float(getattr(stop, name)) for stop in of_twin]
                    found = getattr(dues, name).tolist()
                    assert found == pytest.approx(amounts, rel=1e-9, abs=1e-9)
    assert stops > many(12)
    assert between > enough(4)


@pytest.mark.parametrize("payer", PAYERS)
@pytest.mark.parametrize("mechanism", PRICED)
@pytest.mark.slow
def test_parts_add_up_digit_for_digit(mechanism: str, payer: str) -> None:
    for seed in range(many(8)):
        jobs, schedule = random_run(seed)
        displaced = RECEIVERS[seed % 4]
        for cap, let_off in TERMS:
            text = f"{mechanism}lost={payer},displaced={displaced}{PRICED[mechanism]}"
            bill = charged(jobs, schedule, text, cap=cap, exclude_statuses=let_off)

            parts, total, moved = bill.parts, waste_total(bill), displaced_total(bill)

            assert bill.shares is not None
            assert parts is not None
            assert total is not None
            assert moved is not None
            assert bill.billed == Decimal(repr(bill.total))
            assert parts.money(parts.own) + total.paid + moved.kept == bill.billed
            assert moved.paid == moved.received + moved.kept
            for dues, exact in (
                (bill.shares.work, parts.work),
                (bill.shares.displaced, parts.displaced),
            ):
                sums = (exact.paid.total, exact.borne.total)
                assert exact_sum(exact.price) == exact_sum(sums)
                unit = Fraction(1, 10**parts.decimals)
                paid = sum(map(Fraction, dues.paid.tolist()), Fraction(0))
                off = abs(Fraction(exact.paid.total) - paid)
                assert off <= (len(bill) + 2) * unit + paid * LAST_BIT
                assert (exact.paid.units >= 0).all()
            assert (parts.own >= 0).all()
            assert all(check.holds for check in check_charges(bill) if check.asserted)
            if payer == "centre":
                assert total.paid == 0
            if payer == "stopped" and not cap:
                assert total.borne == 0
            if displaced == "owners-only":
                assert moved.kept == 0
            assert_nobody_gains(bill)


def assert_nobody_gains(bill: Charges) -> None:
    """No job gets more than it was told to be worth at its first stop, nor than it pays."""
    shares, parts = bill.shares, bill.parts
    assert shares is not None
    assert parts is not None
    assert shares.waste.value_lost is not None
    for place, received in enumerate(shares.received.tolist()):
        own = np.flatnonzero(shares.stopped == place)
        first = shares.value_left[own].max(initial=0.0)
        assert received <= first * (1 + 1e-12)
        assert received <= shares.gross[place] - shares.displaced.paid_by(len(bill))[place] + 1e-9
        for row in own.tolist():
            since = shares.waste.time[row] - bill.workload.submit[place]
            curve = bill.workload.utility[place]
            assert shares.value_left[row] == pytest.approx(0.0 if curve is None else curve(since))
    unit = 10.0**-parts.decimals
    assert (parts.received * unit <= shares.received + 2 * unit * len(shares.waste) + 1e-9).all()
    assert (bill.charge >= -1e-9).all()


# ---- an option of every mechanism ----


@pytest.mark.parametrize("name", mechanism_names())
def test_every_mechanism_has_the_option(name: str) -> None:
    hourly = {"single-price", "multi-queue", "second-price"}
    usual = "preempted" if name in hourly else "centre"

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

    bill = with_stop(fee)

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

    assert promised("first-price:reading=end")
    assert not promised("first-price:reading=end,lost=preempted")


# ---- runs in which nobody can be stopped ----


def test_without_stops_nothing_changes(tmp_path: Path) -> None:
    """The option stands in the mechanism's name, and nowhere else."""
    usual, other = three_charges("single-price"), three_charges("single-price:lost=preemptor")

    lines = write_charges(tmp_path / "a.csv", usual).read_text().splitlines()
    others = write_charges(tmp_path / "b.csv", other).read_text().splitlines()

    assert lines == [line.replace("single-price:lost=preemptor", "single-price") for line in others]
    assert lines[0].endswith(",reason")
    assert usual.shares is usual.parts is waste_total(usual) is displaced_total(usual) is None


# ---- refusals ----


@pytest.mark.parametrize(
    ("mechanism", "message"),
    [
        (
            "single-price:lost=preemptor",
            "single-price:lost=preemptor asks what was lost where jobs were",
        ),
        ("single-price:lost=centre", "waste: .* leave the option lost out"),
        (
            "first-price:reading=end,lost=preempted",
            "field waste: first-price:reading=end,lost=preempted asks",
        ),
    ],
)
def test_who_pays_cannot_be_said_without_knowing_what_was_lost(
    mechanism: str, message: str
) -> None:
    used = np.subtract(END, START)

    with pytest.raises(InputError, match=message):
        charge(three_jobs(), START, END, mechanism, used=used)
    assert len(charge(three_jobs(), START, END, mechanism)) == 3


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
    with pytest.raises(InputError, match=message):
        with_stop(mechanism, **stop)


def test_prices_beyond_all_numbers_are_refused() -> None:
    jobs = preempted_workload().replace(processors=np.array([4_000_000, 3, 1]))
    schedule = preempted_schedule()

    with pytest.raises(InputError, match=r"lost_rate: what job 11 lost costs more SU than a num"):
        charged(jobs, schedule, "first-price:reading=end,lost_rate=1e308")


def test_stops_without_the_time_used_are_refused() -> None:
    schedule = preempted_schedule()

    with pytest.raises(InputError, match="field used: is not given, and jobs were stopped; give"):
        charge(preempted_workload(), schedule.start, schedule.end, "single-price", waste=one_stop())
