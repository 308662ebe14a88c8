"""`utilitysched snapshot` and `utilitysched bound`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.utilitysched.cli.conftest import Command


@pytest.fixture
def queue(command: Command, market: Path, tmp_path: Path) -> Path:
    command("simulate", market, "--out", tmp_path / "runs")
    out = tmp_path / "queue.json"
    answer = command("snapshot", tmp_path / "runs" / "easy", "--at", 240, "-o", out)
    assert answer.err.startswith("wrote 4 queued jobs and 4 running jobs")
    return out


def test_no_plan_is_above_the_bound(command: Command, queue: Path) -> None:
    answer = command("bound", queue, "-s", "easy", "-s", "ga", "--charges", "--json")

    found = json.loads(answer.out)
    assert found["proven"]
    assert found["gap"] == 0
    assert set(found["plans"]) == {"easy", "ga"}
    assert all(plan["utility"] <= found["bound"] for plan in found["plans"].values())
    assert sum(row["utility"] for row in found["charges"]) == pytest.approx(found["optimum"])
    assert all(-1e-6 <= row["charge"] <= row["utility"] + 1e-6 for row in found["charges"])


def test_the_same_bytes_twice(command: Command, queue: Path) -> None:
    first, second = (command("bound", queue, "--json").out for _ in range(2))

    assert first == second


def test_a_table_for_people(command: Command, queue: Path) -> None:
    answer = command("bound", queue, "-s", "easy", "--charges")

    assert "best of all schedules" in answer.out
    assert "best of all orders" in answer.out
    assert "Exact charges by VCG" in answer.out


def test_unknown_durations_are_refused(command: Command, queue: Path) -> None:
    answer = command("bound", queue, "--read", "requestd")

    assert answer.code == 2
    assert "did you mean 'requested'?" in answer.err
