"""The version of what decides results is raised when results change.

``tests/golden/figures.json`` has figures of small cells, and the digest of the starts in
``starts.json``. When they change because something is computed in another way, raise
`utilitysched.model.versions.SEMANTICS`: results in the stores of users are no longer those of
this version. Where only cases are added to ``starts.json``, it stays. In either case write the new
figures: python -m tests.utilitysched.model.test_semantics
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest

from utilitysched.experiments.cell import Cell, run_cell
from utilitysched.experiments.inputs import Inputs, Log
from utilitysched.model.versions import SEMANTICS

GOLDEN = Path(__file__).parents[2] / "golden"
FILE = GOLDEN / "figures.json"
SCHEDULERS = (
    "easy",
    "conservative",
    "priority-fifo",
    "lexp",
    "ga:population=6,generations=3",
    "climb:population=6",
)
INPUTS = Inputs(Log("sample:", jobs="0:200"), utilities="default", utility_seed=3)


def starts() -> str:
    return hashlib.sha256((GOLDEN / "starts.json").read_bytes()).hexdigest()


def figures(scheduler: str) -> dict[str, Any]:
    found = run_cell(Cell(INPUTS, scheduler, seed=1)).metrics
    return {name: value for name, value in found.items() if name != "scheduler"}


def known() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(FILE.read_text("utf-8"))
    return found


def test_it_is_the_version_of_the_golden_results() -> None:
    assert known()["semantics"] == SEMANTICS
    assert known()["starts"] == starts()


@pytest.mark.parametrize("scheduler", SCHEDULERS)
def test_figures_are_those_of_this_version(scheduler: str) -> None:
    # the last digits of a mean may differ between machines
    assert figures(scheduler) == pytest.approx(known()["figures"][scheduler], rel=1e-12)


if __name__ == "__main__":
    found = {name: figures(name) for name in SCHEDULERS}
    document = {"semantics": SEMANTICS, "starts": starts(), "figures": found}
    FILE.write_text(json.dumps(document, indent=1) + "\n", "utf-8")
