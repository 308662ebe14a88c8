"""`utilitysched demo`: the first thing a newcomer sees."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.utilitysched.cli.conftest import Command
from utilitysched.cli import demo


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    quick = (*demo.SCHEDULERS[:-1], "ga:population=2,generations=0")
    monkeypatch.setattr(demo, "SCHEDULERS", quick)


def test_it_compares_five_schedulers_and_bills_the_last(command: Command, tmp_path: Path) -> None:
    answer = command("demo", "-q", "--out", tmp_path / "runs")

    assert answer.code == 0
    assert answer.err == ""
    for name in ("fcfs", "easy", "conservative", "priority-fifo", "ga"):
        assert sum(line.startswith(name) for line in answer.out.splitlines()) >= 2
    assert "Bill by first-price, per user: 2,000 jobs charged" in answer.out
    assert "would be worth at its requested end" in " ".join(answer.out.split())
    assert "35 others" in answer.out
    assert "The lines add up to" in answer.out
    assert answer.out.rstrip().splitlines()[-1].startswith("  utilitysched bill")
    assert f"The files are in {tmp_path / 'runs'}" in answer.out
    assert len(list((tmp_path / "runs").glob("*/jobs.csv"))) == 5
    assert len(list((tmp_path / "runs").glob("ga*/charges.csv"))) == 1


def test_two_are_shown_before_the_others_are_compiled(
    command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    @contextmanager
    def compiles(say: Callable[[str], None]) -> Iterator[None]:
        say("compiling")
        yield

    monkeypatch.setattr("utilitysched.cli.notifier.noting_compilation", compiles)

    first, _, rest = command("demo").out.partition("The other three follow")

    assert "priority-fifo" in first
    assert "conservative" not in first
    assert "conservative" in rest


def test_it_runs_the_five_that_everybody_compares() -> None:
    assert set(demo.SCHEDULERS[:-1]) == {"fcfs", "easy", "conservative", "priority-fifo"}


def test_it_says_what_the_search_took(command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(demo, "SCHEDULERS", ("easy", "ga:population=2,generations=1"))

    out = command("demo", "-q").out

    (line,) = (each for each in out.splitlines() if " bred " in each)
    tables, bill = out.split(line)
    assert "time: wall-clock time" in tables
    assert "Bill by first-price" in bill
