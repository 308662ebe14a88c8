from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import swfx
import utilitysched
from swfx import Header, InputError, UtilityFunction, UtilityTable, Workload
from tests.utilitysched.preempted import preempted_schedule, preempted_workload
from tests.utilitysched.small import plain_workload
from utilitysched.model.job_columns import STOPPED_HEADER, Column
from utilitysched.model.state import Floats
from utilitysched.runs import JOBS_HEADER, job_columns, read_times, write_jobs

HEADER = (
    "job_id,submission_time,requested_number_of_resources,requested_time,success,starting_time,"
    "execution_time,finish_time,waiting_time,turnaround_time,stretch,allocated_resources,user,"
    "group,queue,priority_class,status,backfilled,start_value,utility"
)


@pytest.fixture
def two_jobs() -> Workload:
    """The second waits for the first, is killed at its limit, and earns half its start value."""
    return Workload.from_columns(
        job_id=[7, 8],
        submit=[0, 1],
        run=[10, 9],
        processors=[4, 2],
        requested_time=[20, 5],
        user=[3, -1],
        group=[1, -1],
        queue=[0, 9],
        status=[1, 0],
        utility=UtilityTable.from_functions([None, UtilityFunction([0, 28], [6, 0])]),
        header=swfx.Header((" MaxProcs: 4",)),
    )


def test_the_file_is_this(two_jobs: Workload, tmp_path: Path) -> None:
    schedule = utilitysched.simulate(two_jobs, "easy")
    columns = job_columns(
        two_jobs,
        schedule,
        classes={9: 5},
        allocations=utilitysched.allocations(two_jobs, schedule),
    )
    write_jobs(tmp_path / "jobs.csv", columns)

    assert (tmp_path / "jobs.csv").read_text() == (
        f"{HEADER}\n"
        "7,0,4,20,1,0,10,10,0,10,1.0,0-3,3,1,0,0,1,0,0,0\n"
        "8,1,2,5,0,10,5,15,9,14,2.8,0-1,-1,-1,9,5,0,0,6,3\n"
    )


def test_the_first_columns_are_those_of_evalys() -> None:
    assert ",".join(JOBS_HEADER) == HEADER


def test_a_job_without_run_time_has_no_stretch(tmp_path: Path) -> None:
    jobs = Workload.from_columns(submit=[0, 0], run=[0, 4], processors=[1, 1])
    columns = job_columns(jobs, utilitysched.simulate(jobs, machine_size=1))
    write_jobs(tmp_path / "jobs.csv", columns)

    table = pd.read_csv(tmp_path / "jobs.csv")
    assert table.stretch.isna().tolist() == [True, False]


def write_times(path: Path, submit: Floats, start: Floats, end: Floats) -> None:
    columns = {"submission_time": submit, "starting_time": start, "finish_time": end}
    write_jobs(path, columns)


def test_fractional_times_read_back_exactly(tmp_path: Path) -> None:
    start = np.array([0.1, 1e9 + 1 / 3, 2.0])
    end = start + np.array([0.7, 1 / 7, 5.0])
    write_times(tmp_path / "jobs.csv", start - 0.3, start, end)

    read = read_times(tmp_path / "jobs.csv")
    assert np.array_equal(read.submit, start - 0.3)
    assert np.array_equal(read.start, start)
    assert np.array_equal(read.end, end)


def test_more_rows_than_are_written_at_a_time(tmp_path: Path) -> None:
    start = np.arange(50_001, dtype=np.float64)
    write_times(tmp_path / "jobs.csv", start, start, start + 1)

    assert np.array_equal(read_times(tmp_path / "jobs.csv").start, start)


