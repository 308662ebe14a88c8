"""`utilitysched learn mixed` on the packaged workload."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from swfx import InputError
from utilitysched import make_scheduler, simulate
from utilitysched.analysis.metrics import summary
from utilitysched.cli.entry import run
from utilitysched.experiments.inputs import Log
from utilitysched.learning.mixed import (
    PURE,
    WindowTrial,
    WindowTrials,
    XnesSearch,
    grid,
    pure_policies,
)
from utilitysched.learning.weekly import MixedPolicies, WeeklyProtocol
from utilitysched.schedulers.list_scheduler import ListScheduler

TRIALS = WindowTrials(Log("sample:", "whole 36h"), "mixed:backfill=spf,threshold=200000")
COMMAND = ["learn", "mixed", "sample:", "--windows", "36h", "--processes", "1", "--quiet"]
SMALL = ["--grid", "4", "--generations", "3"]


def test_the_grid_covers_magnitude_1_and_misses_0() -> None:
    found = grid(4)

    assert np.abs(found).sum(axis=1) == pytest.approx(np.ones(len(found)))
    # 1/3 and 1 apart: four points of each half are inside
    assert sorted({tuple(row) for row in np.round(found[:4, 1:3], 3).tolist()}) == [
        (-0.333, -0.333),
        (-0.333, 0.333),
        (0.333, -0.333),
        (0.333, 0.333),
    ]
    assert found[:, 0] == pytest.approx([-1 / 3] * 4 + [1 / 3] * 4)
    assert len(grid(100)) == 9800  # those of 20,000 with a magnitude up to 1


def test_pure_policies_are_the_twelve_orderings() -> None:
    number, jobs = next(iter(TRIALS.windows.items()))

    found = TRIALS(WindowTrial(number, pure_policies()))

    for name, cost in zip(PURE, found, strict=True):
        plain = "easy" if name == "fcfs" else name
        schedule = simulate(jobs, f"{plain}:backfill=spf,threshold=200000")
        assert cost == pytest.approx(summary(jobs, schedule)["bounded_slowdown_mean"]), name


def test_a_search_finds_the_least() -> None:
    pure = np.full(12, 4.0)
    search = XnesSearch(3, pure, np.ones(6), [1])

    for _ in range(80):  # weights (0.5, -0.3, 0.2) cost least: 1
        asked = search.ask()
        assert np.abs(asked).sum(axis=1) == pytest.approx(np.ones(len(asked)))
        search.tell(1.0 + np.abs(asked[:, :3] - [0.5, -0.3, 0.2]).sum(axis=1))

    assert search.least < 1.02
    assert search.simulations == 6 + 80 * search.population


def test_w_greedy_is_a_window_late_and_ties_go_to_saf() -> None:
    candidates = pure_policies()
    costs = np.full((3, 12), 5.0)
    costs[0, 1], costs[1, 1], costs[1, 2] = 1.0, 2.0, 1.0
    costs[2, 5] = 7.0
    found = MixedPolicies(
        np.arange(1, 4),
        np.array([0]),
        np.array([1, 2]),
        candidates,
        costs,
        {},
        {},
        candidates[0],
        costs[:, 0],
        1,
    )

    assert found.optima.tolist() == [1, 2, 0]  # nearest, or else the first, of equals
    assert found.least.tolist() == [1.0, 1.0, 5.0]
    assert found.greedy.tolist() == [5.0, 2.0, 5.0]


def test_learned_weights_are_used_and_judged_elsewhere(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file, page = tmp_path / "mixed.toml", tmp_path / "maps.html"

    assert run([*COMMAND, *SMALL, "-o", str(file), "--page", str(page)]) == 0

    printed = capsys.readouterr().out
    assert "learned (w_train)" in printed
    made = make_scheduler(f"mixed:weights={file}")
    assert isinstance(made, ListScheduler)
    assert np.abs(made.order.parameters).sum() == pytest.approx(1.0)
    assert page.read_text("utf-8").count('<figure class="chart">') == 5
    # broken off after the grid, it goes on to the same bytes
    journal = tmp_path / "mixed.toml.journal"
    whole = file.read_bytes(), journal.read_bytes()
    journal.write_text("".join(journal.read_text().splitlines(keepends=True)[:-2]))
    assert run([*COMMAND, *SMALL, "-o", str(file)]) == 0
    assert (file.read_bytes(), journal.read_bytes()) == whole


def test_weights_come_from_a_file_or_from_options(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="weights names a file, and area is given, too"):
        make_scheduler(f"mixed:weights={tmp_path / 'w.toml'},area=1")


@pytest.mark.parametrize(
    ("arguments", "part"),
    [
        (["--learn-on", "1:3", "--judge-on", "3:4"], "cannot be judged on windows"),
        (["--learn-on", "4"], "A:B"),
        (["--learn-on", "90:99"], "no window from 90 to 99"),
        (["--windows", "0:9"], "no windows"),
        (["-s", "saf"], "has no mixed ordering"),
    ],
)
def test_what_cannot_be_learned_is_told(
    arguments: list[str], part: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run([*COMMAND, *SMALL, *arguments, "-o", str(tmp_path / "w.toml")]) == 2
    assert part in capsys.readouterr().err


def test_a_machine_of_unknown_size_is_asked_for_as_it_is_typed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    log = tmp_path / "log.swf"
    log.write_text("1 0 0 9 1 -1 -1 1 9 -1 1 1 1 -1 -1 -1 -1 -1\n")

    assert run(["learn", "mixed", str(log), "-o", str(tmp_path / "w.toml")]) == 2
    assert "the machine has; give --machine-size N\n" in capsys.readouterr().err


def test_judging_comes_after_learning() -> None:
    protocol = WeeklyProtocol(TRIALS, (1, 2), None, 4, 1)
    learned, judged = protocol.parts()
    assert learned.max() < judged.min()
