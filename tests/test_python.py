"""From Python: what a simulation, an experiment and a report need are names of the packages."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import swfx
import utilitysched

EXPERIMENT = """
name = "small"

[[workload]]
source = "sample:"
jobs = "0:30"

[schedulers]
names = ["easy", "fcfs"]
"""


@pytest.fixture
def plan(tmp_path: Path) -> utilitysched.SimulationPlan:
    source = swfx.WorkloadSource("sample:", jobs=slice(0, 60))
    return utilitysched.SimulationPlan(source, ["easy", "fcfs"], out=tmp_path / "runs")


def test_runs_are_written_read_reported_and_quoted(
    plan: utilitysched.SimulationPlan, tmp_path: Path
) -> None:
    runs = [run.directory for run in utilitysched.simulate_all(plan) if run.directory]
    results = [utilitysched.read_results(run) for run in runs]
    utilitysched.write_report(results, tmp_path / "report.html")
    moment = utilitysched.snapshot_of_run(runs[0], 2000.0)
    job = utilitysched.QuotedJob(processors=4, request=600)
    made = utilitysched.quote(moment, job, utilitysched.QuoteTerms("easy", samples=2))

    assert [each.label for each in results] == ["easy", "fcfs"]
    assert utilitysched.read_run(runs[0]).workload == results[0].workload
    assert "fcfs" in (tmp_path / "report.html").read_text("utf-8")
    assert made.offers[0].now.charges["single-price"].mean > 0


def test_the_table_of_a_stored_run_has_the_columns_of_its_file(tmp_path: Path) -> None:
    source, classes = swfx.WorkloadSource("sample:", jobs=slice(0, 60)), {1: 2, 2: 1, 3: 0}
    plan = utilitysched.SimulationPlan(source, ["easy"], classes=classes, out=tmp_path / "runs")
    (directory,) = (run.directory for run in utilitysched.simulate_all(plan) if run.directory)

    results = utilitysched.read_results(str(directory))
    assert utilitysched.read_run(str(directory)).workload == results.workload
    assert utilitysched.snapshot_of_run(str(directory), 2000.0).now == 2000.0
    frame = results.schedule.to_frame(results.workload, allocations=results.allocations)
    written = pd.read_csv(directory / "jobs.csv")

    assert len(set(written["priority_class"])) == 3
    for column in ("job_id", "priority_class", "start_value", "utility", "allocated_resources"):
        assert frame[column].tolist() == written[column].tolist()


def test_a_plan_takes_the_text_of_a_workload() -> None:
    plan = utilitysched.SimulationPlan("sample:", ["easy"])  # type: ignore[arg-type]

    assert plan == utilitysched.SimulationPlan(swfx.WorkloadSource("sample:"), ["easy"])


def test_an_experiment_is_run_once(tmp_path: Path) -> None:
    file, notes = tmp_path / "small.toml", list[str]()
    file.write_text(EXPERIMENT)

    result = utilitysched.run_experiment(file, processes=1)
    again = utilitysched.run_experiment(file, processes=1, echo=notes.append)

    assert (result.finished, result.wanted) == (2, 2)
    assert [run.result for run in again.runs] == [run.result for run in result.runs]
    assert (tmp_path / "small.store").is_dir()


def test_an_audit_of_few_jobs() -> None:
    jobs = swfx.open_workload("sample:", jobs=slice(0, 20)).workload
    audit = utilitysched.audit(jobs, utilitysched.AuditSubject("easy", ["first-price"]))
    assert np.isfinite(audit.chosen).any()


def test_what_is_printed_fits_a_line() -> None:
    loaded = swfx.open_workload("sample:", jobs=slice(0, 20))
    jobs = loaded.workload

    assert repr(loaded.report) == "<LoadReport: sample:, 20 of 20 jobs kept>"
    assert repr(jobs.utility) == "<UtilityTable: 20 of 20 jobs have a curve>"
    assert repr(jobs.labels) == "<Labels: user, group, queue>"
    assert repr(jobs.labels.of("queue")) == "<JobLabels: queue of 20 jobs, 3 names>"
    assert repr(jobs.job_names) == "<JobIds: job of 20 jobs, 0 names>"
