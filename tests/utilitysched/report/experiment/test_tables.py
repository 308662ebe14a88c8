"""Tables of the result of an experiment."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from tests.utilitysched.experiments.small import SMALL, small
from tests.utilitysched.experiments.test_comparisons import GA, rows
from tests.utilitysched.experiments.test_price_section import PRICES
from tests.utilitysched.experiments.test_price_section import PUBLISHED as PUBLISHED_BILLS
from utilitysched.analysis.documents import ResultTable
from utilitysched.experiments.cell import CellResult
from utilitysched.experiments.grid import FinishedCell, audits, bills
from utilitysched.experiments.metric_names import BILL_METRICS
from utilitysched.experiments.results import ExperimentResult, experiment_result, mean_over_cells
from utilitysched.report.experiment.tables import experiment_tables
from utilitysched.report.tables import markdown

PUBLISHED = """[report]
published = [
  {scheduler = "easy", values = {aggregate_utility = 100, wait_mean = 4}},
  {scheduler = "fcfs", values = {aggregate_utility = 60}},
]"""
METRICS = """\
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

    assert markdown(means) == METRICS
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
        assert sum(note.startswith("p: Wilcoxon") for note in table.notes) == 1
        assert table.notes[-1].startswith("pairs: one per workload or slice")


def test_every_metric_asked_for_is_in_a_table(tmp_path: Path) -> None:
    text = SMALL.replace(
        'metrics = ["aggregate_utility", "wait_mean"]',
        'metrics = ["aggregate_utility"]\ncompare = ["wait_mean"]',
    )

    means, waits = compared(tmp_path, text)

    assert [column.name for column in means.columns] == ["scheduler", "aggregate utility"]
    assert waits.caption == "small: mean wait"


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
