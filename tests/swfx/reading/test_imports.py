"""Logs of other formats wherever a workload is asked for."""

from __future__ import annotations

import gzip
import io
import sys
from pathlib import Path

import pytest

from swfx import InputError, open_workload
from swfx.reading.sources import check_source

NAMES = "JobID|User|Submit|Start|End|State|NCPUS"
LOG = f"""\
{NAMES}
1|ann|2024-03-01T08:00:10|2024-03-01T08:10:00|2024-03-01T09:00:00|COMPLETED|4
2|ann|2024-03-01T08:00:00|2024-03-01T08:10:00|2024-03-01T09:00:00|COMPLETED|64
2.0||2024-03-01T08:10:00|2024-03-01T08:10:00|2024-03-01T09:00:00|COMPLETED|64
3|ben|2024-03-01T08:00:20|None|2024-03-01T09:00:00|CANCELLED|4
4|ben|2024-03-01T08:00:30|2024-03-01T08:10:00|2024-03-01T09:00:00|COMPLETED|2
5|ben|soon|2024-03-01T08:10:00|2024-03-01T09:00:00|COMPLETED|2
"""


@pytest.fixture
def log(tmp_path: Path) -> Path:
    path = tmp_path / "sacct.txt"
    path.write_text(LOG)
    return path


def test_the_report_tells_of_import_and_cleaning(log: Path) -> None:
    workload, report = open_workload(f"slurm:{log}", machine_size=16)

    assert workload.job_id.tolist() == [1, 4]
    assert workload.machine_size == 16
    listed = {rule: report.lines_of(rule).tolist() for rule in report.counts()}
    assert listed["too-wide"] == [3]
    assert listed["step"] == [4]
    assert listed["never-started"] == [5]
    assert listed["not-a-date"] == [7]
    assert (report.job_lines, report.kept, report.dropped, report.folded) == (6, 2, 3, 1)
    assert report.lines_accounted()
    assert report.source == str(log)


def test_positions_are_those_of_jobs_by_submission(log: Path) -> None:
    workload, report = open_workload(f"slurm:{log}", jobs=slice(0, 2))

    assert workload.job_id.tolist() == [2, 1]
    assert (report.file_job_lines, report.job_lines) == (6, 5)
    assert report.lines_accounted()


def test_packed_logs_are_unpacked(log: Path) -> None:
    packed = log.with_suffix(".gz")
    packed.write_bytes(gzip.compress(log.read_bytes()))

    assert open_workload(f"slurm:{packed}").workload == open_workload(f"slurm:{log}").workload


def test_a_log_may_come_from_standard_input(log: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(log.read_bytes())))

    loaded = open_workload("slurm,requeue=sum,timezone=Europe/Paris:-")

    assert len(loaded.workload) == 3
    assert loaded.report.source == "standard input"


def test_strictly_a_malformed_record_is_an_error(log: Path) -> None:
    with pytest.raises(InputError) as error:
        open_workload(f"slurm:{log}", cleaning="strict")

    assert str(error.value) == (
        f"{log}:7: a time is no date, or one that does not exist; "
        "correct the line, or use standard cleaning"
    )


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("slurm:no/such/file", "no/such/file: cannot be read: no such file or directory"),
        ("slurm,zone=UTC:x", "slurm: field zone: is not a known key; did you mean 'timezone'?"),
        ("slurm,timezone=Paris:x", "no time zone is named 'Paris'"),
        (
            "slurn:x",
            "slurn:x: no file has this name, and no format is named 'slurn'; did you mean 'slurm'?",
        ),
        ("slurn,timezone=UTC:x", "did you mean 'slurm'?"),
        ("archiv:KTH-SP2", "did you mean 'archive'?"),
        ("no/such:file", "no/such:file: cannot be read: no such file"),
    ],
)
def test_refusals(text: str, message: str) -> None:
    with pytest.raises(InputError) as error:
        open_workload(text)

    assert message in str(error.value)


