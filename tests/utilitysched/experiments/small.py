"""A small grid, as a file and as cells, and a store of it."""

from __future__ import annotations

from pathlib import Path

from utilitysched.experiments.cell import Cell
from utilitysched.experiments.experiment_file import read_experiment
from utilitysched.experiments.grid import GridEntry, grid
from utilitysched.experiments.inputs import Inputs, Log
from utilitysched.experiments.specification import Experiment

SMALL = """\
name = "small"
[[workload]]
source = "model:lublin,jobs=40,machine_size=64,seed=3"
jobs = ["0:20", "20:40"]
[utilities]
seeds = [1, 2]
[schedulers]
names = ["easy", "fcfs", "ga:population=4,generations=2"]
repeats = 2
[report]
metrics = ["aggregate_utility", "wait_mean"]
"""
HALF_FAILS = SMALL.replace('["0:20", "20:40"]', '"0:20"\napply = [[], ["filter:user=9999"]]')
"""The same number of simulations, but no job is left in half of them."""
SIMULATIONS = 16
"""Of it: 2 slices x 2 draws x (2 schedulers that draw nothing + 2 runs of one that does)."""


def small_file(folder: Path, text: str = SMALL) -> Path:
    """Write an experiment file."""
    file = folder / "small.toml"
    file.write_text(text, "utf-8")
    return file


def small(folder: Path, text: str = SMALL) -> tuple[Experiment, list[GridEntry]]:
    """Read it, and the rows of its grid."""
    experiment = read_experiment(small_file(folder, text))
    return experiment, grid(experiment)


def small_cell(scheduler: str = "easy", **changed: object) -> Cell:
    """One cell on forty jobs."""
    return Cell(Inputs(Log("model:lublin,jobs=40,machine_size=64")), scheduler, **changed)  # type: ignore[arg-type]
