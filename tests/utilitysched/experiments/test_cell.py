from __future__ import annotations

import pickle
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import swfx
from tests.utilitysched.experiments.small import small_cell
from tests.utilitysched.small import plain_workload
from utilitysched import simulate
from utilitysched.analysis.metrics import summary
from utilitysched.analysis.metrics.catalogue import SLOWDOWNS
from utilitysched.experiments import cell as cells
from utilitysched.experiments.cell import Cell, run_cell
from utilitysched.experiments.files import named_files
from utilitysched.experiments.inputs import Inputs, Log, workload_of
from utilitysched.runs.files import plain

INPUTS = small_cell().inputs
OTHERS: dict[str, Cell] = {
    "scheduler": small_cell("fcfs"),
    "seed": small_cell(seed=1),
    "tau": small_cell(tau=60.0),
    "trim": small_cell(trim=0.01),
    "dependencies": small_cell(dependencies=True),
    "preemption": small_cell(preemption="default"),
    "extra": small_cell(extra=("slowdowns",)),
    "failures": small_cell(failures="nodes=64,mtbf=1d,repair=1h"),
    "source": Cell(Inputs(Log("model:lublin,jobs=41,machine_size=64")), "easy"),
    "jobs": Cell(Inputs(replace(INPUTS.log, jobs="0:20")), "easy"),
    "machine_size": Cell(Inputs(replace(INPUTS.log, machine_size=128)), "easy"),
    "cleaning": Cell(Inputs(replace(INPUTS.log, cleaning="strict")), "easy"),
    "apply": Cell(replace(INPUTS, apply=("accurate",)), "easy"),
    "apply_seed": Cell(replace(INPUTS, apply_seed=1), "easy"),
    "utilities": Cell(replace(INPUTS, utilities="none"), "easy"),
    "utility_seed": Cell(replace(INPUTS, utility_seed=1), "easy"),
    "utilities_first": Cell(replace(INPUTS, utilities_first=True), "easy"),
    "classes": Cell(replace(INPUTS, classes=((1, 0),)), "easy"),
}


def of_file(path: Path) -> Cell:
    return Cell(Inputs(Log(str(path)), files=named_files(str(path))), "easy")


def test_all_that_decides_a_result_decides_the_key() -> None:
    keys = {small_cell().key, *(cell.key for cell in OTHERS.values())}

    assert len(keys) == 1 + len(OTHERS)


def test_the_semantics_decide_the_key(monkeypatch: pytest.MonkeyPatch) -> None:
    before = small_cell().key
    monkeypatch.setattr(cells, "SEMANTICS", 0)

    assert small_cell().key != before


def test_a_file_decides_by_its_bytes_not_by_its_path(tmp_path: Path) -> None:
    for name in ("a.swf", "b.swf"):
        swfx.write(plain_workload(), tmp_path / name)
    keys = [of_file(tmp_path / name).key for name in ("a.swf", "b.swf")]
    swfx.write(plain_workload()[1:], tmp_path / "b.swf")

    assert keys[0] == keys[1] == of_file(tmp_path / "a.swf").key
    assert of_file(tmp_path / "b.swf").key != keys[0]


@pytest.mark.parametrize("cell", OTHERS.values(), ids=OTHERS)
def test_it_travels(cell: Cell) -> None:
    assert pickle.loads(pickle.dumps(cell)) == cell
    assert pickle.loads(pickle.dumps(cell)).key == cell.key


def test_its_result_is_the_summary_of_the_simulation() -> None:
    cell = small_cell("ga:population=4,generations=2", seed=3, tau=60.0)
    workload = workload_of(cell.inputs)

    expected: Any = summary(workload, simulate(workload, cell.scheduler, seed=3), tau=60.0)

    result = run_cell(cell)
    assert result.metrics == plain(expected)
    assert result.workload == workload.digest()
    assert result == run_cell(cell)
    assert 0 < result.seconds["simulation"] < result.seconds["total"]


def test_a_mistake_is_in_the_result() -> None:
    found = run_cell(Cell(Inputs(Log("nowhere.swf")), "easy"))

    assert found.metrics == {}
    assert (found.error or "").startswith("nowhere.swf: cannot be read")


def test_an_error_of_a_scheduler_is_in_the_result(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object, **__: object) -> None:
        raise ZeroDivisionError("division by zero")

    monkeypatch.setattr(cells, "simulate", broken)

    assert re.fullmatch(
        r"unexpected ZeroDivisionError in test_cell\.py:\d+: division by zero",
        run_cell(small_cell()).error or "",
    )


def test_a_file_that_changed_is_refused(tmp_path: Path) -> None:
    swfx.write(plain_workload(), tmp_path / "a.swf")
    cell = of_file(tmp_path / "a.swf")
    swfx.write(plain_workload()[1:], tmp_path / "a.swf")

    assert "a.swf: has changed, or cannot be found" in (run_cell(cell).error or "")


def test_a_file_that_changed_between_two_cells_is_refused(tmp_path: Path) -> None:
    log, other = tmp_path / "a.swf", tmp_path / "b.swf"
    for path in (log, other):
        swfx.write(plain_workload(), path)
    step = f"merge:log={other},clocks=first"
    first = Inputs(Log(str(log)), (step,), files=named_files(f"{log},{step}"))
    assert run_cell(Cell(first, "easy")).error is None
    swfx.write(plain_workload()[1:], other)

    found = run_cell(Cell(replace(first, utility_seed=1), "easy"))

    assert "b.swf: has changed, or cannot be found" in (found.error or "")


def test_a_machine_of_unknown_size_is_refused(tmp_path: Path) -> None:
    swfx.write(plain_workload().replace(header=swfx.Header()), tmp_path / "a.swf")

    assert run_cell(of_file(tmp_path / "a.swf")).error == (
        f"{tmp_path / 'a.swf'}: does not say how many processors the machine has;"
        " give `machine_size=N`"
    )


def test_the_title_says_which_it_is() -> None:
    cell = Cell(replace(INPUTS, apply=("accurate",), utility_seed=4), "ga", seed=2)

    assert cell.title == "ga seed 2 on model:lublin,jobs=40,machine_size=64 accurate utilities 4"


def test_what_else_is_asked_for_is_measured() -> None:
    measured = run_cell(small_cell("select:epsilon=0", extra=("over_time", "slowdowns"))).metrics

    assert {*SLOWDOWNS} <= set(measured)
    waits = sum(measured["over_time"]["wait"])
    assert waits == pytest.approx(measured["wait_mean"] * measured["jobs"])
    assert measured["over_time"]["chosen"][0] == "fcfs"


def test_ceilings_of_jobs_that_wait_for_others_are_refused() -> None:
    refused = run_cell(small_cell(ceiling=True, dependencies=True))

    assert "ceilings are of jobs that wait for no other" in str(refused.error)
