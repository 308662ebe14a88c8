"""Columns and colours that the picture of the jobs is painted from."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import swfx
from swfx import Header, open_workload
from tests.utilitysched.preempted import stored_preempted
from tests.utilitysched.report.charts.conftest import run_of
from tests.utilitysched.small import named_workload, plain_workload
from utilitysched.analysis.series import rectangles
from utilitysched.cli.entry import run as run_command
from utilitysched.report.charts.gantt import outages_of
from utilitysched.report.html import gantt, jobs
from utilitysched.report.html.jobs import Colouring, colourings
from utilitysched.report.html.shown import Shown
from utilitysched.report.html.summary import figures_table
from utilitysched.runs import RunResults, read_results


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


def test_jobs_have_the_names_that_users_know(shown: Shown) -> None:
    """Numbers of 15 digits stay exact, by which the page finds the names."""
    [run] = shown.runs[:1]
    named = run._replace(workload=named_workload().replace(utility=run.workload.utility))

    columns = {source.name: source.data for source in jobs.columns(Shown.of([named]))}

    names = columns["names of job"]
    assert names["number"].tolist() == columns["jobs"]["number"].tolist()
    assert names["number"].tolist() == named.workload.job_id.tolist()
    assert list(names["name"]) == named.workload.job_names.of_jobs()


def test_jobs_that_were_preempted_have_rectangles_with_times_of_their_own(tmp_path: Path) -> None:
    shown = Shown.of([read_results(stored_preempted(tmp_path, value_lost=12.5))])

    both = [*jobs.columns(shown), *gantt.painting(shown).columns]
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
    columns = {source.name: source.data for source in gantt.painting(shown).columns}
    found = columns["rectangles 0"]

    held = np.bincount(found["span"], weights=found["width"])

    assert held.tolist() == shown.workload.size.tolist()


def test_nodes_that_jobs_share_have_ticks_and_their_jobs_half_of_each_socket() -> None:
    load = open_workload("model:applications,jobs=4,seed=1,machine_size=400,list=bt.D.64").workload

    shown = Shown.of([run_of("coscheduled:policy=easy-co", load, paid=False)])
    painting = gantt.painting(shown)
    picture = gantt.frame(shown, painting)

    columns = {source.name: source.data for source in painting.columns}
    found = columns["rectangles 0"]
    each = (found[name].tolist() for name in ("span", "low", "width"))
    held = set(zip(*each, strict=True))
    # 64 processes on seven nodes of 2 x 10: the first job has the first five cores of each socket
    assert {(0, 0, 5), (0, 10, 5), (0, 120, 4)} <= held
    assert "Every 20 processors are a node, socket after socket." in picture.caption
    [layer, *_] = picture.on_page()["layer"]
    assert "20 * ceil((high - low) / 160)" in layer["encoding"]["y"]["axis"]["values"]["expr"]


def test_runs_that_a_page_cannot_hold_are_left_out_and_named(
    shown: Shown, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gantt, "MOST_RECTANGLES", 100)

    painting = gantt.painting(shown)

    names = [source.name for source in painting.columns if not source.name.startswith("colour ")]
    assert names == ["rectangles 0"]
    assert gantt.frame(shown, painting).caption.endswith("Left out, for the size of the page: saf.")


@pytest.fixture
def found(shown: Shown) -> dict[str, Colouring]:
    return {each.key: each for each in colourings(shown)}


def test_there_is_one_for_all_that_differs(found: dict[str, Colouring]) -> None:
    assert list(found) == ["wait", "user", "queue", "class", "charge"]
    for each in found.values():
        last = max(int(kind.max()) for kind in each.kinds)
        assert last < len(each.names) <= len(each.colours)


def test_waits_are_those_until_the_first_start(shown: Shown, found: dict[str, Colouring]) -> None:
    run, kind = shown.runs[1], found["wait"].kinds[1]
    wait = run.schedule.wait(run.workload)

    assert kind.tolist() == [0 if each <= 60 else 1 if each <= 3600 else 2 for each in wait]


def test_jobs_of_a_user_have_one_colour(shown: Shown, found: dict[str, Colouring]) -> None:
    colouring = found["user"]
    [kind] = colouring.kinds

    for user, each in zip(shown.workload.user.tolist(), kind.tolist(), strict=True):
        assert colouring.names[each] == f"user {user}"


def test_classes_are_told_apart_the_heaviest_first(
    shown: Shown, found: dict[str, Colouring]
) -> None:
    names = found["class"].names
    [kind] = found["class"].kinds
    [run] = shown.runs[:1]
    used = np.bincount(kind, run.schedule.used(run.workload))

    assert [names[each] for each in kind] == [f"class {queue}" for queue in run.workload.queue]
    assert used.tolist() == sorted(used, reverse=True)


def test_charges_are_in_quarters_and_unbilled_runs_charge_nothing(
    shown: Shown, found: dict[str, Colouring]
) -> None:
    easy, saf = found["charge"].kinds
    bill = shown.runs[0].bill
    nothing = found["charge"].names.index("charged nothing")

    assert bill is not None
    assert set(saf.tolist()) == {nothing}
    assert np.array_equal(easy != nothing, bill.charge > 0)
    counts = np.bincount(easy[bill.charge > 0])
    assert counts.max() - counts.min() <= 1


@pytest.fixture(scope="module")
def failing(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run in which processors fail."""
    folder = tmp_path_factory.mktemp("failing")
    jobs, log = plain_workload(), folder / "log.swf"
    swfx.write(jobs, log)
    domains = f"nodes={jobs.machine_size},mtbf=2h,repair=600"
    chosen = ["--failures", domains, "--utilities", "none", "--out", str(folder / "runs")]
    assert run_command(["simulate", str(log), "-s", "easy", "--quiet", *chosen]) == 0
    return folder / "runs" / "easy"


def columns_of(run: RunResults) -> dict[str | None, Any]:
    return {source.name: source.data for source in gantt.painting(Shown.of([run])).columns}


def test_outages_are_drawn_again_and_nothing_runs_on_them(failing: Path) -> None:
    run = read_results(failing)

    found = outages_of(run)

    assert found is not None
    assert len(found) == run.record["simulation"]["outages"]["count"] > 0
    ran = rectangles(run.workload, run.schedule, run.allocations)
    for start, end, low, high, _ in found.rows():
        apart = (ran.end <= start) | (ran.start >= end) | (ran.high <= low) | (ran.low >= high)
        assert apart.all()


def test_the_page_has_them_with_what_failed(failing: Path) -> None:
    run = read_results(failing)
    found = outages_of(run)

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


def test_outages_that_are_no_longer_the_same_are_left_out(failing: Path, tmp_path: Path) -> None:
    shutil.copytree(failing.parent, tmp_path / "runs")
    changed = tmp_path / "runs" / "easy"
    path = changed / "run.json"
    record = json.loads(path.read_text(encoding="utf-8"))
    record["simulation"]["outages"]["seed"] += 1
    path.write_text(json.dumps(record), encoding="utf-8")

    assert outages_of(read_results(changed)) is None


def test_runs_without_failures_have_none(runs: list[RunResults]) -> None:
    assert outages_of(runs[0]) is None
    assert "outages 0" not in columns_of(runs[0])
