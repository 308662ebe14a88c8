from __future__ import annotations

from pathlib import Path

import pytest

from swfx import InputError, Workload
from swfx.job_rows import read_job_rows

JOBS = Workload.from_columns(job_id=[7, 3, 5], run=[1, 2, 3])


def rows_of(tmp_path: Path, text: str, jobs: Workload = JOBS) -> object:
    path = tmp_path / "rows.csv"
    path.write_bytes(text.encode("latin-1"))
    return read_job_rows(path, ("colour",), jobs)


def test_rows_find_their_jobs(tmp_path: Path) -> None:
    path = tmp_path / "rows.csv"
    path.write_text("colour, job\nred,5\n\n'dark, blue',9\n".replace("'", '"'), "utf-8-sig")

    rows, position, notes = read_job_rows(path, ("colour",), JOBS)

    assert [(row.line, row.cells["colour"]) for row in rows] == [(2, "red")]
    assert position.tolist() == [2]
    assert notes == (f"{path}: rows about jobs that are not here: on lines 4",)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", ":1: its columns are none; head the file with job,colour"),
        ("job,color\n1,red\n", ":1: its columns are job, color; head the file with job,colour"),
        ("job,colour\n5\n", ":2: 1 cells for 2 columns; leave cells empty, not out"),
        ("job,colour\n5,\xe9\n", ": cannot be read: is not UTF-8 text; give a CSV file"),
    ],
)
def test_what_is_no_such_file_is_refused(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(InputError) as error:
        rows_of(tmp_path, text)

    assert str(error.value) == f"{tmp_path / 'rows.csv'}{message}"


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(InputError) as error:
        read_job_rows(tmp_path / "none.csv", ("colour",), JOBS)

    expected = (
        f"{tmp_path / 'none.csv'}: cannot be read: no such file or directory; give a CSV file"
    )
    assert str(error.value) == expected


def test_a_number_of_several_jobs_is_refused(tmp_path: Path) -> None:
    twins = Workload.from_columns(job_id=[7, 7], run=[1, 2])

    with pytest.raises(InputError, match=r"rows.csv:2: field job: several jobs have the number 7"):
        rows_of(tmp_path, "job,colour\n7,red\n", twins)


def test_only_the_first_lines_about_other_jobs_are_named(tmp_path: Path) -> None:
    path = tmp_path / "rows.csv"
    path.write_text("job,colour\n" + "".join(f"{job},red\n" for job in range(10, 18)))

    notes = read_job_rows(path, ("colour",), JOBS).notes

    assert notes == (f"{path}: rows about jobs that are not here: on lines 2 3 4 5 6 and 3 more",)
