"""Running the command line in tests, in this process or as a process of its own."""

from __future__ import annotations

import csv
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

import swfx
from swfx.families.generators import attach_utilities
from tests.utilitysched.small import plain_workload
from tests.warm import Started
from utilitysched.cli.entry import run as run_command

ROOT = Path(__file__).parents[3]


def unfolded(text: str) -> str:
    """Put each error of several lines, the further ones indented, into one."""
    return text.replace("\n  ", " ")


class Answer(NamedTuple):
    """What a command left behind; an error is one line."""

    code: int
    out: str
    err: str


Command = Callable[..., Answer]


@pytest.fixture
def command(capsys: pytest.CaptureFixture[str]) -> Command:
    """Run a command in this process."""

    def run(*arguments: object) -> Answer:
        code = run_command([str(argument) for argument in arguments])
        captured = capsys.readouterr()
        return Answer(code, captured.out, unfolded(captured.err))

    return run


@pytest.fixture
def process() -> Command:
    """Run a command in a process of its own; `feed` is its standard input."""

    def run(*arguments: object, feed: bytes = b"") -> Answer:
        started = Started(*arguments, feed=feed)
        out, err = started.communicate()
        return Answer(started.wait(), out.decode(), unfolded(err.decode()))

    return run


def run_without(module: str, *arguments: object, folder: Path) -> Answer:
    """Run a command in a process of its own in which a module cannot be imported."""
    code = (
        f"import sys; sys.modules[{module!r}] = None\n"
        "from utilitysched.cli.entry import run; sys.exit(run(sys.argv[1:]))"
    )
    line = [sys.executable, "-c", code, *map(str, arguments)]
    places = os.environ | {"PYTHONPATH": os.pathsep.join(each for each in sys.path if each)}
    done = subprocess.run(line, cwd=folder, env=places, capture_output=True, text=True, check=False)
    return Answer(done.returncode, done.stdout, unfolded(done.stderr))


def words(*arguments: object) -> list[str]:
    """Command line of a process."""
    return [sys.executable, "-m", "utilitysched", *map(str, arguments)]


def refused(answer: Answer, *parts: str) -> None:
    """One line on standard error with `parts` in it, exit code 2, standard output empty."""
    assert answer.code == 2
    assert answer.err.startswith("error: ")
    assert answer.err.count("\n") == 1
    assert answer.out == ""
    for part in parts:
        assert part in answer.err


def rows(path: Path) -> list[dict[str, str]]:
    """Rows of a CSV file, by the names of its columns."""
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


@pytest.fixture
def log(tmp_path: Path) -> Path:
    """A small SWF log."""
    path = tmp_path / "log.swf"
    swfx.write(plain_workload(), path)
    return path


@pytest.fixture
def market(tmp_path: Path) -> Path:
    """The same log with utility functions."""
    path = tmp_path / "market.swfx"
    swfx.write(attach_utilities(plain_workload(), seed=3), path)
    return path


@pytest.fixture
def run(command: Command, market: Path, tmp_path: Path) -> Path:
    """Directory of a run of EASY on that log."""
    command("simulate", market, "--out", tmp_path / "runs")
    return tmp_path / "runs" / "easy"


@pytest.fixture(autouse=True)
def _plain_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "100")
    os.environ.pop("FORCE_COLOR", None)
