"""Eligibility in listings of Slurm: begin times, holds and dependencies in any record."""

from __future__ import annotations

import gzip
import json
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from swfx import Workload, open_workload
from swfx.eligibility import time_held
from swfx.families.formats.registry import IMPORTERS

NAMES = "JobID|User|Submit|Eligible|Start|End|State|NCPUS"
BEGAN = 1_767_225_600


def date(second: float) -> str:
    return datetime.fromtimestamp(BEGAN + second, UTC).strftime("%Y-%m-%dT%H:%M:%S")


def read(*rows: str, names: str = NAMES, options: str = "") -> Workload:
    text = "\n".join((names, *rows, ""))
    return IMPORTERS.make(f"slurm{options}").read(text.encode(), "log").workload


def row(job: int, eligible: str, *, submit: float = 0, start: float = 100) -> str:
    times = f"{date(submit)}|{eligible}|{date(start)}|{date(start + 60)}"
    return f"{job}|ann|{times}|COMPLETED|4"


jobs = st.lists(
    st.tuples(st.integers(0, 500), st.none() | st.integers(0, 200_000), st.integers(0, 900)),
    min_size=1,
    max_size=12,
)
"""Submission (s), time held (s; None: unknown), and wait from eligibility (s) of each job."""


@given(jobs, st.booleans())
def test_any_listing(listed: list[tuple[int, int | None, int]], unix: bool) -> None:
    def said(second: int) -> str:
        return str(BEGAN + second) if unix else date(second)

    def line(number: int, submit: int, held: int | None, waited: int) -> str:
        start = submit + (held or 0) + waited
        eligible = "Unknown" if held is None else said(submit + held)
        times = "|".join((said(submit), eligible, said(start), said(start + 60)))
        return f"{number}|ann|{times}|COMPLETED|4"

    log = read(*(line(number, *job) for number, job in enumerate(listed, 1)))

    expected = dict(enumerate(listed, 1))
    for place, number in enumerate(log.job_id.tolist()):
        _, held, waited = expected[number]
        assert log.eligible[place] == (-1 if held is None else held)
        assert log.wait[place] == (held or 0) + waited
        assert log.wait[place] - time_held(log)[place] == waited


@pytest.mark.parametrize(
    ("eligible", "seconds"),
    [
        (date(70), 70),
        (date(0), 0),
        (date(-5), 0),
        ("Unknown", -1),
        ("None", -1),
        ("", -1),
        ("soon", -1),
    ],
)
def test_one_record(eligible: str, seconds: float) -> None:
    assert read(row(1, eligible)).eligible.tolist() == [seconds]


def test_an_unreadable_date_is_listed_and_the_job_kept() -> None:
    text = "\n".join((NAMES, row(1, "soon"), row(2, date(5)), ""))

    read_log = IMPORTERS.make("slurm").read(text.encode(), "log")

    assert read_log.report.lines_of("unreadable-field").tolist() == [2]
    assert read_log.workload.eligible.tolist() == [-1, 5]


def test_an_hour_that_comes_twice_is_the_one_after_submission() -> None:
    rows = (
        "1|ann|2024-10-27T02:30:00|2024-10-27T02:10:00|2024-10-27T04:00:00|2024-10-27T05:00:00"
        "|COMPLETED|4"
    )

    assert read(rows, options=":timezone=Europe/Berlin").eligible.tolist() == [40 * 60]


REQUEUED = (
    f"1|ann|{date(0)}|{date(50)}|{date(60)}|{date(90)}|REQUEUED|4",
    f"1|ann|{date(90)}|{date(210)}|{date(215)}|{date(300)}|COMPLETED|4",
)


@pytest.mark.parametrize(
    ("requeue", "waits", "held"),
    [("last", [215], [50]), ("sum", [185], [50]), ("each", [60, 125], [50, 120])],
)
def test_a_requeued_job_was_first_eligible_for_its_first_run(
    requeue: str, waits: list[float], held: list[float]
) -> None:
    log = read(*REQUEUED, options=f":requeue={requeue}")

    assert log.wait.tolist() == waits
    assert log.eligible.tolist() == held


def test_recorded_json_tells_eligibility() -> None:
    """Jobs of a real Slurm 22.05.8: holds, dependencies, arrays with limits, requeued ones."""
    path = Path(__file__).parents[2] / "slurm" / "recorded" / "sacct.json.gz"
    times = [job["time"] for job in json.loads(gzip.decompress(path.read_bytes()))["jobs"]]
    told = {(time["submission"], time["start"], time["eligible"]) for time in times}

    log = open_workload(f"slurm,requeue=each:{path}").workload

    log = log[log.wait > 0]  # a job that was resized starts before its submission
    submit = log.submit + (log.header.unix_start_time or 0)
    columns = submit, submit + log.wait, submit + log.eligible
    assert {*zip(*(column.astype(int).tolist() for column in columns), strict=True)} <= told
    assert (time_held(log) > 0).any()
