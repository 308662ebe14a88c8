"""`utilitysched demo`: the first thing a newcomer sees."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.metadata import packages_distributions, requires
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from swfx.base.errors import InputError
from tests.utilitysched.cli.conftest import ROOT, Command
from utilitysched.cli import demo

OPTIONAL = {"scipy", "pyyaml"}
"""What numba imports where it is installed."""


def _of_the_makefile(name: str) -> list[str]:
    text = (ROOT / "Makefile").read_text("utf-8")
    return re.findall(rf"^{name} := (.*)$", text, re.MULTILINE)[0].split()


def _required(*names: str) -> set[str]:
    """Distributions with all that they require."""
    closure: set[str] = set()
    waiting = [*names]
    while waiting:
        name = canonicalize_name(waiting.pop())
        if name not in closure:
            closure.add(name)
            needs = [Requirement(text) for text in requires(name) or ()]
            waiting += [
                each.name
                for each in needs
                if each.marker is None or each.marker.evaluate({"extra": ""})
            ]
    return closure


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
    assert "Bill under first-price, per user: 2,000 jobs charged" in answer.out
    assert "would be worth at its requested end" in " ".join(answer.out.split())
    assert "35 others" in answer.out
    assert "The lines add up to" in answer.out
    assert answer.out.rstrip().splitlines()[-1].startswith("  utilitysched bill")
    assert f"The files are in {tmp_path / 'runs'}" in answer.out
    assert len(list((tmp_path / "runs").glob("*/jobs.csv"))) == 5
    assert len(list((tmp_path / "runs").glob("ga*/charges.csv"))) == 1


def _compilation(monkeypatch: pytest.MonkeyPatch, *, needed: bool) -> list[str]:
    """Pretend that code is compiled, or is not; return what is done to another process."""
    events: list[str] = []

    class Process:
        def __init__(self, command: list[str], **_: object) -> None:
            events.append(command[-1])

        def wait(self) -> None:
            events.append("waited for")

        def kill(self) -> None:
            events.append("killed")

    @contextmanager
    def compiles(say: Callable[[str], None]) -> Iterator[None]:
        if needed:
            say("compiling")
        yield

    monkeypatch.setattr("utilitysched.cli.notifier.noting_compilation", compiles)
    monkeypatch.setattr("subprocess.Popen", Process)
    return events


def test_two_are_shown_while_another_process_compiles_the_last(
    command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    events = _compilation(monkeypatch, needed=True)

    first, _, rest = command("demo").out.partition("The other three follow")

    assert "priority-fifo" in first
    assert "conservative" not in first
    assert "conservative" in rest
    assert events == [demo.SCHEDULERS[-1], "waited for", "killed", "waited for"]


def test_the_other_process_ends_with_a_demo_that_fails(
    command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    def prepare(*_: object) -> None:
        raise InputError("stopped")

    events = _compilation(monkeypatch, needed=True)
    monkeypatch.setattr("utilitysched.runs.simulation.prepare", prepare)

    assert command("demo", "-q").code == 2
    assert events == [demo.SCHEDULERS[-1], "killed", "waited for"]


def test_nothing_runs_beside_it_where_all_is_compiled(
    command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    events = _compilation(monkeypatch, needed=False)

    assert "follow as soon as" not in command("demo").out
    assert events == []


def test_make_installs_all_that_the_demo_imports_before_it_starts() -> None:
    code = (
        "from utilitysched.cli import demo, main\n"
        "demo.SCHEDULERS = ('easy', 'ga:generations=1')\n"
        "main(['demo', '-q'])"
    )
    started = [sys.executable, "-X", "importtime", "-c", code]
    run = subprocess.run(started, cwd=ROOT, capture_output=True, text=True, check=True)
    imported = {line.rpartition("|")[2].strip() for line in run.stderr.splitlines()}
    owners = packages_distributions()
    owned = {canonicalize_name(name) for each in imported for name in owners.get(each, ())}
    computing, talking = (_required(*_of_the_makefile(each)) for each in ("COMPUTING", "TALKING"))
    later = _required("utilitysched") - {"utilitysched"} - computing - talking

    assert "Bill under first-price" in run.stdout
    assert {"numba", "pandas", "deap", "typer", "rich"} <= owned
    assert owned & later - OPTIONAL == set()
    assert computing & talking == set()


def test_make_with_jobs_hands_them_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("MAKEFLAGS", raising=False)  # of the make that runs the tests
    dry = ["make", "--dry-run", "--jobs=4", f"VENV={tmp_path / 'none'}", "demo"]
    run = subprocess.run(dry, cwd=ROOT, capture_output=True, text=True, check=True)

    assert " -m utilitysched demo" in run.stdout
    assert "numba deap pandas" in run.stdout
    assert "jobserver" not in run.stderr
    assert not list(tmp_path.iterdir())


def test_it_runs_the_five_that_everybody_compares() -> None:
    assert set(demo.SCHEDULERS[:-1]) == {"fcfs", "easy", "conservative", "priority-fifo"}


def test_it_says_what_the_search_took(command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(demo, "SCHEDULERS", ("easy", "ga:population=2,generations=1"))

    out = command("demo", "-q").out

    (line,) = (each for each in out.splitlines() if " bred " in each)
    tables, bill = out.split(line)
    assert "time: wall-clock time" in tables
    assert "Bill under first-price" in bill
