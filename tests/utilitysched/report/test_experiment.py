"""Tables, files and the page of the result of an experiment."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from tests.utilitysched.experiments.small import SIMULATIONS, SMALL, small, small_cell, small_file
from tests.utilitysched.experiments.test_comparisons import GA, rows
from tests.utilitysched.experiments.test_price_section import PRICES
from tests.utilitysched.experiments.test_price_section import PUBLISHED as PUBLISHED_BILLS
from utilitysched.analysis.documents import LineChart, ResultTable
from utilitysched.analysis.metrics.catalogue import (
    BILL_METRICS,
    CEILING,
    METRICS,
    OF_MACHINES,
    OF_SHARING,
    OF_STOPS,
    OF_SUBMISSIONS,
    SLOWDOWNS,
)
from utilitysched.experiments.cell import CellResult, run_cell
from utilitysched.experiments.grid import FinishedCell, audits, bills
from utilitysched.experiments.results import ExperimentResult, experiment_result, mean_over_cells
from utilitysched.experiments.work import complete, open_work, remove_sheets, result_of
from utilitysched.report.experiment import experiment_page
from utilitysched.report.experiment_tables import comparisons_csv, experiment_tables, write_sheets
from utilitysched.report.tables import markdown
from utilitysched.workers.local import SerialExecutor

STOPPED, SHARED, SUBMISSIONS, HELD = (
    tuple(metric.name for metric in group)
    for group in (OF_STOPS, OF_SHARING, OF_SUBMISSIONS, OF_MACHINES)
)
PUBLISHED = """[report]
published = [
  {scheduler = "easy", values = {aggregate_utility = 100, wait_mean = 4}},
  {scheduler = "fcfs", values = {aggregate_utility = 60}},
]"""
MEANS = """\
**small: means over the pairs**

| scheduler |  | aggregate utility (SU) | mean wait (s) |
| :--- | :--- | ---: | ---: |
| easy | here | 15.00 | 5.500 |
|  | published | 100.0 | 4.000 |
| fcfs | here | 7.500 | 5.500 |
|  | published | 60.00 | - |
| ga:population=4,generations=2 | here | 30.50 | 5.500 |
"""
BY_SLICE = SMALL.replace("[report]", '[report]\nseparate = ["jobs"]')
AUDIT = '[audit]\nmechanisms = ["vcg"]\n'


def compared(folder: Path, text: str) -> list[ResultTable]:
    """Tables of simulations whose utility is 10, 5 and 20 per draw."""
    experiment, entries = small(folder, text)
    cells = rows(entries, {"easy": 10, "fcfs": 5, GA: 20})
    return experiment_tables(experiment_result(experiment, cells))


def billed(folder: Path, text: str) -> ExperimentResult:
    """Bills whose revenue is 100 per repeat, 10 per draw of utilities and 1 per slice."""
    experiment, entries = small(folder, text)
    cells = []
    for entry in bills(experiment, entries):
        where = entry.circumstances
        revenue = 100 * entry.seed + 10 * where.utility_seed + (where.jobs == "20:40")
        metrics = dict.fromkeys(BILL_METRICS) | {"revenue": revenue}
        cells.append(FinishedCell(entry, CellResult(metrics)))
    return experiment_result(experiment, [], cells)


def audited(folder: Path, text: str, gains: Sequence[float]) -> list[ResultTable]:
    """Tables of audits in which every draw on a slice has the same jobs."""
    experiment, entries = small(folder, text + AUDIT)
    measured = {"gain": gains, "lying": [float(gain > 0) for gain in gains]}
    truth = {"truth": {"value": [10.0] * len(gains)}}
    nothing = {"placebo": {"gain": [0.0] * len(gains), "lying": [0.0] * len(gains)}}
    metrics = {"vcg": truth | {"value_lie": measured, "lie": measured} | nothing}
    cells = [FinishedCell(entry, CellResult(metrics)) for entry in audits(experiment, entries)]
    return experiment_tables(experiment_result(experiment, [], audited=cells))


def test_published_metrics_stand_below_ours(tmp_path: Path) -> None:
    means, utility, wait = compared(tmp_path, SMALL.replace("[report]", PUBLISHED))

    assert markdown(means) == MEANS
    assert (utility.caption, wait.caption) == ("small: aggregate utility", "small: mean wait")
    assert [column.name for column in utility.columns] == [
        "scheduler",
        "pairs",
        "aggregate utility",
        "published",
        "difference",
        "ratio [95%]",
        "published ratio",
        "p",
        "effect",
    ]
    assert utility.texts()[1][6] == "0.6000"


def test_metrics_published_of_a_place_stand_there_alone(tmp_path: Path) -> None:
    there = """[report]
