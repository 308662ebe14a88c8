from __future__ import annotations

from decimal import Decimal

import numpy as np
import pytest

from pricing import charge, check_charges
from swfx import InputError
from tests.pricing.jobs import END, START, three_charges, three_jobs


def test_every_started_job_pays_whatever_its_status() -> None:
    charges = three_charges("single-price")

    assert charges.workload.status.tolist() == [1, 0, 5]
    assert (len(charges), charges.excluded, charges.unstarted) == (3, 0, 0)


def test_excluded_statuses_do_not_pay_and_are_counted() -> None:
    charges = charge(three_jobs(), START, END, "single-price", exclude_statuses=[0, 5])

    assert charges.workload.job_id.tolist() == [1]
    assert (charges.total, charges.excluded) == (2, 2)


def test_a_job_that_never_started_does_not_pay() -> None:
    charges = charge(
        three_jobs(), [0, np.nan, 30 * 86400], [3600, np.nan, 31 * 86400], "single-price"
    )

    assert charges.workload.job_id.tolist() == [1, 3]
    assert charges.unstarted == 1


def test_the_decimal_total_is_what_the_float_total_prints() -> None:
    charges = three_charges("single-price:rate=0.1")

    assert charges.total == 0.7000000000000001
    assert charges.billed == Decimal("0.7000000000000001")


def test_a_cap_cuts_charges_to_what_the_jobs_earned() -> None:
    charges = charge(three_jobs(), START, END, "single-price:rate=2", cap=True)

    assert charges.charge.tolist() == [4, 5, 2]  # the second would pay 8 and earned 5
    assert charges.capped == 1
    assert all(check.holds for check in check_charges(charges))


def test_a_charge_that_is_just_what_the_job_earned_is_not_cut() -> None:
    charges = charge(three_jobs(), START, END, "single-price:rate=2.5", cap=True)

    assert charges.charge.tolist() == [5, 5, 2.5]  # by rate, by cap, without a curve
    assert charges.capped == 1
    assert charges.rate[0] == 2.5


def test_a_job_belongs_to_the_month_in_which_it_ended() -> None:
    month = 30 * 86400.0  # of April

    charges = charge(
        three_jobs(), [0, month - 1800, month], [3600, month + 1800, month + 3600], "single-price"
    )

    assert charges.month.tolist() == ["2000-04", "2000-05", "2000-05"]


def test_charges_cannot_be_changed() -> None:
    with pytest.raises(ValueError, match="read-only"):
        three_charges().charge[0] = 0.0


def test_a_schedule_of_another_workload_is_refused() -> None:
    with pytest.raises(InputError, match=r"start: has shape \(2,\) for 3 jobs; give one time per"):
        charge(three_jobs(), START[:2], END[:2], "single-price")
    with pytest.raises(InputError, match="job 3: submitted at 2592000, started at 5, ended at 9"):
        charge(three_jobs(), [0, 0, 5], [1, 1, 9], "single-price")
