"""Rows for every annotation and every rule, of schedulers that can tell them apart."""

from __future__ import annotations

from pathlib import Path

import pytest

from swfx import InputError
from utilitysched.experiments.experiment_file import read_experiment
from utilitysched.experiments.grid import GridEntry, grid
from utilitysched.experiments.inputs import Inputs, workload_of
from utilitysched.experiments.specification import Experiment

TEXT = """
[[workload]]
source = "model:lublin,jobs=40,machine_size=64"
[utilities]
seeds = [3]
[checkpoints]
specifications = ["survey:tolerance=0.5", "all"]
[schedulers]
names = ["priority-fifo", "priority-preempt"]
baseline = "priority-preempt with all under default"
[simulation]
preemption = ["default", "on_demand=60"]
"""
ALL = "priority-preempt with all under on_demand=60"


def read(folder: Path, text: str) -> Experiment:
    (folder / "some.toml").write_text(text)
    return read_experiment(folder / "some.toml")


def rows(folder: Path, text: str = TEXT) -> dict[str, GridEntry]:
    return {entry.scheduler: entry for entry in grid(read(folder, text))}


def test_every_variant_of_who_preempts_and_the_first_of_others(tmp_path: Path) -> None:
    assert list(rows(tmp_path)) == [
        "priority-fifo",
        "priority-preempt with survey:tolerance=0.5 under default",
        "priority-preempt with survey:tolerance=0.5 under on_demand=60",
        "priority-preempt with all under default",
        ALL,
    ]


def test_a_row_is_simulated_with_its_checkpoints_and_rules(tmp_path: Path) -> None:
    cell = rows(tmp_path)[ALL].cell

    assert (cell.scheduler, cell.preemption) == ("priority-preempt", "on_demand=60")
    jobs = workload_of(cell.inputs)
    assert set(jobs.checkpoint_interval.tolist()) == {900.0}
    assert jobs.header.get("CheckpointModel") == "all; seed 3"


def test_all_are_varied_where_jobs_fail(tmp_path: Path) -> None:
    failing = TEXT + 'failures = "nodes=64,mtbf=5y,repair=4h"\n'

    assert len(rows(tmp_path, failing)) == 8


def test_a_single_one_has_no_name_of_its_own(tmp_path: Path) -> None:
    single = TEXT.replace('["survey:tolerance=0.5", "all"]', '"all"')
    single = single.replace('["default", "on_demand=60"]', '"default"')
    single = single.replace(" with all under default", "")

    found = rows(tmp_path, single)

    assert list(found) == ["priority-fifo", "priority-preempt"]
    assert found["priority-fifo"].cell.inputs.checkpoints == "all"


def test_what_is_not_asked_for_is_in_no_key(tmp_path: Path) -> None:
    inputs = rows(tmp_path)[ALL].cell.inputs

    assert inputs.identity()["checkpoints"] == "all"
    assert "checkpoints" not in Inputs(inputs.log).identity()


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('"all"]', '"most"]', "field checkpoints.specifications.*'most'"),
        ("with all under default", "", "priority-preempt' is not among the schedulers"),
        ('"on_demand=60"', '"default"', "is named twice"),
        ("specifications", "seeds = [1]\nspecifications", "field checkpoints"),
    ],
)
def test_mistakes_are_refused(tmp_path: Path, old: str, new: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        read(tmp_path, TEXT.replace(old, new))
