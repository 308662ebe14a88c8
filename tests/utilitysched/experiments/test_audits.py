"""Audits of cells, and the section [audit] that asks for them."""

from __future__ import annotations

import pickle
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from tests.utilitysched.experiments.small import SIMULATIONS, SMALL, small, small_cell, small_file
from utilitysched.analysis.metrics.catalogue import AUDIT_METRICS
from utilitysched.experiments.audits import MEASURES, Audited
from utilitysched.experiments.cell import Cell, run_cell
from utilitysched.experiments.experiment_file import read_experiment
from utilitysched.experiments.grid import (
    Circumstances,
    FinishedCell,
    GridEntry,
    audits,
    cells,
    grid,
)
from utilitysched.experiments.inputs import workload_of
from utilitysched.experiments.results import experiment_result
from utilitysched.market.audit import MECHANISMS, TOLD, AuditSubject, Design, audit
from utilitysched.market.audit.design import QUEUES
from utilitysched.market.audit.summary import summarise

ASKED = Audited(("vcg", "single-price"), 5, 1, ("scale", "split"), "24h", "log")


def entry(cell: Cell) -> GridEntry:
    return GridEntry(Circumstances("", "", "", 0, "", 0), cell.scheduler, cell.seed, cell)


def test_a_cell_says_what_an_audit_says() -> None:
    """Put together by hand, the jobs' gains are those of the summary."""
    cell = small_cell("ga:population=4,generations=2", seed=3, audit=ASKED)
    workload = workload_of(cell.inputs)
    design = Design(5, 1, ("scale", "split"), "24h", "log")
    found = audit(workload, AuditSubject(cell.scheduler, ASKED.mechanisms, seed=3), design)
    expected = {
        (row.mechanism, row.measure): row.gain
        for row in summarise(found)
        if row.congestion == "all"
    }

    figures: Any = run_cell(cell).metrics

    assert set(figures) == set(ASKED.mechanisms)
    for mechanism, measured in figures.items():
        assert measured["truth"]["value"] == found.value.tolist()
        for measure, name in zip(MEASURES, ("best value lie", "best lie", "placebo"), strict=True):
            assert np.isclose(np.mean(measured[measure]["gain"]), expected[mechanism, name])
        assert measured["placebo"]["lying"] == [0.0] * len(found.value)


def test_who_does_not_know_values_cannot_be_deceived_about_them() -> None:
    figures: Any = run_cell(small_cell("easy", audit=replace(ASKED, jobs=3))).metrics

    for mechanism in ASKED.mechanisms:
        assert figures[mechanism]["value_lie"] == {"gain": [0.0] * 3, "lying": [0.0] * 3}
        assert figures[mechanism]["placebo"]["gain"] == [0.0] * 3


def test_rows_are_in_the_order_asked_for_with_means_over_jobs(tmp_path: Path) -> None:
    cell = small_cell(audit=ASKED)
    measured = {name: {"gain": [1.0, 3.0], "lying": [0.0, 1.0]} for name in MEASURES}
    result = replace(run_cell(small_cell()), metrics={})
    for mechanism in sorted(ASKED.mechanisms):
        figures = {**result.metrics, mechanism: {"truth": {"value": [2.0, 6.0]}, **measured}}
        result = replace(result, metrics=figures)

    experiment, _ = small(tmp_path)
    rows = experiment_result(experiment, [], audited=[FinishedCell(entry(cell), result)]).audits

    assert [row.mechanism for row in rows] == ["vcg", "single-price"]
    assert {name: rows[0].metrics[name] for name in AUDIT_METRICS} == {
        "jobs_audited": 2,
        "value_lie_gain": 2.0,
        "value_lie_share": 0.5,
        "lie_gain": 2.0,
        "lie_share": 0.5,
        "placebo_gain": 2.0,
        "true_value": 4.0,
    }


def test_what_cannot_be_audited_fails_alone() -> None:
    cell = small_cell(audit=ASKED)
    bare = replace(cell, inputs=replace(cell.inputs, utilities="none"))

    assert (run_cell(bare).error or "").startswith("no job of this workload has a utility function")


FULL = """[audit]
mechanisms = ["vcg", "first-price:reading=end"]
jobs = 4
draws = 3
lies = ["scale:factor=3", "split"]
horizon = "1w"
queues = "log"
"""


def test_every_key_is_read(tmp_path: Path) -> None:
    assert read_experiment(small_file(tmp_path, SMALL + FULL)).audit == Audited(
        ("vcg", "first-price:reading=end"), 4, 3, ("scale:factor=3", "split"), "1w", "log"
    )
    found = read_experiment(small_file(tmp_path, SMALL + "[audit]\n")).audit
    assert found is not None
    assert (found.mechanisms, found.jobs, found.draws) == (MECHANISMS, 30, 2)
    assert (len(found.lies), found.horizon, found.queues) == (len(TOLD), "24h", QUEUES)
    assert read_experiment(small_file(tmp_path)).audit is None


def test_an_audit_has_the_failures_of_its_schedules(tmp_path: Path) -> None:
    text = SMALL.replace('"easy", "fcfs", "ga:population=4,generations=2"', '"easy"')
    text += '[simulation]\nfailures = "nodes=64,mtbf=4h,repair=1h"\n[audit]\njobs = 4\ndraws = 1\n'
    text += 'lies = ["scale"]\nmechanisms = ["first-price:reading=end"]\n'
    experiment = read_experiment(small_file(tmp_path, text))
    (cell, *_) = cells(audits(experiment, grid(experiment)))

    found, never = run_cell(cell), run_cell(replace(cell, failures=""))

    assert found.error is None
    assert found.metrics != never.metrics


def test_every_schedule_is_audited(tmp_path: Path) -> None:
    experiment, entries = small(tmp_path, SMALL + FULL)

    rows = audits(experiment, entries)

    assert len(cells(rows)) == SIMULATIONS
    assert {row.cell.audit for row in rows} == {experiment.audit}
    assert not {row.cell.key for row in rows} & {entry.cell.key for entry in entries}
    assert audits(*small(tmp_path)) == []


def test_a_cell_with_an_audit_travels() -> None:
    asked = Audited(("vcg",), 4, 3, ("split",), "1w", "log")
    cell = small_cell(audit=asked)

    assert pickle.loads(pickle.dumps(cell)) == cell
    assert cell.key != small_cell(audit=Audited(("vcg",), 4, 2, ("split",), "1w", "log")).key