@pytest.mark.parametrize(
    ("column", "cells"),
    [
        (np.array([2**53 + 1, 0, -1]), ["9007199254740993", "0", "-1"]),
        (np.array([-0.0, 3.0, 1e15]), ["0", "3", "1000000000000000"]),
        (np.array([-0.0, np.nan, 0.5]), ["-0.0", "", "0.5"]),
        (np.array([1e300, 1e-5, np.inf]), ["1e+300", "1e-05", "inf"]),
        (["a,b", 'c"d', "e\nf"], ['"a,b"', '"c""d"', '"e\nf"']),
        (["=1+1", "é", ""], ["'=1+1", "é", ""]),
        ([1, None, 2.5], ["1", "", "2.5"]),
    ],
    ids=str,
)
def test_cells_are_numbers_in_shortest_form_and_harmless_texts(
    column: Column, cells: list[str], tmp_path: Path
) -> None:
    write_jobs(tmp_path / "jobs.csv", {"job_id": np.arange(3), "column": column})

    rows = "".join(f"{row},{cell}\n" for row, cell in enumerate(cells))
    assert (tmp_path / "jobs.csv").read_text("utf-8") == f"job_id,column\n{rows}"


def test_one_job_reads_back_as_one(tmp_path: Path) -> None:
    one = np.array([3.0])
    write_times(tmp_path / "jobs.csv", one, one, one)

    assert read_times(tmp_path / "jobs.csv").end.tolist() == [3.0]


@pytest.mark.parametrize(
    "text", ["", "a,b\n1,2\n", "submission_time,starting_time,finish_time\n0,1,x\n"]
)
def test_another_table_is_refused(text: str, tmp_path: Path) -> None:
    path = tmp_path / "jobs.csv"
    path.write_text(text)

    with pytest.raises(InputError, match=r"jobs\.csv: is not a jobs\.csv of ours: .*; simulate"):
        read_times(path)


def test_a_missing_table_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be read: no such file or directory"):
        read_times(tmp_path / "jobs.csv")


def test_pandas_reads_every_column_as_it_was(tmp_path: Path) -> None:
    jobs = plain_workload()
    columns = job_columns(jobs, utilitysched.simulate(jobs))
    write_jobs(tmp_path / "jobs.csv", columns)

    table = pd.read_csv(tmp_path / "jobs.csv")
    for name in set(JOBS_HEADER) - {"allocated_resources"}:
        assert table[name].tolist() == list(columns[name]), name


def as_read(path: Path, columns: dict[str, Column], frame: pd.DataFrame) -> pd.DataFrame:
    """What a jobs.csv holds, in the types of a data frame."""
    write_jobs(path, columns)
    kept = frame[[*columns]]
    return pd.read_csv(path, keep_default_na=False, na_values={"stretch": [""]}).astype(kept.dtypes)


def test_a_data_frame_has_the_columns_of_the_file(two_jobs: Workload, tmp_path: Path) -> None:
    header = Header((*two_jobs.header.lines, " User: 3 ann", " Queue: 9 long", " Job: 8 7_1"))
    jobs = two_jobs.replace(header=header)
    schedule = utilitysched.simulate(jobs, "easy", classes={9: 5})
    allocations = utilitysched.allocations(jobs, schedule)
    columns = job_columns(jobs, schedule, classes={9: 5}, allocations=allocations)

    frame = schedule.to_frame(jobs, allocations=allocations)

    pd.testing.assert_frame_equal(
        frame[[*columns]], as_read(tmp_path / "jobs.csv", columns, frame), check_exact=True
    )
    assert [*frame][-3:] == ["job", "user_name", "queue_name"]
    assert frame["user_name"].tolist() == ["ann", "unknown"]
    assert frame["queue_name"].tolist() == ["0", "long"]
    assert frame["job"].tolist() == ["7", "7_1"]
    assert frame[frame.success].job_id.tolist() == [7]
    assert schedule.to_frame(jobs)["allocated_resources"].tolist() == ["", ""]


def test_a_data_frame_has_first_starts_and_completions(tmp_path: Path) -> None:
    jobs, schedule = preempted_workload(), preempted_schedule()
    columns = job_columns(jobs, schedule)

    frame = schedule.to_frame(jobs)

    assert set(STOPPED_HEADER) <= {*frame}
    assert frame["preemptions"].tolist() == [1, 0, 0]
    pd.testing.assert_frame_equal(
        frame, as_read(tmp_path / "jobs.csv", columns, frame), check_exact=True
    )


def test_a_data_frame_of_other_jobs_is_refused(two_jobs: Workload) -> None:
    schedule = utilitysched.simulate(two_jobs, "easy")
    with pytest.raises(InputError, match="field workload: has 1 jobs, the schedule 2"):
        schedule.to_frame(two_jobs[1:])
