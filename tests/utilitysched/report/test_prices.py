"""Tables of bills and of audits."""

from __future__ import annotations

from pathlib import Path

from tests.utilitysched.experiments.small import SMALL, small
from tests.utilitysched.experiments.test_price_section import PRICES, PUBLISHED
from utilitysched.experiments.cell import CellResult
from utilitysched.experiments.grid import audits, bills
from utilitysched.experiments.metric_names import BILL_METRICS
from utilitysched.experiments.results import Finished, Priced, audited, billed
from utilitysched.experiments.specification import Experiment
from utilitysched.report.prices import audit_tables, bill_tables, mean_of
from utilitysched.report.tables import ResultTable, markdown

AUDIT = '[audit]\nmechanisms = ["vcg"]\n'


def made(folder: Path, text: str) -> tuple[Experiment, list[Priced]]:
    """Bills whose revenue is 100 per repeat, 10 per draw of utilities and 1 per slice."""
    experiment, entries = small(folder, text)
    rows = []
    for entry in bills(experiment, entries):
        where = entry.circumstances
        revenue = 100 * entry.seed + 10 * where.utility_seed + (where.jobs == "20:40")
        figures = dict.fromkeys(BILL_METRICS) | {"revenue": revenue}
        rows.append(Finished(entry, CellResult(figures)))
    return experiment, billed(rows)


def test_a_line_per_scheduler_and_mechanism_and_what_was_published_below(tmp_path: Path) -> None:
    experiment, rows = made(tmp_path, SMALL + PRICES + PUBLISHED)

    (table,) = bill_tables(experiment, rows)

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


def test_without_anything_published_there_is_no_column_for_it(tmp_path: Path) -> None:
    (table,) = bill_tables(*made(tmp_path, SMALL + PRICES))

    assert [column.name for column in table.columns[:3]] == ["scheduler", "mechanism", "revenue"]
    assert "| easy | first-price | 15.50 | - |" in markdown(table)


def test_places_that_are_kept_apart_have_tables(tmp_path: Path) -> None:
    text = SMALL.replace("[report]", '[report]\nseparate = ["jobs"]') + PRICES

    first, second = bill_tables(*made(tmp_path, text))

    assert (first.caption, first.rows[0][2]) == ("small: bills (jobs 0:20)", 15.0)
    assert (second.caption, second.rows[0][2]) == ("small: bills (jobs 20:40)", 16.0)


def test_repeats_count_once_then_draws_then_workloads(tmp_path: Path) -> None:
    """Of the first slice only one draw has a figure: it counts as much as two of the second."""
    _, rows = made(tmp_path, SMALL + PRICES)
    some = [
        row
        for row in rows
        if (row.entry.circumstances.jobs, row.entry.circumstances.utility_seed) != ("0:20", 2)
    ]

    assert mean_of([row for row in some if row.entry.scheduler == "fcfs"], "revenue") == (
        (10 + (11 + 21) / 2) / 2
    )
    assert mean_of(some, "share_free") is None


def test_no_bills_no_table(tmp_path: Path) -> None:
    assert bill_tables(*made(tmp_path, SMALL)) == []


def lied_to(folder: Path, text: str, gains: list[float]) -> list[ResultTable]:
    """Tables of audits in which every draw on a slice has the same jobs."""
    experiment, entries = small(folder, text + AUDIT)
    measured = {"gain": gains, "lying": [float(gain > 0) for gain in gains]}
    truth = {"truth": {"value": [10.0] * len(gains)}}
    nothing = {"placebo": {"gain": [0.0] * len(gains), "lying": [0.0] * len(gains)}}
    figures = {"vcg": truth | {"value_lie": measured, "lie": measured} | nothing}
    rows = [Finished(entry, CellResult(figures)) for entry in audits(experiment, entries)]
    return audit_tables(experiment, audited(rows))


def test_jobs_of_all_audits_are_put_together(tmp_path: Path) -> None:
    """Easy has four audits of two jobs, the genetic scheduler eight."""
    (table,) = lied_to(tmp_path, SMALL, [0.0, 4.0])

    assert table.caption == "small: what lies would bring"
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

    (table,) = lied_to(tmp_path, text, [0.0, 4.0])

    assert table.texts()[0][4] == "2.000"
