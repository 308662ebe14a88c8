"""The printed bill: lines that add up as printed, months in order."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

import numpy as np
import pytest

from pricing import Charges, Pivots, charge
from swfx import Header, UtilityFunction, UtilityTable, Workload
from tests.pricing.jobs import three_charges
from tests.pricing.stopped import charged
from tests.utilitysched.preempted import preempted_schedule, preempted_workload
from utilitysched.report.bill import print_bill
from utilitysched.report.sentences import uncharged_sentences

NEW_YEAR_2000 = 946684800  # 2000-01-01 00:00 UTC
HOUR = 3600


def three_users(jobs: int = 3) -> Charges:
    """A third of a processor-hour each, the first ending in 1999."""
    workload = Workload.from_columns(
        header=Header((f" UnixStartTime: {NEW_YEAR_2000 - HOUR}",)),
        submit=[HOUR * k for k in range(jobs)],
        run=[1200] * jobs,
        processors=[1] * jobs,
        user=list(range(jobs)),
    )
    return charge(workload, workload.submit, workload.submit + 1200, "single-price")


def printed(charges: Charges, capsys: pytest.CaptureFixture[str], by: str) -> list[list[str]]:
    print_bill(charges, by)
    return [line.split() for line in capsys.readouterr().out.splitlines() if line]


@pytest.mark.parametrize(
    ("price", "displaced", "said"),
    [
        (12.5, "owners", "pay 12.50 SU to the displaced jobs' owners."),
        (60.0, "owners", "pay 47.00 SU to the displaced jobs' owners and 13.00 SU to the centre."),
        (60.0, "owners-only", "pay 47.00 SU to the displaced jobs' owners."),
        (12.5, "centre", "pay 12.50 SU to the centre."),
    ],
)
def test_what_displaced_jobs_get_is_said(
    price: float, displaced: str, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    mechanism = f"first-price:reading=end,displaced={displaced}"
    print_bill(charged(preempted_workload(), preempted_schedule(price), mechanism), "user")

    told = " ".join(capsys.readouterr().out.split())
    taken = f"1 stop took {price:.2f} SU from displaced jobs"
    assert f"{taken}: the jobs that displaced them {said}" in told


def test_where_displaced_jobs_are_not_paid_for_that_is_said(
    capsys: pytest.CaptureFixture[str],
) -> None:
    mechanism = "first-price:reading=end,displaced=no"
    print_bill(charged(preempted_workload(), preempted_schedule(12.5), mechanism), "user")

    told = " ".join(capsys.readouterr().out.split())
    assert "1 stop took 12.50 SU from displaced jobs, for which no one is charged apart." in told


def lately(mechanism: str, capsys: pytest.CaptureFixture[str]) -> str:
    """What is printed of a bill below its total."""
    print_bill(three_charges(mechanism), "user")
    return " ".join(capsys.readouterr().out.split()).partition("exactly the sum of the charges.")[2]


def test_what_is_for_those_who_come_later_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    # 2, 4 and 1 processor-hours
    paid = "2.80 SU of the charges are for later submissions, at 0.4000 SU"
    assert paid in lately("vcg:reserve=0.4", capsys)
    assert "later" not in lately("vcg", capsys)


def test_what_is_for_delaying_oneself_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    # the third job delays the first, which is of the same user, by 2.50 SU
    own = "2.50 SU of the charges are for delaying jobs of the same user."

    assert own in lately("vcg:players=jobs", capsys)
    assert own not in lately("vcg", capsys)


def test_what_is_not_charged_of_losses_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    charges = three_charges("vcg")
    known = charges.evidence
    assert isinstance(known, Pivots)
    had = known.losses.had - 2.0
    settled = replace(known, losses=known.losses._replace(had=had)).settled(
        charges.outcome.position, np.array([0])
    )
    shares = np.array([0.005, 1.0, 1.0])
    outcome = replace(charges.outcome, run_share=shares)
    cut = replace(charges, evidence=settled, outcome=outcome)

    # the first job loses 2.50 SU by the third and hardly runs; the second loses 5 of 3 SU
    sentence = (
        "Of what others lose by the plans, 2.50 SU of jobs that ran for less than 1% of their"
        " requested time and 2.00 SU beyond all that the jobs were worth are not charged."
    )
    assert [*uncharged_sentences(cut)] == [sentence]
    assert [*uncharged_sentences(cut, [1])] == [*uncharged_sentences(charges)] == []
    print_bill(cut, "user")
    assert sentence in " ".join(capsys.readouterr().out.split())


def test_lines_add_up_as_they_are_printed(capsys: pytest.CaptureFixture[str]) -> None:
    lines = printed(three_users(), capsys, "user")

    assert [line[4] for line in lines[3:6]] == ["0.34", "0.33", "0.33"]
    assert [line[2] for line in lines[3:6]] == ["0.34", "0.33", "0.33"]  # processor-hours, too
    assert lines[6] == ["total", "3", "1.00", "0.00", "1.00", "100.0"]


def test_what_is_below_the_smallest_unit_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    jobs = three_users().workload
    charges = charge(jobs, jobs.submit, jobs.submit + 1200, "single-price:rate=0.003")
    said = "3 jobs cost less than 0.01 SU each and are charged nothing; a bill of more decimals has"

    print_bill(charges, "user")
    assert said in " ".join(capsys.readouterr().out.split())
    print_bill(charges.rounded(3), "user")
    assert "and are charged nothing" not in capsys.readouterr().out


def test_the_other_lines_are_summed_as_printed(capsys: pytest.CaptureFixture[str]) -> None:
    lines = printed(three_users(jobs=23), capsys, "user")

    others = next(line for line in lines if line[1:2] == ["others"])
    assert others[:2] == ["3", "others"]
    paid = sum(Decimal(line[4]) for line in lines[3:23]) + Decimal(others[5])
    assert paid == Decimal(lines[-2][4])


def test_months_are_in_order_and_all_there(capsys: pytest.CaptureFixture[str]) -> None:
    lines = printed(three_users(), capsys, "month")

    assert [line[0] for line in lines[3:6]] == ["1999-12", "2000-01", "total"]
    assert [line[4] for line in lines[3:6]] == ["0.34", "0.66", "1.00"]


def test_under_first_price_utility_and_charge_are_the_same_figures(
    capsys: pytest.CaptureFixture[str],
) -> None:
    curve = UtilityFunction([0, HOUR], [1, 0])
    workload = three_users().workload.replace(utility=UtilityTable.from_functions([curve] * 3))
    charges = charge(workload, workload.submit, workload.submit + 1200, "first-price:reading=end")

    lines = printed(charges, capsys, "user")
    assert [line[3:5] for line in lines[3:7]] == [
        ["0.67", "0.67"],
        ["0.67", "0.67"],
        ["0.66", "0.66"],
        ["2.00", "2.00"],
    ]


def test_decimals_are_printed_as_asked(capsys: pytest.CaptureFixture[str]) -> None:
    print_bill(three_users().rounded(4), "user")

    assert "0.3334" in capsys.readouterr().out
