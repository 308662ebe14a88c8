"""The reserve of vcg: a price by the processor-hour for those who come later."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
import pytest

from pricing import Pivots, charge, make_mechanism, statement
from pricing.evidence import for_later
from pricing.files import write_statements
from pricing.recomputation import recompute
from swfx import InputError
from tests.pricing.jobs import END, START, TAKEN, KnownAnswers, three_charges, three_jobs

REQUESTED = three_jobs().size * three_jobs().request / 3600
HELD = three_jobs().size * (np.array(END) - START) / 3600


@pytest.mark.parametrize(("options", "hours"), [("", REQUESTED), (",settle=end", HELD)])
def test_it_is_added_for_each_processor_hour(options: str, hours: np.ndarray) -> None:
    charges = three_charges(f"vcg:reserve=0.4{options}")

    assert charges.charge == pytest.approx(np.array(TAKEN) + 0.4 * hours)
    known = charges.evidence
    assert isinstance(known, Pivots)
    assert known.reserve is not None
    assert known.reserve.price.tolist() == [0.4] * 3
    assert known.charge.tolist() == list(TAKEN)


def test_a_reserve_of_nothing_is_none_at_all(tmp_path: Path) -> None:
    texts = []
    for mechanism in ("vcg", "vcg:reserve=0"):
        files = write_statements(tmp_path / mechanism[-1], three_charges(mechanism))
        texts.append([file.read_bytes() for file in files])

    assert texts[0] == texts[1]
    assert make_mechanism("vcg:reserve=0").label == "vcg"


def test_a_request_that_is_too_long_costs_and_one_that_is_stated_does_not_change() -> None:
    jobs = three_jobs()
    longer = jobs.replace(requested_time=2 * jobs.request)

    once, twice = (
        charge(each, START, END, "vcg:reserve=1", counterfactual=KnownAnswers()).charge
        for each in (jobs, longer)
    )

    assert twice - once == pytest.approx(REQUESTED)


def test_the_reasons_say_what_it_is_for() -> None:
    assert three_charges("vcg:reserve=0.4").reason == [
        "charged: what others lose by its start, the reserve for later submissions"
        if taken
        else "charged: the reserve for later submissions"
        for taken in TAKEN
    ]


@pytest.mark.parametrize("excluded", [(), (0,)])
def test_the_files_hold_it_and_give_the_charges_again(
    tmp_path: Path, excluded: tuple[int, ...]
) -> None:
    jobs = three_jobs().replace(status=np.array([0, 1, 1]))
    bill = charge(
        jobs,
        START,
        END,
        "vcg:reserve=0.4",
        exclude_statuses=excluded,
        counterfactual=KnownAnswers(),
    )
    write_statements(tmp_path, bill)

    found = recompute(tmp_path, jobs, START, END)

    assert found.faults == ()
    with (tmp_path / "charges.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    for row, job in zip(rows, bill.outcome.position, strict=True):
        assert float(row["reserve_price"]) == 0.4
        assert float(row["reserve_charge"]) == pytest.approx(0.4 * REQUESTED[job])
        assert float(row["charge"]) == pytest.approx(
            TAKEN[job] + float(row["reserve_charge"]), abs=1e-5
        )


def test_a_reserve_that_was_changed_is_found_out(tmp_path: Path) -> None:
    write_statements(tmp_path, three_charges("vcg:reserve=0.4"))
    path = tmp_path / "charges.csv"
    path.write_text(path.read_text("utf-8").replace(",0.4,", ",0.3,"), "utf-8")

    faults = recompute(tmp_path, three_jobs(), START, END).faults

    assert {(fault.field, fault.found) for fault in faults} == {("reserve_price", "0.4")}


@pytest.mark.parametrize("cap", [False, True])
def test_statements_say_what_of_the_charges_it_is(cap: bool) -> None:
    charges = charge(
        three_jobs(), START, END, "vcg:reserve=0.4", cap=cap, counterfactual=KnownAnswers()
    )

    later = statement(charges, "user")["reserve_charge"]

    # the second job alone is user 8's; cut to what it turned out to be worth, it pays no more
    seven, eight = 0.4 * (REQUESTED[0] + REQUESTED[2]), 0.4 * REQUESTED[1]
    assert [float(money) for money in later] == pytest.approx([seven, eight])
    assert statement(three_charges("vcg:reserve=9"), "user")["reserve_charge"].sum() == 63
    assert "reserve_charge" not in statement(three_charges("vcg"), "user")


def test_cut_charges_hold_no_more_of_it_than_they_are() -> None:
    charges = charge(
        three_jobs(), START, END, "vcg:reserve=9", cap=True, counterfactual=KnownAnswers()
    )

    later = for_later(charges)
    assert later is not None
    assert (later.units == charges.asked.units)[:2].all()


@pytest.mark.parametrize("text", ["-1", "nan", "inf", "much"])
def test_what_is_no_price_is_refused(text: str) -> None:
    with pytest.raises(InputError, match=f"vcg: field reserve: '?{text}'? is"):
        make_mechanism(f"vcg:reserve={text}")


def test_replays_have_none() -> None:
    with pytest.raises(InputError, match="field reserve: does not concern replay"):
        make_mechanism("vcg:method=replay,reserve=0.4")


def test_a_price_is_no_longer_learned() -> None:
    with pytest.raises(InputError, match="field reserve: 'learned' was removed; give a price"):
        make_mechanism("vcg:reserve=learned")
