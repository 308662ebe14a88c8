from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from swfx import Header, InputError, Workload, write
from swfx.families.transforms import apply_all
from swfx.reading.sources import open_workload
from utilitysched.engine.valued import ensure
from utilitysched.experiments.cell import Cell, run_cell
from utilitysched.experiments.inputs import (
    Inputs,
    Log,
    selection_of,
    windows_of,
    workload_of,
)
from utilitysched.learning.cells import TrainingPool

INPUTS = Inputs(
    Log("model:lublin,jobs=40,machine_size=64", jobs="10:30"),
    apply=("accurate", "resample-users"),
    apply_seed=2,
    utilities="factor=3",
    utility_seed=5,
)


def test_it_is_what_simulate_makes_of_the_same_options() -> None:
    log = open_workload(INPUTS.log.source, jobs=slice(10, 30)).workload
    jobs = apply_all(log, INPUTS.apply, 2).workload
    valued = ensure(jobs, "factor=3", 5, classes=None, say=print)

    assert workload_of(INPUTS) == valued.workload


def test_utilities_may_be_drawn_first() -> None:
    log = Log("model:lublin,jobs=40,machine_size=64,estimates=factor,estimates.f=3")
    real = replace(INPUTS, log=log, apply=())
    accurate = replace(real, apply=("accurate",), utilities_first=True)

    assert workload_of(accurate).utility == workload_of(real).utility
    assert workload_of(accurate).request.tolist() == workload_of(real).run.tolist()
    assert workload_of(replace(accurate, utilities_first=False)).utility != (
        workload_of(real).utility
    )


@pytest.fixture
def held(tmp_path: Path) -> Log:
    """Three jobs: the second follows the first, the third has a begin time."""
    jobs = Workload.from_columns(
        submit=[0, 5, 6],
        wait=[0, 60, 90],
        run=[50, 5, 5],
        processors=[1, 1, 1],
        eligible=[0, 50, 80],
        preceding_job=[-1, 1, -1],
        header=Header((" MaxProcs: 4",)),
    )
    write(jobs, tmp_path / "held.swfx")
    return Log(str(tmp_path / "held.swfx"))


def test_jobs_are_submitted_when_eligible(held: Log) -> None:
    inputs = Inputs(held, utilities="none")
    kept = replace(inputs, apply=("submit-at:time=submission",))
    first = replace(inputs, utilities="factor=3", utilities_first=True)

    assert workload_of(inputs).submit.tolist() == [0, 55, 86]
    assert workload_of(inputs).wait.tolist() == [0, 10, 10]
    assert workload_of(inputs, dependencies=True).submit.tolist() == [0, 5, 86]
    assert workload_of(kept).submit.tolist() == [0, 5, 6]
    assert workload_of(first).submit.tolist() == [0, 55, 86]


def test_cells_measure_both_waits(held: Log) -> None:
    cell = Cell(Inputs(held, utilities="none"), "easy")

    figures = run_cell(cell).metrics
    dependent = run_cell(replace(cell, dependencies=True)).metrics

    assert (figures["wait_mean"], figures["submission_wait_mean"]) == (0, pytest.approx(130 / 3))
    assert dependent["submission_wait_mean"] == pytest.approx((45 + 80) / 3)


def test_learning_submits_when_eligible(held: Log) -> None:
    drawn = TrainingPool((held,), jobs=3, loads=(0.5, 0.6))
    (cell,) = drawn.draw(1, (1,))

    assert drawn.workload(cell).submitted_before.tolist() == [0, 50, 80]


def test_a_workload_is_kept_for_the_next_cell() -> None:
    assert workload_of(INPUTS) is workload_of(replace(INPUTS))


def test_windows_are_the_jobs_submitted_in_them() -> None:
    day = 86_400.0
    whole = workload_of(Inputs(Log("sample:"), utilities="none"))

    logs = windows_of(Log("sample:", "24h"), ())

    parts = [workload_of(Inputs(log, utilities="none")) for log in logs]
    assert [log.jobs for log in logs][:2] == ["24h 1", "24h 2"]
    assert np.concatenate([part.job_id for part in parts]).tolist() == whole.job_id.tolist()
    for log, part in zip(logs, parts, strict=True):
        number = int(str(log.jobs).split()[1])
        assert set((part.submit - whole.submit.min()) // day) == {number - 1.0}


def test_a_log_without_windows_is_as_it_is() -> None:
    for jobs in (None, "0:9", "24h 2"):
        assert windows_of(Log("sample:", jobs), ()) == [Log("sample:", jobs)]


@pytest.mark.parametrize("text", ["weeks", "whole half-months", "36h 7"])
def test_a_selection_is_the_text_that_it_is_read_from(text: str) -> None:
    assert str(selection_of(text)) == text


@pytest.mark.parametrize("text", ["fortnights", "whole", "weeks x", "weeks 1 2", "-3h"])
def test_what_is_no_window_is_refused(text: str) -> None:
    with pytest.raises(InputError):
        selection_of(text)


def test_a_window_without_jobs_is_refused() -> None:
    with pytest.raises(InputError, match="give a number from 1 to"):
        workload_of(Inputs(Log("sample:", "24h 999")))
