"""What a bill comes to."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import pricing
from pricing import Charges, Outcome, Pivots
from pricing.counterfactual import ReplayRule
from pricing.pivots import Losses
from swfx import UtilityFunction, UtilityTable, Workload
from tests.utilitysched.experiments.small import small_cell
from tests.utilitysched.preempted import preempted_schedule, preempted_workload
from utilitysched import simulate
from utilitysched.analysis.metrics.catalogue import BILL_METRICS
from utilitysched.counterfactual.charges import Counterfactuals
from utilitysched.engine.conditions import Failures
from utilitysched.experiments import cell as cells
from utilitysched.experiments.cell import run_cell
from utilitysched.experiments.inputs import workload_of
from utilitysched.experiments.measures import bill_metrics, bill_summary
from utilitysched.model.segments import Stop

FREE = np.array([0.0, 0.0, 9.0, 4.0])


def jobs() -> Workload:
    """Four jobs of an hour on two processors, worth 6 SU each; the last has no curve."""
    worth = UtilityFunction([0, 7200], [6, 6])
    return Workload.from_columns(
        submit=[0, 0, 0, 0],
        run=[3600] * 4,
        requested_time=[3600] * 4,
        processors=[2] * 4,
        utility=UtilityTable.from_functions([worth, worth, worth, None]),
    )


def charged(charge: np.ndarray, evidence: Pivots | None = None) -> Charges:
    outcome = Outcome(jobs(), np.zeros(4), np.full(4, 3600.0))
    return Charges("by hand", outcome, charge, np.full(4, np.nan), evidence=evidence)


def test_by_hand() -> None:
    """9 SU are 3 more than the third job earned; nobody says what the fourth is worth."""
    assert bill_summary(charged(FREE.copy())) == {
        "jobs_billed": 4,
        "revenue": 13.0,
        "revenue_share": 13 / 18,
        "revenue_per_hour": 13 / 8,
        "jobs_free": 2,
        "share_free": 0.5,
        "jobs_overcharged": 1,
        "share_overcharged": 1 / 3,
        "overcharge": 3.0,
        "charge_error": None,
    }
    assert set(BILL_METRICS) == set(bill_summary(charged(FREE.copy())))


def test_standard_errors_are_averaged_where_they_are_known() -> None:
    error = np.array([0.5, np.nan, 1.5, np.nan])
    losses = Losses.nothing()
    evidence = Pivots(np.zeros(4, dtype=np.int64), FREE, FREE, FREE, error, losses, FREE)

    assert bill_summary(charged(FREE.copy(), evidence))["charge_error"] == 1.0


def test_nobody_billed_has_no_shares() -> None:
    nobody = np.zeros(0)
    outcome = Outcome(jobs()[:0], nobody, nobody)

    found = bill_summary(Charges("by hand", outcome, nobody, nobody.copy()))

    assert (found["revenue"], found["share_free"], found["revenue_share"]) == (0.0, None, None)


@pytest.mark.parametrize("scheduler", ["easy", "ga:population=4,generations=2"])
def test_a_cell_is_the_bill_of_its_schedule(scheduler: str) -> None:
    text = "vcg:method=replay,seeds=2"
    cell = small_cell(scheduler, seed=3, bill=text)
    workload = workload_of(cell.inputs)
    schedule = simulate(workload, scheduler, seed=3)
    asked = Counterfactuals.of(workload, schedule)
    bill = pricing.charge(workload, schedule.start, schedule.end, text, counterfactual=asked)
    seen = asked.replays(ReplayRule(86400.0, 2), np.arange(len(workload)))

    figures: Any = run_cell(cell).metrics

    assert figures == bill_summary(bill) == bill_metrics(workload, schedule, text)
    assert figures["revenue"] == bill.total == pytest.approx(math.fsum(seen.charge))
    assert figures["charge_error"] == pytest.approx(math.fsum(seen.error) / len(seen.error))


def test_a_cell_in_which_processors_fail_is_billed_among_the_same_failures() -> None:
    failures = "nodes=64,mtbf=1d,repair=1h"
    cell = small_cell("easy", seed=3, failures=failures, bill="vcg:method=replay")

    figures: Any = run_cell(cell).metrics

    schedule = simulate(
        workload_of(cell.inputs),
        "easy",
        failures=Failures.from_text(failures, cell.inputs.utility_seed),
    )
    assert schedule.segments is not None
    assert (schedule.segments.stop == Stop.FAILED).any()
    assert cell.inputs.utility_seed != cell.seed
    assert figures["revenue"] > 0


def test_bills_of_one_schedule_share_it(monkeypatch: pytest.MonkeyPatch) -> None:
    simulated: list[str] = []

    def watched(*arguments: Any) -> Any:
        simulated.append(arguments[0].scheduler)
        return original(*arguments)

    original = cells._simulated
    monkeypatch.setattr(cells, "_simulated", watched)
    cells._kept_schedule.cache_clear()

    for bill in ("single-price", "multi-queue", "first-price:reading=end"):
        run_cell(small_cell("saf", bill=bill))
    run_cell(small_cell("fcfs", bill="single-price"))

    assert simulated == ["saf", "fcfs"]


def test_what_cannot_be_charged_fails_alone() -> None:
    cell = small_cell(bill="first-price:reading=end")
    cell = replace(cell, inputs=replace(cell.inputs, utilities="none"))

    result = run_cell(cell)

    assert (result.error or "").startswith("first-price needs utility functions")


@pytest.mark.parametrize(
    ("payer", "share"), [("preempted", 1.0), ("preemptor", 1.0), ("centre", 450 / 562)]
)
def test_bills_know_what_jobs_lost_when_they_were_preempted(payer: str, share: float) -> None:
    """Of 562 processor-seconds, 112 are lost by the only job that is preempted."""
    mechanism = f"single-price:rate=3600,lost={payer}"

    figures = bill_metrics(preempted_workload(), preempted_schedule(), mechanism)

    assert figures["revenue"] == 562 * share
    assert figures["revenue_per_hour"] == pytest.approx(3600 * share)
