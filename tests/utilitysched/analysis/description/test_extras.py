"""Checkpoints, soft estimates, dependencies."""

from __future__ import annotations

from tests.utilitysched.analysis.description.sections import captions, jobs, panels
from utilitysched.analysis.description.extras import (
    Checkpoints,
    Followers,
    RerunnableJobs,
    SoftEstimates,
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
