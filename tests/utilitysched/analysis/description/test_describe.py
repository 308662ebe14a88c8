"""Descriptions: the same however the workload is divided; load by hour, day and week."""

from __future__ import annotations

import io
import json
import math
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import swfx
from swfx import Header, Workload, open_workload
from tests.utilitysched.analysis.description.sections import (
    DAY,
    HEADER,
    HOUR,
    captions,
    jobs,
    panels,
)
from utilitysched.analysis.description import describe
from utilitysched.analysis.description.describe import MOST_WEEKS, WEEK, Load, Overview
from utilitysched.analysis.description.jobs import Jobs
from utilitysched.analysis.description.tally import NumberTally, Sums
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


def test_what_is_said_first() -> None:
    part = jobs(submit=[0, 10 * HOUR], run=[HOUR, 2 * HOUR], wait=[0, 8 * HOUR], processors=[8, 4])
    known, unknown = Overview(HEADER, 8), Overview(Header(), None)
    for overview in (known, unknown):
        overview.add(part)

    assert known.verdict() == (
        "2 jobs in 0.4 days offer work for 20.0% of 8 processors; by the log's waits, 10.0% of"
        " these were in use."
    )
    assert unknown.verdict() == "2 jobs in 0.4 days need 16 processor-hours."


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


SUMMER = 200 * DAY
"""July 1971: Paris is an hour ahead of UTC, as it had no summer time then."""


def found(chart: dict[str, Any]) -> dict[str, float]:
    """Values above 0 by label."""
    pairs = zip(chart["labels"], chart["values"], strict=True)
    return {label: value for label, value in pairs if value}


def test_hours_and_days_are_those_of_the_place() -> None:
    # the log begins on Friday, 1 January 1971, at 1:00 in Paris
    shown = panels(Load(HEADER, 8), jobs(submit=[0, 22 * HOUR, 23 * HOUR, SUMMER]))

    assert found(shown["jobs_by_hour_of_day"]) == {"00": 25, "01": 50, "23": 25}
    assert found(shown["jobs_by_day_of_week"]) == {"Fri": 50, "Sat": 25, "Tue": 25}


def test_summer_time_is_kept() -> None:
    header = HEADER.with_value("UnixStartTime", 1_262_304_000)  # 1 January 2010, 0:00 UTC
    shown = panels(Load(header, 8), jobs(submit=[0, SUMMER]))

    assert found(shown["jobs_by_hour_of_day"]) == {"01": 50, "02": 50}


def test_work_counts_by_submission() -> None:
    part = jobs(submit=[0, 5 * HOUR], run=[HOUR, 3 * HOUR], processors=[2, 2])
    shown = panels(Load(HEADER, 8), part)

    assert found(shown["work_by_hour_of_day"]) == {"01": 25, "06": 75}


def test_without_a_clock_days_are_the_logs_own() -> None:
    load = Load(Header(), None)
    shown = panels(load, jobs(submit=[0, DAY + HOUR]))

    assert found(shown["jobs_by_hour_of_day"]) == {"00": 50, "01": 50}
    assert found(shown["jobs_by_day_of_week"]) == {"day 1": 50, "day 2": 50}
    assert "counted from time 0 of the log" in captions(load)["jobs_by_day_of_week"]


@pytest.mark.parametrize("start", [0, 3600, 31_535_999])
def test_relative_times_have_no_dates(start: int) -> None:
    header = HEADER.with_value("UnixStartTime", start)
    part = jobs(submit=[0, WEEK])
    shown = panels(Load(header, 8), part)

    assert found(shown["jobs_by_day_of_week"]) == {"day 1": 100}
    assert shown["jobs_by_week"]["labels"] == ["week 1", "week 2"]
    section = Overview(header, 8)
    section.add(part)
    assert "1970" not in str([*section.panels()])


def test_weeks_begin_with_the_first_job_and_none_is_left_out() -> None:
    part = jobs(submit=[DAY, 2 * DAY, DAY + 2 * WEEK], processors=[8, 4, 1], run=[WEEK, WEEK, HOUR])
    shown = panels(Load(HEADER, 8), part)

    assert found(shown["jobs_by_week"]) == {"1971-01-02": 2, "1971-01-16": 1}
    assert shown["jobs_by_week"]["values"] == [2, 0, 1]
    assert shown["load_by_week"]["values"] == pytest.approx([150, 0, 100 / 8 / 24])


def test_the_last_week_is_judged_by_the_days_that_the_log_covers() -> None:
    part = jobs(submit=[0, WEEK + 3.5 * DAY], processors=[8, 8], run=[WEEK, WEEK / 2])
    load = Load(HEADER, 8)
    shown = panels(load, part)

    assert shown["load_by_week"]["values"] == pytest.approx([100, 100])
    assert "the last week counts as 3 d 12 h" in captions(load)["load_by_week"]


def test_the_load_of_a_machine_of_unknown_size_is_unknown() -> None:
    shown = panels(Load(Header(), None), jobs(submit=[0, WEEK]))

    assert shown["jobs_by_week"]["labels"] == ["week 1", "week 2"]
    assert "load_by_week" not in shown


def test_one_week_is_no_chart() -> None:
    assert "jobs_by_week" not in panels(Load(HEADER, 8), jobs(submit=[0, DAY]))


def test_a_job_in_a_far_future_does_not_fill_the_memory() -> None:
    shown = panels(Load(HEADER, 8), jobs(submit=[0, 2.0**52]))

    assert shown["jobs_by_week"]["values"] == [1, 1]
    assert shown["jobs_by_week"]["labels"][1] == f"week {2**52 // int(WEEK) + 1}"
    assert MOST_WEEKS == 2_000


def test_a_job_that_comes_after_a_later_one_has_its_week() -> None:
    shown = panels(Load(HEADER, 8), jobs(submit=[2 * WEEK]), jobs(submit=[WEEK]))

    assert shown["jobs_by_week"]["labels"] == ["1971-01-08", "1971-01-15"]


LEVELS = (0.0, 0.25, 0.5, 0.75, 1.0)
whole_numbers = st.lists(st.integers(-5, 40), max_size=60)


def tally_of(*parts: list[int]) -> NumberTally:
    tally = NumberTally()
    for part in parts:
        tally.add(np.array(part, dtype=np.int64))
    return tally


def test_quantiles_are_values() -> None:
    tally = tally_of([4, 1], [3, 2])

    assert tally.quantiles(LEVELS) == [1, 1, 2, 3, 4]
    assert (tally.count, tally.mean) == (4, 2.5)


def test_nothing_has_no_quantiles() -> None:
    assert tally_of([]).quantiles(LEVELS) == [None] * 5
    assert tally_of().mean is None


def test_classes_include_their_lower_end() -> None:
    bounds = np.array([0.0, 10.0, 20.0, np.inf])

    assert tally_of([0, 9, 10, 10, 20, 500]).between(bounds).tolist() == [2, 2, 2]


@given(st.lists(whole_numbers, max_size=6))
def test_any_division_into_parts(parts: list[list[int]]) -> None:
    values = sorted(value for part in parts for value in part)
    tally = tally_of(*parts)

    assert tally.count == len(values)
    if values:
        wanted = [values[max(math.ceil(level * len(values)), 1) - 1] for level in LEVELS]
        assert tally.quantiles(LEVELS) == wanted
        assert tally.mean == sum(values) / len(values)
    ends = [-5, 0, 7, 41]
    counts = [sum(low <= value < high for value in values) for low, high in pairwise(ends)]
    assert tally.between(np.array(ends, dtype=np.float64)).tolist() == counts
