from __future__ import annotations

from pathlib import Path

import pytest

from swfx import InputError, Workload
from swfx.reading.job_rows import JobRows, read_job_rows

JOBS = Workload.from_columns(job_id=[7, 3, 5], run=[1, 2, 3])


def rows_of(tmp_path: Path, text: str, jobs: Workload = JOBS) -> JobRows:
    path = tmp_path / "rows.csv"
    path.write_text(text)
    return read_job_rows(path, ("colour",), jobs)


def test_rows_find_their_jobs(tmp_path: Path) -> None:
    columns, row, position, notes = rows_of(tmp_path, "colour,job\nred,5\ndark,9\nblue,7\n")

    assert columns.cells["colour"] == ["red", "dark", "blue"]
    assert row.tolist() == [0, 2]
    assert position.tolist() == [2, 0]
    assert notes == (f"{tmp_path / 'rows.csv'}: 1 row matching no job of the workload: line 3",)


def test_only_the_first_lines_about_other_jobs_are_named(tmp_path: Path) -> None:
    notes = rows_of(tmp_path, "job,colour\n" + "".join(f"{job},\n" for job in range(10, 18))).notes

    assert notes[0].endswith(": 8 rows matching no job of the workload: lines 2, 3, 4, 5, 6, ...")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("7,red\n3,red\n7,blue", "4: field job: job 7 is on line 2 already; keep one of them"),
        ("9,red\n7,red\n9,blue", "4: field job: job 9 is on line 2 already; keep one of them"),
    ],
)
def test_a_job_may_be_there_once(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(InputError) as error:
        rows_of(tmp_path, f"job,colour\n{text}\n")

    assert str(error.value) == f"{tmp_path / 'rows.csv'}:{message}"


def test_a_number_of_several_jobs_is_refused(tmp_path: Path) -> None:
    twins = Workload.from_columns(job_id=[7, 7], run=[1, 2])

    with pytest.raises(InputError, match=r"rows.csv:2: field job: several jobs have the number 7"):
        rows_of(tmp_path, "job,colour\n7,red\n", twins)
