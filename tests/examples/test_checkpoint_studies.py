"""The experiments on checkpoints among the examples print every row they are about."""

from __future__ import annotations

from pathlib import Path

import pytest

from utilitysched.experiments.experiment_file import read_experiment
from utilitysched.experiments.grid import cells, grid

EXAMPLES = Path(__file__).parents[2] / "examples"
DRAWS = 6
STUDIES = {
    # rows of a table, and tables
    "checkpoints_on_demand": (2 + 2 * 5, 1),
    "checkpoints_overhead": (1 + 6, 2),
    "checkpoints_shares": (2 + 2 * 6, 1),
    "lee_figure_6_6": (11, 1),
}


@pytest.mark.parametrize("stem", STUDIES)
def test_every_row_has_a_ratio_in_what_it_printed(
    stem: str, traces: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TRACES", str(traces))
    rows, tables = STUDIES[stem]

    experiment = read_experiment(EXAMPLES / f"{stem}.toml")
    printed = (EXAMPLES / f"{stem}.out").read_text("utf-8").splitlines()

    assert len(cells(grid(experiment))) == DRAWS * rows * tables
    for candidate in experiment.schedulers.candidates:
        lines = [line for line in printed if line.startswith(f"{candidate.label}  ")]
        assert len(lines) == 2 * tables, candidate.label
