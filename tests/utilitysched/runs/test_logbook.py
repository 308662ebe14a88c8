"""Logbooks of runs: who keeps one, and what is in the file."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

import swfx
from swfx import InputError
from swfx.families.generators import attach_utilities
from swfx.reading.workload_source import WorkloadSource
from tests.utilitysched.small import plain_workload
from utilitysched import make_scheduler
from utilitysched.model.scheduler import Wrapper
from utilitysched.runs.logbook import breeder, write_logbooks
from utilitysched.runs.records import SimulatedRun, SimulationPlan
from utilitysched.runs.simulation import prepare, simulate_all


def simulated(folder: Path, *schedulers: str, logbook: bool = True) -> list[SimulatedRun]:
    log = folder / "market.swfx"
    swfx.write(attach_utilities(plain_workload(), seed=3), log)
    plan = SimulationPlan(WorkloadSource(str(log)), schedulers, logbook=logbook)
    return list(simulate_all(plan, prepare(plan, lambda _: None), lambda _: None))


@pytest.mark.parametrize("name", ["ga", "ga:holes=true"])
def test_one_that_breeds_is_found_in_what_is_around_it(name: str) -> None:
    found = breeder(Wrapper(make_scheduler(name)))

    assert found is not None
    assert found.logbook is None


@pytest.mark.parametrize("name", ["easy", "climb", "easy:holes=true"])
def test_others_breed_nothing(name: str) -> None:
    assert breeder(make_scheduler(name)) is None


def test_a_row_for_every_generation_of_every_decision(tmp_path: Path) -> None:
    runs = simulated(tmp_path, "easy", "ga:population=4,generations=2")
    write_logbooks(tmp_path / "log.csv", runs)

    with (tmp_path / "log.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    took = runs[1].schedule.provenance["search"]
    assert isinstance(took, dict)
    assert list(rows[0]) == [
        "scheduler", "now", "jobs", "generation", "evaluations", "plans", "best", "median", "worst"
    ]  # fmt: skip
    assert {row["scheduler"] for row in rows} == {"ga:population=4,generations=2"}
    assert len(rows) == took["decisions"] + took["generations"]
    assert sum(int(row["evaluations"]) for row in rows) == took["plans"]
    assert sum(row["generation"] == "0" for row in rows) == took["decisions"]
    assert all(float(row["worst"]) <= float(row["median"]) <= float(row["best"]) for row in rows)


def test_schedules_are_the_same_with_and_without(tmp_path: Path) -> None:
    name = "ga:population=4,generations=2"
    (logged,), (plain,) = (simulated(tmp_path, name, logbook=kept) for kept in (True, False))

    assert plain.logbook is None
    assert logged.schedule.start.tolist() == plain.schedule.start.tolist()
    assert logged.schedule.provenance == plain.schedule.provenance


def test_without_anybody_who_breeds_it_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="none of the schedulers breeds"):
        simulated(tmp_path, "easy", "climb")
