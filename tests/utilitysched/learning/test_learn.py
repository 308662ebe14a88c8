"""`utilitysched learn`: small searches on the packaged workload."""

from __future__ import annotations

import tomllib
from pathlib import Path

import numpy as np
import pytest

from swfx import InputError
from utilitysched import make_scheduler
from utilitysched.cli.entry import run
from utilitysched.experiments.inputs import Log
from utilitysched.learning.cells import TrainingPool
from utilitysched.learning.trials import CellTrial, TrainingObjective, Trials
from utilitysched.schedulers.list_scheduler import ListScheduler
from utilitysched.schedulers.orderings import orderings
from utilitysched.workers.local import ProcessExecutor, SerialExecutor

POOL = TrainingPool((Log("sample:"),), jobs=150, loads=(0.9, 1.0))
TRIALS = Trials(POOL, "index", TrainingObjective(), batch=3, seed=1)
START = np.array(list(orderings()["index"].start.values()))
SMALL = ["--jobs", "0:400", "--cell-jobs", "120", "--batch", "2", "--generations", "2"]


def test_a_candidate_is_the_scheduler_with_its_weights() -> None:
    cell = POOL.draw(1, [3])[0]
    rule = "value-and-delay:alpha=0.95,tau=86400,occupancy=requested"
    objective = TrainingObjective()
    workload = POOL.workload(cell)

    loss = TRIALS(CellTrial(cell, START[np.newaxis]))[0]

    # the start is that rule
    expected = objective.of(workload, rule) / objective.of(workload, "easy")
    assert np.exp(-loss) == pytest.approx(expected)


def test_the_least_of_a_metric_may_be_wanted() -> None:
    assert TrainingObjective("wait_mean", least=True).loss(50.0, 100.0) == pytest.approx(-np.log(2))
    assert TrainingObjective("wait_mean").loss(50.0, 100.0) == pytest.approx(np.log(2))


def test_cells_have_the_jobs_and_loads_asked_for() -> None:
    cells = POOL.draw(5, [1, 2])

    assert all(len(POOL.workload(cell)) == 150 for cell in cells)
    assert all(0.9 <= cell.load <= 1.0 for cell in cells)
    assert cells == POOL.draw(5, [1, 2]) != POOL.draw(5, [1, 3])


def test_processes_give_what_one_gives() -> None:
    candidates = np.array([START, START * 0.5])
    found = []
    for executor in (SerialExecutor(), ProcessExecutor(2)):
        with TRIALS.losses(executor) as losses:
            found.append([losses(generation, candidates).tolist() for generation in range(3)])

    assert found[0] == found[1]


def test_learned_weights_are_used(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "weights.toml"

    options = [*SMALL, "--fix", "slack,value_24h", "--processes", "1", "-o", str(file)]
    assert run(["learn", "index", "sample:", *options]) == 0

    found = tomllib.loads(file.read_text())
    assert "learned" in capsys.readouterr().out
    unchanged = [
        name
        for name, begun in zip(found["weights"], START, strict=True)
        if found["weights"][name] == begun
    ]
    assert unchanged == ["value", "value_24h", "slack"]
    assert found["provenance"]["fixed"] == "slack, value_24h"
    assert found["provenance"]["logs"] == "sample: 0:400"
    made = make_scheduler(f"index:weights={file}")
    assert isinstance(made, ListScheduler)
    assert made.order.parameters == tuple(found["weights"].values())
    assert made.options["size"] == found["weights"]["size"]


def test_learning_again_writes_the_same_bytes(tmp_path: Path) -> None:
    one, other = tmp_path / "one.toml", tmp_path / "other.toml"
    options = ["learn", "index", "sample:", *SMALL, "--processes", "1", "--quiet", "-o"]

    assert run([*options, str(one)]) == run([*options, str(other)]) == 0

    assert one.read_bytes() == other.read_bytes()
    journals = (tmp_path / f"{file.name}.journal" for file in (one, other))
    assert len({journal.read_bytes() for journal in journals}) == 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["index", "sample:", "-s", "fcfs"], "'fcfs' has no weights to learn"),
        (["index", "sample:", "--objective", "wait"], "no metric is named 'wait'"),
        (["index", "sample:", "--loads", "1:0.5"], "'1:0.5' is not A:B with loads above 0"),
        (["index", "sample:", "--fix", "sise"], "'sise' is no weight that is searched for"),
        (["index", "sample:", "--jobs", "0:9", "--jobs", "0:8"], "2 slices for 1 log"),
    ],
)
def test_refusals(
    arguments: list[str], message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["learn", *arguments, "-o", str(tmp_path / "w.toml")]) == 2
    assert message in capsys.readouterr().err


def test_a_file_of_weights_names_every_weight(tmp_path: Path) -> None:
    file = tmp_path / "weights.toml"
    file.write_text("[weights]\nvalue = 1\nsise = 2\n")
    with pytest.raises(InputError, match=r"weights.toml:3: field weights.sise: is not a known key"):
        make_scheduler(f"index:weights={file}")
    file.write_text("[weights]\nvalue = 1\n")
    with pytest.raises(InputError, match="value_10min, value_1h"):
        make_scheduler(f"index:weights={file}")
