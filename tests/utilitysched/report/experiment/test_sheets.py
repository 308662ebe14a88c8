"""Files of the cells and comparisons of an experiment."""

from __future__ import annotations

import csv
from dataclasses import replace
from pathlib import Path

import pytest

from tests.utilitysched.experiments.small import SIMULATIONS, SMALL, small, small_cell, small_file
from tests.utilitysched.experiments.test_comparisons import GA, rows
from tests.utilitysched.report.experiment.test_tables import PUBLISHED
from utilitysched.experiments.cell import CellResult, run_cell
from utilitysched.experiments.metric_names import CEILING, METRICS, SHARED, SLOWDOWNS, STOPPED
from utilitysched.experiments.results import ExperimentResult, experiment_result
from utilitysched.experiments.work import complete, open_work, remove_sheets, result_of
from utilitysched.report.experiment.tables import comparisons_csv, write_sheets
from utilitysched.workers.local import SerialExecutor


@pytest.fixture(scope="module")
def result(tmp_path_factory: pytest.TempPathFactory) -> ExperimentResult:
    work = open_work(small_file(tmp_path_factory.mktemp("grid")), None, print)
    complete(work, SerialExecutor())
    return result_of(work)


def with_second(result: ExperimentResult, measured: CellResult) -> ExperimentResult:
    first, second, *others = result.runs
    return replace(result, runs=[first, second._replace(result=measured), *others])


def test_every_figure_that_is_a_number_has_a_name() -> None:
    figures = run_cell(small_cell()).metrics

    assert set(METRICS) - {*STOPPED, *SHARED, *CEILING, *SLOWDOWNS} == set(figures) - {
        "scheduler",
        "tau",
        "trim",
    }


def test_figures_of_jobs_that_could_be_stopped_have_names_and_columns(
    result: ExperimentResult, tmp_path: Path
) -> None:
    stopped = run_cell(small_cell(preemption="default"))

    write_sheets(with_second(result, stopped), tmp_path / "out")

    absent = {*SHARED, *CEILING, *SLOWDOWNS}
    assert set(stopped.metrics) == {*METRICS, "scheduler", "tau", "trim"} - absent
    with (tmp_path / "out" / "results.csv").open(newline="") as file:
        first, second, *_ = csv.DictReader(file)
    assert [first[name] for name in STOPPED] == [""] * len(STOPPED)
    assert (second["preemptions"], second["failures"]) == ("0", "0")


def test_ceilings_have_names_and_columns_where_they_are_asked_for(
    result: ExperimentResult, tmp_path: Path
) -> None:
    measured = run_cell(small_cell(ceiling=True))

    write_sheets(with_second(result, measured), tmp_path / "out")

    assert {*CEILING} <= set(measured.metrics)
    assert measured.metrics["gap_share"] == 0  # the cell's scheduler is EASY
    assert measured.metrics["ceiling"] > measured.metrics["aggregate_utility"]
    with (tmp_path / "out" / "results.csv").open(newline="") as file:
        first, second, *_ = csv.DictReader(file)
    assert [first[name] for name in CEILING] == [""] * len(CEILING)
    assert float(second["ceiling"]) == measured.metrics["ceiling"]


def test_a_row_per_run_in_the_order_of_the_grid(result: ExperimentResult, tmp_path: Path) -> None:

    written = write_sheets(result, tmp_path / "out")

    assert [path.name for path in written] == ["results.csv"]
    with (tmp_path / "out" / "results.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == SIMULATIONS
    assert [row["cell"] for row in rows] == [run.entry.cell.key for run in result.runs]
    assert float(rows[0]["wait_mean"]) == result.runs[0].result.metrics["wait_mean"]
    assert (rows[0]["slice"], rows[0]["jobs"]) == ("0:20", "20")


def test_sheets_are_removed(result: ExperimentResult, tmp_path: Path) -> None:
    write_sheets(result, tmp_path / "out")

    remove_sheets(tmp_path / "out")
    remove_sheets(tmp_path / "nowhere")

    assert list((tmp_path / "out").iterdir()) == []


def test_comparisons_are_written_to_full_precision(tmp_path: Path) -> None:
    experiment, entries = small(tmp_path, SMALL.replace("[report]", PUBLISHED))
    result = experiment_result(experiment, rows(entries, {"easy": 10, "fcfs": 5, GA: 20}))

    lines = list(csv.DictReader(comparisons_csv(result).splitlines()))

    assert [(line["metric"], line["scheduler"]) for line in lines] == [
        (metric, name)
        for metric in ("aggregate_utility", "wait_mean")
        for name in ("easy", "fcfs", GA)
    ]
    assert float(lines[2]["ratio"]) == (20.5 + 40.5) / 30
    assert (lines[1]["published"], lines[1]["published_ratio"]) == ("60.0", "0.6")
    assert (lines[1]["pairs"], lines[4]["pairs"]) == ("2", "2")
