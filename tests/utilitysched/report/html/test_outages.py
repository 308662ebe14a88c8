"""Processors that are down, in the picture of the jobs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import swfx
from tests.utilitysched.small import plain_workload
from utilitysched.analysis.series import rectangles
from utilitysched.cli.entry import run as run_command
from utilitysched.report.html import gantt
from utilitysched.report.html.canvas import shared_range
from utilitysched.report.html.shown import Shown
from utilitysched.report.html.summary import figures_table
from utilitysched.runs import RunResults, read_results


@pytest.fixture
def failing(tmp_path: Path) -> Path:
    """A run in which processors fail."""
    jobs, log = plain_workload(), tmp_path / "log.swf"
    swfx.write(jobs, log)
    domains = f"nodes={jobs.machine_size},mtbf=2h,repair=600"
    chosen = ["--failures", domains, "--utilities", "none", "--out", str(tmp_path / "runs")]
    assert run_command(["simulate", str(log), "-s", "easy", "--quiet", *chosen]) == 0
    return tmp_path / "runs" / "easy"


def columns_of(run: RunResults) -> dict[str | None, Any]:
    shown = Shown.of([run])
    picture = gantt.picture(shown, shared_range(shown.scale))
    return {source.name: source.data for source in picture.columns}


def test_outages_are_drawn_again_and_nothing_runs_on_them(failing: Path) -> None:
    run = read_results(failing)

    found = gantt.outages_of(run)

    assert found is not None
    assert len(found) == run.record["simulation"]["outages"]["count"] > 0
    ran = rectangles(run.workload, run.schedule, run.allocations)
    for start, end, low, high, _ in found.rows():
        apart = (ran.end <= start) | (ran.start >= end) | (ran.high <= low) | (ran.low >= high)
        assert apart.all()


def test_the_page_has_them_with_what_failed(failing: Path) -> None:
    run = read_results(failing)
    found = gantt.outages_of(run)

    columns = columns_of(run)

    assert found is not None
    origin = Shown.of([run]).scale.origin
    assert list(columns["outages 0"]["from"]) == (found.start - origin).tolist()
    assert list(columns["outages 0"]["low"]) == found.low.tolist()
    named = [columns["causes 0"]["name"][i] for i in columns["outages 0"]["cause"]]
    assert named == [row[-1] for row in found.rows()]


def test_the_figures_say_what_failures_cost(failing: Path) -> None:
    run = read_results(failing)

    rows = {row[0]: row[-1] for row in figures_table(Shown.of([run])).rows}

    assert rows["jobs stopped by failures, times"] == str(run.summary["failures"]) != "0"
    assert rows["work lost"] == f"{run.summary['processor_hours_lost']:.0f} processor-hours"


def test_outages_that_are_no_longer_the_same_are_left_out(failing: Path) -> None:
    path = failing / "run.json"
    record = json.loads(path.read_text(encoding="utf-8"))
    record["simulation"]["outages"]["seed"] += 1
    path.write_text(json.dumps(record), encoding="utf-8")

    assert gantt.outages_of(read_results(failing)) is None


def test_runs_without_failures_have_none(runs: list[RunResults]) -> None:
    assert gantt.outages_of(runs[0]) is None
    assert "outages 0" not in columns_of(runs[0])
