"""Waits over time, and what selections chose."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree as ET

from tests.utilitysched.experiments.small import small
from utilitysched.analysis.documents import LineChart
from utilitysched.experiments.cell import CellResult
from utilitysched.experiments.grid import FinishedCell
from utilitysched.experiments.results import ExperimentResult, experiment_result
from utilitysched.report.experiment.page import experiment_page
from utilitysched.report.experiment.tables import experiment_tables
from utilitysched.report.svg import lines
from utilitysched.report.templating import environment

TEXT = """\
[[workload]]
source = "model:lublin,jobs=40,procs=64,seed=3"
apply = "resample-users"
seeds = [1, 2]
[utilities]
specifications = "none"
[schedulers]
names = ["easy", "saf", "select:epsilon=0"]
[report]
metrics = ["wait_mean"]
over_time = true
"""
WAITS = {
    "easy": {1: [0, 10, 10, 20], 2: [10, 10, 0, 0]},
    "saf": {1: [0, 5, 5, 0], 2: [10, 0, 0, 0]},
    "select:epsilon=0": {1: [5, 10, 5, 0], 2: [5, 5, 5, 5]},
}


def made(folder: Path) -> ExperimentResult:
    experiment, entries = small(folder, TEXT)
    cells = []
    for entry in entries:
        waits = WAITS[entry.scheduler][entry.circumstances.apply_seed]
        chosen = ["saf"] * 7 + ["spf"] * 7 if entry.scheduler.startswith("select") else []
        assert entry.cell.extra == ("over_time",)
        metrics = {"over_time": {"wait": waits, "chosen": chosen}}
        cells.append(FinishedCell(entry, CellResult(metrics)))
    return experiment_result(experiment, cells)


def test_waits_so_far_are_beside_those_of_the_baseline(tmp_path: Path) -> None:
    _, waits, regret, shares = experiment_tables(made(tmp_path))

    # 5/10 in week 1 of the second draw, none in the first; then 15/10 and 10/20; 20/40 and 20/20
    assert [row[0] for row in waits.rows] == ["saf", "select:epsilon=0"]
    assert [each.value for each in waits.rows[1][1:]] == [0.5, 1.0, (1.0 + 0.75) / 2, 0.75]
    # saf is the best single one: 15/5 and 10/10, 20/10 and 15/10, 20/10 and 20/10
    assert "Regret: waits so far beside saf" in regret.caption
    ((name, *values),) = regret.rows
    assert (name, [each.value for each in values]) == ("select:epsilon=0", [0.5, 2.0, 1.75, 2.0])
    assert shares.rows == [["select:epsilon=0", 50.0, 50.0]]


def test_lines_are_drawn(tmp_path: Path) -> None:
    panels = experiment_page(made(tmp_path), []).panels
    waits, regret, orderings = (panel for panel in panels if isinstance(panel, LineChart))

    assert [line.name for line in regret.lines] == ["select:epsilon=0"]
    assert [line.name for line in orderings.lines] == ["saf", "spf"]
    assert [list(line.values) for line in orderings.lines] == [[1.0, 0.0], [0.0, 1.0]]
    macros = environment().get_template("panels.html").module
    svg = ET.fromstring(macros.line_chart(lines(waits)))  # type: ignore[attr-defined]
    drawn = [line.get("points", "") for line in svg.iter("polyline")]
    assert len(drawn) == 6
    assert all(len(points.split()) == 4 for points in drawn)


def test_nothing_is_drawn_where_it_is_not_asked_for(tmp_path: Path) -> None:
    experiment, entries = small(tmp_path, TEXT.replace("over_time = true", ""))

    assert entries[0].cell.extra == ()
    cells = [FinishedCell(entry, CellResult({"wait_mean": 1.0})) for entry in entries]
    assert len(experiment_tables(experiment_result(experiment, cells))) == 1
