"""Run directories of schedules in which jobs were preempted."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

import swfx
from swfx import InputError
from tests.utilitysched.preempted import preempted_schedule, preempted_workload, stored_preempted
from utilitysched import simulate
from utilitysched.analysis import series
from utilitysched.runs import Results, read_results, read_run, write_run
from utilitysched.runs.jobs_csv import SEGMENTS_HEADER, read_segments


def rows(path: Path) -> list[dict[str, str]]:
    with path.open(newline="") as file:
        return list(csv.DictReader(file))


def test_every_segment_is_a_row_that_evalys_reads_as_a_job(tmp_path: Path) -> None:
    directory = stored_preempted(tmp_path)

    first, _, _, last = rows(directory / "segments.csv")

    assert tuple(first) == SEGMENTS_HEADER
    assert first == {
        "job_id": "11",
        "submission_time": "0",
        "requested_number_of_resources": "4",
        "requested_time": "200",
        "success": "0",
        "starting_time": "0",
        "execution_time": "50",
        "finish_time": "50",
        "waiting_time": "0",
        "turnaround_time": "50",
        "stretch": "1",
        "allocated_resources": "0-3",
        "row": "1",
        "overhead": "0",
        "work_kept": "30",
        "work_lost": "20",
        "stop": "preempted",
        "cause": "12",
        "cause_row": "2",
    } | {"stretch": first["stretch"]}
    assert last | {"stretch": ""} == {
        "job_id": "11",
        "submission_time": "50",
        "requested_number_of_resources": "4",
        "requested_time": "200",
        "success": "1",
        "starting_time": "75",
        "execution_time": "78",
        "finish_time": "153",
        "waiting_time": "25",
        "turnaround_time": "103",
        "stretch": "",
        "allocated_resources": "0-3",
        "row": "1",
        "overhead": "8",
        "work_kept": "70",
        "work_lost": "0",
        "stop": "completed",
        "cause": "",
        "cause_row": "",
    }


def test_jobs_say_how_often_they_were_preempted(tmp_path: Path) -> None:
    directory = stored_preempted(tmp_path)

    first, second, _ = rows(directory / "jobs.csv")

    assert [first[name] for name in ("starting_time", "execution_time", "finish_time")] == [
        *("0", "153", "153")
    ]
    added = ("preemptions", "failures", "running_time", "work_lost", "restart_overhead")
    assert [first[name] for name in added] == ["1", "0", "128", "20", "8"]
    assert [second[name] for name in added] == ["0", "0", "10", "0", "0"]
    assert float(first["stretch"]) == 153 / 128
    assert first["allocated_resources"] == "0-3"


def test_the_schedule_is_read_back_as_it_was(tmp_path: Path) -> None:
    run = read_results(stored_preempted(tmp_path))

    schedule = preempted_schedule()
    assert run.schedule.segments == schedule.segments
    assert run.schedule.used(run.workload).tolist() == [512, 30, 20]
    assert run.allocations == ["0-3", "0-2", "3", "0-3"]
    found = series.rectangles(run.workload, run.schedule, run.allocations)
    assert found.end.tolist() == [50, 60, 75, 153]
    assert run.record["simulation"]["preemption"] == "default"


def test_without_allocations_processors_are_handed_out_when_asked_for(tmp_path: Path) -> None:
    run = read_results(stored_preempted(tmp_path, allocated=False))

    assert run.allocations is None
    assert series.rectangles(run.workload, run.schedule).high.tolist() == [4, 3, 4, 4]


def test_a_run_says_for_how_long_each_job_ran(tmp_path: Path) -> None:
    run = read_run(stored_preempted(tmp_path))

    assert run.running_time is not None
    assert run.running_time.tolist() == [128, 10, 20]


def test_the_run_time_in_swf_is_that_of_all_segments(tmp_path: Path) -> None:
    directory = stored_preempted(tmp_path, swf=True)

    jobs = swfx.read(directory / "schedule.swf.gz").workload

    assert jobs.run.tolist() == [128, 10, 20]
    assert jobs.wait.tolist() == [25, 0, 0]


def test_another_schedule_removes_segments(tmp_path: Path) -> None:
    directory = stored_preempted(tmp_path)
    jobs = preempted_workload()
    plain = simulate(jobs, "easy")
    record = {"workload": {"digest": jobs.digest(), "classes": None}}

    write_run(directory, Results(jobs, plain, {}, record, {}))

    assert not (directory / "segments.csv").exists()
    assert read_run(directory).segments is None
    assert list(json.loads((directory / "run.json").read_text())["files"]) == ["jobs.csv"]


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (Path.unlink, "segments.csv: is missing; simulate again with `out`"),
        (
            lambda path: path.write_text(path.read_text() + "\n"),
            "segments.csv and run.json belong to different runs; simulate again with `out`",
        ),
    ],
)
def test_segments_of_another_run_are_refused(damage: object, message: str, tmp_path: Path) -> None:
    directory = stored_preempted(tmp_path)
    assert callable(damage)
    damage(directory / "segments.csv")

    with pytest.raises(InputError) as error:
        read_run(directory)

    assert str(error.value).endswith(message)


def damaged(directory: Path, line: int, name: str, cell: str) -> Path:
    """Write something else into a cell of segments.csv."""
    path = directory / "segments.csv"
    table = [text.split(",") for text in path.read_text().splitlines()]
    table[line - 1][table[0].index(name)] = cell
    path.write_text("\n".join(map(",".join, table)) + "\n")
    return path


@pytest.mark.parametrize(
    ("line", "name", "cell", "message"),
    [
        (2, "row", "0", "2: field row: is no row of jobs.csv; simulate again"),
        (5, "row", "4", "5: field row: is no row of jobs.csv; simulate again"),
        (3, "row", "", "3: field row: '' is not a finite number"),
        (2, "cause_row", "0", "2: field cause_row: is no row of jobs.csv; simulate again"),
        (5, "cause_row", "-1", "5: field cause_row: is no row of jobs.csv; simulate again"),
        (3, "cause_row", "job", "3: field cause_row: 'job' is not a finite number"),
        (2, "cause_row", "4", "2: field cause_row: is no row of jobs.csv; simulate again"),
        (2, "cause_row", "1.5", "2: field cause_row: is no row of jobs.csv; simulate again"),
        (4, "work_kept", "nan", "4: field work_kept: 'nan' is not a finite number"),
        (2, "stop", "hit", "'hit' is none of completed, preempted, failed, requeued; simulate"),
        (1, "overhead", "load", "segments.csv: has other columns than runs of this version; sim"),
    ],
)
def test_what_is_no_segment_is_refused(
    line: int, name: str, cell: str, message: str, tmp_path: Path
) -> None:
    path = damaged(stored_preempted(tmp_path), line, name, cell)

    with pytest.raises(InputError) as error:
        read_segments(path, jobs=3)

    assert message in str(error.value)
    assert "\n" not in str(error.value)
