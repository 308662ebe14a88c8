"""Tables of bills."""

from __future__ import annotations

from pathlib import Path

from tests.utilitysched.experiments.small import SMALL, small
from tests.utilitysched.experiments.test_price_section import PRICES, PUBLISHED
from utilitysched.experiments.cell import CellResult
from utilitysched.experiments.figure_names import BILLS
from utilitysched.experiments.grid import bills
from utilitysched.experiments.results import Finished, Priced, billed
from utilitysched.experiments.specification import Experiment
from utilitysched.report.prices import bill_tables, mean_of
from utilitysched.report.tables import markdown


def made(folder: Path, text: str) -> tuple[Experiment, list[Priced]]:
    """Bills whose revenue is 100 per repeat, 10 per draw of utilities and 1 per slice."""
    experiment, entries = small(folder, text)
    rows = []
    for entry in bills(experiment, entries):
        where = entry.circumstances
        revenue = 100 * entry.seed + 10 * where.utility_seed + (where.jobs == "20:40")
        figures = dict.fromkeys(BILLS) | {"revenue": revenue}
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