published = [
  {scheduler = "easy", apply = ["accurate"], values = {aggregate_utility = 100}},
  {scheduler = "fcfs", workload = "tiny", apply = [], values = {aggregate_utility = 60}},
]"""
    text = SMALL.replace("[report]", there)
    text = text.replace("[utilities]", 'name = "tiny"\napply = [[], ["accurate"]]\n[utilities]')

    tables = compared(tmp_path, text)

    theirs = [row for table in tables for row in table.texts() if row[1] == "published"]
    assert theirs == [["", "published", "60.00", "-"], ["", "published", "100.0", "-"]]


def test_every_table_of_comparisons_has_its_notes(tmp_path: Path) -> None:
    means, *comparisons = compared(tmp_path, SMALL)

    assert means.notes == ()
    for table in comparisons:
        assert sum(note.startswith("p: of the same test") for note in table.notes) == 1
        assert table.notes[-1].startswith("pairs: one per workload or slice")


def test_every_metric_asked_for_is_in_a_table(tmp_path: Path) -> None:
    text = SMALL.replace(
        'metrics = ["aggregate_utility", "wait_mean"]',
        'metrics = ["aggregate_utility"]\ncompare = ["wait_mean"]',
    )

    means, waits = compared(tmp_path, text)

    assert [column.name for column in means.columns] == ["scheduler", "aggregate utility"]
    assert waits.caption == "small: mean wait"


def test_killed_jobs_are_counted_where_there_are_any(tmp_path: Path) -> None:
    experiment, entries = small(tmp_path, SMALL)
    cells = rows(entries, {"easy": 10, "fcfs": 5, GA: 20})
    none = experiment_tables(experiment_result(experiment, cells))
    for cell in cells:
        if cell.entry.scheduler == "fcfs":
            count = 2 * cell.entry.circumstances.utility_seed
            cell.result.metrics["jobs_cut_short"] = count  # type: ignore[index]

    *compared, table = experiment_tables(experiment_result(experiment, cells))

    assert [each.caption for each in compared] == [each.caption for each in none]
    assert table.caption == "small: jobs killed before their work was done"
    assert {row[0]: row[1] == "0" for row in table.texts()} == {
        "easy": True,
        "fcfs": False,
        GA: True,
    }


def test_places_are_in_captions(tmp_path: Path) -> None:
    tables = compared(tmp_path, BY_SLICE)

    assert tables[0].caption == "small: means over the pairs (jobs 0:20)"
    assert tables[-1].caption == "small: mean wait (jobs 20:40)"


def test_bills_have_a_line_per_scheduler_and_mechanism(tmp_path: Path) -> None:
    (table,) = experiment_tables(billed(tmp_path, SMALL + PRICES + PUBLISHED_BILLS))

    assert table.caption == "small: bills"
    assert [line[:4] for line in table.rows] == [
        ["easy", "first-price", "here", 15.5],
        ["", "", "published", 5.0],
        ["easy", "vcg:method=replay,seeds=2", "here", 15.5],
        ["fcfs", "first-price", "here", 15.5],
        ["", "", "published", 5.0],
        ["", "", "published", 6.0],
        ["fcfs", "vcg:method=replay,seeds=2", "here", 15.5],
        ["ga:population=4,generations=2", "first-price", "here", 65.5],
        ["", "", "published", 5.0],
        ["ga:population=4,generations=2", "vcg:method=replay,seeds=2", "here", 65.5],
    ]


def test_bills_of_places_that_are_kept_apart_have_tables(tmp_path: Path) -> None:
    first, second = experiment_tables(billed(tmp_path, BY_SLICE + PRICES))

    assert [column.name for column in first.columns[:3]] == ["scheduler", "mechanism", "revenue"]
    assert (first.caption, first.rows[0][2]) == ("small: bills (jobs 0:20)", 15.0)
    assert (second.caption, second.rows[0][2]) == ("small: bills (jobs 20:40)", 16.0)


def test_repeats_count_once_then_draws_then_workloads(tmp_path: Path) -> None:
    """Of the first slice only one draw has a figure: it counts as much as two of the second."""
    some = [
        row
        for row in billed(tmp_path, SMALL + PRICES).bills
        if (row.entry.circumstances.jobs, row.entry.circumstances.utility_seed) != ("0:20", 2)
    ]

    assert mean_over_cells([row for row in some if row.entry.scheduler == "fcfs"], "revenue") == (
        (10 + (11 + 21) / 2) / 2
    )
    assert mean_over_cells(some, "share_free") is None


def test_jobs_of_all_audits_are_put_together(tmp_path: Path) -> None:
    """Easy has four audits of two jobs, the genetic scheduler eight."""
    (table,) = audited(tmp_path, SMALL, [0.0, 4.0])

    easy, _, genetic = table.rows
    assert easy[:4] == ["easy", "vcg", 8, 10.0]
    assert easy[4].value == 2.0
    assert 0 < easy[4].low < 2.0 < easy[4].high < 4.0
    assert easy[5] == 0.5
    assert genetic[2] == 16
    assert table.texts()[0][8] == "0.000 [0.000, 0.000]"


def test_two_jobs_are_too_few_for_an_interval(tmp_path: Path) -> None:
    text = SMALL.replace('jobs = ["0:20", "20:40"]', 'jobs = "0:20"')
    text = text.replace("seeds = [1, 2]", "seeds = [1]").replace("repeats = 2", "repeats = 1")

    (table,) = audited(tmp_path, text, [0.0, 4.0])

    assert table.texts()[0][4] == "2.000"


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

    assert set(METRICS) - {*STOPPED, *SHARED, *CEILING, *SLOWDOWNS, *SUBMISSIONS, *HELD} == set(
        figures
    ) - {
        "scheduler",
        "tau",
        "trim",
    }


def test_figures_of_jobs_that_could_be_stopped_have_names_and_columns(
    result: ExperimentResult, tmp_path: Path
) -> None:
    stopped = run_cell(small_cell(preemption="default"))

    write_sheets(with_second(result, stopped), tmp_path / "out")

    absent = {*SHARED, *CEILING, *SLOWDOWNS, *SUBMISSIONS, *HELD} - {*STOPPED}
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


TEXT = """\
[[workload]]
source = "model:lublin,jobs=40,machine_size=64,seed=3"
apply = "resample-users"
seeds = [1, 2]
[utilities]
specifications = "none"
[schedulers]
names = ["easy", "saf", "select:epsilon=0"]
[report]
metrics = ["wait_mean"]
over_time = true
"""
WAITS = {
    "easy": {1: [0, 10, 10, 20], 2: [10, 10, 0, 0]},
    "saf": {1: [0, 5, 5, 0], 2: [10, 0, 0, 0]},
    "select:epsilon=0": {1: [5, 10, 5, 0], 2: [5, 5, 5, 5]},
}


def made(folder: Path) -> ExperimentResult:
    experiment, entries = small(folder, TEXT)
    cells = []
    for entry in entries:
        waits = WAITS[entry.scheduler][entry.circumstances.apply_seed]
        chosen = ["saf"] * 7 + ["spf"] * 7 if entry.scheduler.startswith("select") else []
        assert entry.cell.extra == ("over_time",)
        metrics = {"over_time": {"wait": waits, "chosen": chosen}}
        cells.append(FinishedCell(entry, CellResult(metrics)))
    return experiment_result(experiment, cells)


def test_waits_so_far_are_beside_those_of_the_baseline(tmp_path: Path) -> None:
    _, waits, regret, shares = experiment_tables(made(tmp_path))

    # 5/10 in week 1 of the second draw, none in the first; then 15/10 and 10/20; 20/40 and 20/20
    assert [row[0] for row in waits.rows] == ["saf", "select:epsilon=0"]
    assert [each.value for each in waits.rows[1][1:]] == [0.5, 1.0, (1.0 + 0.75) / 2, 0.75]
    # saf is the best single one: 15/5 and 10/10, 20/10 and 15/10, 20/10 and 20/10
    assert "Regret: waits so far beside saf" in regret.caption
    ((name, *values),) = regret.rows
    assert (name, [each.value for each in values]) == ("select:epsilon=0", [0.5, 2.0, 1.75, 2.0])
    assert shares.rows == [["select:epsilon=0", 50.0, 50.0]]


def test_lines_are_drawn(tmp_path: Path) -> None:
    panels = experiment_page(made(tmp_path), []).folded
    waits, regret, orderings = (panel for panel in panels if isinstance(panel, LineChart))

    assert [line.name for line in regret.lines] == ["select:epsilon=0"]
    assert [line.name for line in orderings.lines] == ["saf", "spf"]
    assert [list(line.values) for line in orderings.lines] == [[1.0, 0.0], [0.0, 1.0]]
    assert [len(line.values) for line in waits.lines] == [4, 4]
    assert [len(line.low) for line in waits.lines] == [4, 4]


def test_nothing_is_drawn_where_it_is_not_asked_for(tmp_path: Path) -> None:
    experiment, entries = small(tmp_path, TEXT.replace("over_time = true", ""))

    assert entries[0].cell.extra == ()
    cells = [FinishedCell(entry, CellResult({"wait_mean": 1.0})) for entry in entries]
    assert len(experiment_tables(experiment_result(experiment, cells))) == 1
