from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from swfx import Header, InputError, Workload, read
from swfx.families.splitting import read_length, split
from tests.strategies import workloads

DAY = 86_400


@given(workloads(), st.sampled_from([1.0, 7.5, 100.0, 400.0]))
def test_every_job_is_in_the_part_of_its_time(log: Workload, length: float) -> None:
    parts = list(split(log, length))

    together = sorted(job for part in parts for job in part.workload.job_id.tolist())
    assert together == log.job_id.tolist()
    first = log.submit.min()
    for part in parts:
        since = part.workload.submit - first
        assert since.min() >= (part.number - 1) * length
        assert since.max() < part.number * length


def test_parts_tell_what_they_are() -> None:
    log = Workload.from_columns(
        submit=[5, 8 * DAY, 8 * DAY, 30 * DAY],
        preceding_job=[-1, 1, 2, -1],
        header=Header((" MaxJobs: 4", " MaxProcs: 8")),
    )

    one, two, five = split(log, read_length("weeks"))

    assert [part.number for part in (one, two, five)] == [1, 2, 5]
    assert two.workload.preceding_job.tolist() == [-1, 2]
    assert (one.cut, two.cut, two.crossing) == (0, 1, 0)
    assert two.workload.header.lines == (" MaxProcs: 8", " Window: 2, 604800 s each")
    assert two.workload.submit.tolist() == [8 * DAY, 8 * DAY]


def test_jobs_that_cross_the_border_can_be_left_out() -> None:
    log = Workload.from_columns(
        submit=[0, 60, 80, 95, 150], wait=[0, -1, 30, 0, 0], run=[10, 40, 5, 4, 99]
    )

    one, two = split(log, 100, whole=True)

    # 3 waits into the second window and ends there; 2 and 5 run over a border
    assert one.workload.job_id.tolist() == [1, 3, 4]
    assert one.crossing == 1
    assert (two.workload.job_id.tolist(), two.crossing) == ([], 1)


@pytest.mark.parametrize(
    ("text", "seconds"),
    [("weeks", 604_800), ("half-months", 1_296_000), ("36h", 129_600), ("90min", 5_400), ("7", 7)],
)
def test_lengths(text: str, seconds: float) -> None:
    assert read_length(text) == seconds


@pytest.mark.parametrize("text", ["months", "3x", ""])
def test_what_is_no_length(text: str) -> None:
    with pytest.raises(InputError, match="split: field length: "):
        read_length(text)


def test_windows_of_no_length() -> None:
    with pytest.raises(InputError, match="split: 0 s is no length of a window; give more than 0"):
        list(split(Workload.from_columns(submit=[0]), 0))
    with pytest.raises(InputError, match="split: -3600 s is no length of a window"):
        read_length("-1h")


def test_a_real_log_by_half_months(traces: Path) -> None:
    log = read(traces / "KTH-SP2-1996-2.1-cln.swf.gz").workload

    parts = list(split(log, read_length("half-months")))

    assert sum(len(part.workload) for part in parts) == len(log)
    assert len(parts) == 23
