"""Whole descriptions: the same however the workload is divided."""

from __future__ import annotations

import io
import json
import math
from pathlib import Path

import numpy as np
import pytest

import swfx
from swfx import Header, Workload, open_workload
from tests.utilitysched.analysis.description.sections import HEADER, HOUR, jobs, panels
from utilitysched.analysis.description import describe
from utilitysched.analysis.description.describe import Overview
from utilitysched.analysis.description.jobs import Jobs
from utilitysched.analysis.description.tally import Sums
from utilitysched.analysis.documents import ResultTable
from utilitysched.runs import json_text

KEYS = [
    "overview", "quantiles", "sizes", "run_times", "accuracy", "statuses", "jobs_by_hour_of_day",
    "work_by_hour_of_day", "jobs_by_day_of_week", "work_by_day_of_week", "users", "queues",
    "utilities", "values", "value_left", "reading",
]  # fmt: skip


def described(chunk: int, jobs: int = 2000) -> dict[str, object]:
    workload, report = open_workload("sample:", jobs=slice(0, jobs))
    parts = [workload[i : i + chunk] for i in range(0, len(workload), chunk)]
    return describe(parts, workload.header, lambda: report).to_dict()


def test_the_sections_of_the_sample() -> None:
    assert list(described(2000)) == ["workload", *KEYS]


@pytest.mark.parametrize(("chunk", "jobs"), [(1, 200), (7, 600), (999, 2000)])
@pytest.mark.slow
def test_parts_make_no_difference_beyond_the_last_digits(chunk: int, jobs: int) -> None:
    assert rounded(described(chunk, jobs)) == rounded(described(jobs, jobs))


def rounded(document: dict[str, object]) -> object:
    """Return the document with sums of fractions to nine digits: they depend on the order."""
    return json.loads(json_text(document), parse_float=lambda text: float(f"{float(text):.9g}"))


def test_overview() -> None:
    part = jobs(submit=[0, 10 * HOUR], run=[HOUR, 2 * HOUR], wait=[0, 8 * HOUR], processors=[8, 4])
    shown = panels(Overview(HEADER, 8), part)["overview"]

    assert shown == {
        "computer": None,
        "installation": None,
        "machine_size": 8,
        "jobs": 2,
        "days": 10 / 24,
        "processor_hours": 16,
        "offered_load": 0.2,
        "utilisation": 0.1,
        "utility_model": None,
    }


def test_overview_of_little() -> None:
    shown = panels(Overview(Header(), None), jobs(submit=[5]))["overview"]

    assert (shown["machine_size"], shown["offered_load"], shown["utilisation"]) == (None,) * 3


def test_reading_has_a_line_per_rule() -> None:
    job = b"1 -1 9 1 -1 -1 1 9 -1 1 1 1 -1 1 -1 -1 -1\n"
    log = b"1 " + job + b"2 -" + job
    parts = swfx.stream(io.BytesIO(log))
    found = describe(parts, parts.header, lambda: parts.report).to_dict()

    assert found["reading"] == [
        {
            "rule": "negative-submit",
            "action": "dropped",
            "lines": 1,
            "meaning": "the submit time is negative",
        }
    ]


def test_reading_a_log_of_another_format_has_its_rules_too(tmp_path: Path) -> None:
    log = tmp_path / "sacct.txt"
    ran = "2024-03-01T08:00:00|2024-03-01T08:10:00|2024-03-01T09:00:00|COMPLETED|4|4"
    log.write_text(
        "JobID|Submit|Start|End|State|NCPUS|ReqCPUS\n"
        f"1|{ran}\n1.batch|{ran}\n2|2024-03-01T08:00:00|Unknown|Unknown|PENDING|0|4\n"
    )
    workload, report = open_workload(f"slurm:{log}")

    found = describe([workload], workload.header, lambda: report)

    reading = found.panels[-1]
    assert isinstance(reading, ResultTable)
    assert [row[0] for row in reading.rows] == ["step", "still-waiting"]
    assert reading.notes[0].startswith(
        "3 job lines: 1 kept, 1 dropped, 1 part of another line's job, 0 of the kept repaired."
    )


def test_empty_parts_are_left_out() -> None:
    workload, report = open_workload("sample:")
    parts = [workload[:0], workload, workload[:0]]

    assert describe(parts, workload.header, lambda: report).to_dict() == described(2000)


def test_sums_do_not_depend_on_the_parts() -> None:
    values = np.random.default_rng(3).random(999) * 10.0 ** np.arange(-333, 666, 1).clip(-300, 300)
    keys = np.arange(999) % 2
    whole, parts, backward = Sums(1), Sums(1), Sums(1)
    whole.add(keys, values)
    for i in range(0, 999, 7):
        parts.add(keys[i : i + 7], values[i : i + 7])
    backward.add(keys[::-1], values[::-1])

    exact = [math.fsum(values[keys == key]) for key in (0, 1)]
    for sums in (whole, parts, backward):
        assert sums.rows([0, 1])[:, 0].tolist() == exact


def test_jobs_killed_at_their_limit_are_told_from_those_that_came_close() -> None:
    run = [86_399.0, 86_400.0, 100_000.0, 8_640.0, 8_639.0]
    log = Workload.from_columns(
        submit=np.arange(5), run=run, processors=np.ones(5), requested_time=np.full(5, 86_400)
    )
    jobs = Jobs()
    jobs.add(log)

    accuracy = next(panel for panel in jobs.panels() if panel.key == "accuracy")
    assert isinstance(accuracy, ResultTable)
    assert [row[1] for row in accuracy.rows] == [1, 1, 0, 0, 0, 0, 0, 0, 0, 1, 2]
