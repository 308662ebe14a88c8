"""Columns that the picture of the jobs is painted from."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from swfx import Header, open_workload
from tests.utilitysched.preempted import stored_preempted
from tests.utilitysched.report.figures.conftest import run_of
from utilitysched.report.html import gantt, jobs
from utilitysched.report.html.canvas import ReportSection, shared_range
from utilitysched.report.html.shown import Shown
from utilitysched.runs import read_results


def made(shown: Shown) -> ReportSection:
    return gantt.picture(shown, shared_range(shown.scale))


def test_every_job_of_every_run_is_there(shown: Shown) -> None:
    columns = {source.name: source.data for source in jobs.columns(shown)}

    assert list(columns) == ["jobs", "run 0", "run 1"]
    assert columns["jobs"]["number"].tolist() == shown.workload.job_id.tolist()
    [run, _] = shown.runs
    length = run.schedule.end - run.schedule.start
    assert columns["jobs"]["run"].tolist() == length.tolist()
    assert (
        columns["jobs"]["submit"].tolist()
        == (run.workload.submit - run.workload.submit[0]).tolist()
    )
    for place, run in enumerate(shown.runs):
        found = columns[f"run {place}"]
        assert found["start"].tolist() == (run.schedule.start - shown.scale.origin).tolist()
        earned = float(np.sum(found["earned"], dtype=np.float64))
        assert earned == pytest.approx(run.summary["aggregate_utility"], rel=1e-6)


def test_users_and_queues_have_their_names(shown: Shown) -> None:
    [run] = shown.runs[:1]
    log = run.workload
    lines = (*log.header.lines, " User: 2 ann", " QueueMeans: qos", " QOS: 1 night")
    named = run._replace(workload=log.replace(header=Header(lines)))

    columns = {source.name: source.data for source in jobs.columns(Shown.of([named]))}

    users, queues = columns["names of user"], columns["names of queue"]
    assert dict(zip(users["number"], users["name"], strict=True))[2] == "ann"
    assert set(users["kind"]) == {"user"}
    assert dict(zip(queues["number"], queues["name"], strict=True))[1] == "night"
    assert set(queues["kind"]) == {"QOS"}


def test_jobs_that_were_preempted_have_rectangles_with_times_of_their_own(tmp_path: Path) -> None:
    shown = Shown.of([read_results(stored_preempted(tmp_path, value_lost=12.5))])

    both = [*jobs.columns(shown), *made(shown).columns]
    columns = {source.name: source.data for source in both}

    assert columns["rectangles 0"]["span"].tolist() == [0, 1, 2, 3]
    assert columns["spans 0"]["job"].tolist() == [0, 1, 2, 0]
    kills = {name: column.tolist() for name, column in columns["kills 0"].items()}
    assert kills == {"job": [0], "until": [50], "cause": [1], "lost": [20], "cost": [12.5]}
    assert columns["spans 0"]["from"].tolist() == [0, 50, 55, 75]
    assert columns["spans 0"]["until"].tolist() == [50, 60, 75, 153]
    assert columns["stops 0"]["ran"].tolist() == [128, 10, 20]
    assert columns["stops 0"]["preemptions"].tolist() == [1, 0, 0]
    assert columns["stops 0"]["failures"].tolist() == [0, 0, 0]


def test_rectangles_hold_as_many_processors_as_their_job(shown: Shown) -> None:
    columns = {source.name: source.data for source in made(shown).columns}
    found = columns["rectangles 0"]

    held = np.bincount(found["span"], weights=found["width"])

    assert held.tolist() == shown.workload.size.tolist()


def test_nodes_that_jobs_share_have_ticks_and_their_jobs_half_of_each_socket() -> None:
    load = open_workload("model:applications,jobs=4,seed=1,procs=400,list=bt.D.64").workload

    picture = made(Shown.of([run_of("coscheduled:policy=easy-co", load, paid=False)]))

    columns = {source.name: source.data for source in picture.columns}
    found = columns["rectangles 0"]
    each = (found[name].tolist() for name in ("span", "low", "width"))
    held = set(zip(*each, strict=True))
    # 64 processes on seven nodes of 2 x 10: the first job has the first five cores of each socket
    assert {(0, 0, 5), (0, 10, 5), (0, 120, 4)} <= held
    assert "Every 20 processors are a node, socket after socket." in picture.caption
    assert picture.chart.yaxis[0].ticker.mantissas == [1.0, 2.0, 4.0]
    assert picture.chart.yaxis[0].ticker.min_interval == 20


def test_runs_that_a_page_cannot_hold_are_left_out_and_named(
    shown: Shown, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gantt, "MOST_RECTANGLES", 100)

    picture = made(shown)

    names = [source.name for source in picture.columns if not source.name.startswith("colour ")]
    assert names == ["rectangles 0"]
    assert picture.caption.endswith("Left out, for the size of the page: saf.")