def test_a_file_whose_name_begins_like_a_format(log: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(log.parent)
    Path("slurm:x").write_text("1 0 0 5 2 -1 -1 2 10 -1 1 1 1 1 1 1 -1 -1\n")

    assert len(open_workload("./slurm:x").workload) == 1


def test_files_that_fit_a_pattern_are_one_log(tmp_path: Path) -> None:
    names, *rows = LOG.splitlines()
    (tmp_path / "sacct-1.txt").write_text("\n".join([names, *rows[:2]]))  # no line end
    packed = gzip.compress(("\ufeff" + "\n".join([names, *rows[2:]]) + "\n").encode())
    (tmp_path / "sacct-2.txt.gz").write_bytes(packed)
    (tmp_path / "other.txt").write_text("no log\n")
    (tmp_path / "all.txt").write_text(LOG)

    whole = open_workload(f"slurm:{tmp_path / 'all.txt'}", machine_size=64)
    parts = open_workload(f"slurm:{tmp_path / 'sacct-*'}", machine_size=64)

    assert parts.workload.digest() == whole.workload.digest()
    assert parts.report.counts() == whole.report.counts()
    check_source(f"slurm:{tmp_path / 'sacct-*'}")
    for refused in (open_workload, check_source):
        with pytest.raises(InputError, match=r"no file fits the pattern .*none-\*"):
            refused(f"slurm:{tmp_path / 'none-*'}")


def test_a_pattern_that_is_a_file_s_name_is_that_file(tmp_path: Path) -> None:
    (tmp_path / "sacct[1].txt").write_text(LOG)
    (tmp_path / "sacct1.txt").write_text("no log\n")
    assert len(open_workload(f"slurm:{tmp_path / 'sacct[1].txt'}", machine_size=64).workload) == 3


def test_a_broken_file_of_several_is_named(tmp_path: Path) -> None:
    (tmp_path / "sacct-1.txt").write_text(LOG)
    (tmp_path / "sacct-2.txt.gz").write_bytes(gzip.compress(LOG.encode())[:-9])
    with pytest.raises(InputError, match=r"sacct-2\.txt\.gz: .*the end is missing"):
        open_workload(f"slurm:{tmp_path / 'sacct-*'}", machine_size=64)


def test_each_export_has_its_own_columns(tmp_path: Path) -> None:
    other = LOG.replace("User|Submit|Start", "User|Start|Submit")
    rows = [line.split("|") for line in other.splitlines()]
    swapped = [[*row[:2], row[3], row[2], *row[4:]] if row[0] != "JobID" else row for row in rows]
    (tmp_path / "all.txt").write_text(LOG)
    (tmp_path / "sacct-1.txt").write_text("".join(LOG.splitlines(keepends=True)[:3]))
    (tmp_path / "sacct-2.txt").write_text("\n".join(map("|".join, swapped)))

    whole = open_workload(f"slurm:{tmp_path / 'all.txt'}", machine_size=64)
    parts = open_workload(f"slurm:{tmp_path / 'sacct-*'}", machine_size=64)

    assert parts.workload.digest() == whole.workload.digest()
    assert parts.report.counts() == whole.report.counts() | {"repeated-record": 2}


def test_lines_are_those_of_their_files(tmp_path: Path) -> None:
    names, *rows = LOG.splitlines()
    first, second = tmp_path / "sacct-1.txt", tmp_path / "sacct-2.txt"
    first.write_text("\n".join([names, *rows[:2]]))
    second.write_text("\n".join([names, *rows[2:]]))

    report = open_workload(f"slurm:{tmp_path / 'sacct-*'}", machine_size=16).report

    assert report.place(int(report.lines_of("too-wide")[0])) == (str(first), 3)
    assert report.place(int(report.lines_of("not-a-date")[0])) == (str(second), 5)
    lines = {rule["rule"]: rule["lines"] for rule in report.to_dict()["rules"]}
    assert lines["never-started"] == f"{second}:3"
    with pytest.raises(InputError, match=rf"^{second}:5: a time is no date"):
        open_workload(f"slurm:{tmp_path / 'sacct-*'}", cleaning="strict")


def test_columns_that_a_later_export_lacks_are_named(tmp_path: Path) -> None:
    (tmp_path / "sacct-1.txt").write_text(LOG)
    (tmp_path / "sacct-2.txt").write_text(LOG.replace("Start", "Eligible"))

    with pytest.raises(InputError, match=r"sacct-2\.txt:2: columns are missing: Start"):
        open_workload(f"slurm:{tmp_path / 'sacct-*'}")


def test_a_job_of_two_exports_has_what_either_tells(tmp_path: Path) -> None:
    times = "2024-03-01T08:00:00|2024-03-01T08:10:00"
    (tmp_path / "jan.txt").write_text(
        f"JobID|User|Submit|Start|End|State|NCPUS\n1|ann|{times}|Unknown|RUNNING|4\n"
        f"2|ben|{times}|2024-03-01T09:00:00|COMPLETED|2\n"
    )
    (tmp_path / "later.txt").write_text(
        "NCPUS|JobID|Submit|Start|End|State|Timelimit\n"
        f"4|1|{times}|2024-03-01T10:00:00|COMPLETED|1-0\n"
        f"2|2|{times}|2024-03-01T09:00:00|COMPLETED|2:00:00\n"
    )

    jobs, report = open_workload(f"slurm:{tmp_path / '*.txt'}")

    assert jobs.labels.required("user").of_jobs() == ["ann", "ben"]
    assert jobs.run.tolist() == [6600, 3000]
    assert jobs.requested_time.tolist() == [86_400, 7200]
    assert report.counts()["repeated-record"] == 2
    assert not (jobs.default_limit > 0).any()
