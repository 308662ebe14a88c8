"""Checkpoints, soft estimates, dependencies and utility functions."""

from __future__ import annotations

import pytest

from swfx import UtilityFunction, UtilityTable, Workload
from tests.utilitysched.analysis.description.sections import HOUR, captions, jobs, panels
from utilitysched.analysis.description.extras import (
    SHAPES,
    Checkpoints,
    Followers,
    RerunnableJobs,
    SoftEstimates,
    ValuePart,
    shapes,
)
from utilitysched.analysis.description.tally import Section


def test_checkpoint_shares_of_jobs_and_work() -> None:
    checkpoints = Checkpoints()
    part = jobs(
        run=[100, 700, 100, 100],
        checkpoint_interval=[-1, 300, -1, -1],
        restart_overhead=[-1, 5, -1, -1],
    )
    rows = {row["figure"]: row for row in panels(checkpoints, part)["checkpoints"]}

    assert captions(checkpoints)["checkpoints"].startswith(
        "25.0% of the jobs, 70.0% of the processor-hours (by run time up to "
        "the request) take checkpoints."
    )
    assert (rows["interval (s)"]["jobs"], rows["interval (s)"]["p50"]) == (1, 300)
    assert rows["checkpoints in its run"]["p50"] == 2
    assert rows["restart overhead (s)"]["p50"] == 5


def test_rerunnable_shares_of_jobs_and_work() -> None:
    part = jobs(run=[100, 700, 100, 100], rerunnable=[1, 1, 0, -1])
    rows = panels(RerunnableJobs(), part)["rerunnable"]

    assert [(row["class"], row["share_of_jobs"], row["share_of_work"]) for row in rows] == [
        ("yes", 0.5, 0.8),
        ("no", 0.25, 0.1),
        ("not said: no", 0.25, 0.1),
    ]


def test_soft_estimates() -> None:
    part = jobs(
        run=[100, 50, 10],
        requested_time=[400, -1, 400],
        soft_estimate=[200, 100, -1],
        confidence=[0.9, -1, -1],
    )
    rows = {row["figure"]: row for row in panels(SoftEstimates(), part)["soft_estimates"]}

    assert rows["soft estimate (s)"]["jobs"] == 2
    assert (
        rows["soft estimate / requested time"]["jobs"],
        rows["run time / soft estimate"]["p50"],
    ) == (1, 0.5)
    assert (rows["confidence (0 to 1)"]["jobs"], rows["confidence (0 to 1)"]["mean"]) == (1, 0.9)


def test_dependencies() -> None:
    followers = Followers()
    part = jobs(preceding_job=[-1, 1, 1, 0], think_time=[-1, 60, -1, 9])
    (row,) = panels(followers, part)["dependencies"]

    assert (row["jobs"], row["p50"]) == (1, 60)
    assert captions(followers)["dependencies"].startswith("2 jobs name a preceding job")


def test_what_a_log_lacks_is_not_shown() -> None:
    sections: list[Section] = [Checkpoints(), RerunnableJobs(), SoftEstimates(), Followers()]

    assert [panels(section, jobs(run=[1, 2])) for section in sections] == [{}, {}, {}, {}]


CONSTANT = UtilityFunction([0, 100], [8, 8])
LINEAR = UtilityFunction([0, 100], [8, 0])
JUMP = UtilityFunction([0, 50, 50.001, 100], [8, 8, 2, 2])
JUMP_AND_SLOPE = UtilityFunction([0, 50, 50.001, 100], [8, 8, 2, 0])
BENT = UtilityFunction([0, 10, 100], [8, 2, 0])
NOTHING = UtilityFunction([0, 1], [0, 0])


def valued(*curves: UtilityFunction | None) -> Workload:
    part = jobs(processors=[2] * len(curves), requested_time=[2 * HOUR] * len(curves))
    return part.replace(utility=UtilityTable.from_functions(curves))


@pytest.mark.parametrize(
    ("curve", "shape"),
    [
        (CONSTANT, "constant"),
        (NOTHING, "constant"),
        (LINEAR, "one slope"),
        (JUMP, "jumps only"),
        (JUMP_AND_SLOPE, "several slopes"),
        (BENT, "several slopes"),
    ],
)
def test_shapes(curve: UtilityFunction, shape: str) -> None:
    table = UtilityTable.from_functions([None, LINEAR, curve, None, JUMP])

    assert SHAPES[shapes(table)[2]] == shape


def test_jobs_and_values_by_shape() -> None:
    worth = ValuePart()
    shown = panels(worth, valued(LINEAR, None, JUMP), valued(LINEAR, NOTHING))

    assert shown["utilities"] == [
        {
            "shape": "constant", "jobs": 1, "share_of_jobs": 0.25, "start_value": 0,
            "share_of_value": 0,
        },
        {
            "shape": "one slope", "jobs": 2, "share_of_jobs": 0.5, "start_value": 16,
            "share_of_value": 16 / 24,
        },
        {
            "shape": "jumps only", "jobs": 1, "share_of_jobs": 0.25, "start_value": 8,
            "share_of_value": 8 / 24,
        },
    ]  # fmt: skip
    assert captions(worth)["utilities"].startswith(
        "4 of 5 jobs have a utility function; their start values add up to 24 SU."
    )


def test_deadlines_and_prices() -> None:
    deadline, price = panels(ValuePart(), valued(LINEAR, NOTHING))["values"]

    assert (deadline["mean"], deadline["p50"], deadline["p95"]) == (50.5, 1, 100)
    assert (price["p50"], price["p95"]) == (0, 2)


def test_the_mean_curve_is_of_what_is_worth_anything() -> None:
    left = panels(ValuePart(), valued(LINEAR, CONSTANT, NOTHING, None))["value_left"]

    assert left["labels"][::10] == ["0%", "50%", "100%"]
    assert left["values"][::10] == [100, 75, 50]


def test_without_utilities_there_is_nothing() -> None:
    assert panels(ValuePart(), valued(None, None)) == {}


def test_if_nothing_is_worth_anything_there_is_no_curve() -> None:
    assert "value_left" not in panels(ValuePart(), valued(NOTHING))
