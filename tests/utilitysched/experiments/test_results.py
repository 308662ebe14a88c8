from __future__ import annotations

import csv
from pathlib import Path

import pytest

from swfx import InputError
from tests.utilitysched.experiments.small import SIMULATIONS, small, small_cell
from utilitysched.experiments import results
from utilitysched.experiments.cell import run_cell
from utilitysched.experiments.execution import run_missing
from utilitysched.experiments.grid import GridEntry, cells
from utilitysched.experiments.metric_names import CEILING, METRICS, SHARED, SLOWDOWNS, STOPPED
from utilitysched.experiments.results import HEADER, finished, remove_results, write_results
from utilitysched.experiments.store import Store
from utilitysched.workers.local import SerialExecutor


def run(folder: Path) -> tuple[list[GridEntry], Store]:
    _, entries = small(folder)
    store = Store(folder / "store")
    run_missing(cells(entries), store, SerialExecutor())
    return entries, store


def test_every_figure_that_is_a_number_has_a_name() -> None:
    figures = run_cell(small_cell()).metrics

    assert set(METRICS) - {*STOPPED, *SHARED, *CEILING, *SLOWDOWNS} == set(figures) - {
        "scheduler",
        "tau",
        "trim",
    }


def test_figures_of_jobs_that_could_be_stopped_have_names_and_columns(tmp_path: Path) -> None:
    entries, store = run(tmp_path)
    rows = finished(entries, store)
    stopped = run_cell(small_cell(preemption="default"))
    rows[1] = rows[1]._replace(result=stopped)

    write_results(rows, tmp_path / "out")

    absent = {*SHARED, *CEILING, *SLOWDOWNS}
    assert set(stopped.metrics) == {*METRICS, "scheduler", "tau", "trim"} - absent
    with (tmp_path / "out" / "results.csv").open(newline="") as file:
        first, second, *_ = csv.DictReader(file)
    assert [first[name] for name in STOPPED] == [""] * len(STOPPED)
    assert (second["preemptions"], second["failures"]) == ("0", "0")


def test_ceilings_have_names_and_columns_where_they_are_asked_for(tmp_path: Path) -> None:
    entries, store = run(tmp_path)
    rows = finished(entries, store)
    measured = run_cell(small_cell(ceiling=True))
    rows[1] = rows[1]._replace(result=measured)

    write_results(rows, tmp_path / "out")

    assert {*CEILING} <= set(measured.metrics)
    assert measured.metrics["gap_share"] == 0  # the cell's scheduler is EASY
    assert measured.metrics["ceiling"] > measured.metrics["aggregate_utility"]
    with (tmp_path / "out" / "results.csv").open(newline="") as file:
        first, second, *_ = csv.DictReader(file)
    assert [first[name] for name in CEILING] == [""] * len(CEILING)
    assert float(second["ceiling"]) == measured.metrics["ceiling"]


def test_what_else_is_asked_for_is_measured() -> None:
    measured = run_cell(small_cell("select:epsilon=0", extra=("over_time", "slowdowns"))).metrics

    assert {*SLOWDOWNS} <= set(measured)
    waits = sum(measured["over_time"]["wait"])
    assert waits == pytest.approx(measured["wait_mean"] * measured["jobs"])
    assert measured["over_time"]["chosen"][0] == "fcfs"


def test_ceilings_of_jobs_that_wait_for_others_are_refused() -> None:
    refused = run_cell(small_cell(ceiling=True, dependencies=True))

    assert "ceilings are of jobs that wait for no other" in str(refused.error)


def test_a_row_per_run_in_the_order_of_the_grid(tmp_path: Path) -> None:
    entries, store = run(tmp_path)

    written = write_results(finished(entries, store), tmp_path / "out")

    assert [path.name for path in written] == ["results.csv", "results.parquet"]
    with (tmp_path / "out" / "results.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert tuple(rows[0]) == HEADER
    assert len(rows) == SIMULATIONS
    assert [row["cell"] for row in rows] == [entry.cell.key for entry in entries]
    first = store.get(entries[0].cell)
    assert first is not None
    assert float(rows[0]["wait_mean"]) == first.metrics["wait_mean"]
    assert (rows[0]["slice"], rows[0]["jobs"]) == ("0:20", "20")


def test_parquet_holds_the_same(tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    entries, store = run(tmp_path)
    write_results(finished(entries, store), tmp_path / "out")

    rows = parquet.read_table(tmp_path / "out" / "results.parquet").to_pylist()

    with (tmp_path / "out" / "results.csv").open(newline="") as file:
        for row, line in zip(rows, csv.DictReader(file), strict=True):
            for name in HEADER:
                text = "" if row[name] is None else row[name]
                assert line[name] == text or float(line[name]) == text


def test_without_pyarrow_there_is_csv(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def missing() -> None:
        raise InputError("Parquet needs a package that is not installed")

    monkeypatch.setattr(results, "arrow", missing)
    entries, store = run(tmp_path)

    written = write_results(finished(entries, store), tmp_path / "out")

    assert [path.name for path in written] == ["results.csv"]


def test_tables_of_a_grid_that_grew_are_removed(tmp_path: Path) -> None:
    entries, store = run(tmp_path)
    write_results(finished(entries, store), tmp_path / "out")

    remove_results(tmp_path / "out")
    remove_results(tmp_path / "nowhere")

    assert list((tmp_path / "out").iterdir()) == []
