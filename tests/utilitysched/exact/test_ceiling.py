"""Ceilings of workloads, with certificates that others can check."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.certificate_of_ceiling import exact_bound
from tests.scale import enough, many
from tests.utilitysched.schedulers.offline.cases import workload
from utilitysched import simulate
from utilitysched.exact.ceiling import (
    ceiling_of,
    ceiling_record,
    stored_ceiling_metrics,
    write_ceiling,
)
from utilitysched.runs.target import claim


def test_a_certificate_holds_by_exact_fractions(tmp_path: Path) -> None:
    close = 0
    for seed in range(many(25)):
        jobs = workload(seed, 12, 4)
        folder = tmp_path / str(seed)
        target = claim(folder, jobs.digest(), ["offline"])
        target.write_workload(jobs, {})
        found = ceiling_of(jobs, 50)

        write_ceiling(folder, found, simulate(jobs, "offline"))
        stated = json.loads((folder / "ceiling.json").read_text())["bound"]
        proven = exact_bound(folder)

        assert stated == found.bound >= proven
        # where prices are 0 both are sums of values at once
        close += stated <= float(proven) * 1.05
    assert close >= enough(20)


def test_a_certificate_of_prices_that_were_tampered_with_fails(tmp_path: Path) -> None:
    jobs = workload(3, 12, 4)
    target = claim(tmp_path, jobs.digest(), ["offline"])
    target.write_workload(jobs, {})
    found = ceiling_of(jobs, 50)
    write_ceiling(tmp_path, found, simulate(jobs, "offline"))
    path = tmp_path / "ceiling.json"
    told = json.loads(path.read_text())
    path.write_text(json.dumps(told | {"price": [3 * price for price in told["price"]]}))

    assert exact_bound(tmp_path) > found.bound


def test_without_jobs_nothing_can_be_earned() -> None:
    found = ceiling_of(workload(3, 12, 4)[:0], preemptively=True)

    assert (found.bound, found.easy, found.gap_share(0.0)) == (0.0, 0.0, None)


def test_the_gap_is_counted_from_easy() -> None:
    found = ceiling_of(workload(3, 30, 4), 50)

    assert found.gap_share(found.easy) == 0
    assert found.gap_share(found.bound) == 1
    assert found.gap_share((found.bound + found.easy) / 2) == pytest.approx(0.5)


def test_a_ceiling_beside_another_workload_is_not_taken(tmp_path: Path) -> None:
    jobs = workload(3, 12, 4)
    schedule = simulate(jobs, "easy")
    write_ceiling(tmp_path, ceiling_of(jobs, 20), schedule)

    found = stored_ceiling_metrics(tmp_path, jobs, schedule)

    assert found["gap_share"] == 0
    assert stored_ceiling_metrics(tmp_path, workload(4, 12, 4), schedule) == {}
    assert stored_ceiling_metrics(tmp_path / "none", jobs, schedule) == {}


def test_preemptive_schedules_have_a_bound_of_their_own() -> None:
    jobs = workload(3, 30, 4)
    found = ceiling_of(jobs, 100, preemptively=True)
    told = ceiling_record(found, found.easy)

    assert found.preemptive is not None
    assert found.easy < found.bound < found.preemptive <= found.trivial
    assert told["preemptive_bound"] == found.preemptive
    assert ceiling_record(ceiling_of(jobs, 1), 0.0)["preemptive_bound"] is None
