"""Logs in several files: jobs that stand in two of them, and lines of names of each."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from swfx import InputError, open_workload
from tests.scale import many

COLUMNS = ("job_id", "submit_time", "start_time", "end_time", "processors_used", "user", "state")
EXTRA = ("account", "name", "partition")


def csv_files(folder: Path, seed: int) -> dict[int, dict[str, str]]:
    """Write jobs to files that overlap, with columns in any order; return the jobs by number."""
    draw = Random(seed)
    jobs = {
        number: {
            "job_id": str(number),
            "submit_time": str(1_770_000_000 + draw.randint(0, 999)),
            "start_time": str(1_770_001_000 + draw.randint(0, 999)),
            "end_time": str(1_770_002_000 + draw.randint(0, 999)),
            "processors_used": str(draw.randint(1, 99)),
            "user": draw.choice(["ann", "ben"]),
            "state": "COMPLETED",
            **dict.fromkeys(EXTRA, draw.choice(["a", "b"])),
        }
        for number in range(1, draw.randint(2, 9))
    }
    for file in range(3):
        names = [*COLUMNS, *(name for name in EXTRA if draw.random() < 0.5)]
        draw.shuffle(names)
        some = [*jobs.values()] if not file else [j for j in jobs.values() if draw.random() < 0.5]
        rows = [[job[name] for name in names] for job in some]
        lines = map(",".join, [names, *rows])
        (folder / f"{file}.csv").write_text("\n".join(lines) + "\n" * draw.randint(0, 1))
    return jobs


@pytest.mark.parametrize("seed", range(many(20)))
def test_tables_with_their_own_columns(tmp_path: Path, seed: int) -> None:
    jobs = csv_files(tmp_path, seed)

    workload, report = open_workload(f"accounting-csv:{tmp_path}/*.csv")

    users = workload.labels.required("user").of_jobs()
    zero = workload.header.unix_start_time or 0
    assert sorted(workload.job_id.tolist()) == [*jobs]
    for place, number in enumerate(workload.job_id.tolist()):
        job = jobs[number]
        assert str(zero + int(workload.submit[place])) == job["submit_time"]
        assert str(workload.processors[place]) == job["processors_used"]
        assert users[place] == job["user"]
    assert report.lines_accounted()
    assert report.comment_lines == 3


@pytest.mark.parametrize("needed", ["submit_time", "start_time", "end_time", "processors_used"])
def test_a_later_table_without_a_needed_column_is_refused(tmp_path: Path, needed: str) -> None:
    row = "7,1770000000,1770000010,1770000020,4,ann,COMPLETED"
    later = ["other" if name == needed else name for name in COLUMNS]
    (tmp_path / "1.csv").write_text("\n".join((",".join(COLUMNS), row, "")))
    (tmp_path / "2.csv").write_text("\n".join(("", ",".join(later), row)))

    with pytest.raises(InputError) as refusal:
        open_workload(f"accounting-csv:{tmp_path}/*.csv")

    assert str(refusal.value).startswith(f"{tmp_path}/2.csv:2: has no column '{needed}'; name it")


def test_tasks_of_one_number_in_one_file_are_as_many_as_there_are(tmp_path: Path) -> None:
    row = "7,1770000000,1770000010,1770000020,4,ann,COMPLETED\n"
    names = ",".join(COLUMNS) + "\n"
    (tmp_path / "1.csv").write_text(names + row + row)
    (tmp_path / "2.csv").write_text(names + row + row)

    workload, report = open_workload(f"accounting-csv:{tmp_path}/*.csv")

    assert len(workload) == 2
    assert report.places(report.lines_of("repeated-record")) == f"{tmp_path}/1.csv:2-3"


PBS = (
    "01/05/2026 10:00:00;E;{0}.srv;user=ann group=g queue=q ctime=1767600000 qtime=1767600000"
    " etime=1767600000 start=1767600100 exec_host=n1/0 end=176760{0}00 Exit_status=0"
)
LSF = (
    '"JOB_FINISH" "10.1" 1767607200 {0} 1001 33554434 2 1767600000 0 0 1767600100 "ann" "q" ""'
    ' "" "" "head" "/home" "" "" "" "1.{0}" 0 1 "n1" 64 60.0 "job" "true" 1.0 0.5 0 0 -1 0 0 0 0'
    ' 0 -1 0 0 0 0 0 -1 "" "default" 0 2 "" "" 0 0 0 "" "" "" "" 0 "" 0 "" -1 "" "" "" "" -1 "" ""'
)
SGE = (
    "q:n1:g:ann:job:{0}:sge:0:1767600000:1767600100:1767607200:0:0:7100:1.0:0.5:0:0:0:0:0:0:0:0:0"
    ":0:0:0:0:0:0:NONE:dep:NONE:1:0:1.5:0.1:0.0:-u ann:0.0:NONE:0.0:0:0"
)


@pytest.mark.parametrize(("importer", "record"), [("pbs", PBS), ("lsf", LSF), ("sge", SGE)])
def test_a_record_in_two_files_counts_once(tmp_path: Path, importer: str, record: str) -> None:
    (tmp_path / "1.log").write_text("\n".join(map(record.format, (71, 72))))
    (tmp_path / "2.log").write_text("\n".join([*map(record.format, (72, 73)), "no record", ""]))

    workload, report = open_workload(f"{importer}:{tmp_path}/*.log")

    assert workload.job_id.tolist() == [71, 72, 73]
    assert not {"rerun", "renumbered"} & report.counts().keys()
    assert report.lines_accounted()
    junk = "not-a-job" if importer == "lsf" else "too-few-fields"
    assert report.places(report.lines_of(junk)) == f"{tmp_path}/2.log:3"
