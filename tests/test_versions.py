"""The other Pythons that tests run on: which there are, and how long their packages are kept."""

from __future__ import annotations

import subprocess
import sys
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from tests import versions
from tests.versions import Trial, interpreters


class Week(date):
    """A calendar of which one week follows the other at will."""

    number = 1

    @classmethod
    def today(cls) -> Week:
        return cls.fromisocalendar(2025, cls.number, 1)


@pytest.fixture
def commands(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[list[str]]:
    """What is run, in place of running it; Python 3.13 cannot be installed."""
    run: list[list[str]] = []

    def note(command: list[Any], **_: Any) -> subprocess.CompletedProcess[str]:
        run.append([str(each) for each in command])
        if "venv" in command:
            Path(command[-1]).mkdir(exist_ok=True)
            if str(command[-1]).endswith("3.13"):
                raise subprocess.CalledProcessError(1, command)
        return subprocess.CompletedProcess(command, 0)

    monkeypatch.setattr(versions, "ROOT", tmp_path)
    monkeypatch.setattr(versions, "date", Week)
    monkeypatch.setattr(versions, "lower_bounds", lambda: ["numpy==1.26"])
    monkeypatch.setattr(subprocess, "run", note)
    return run


def test_a_folder_of_pyenv_without_a_python_is_passed_over(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "versions/3.12.1").mkdir(parents=True)
    monkeypatch.setenv("PYENV_ROOT", str(tmp_path))

    assert str(tmp_path) not in "".join(interpreters().values())


def test_the_others_are_tried_where_one_cannot_be_installed(
    commands: list[list[str]], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pythons = {(3, minor): f"python3.{minor}" for minor in (12, 13, 14)}
    monkeypatch.setattr(versions, "interpreters", lambda: pythons)
    monkeypatch.setattr(sys, "version_info", (3, 11))

    assert versions.main() == 1
    told = capsys.readouterr().out
    assert "Python 3.13 with the newest packages: could not be installed\n" in told
    assert "Python 3.14 with the newest packages: passed" in told


def test_the_newest_packages_are_those_of_the_week(
    commands: list[list[str]], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    made = []
    for week in (1, 1, 2):
        monkeypatch.setattr(Week, "number", week)
        for packages in ("oldest", "newest"):
            commands.clear()
            versions._prepare(Trial((3, 12), "python3.12", packages), tmp_path / packages)
            made.append((week, packages, bool(commands)))

    assert made == [
        (1, "oldest", True), (1, "newest", True),
        (1, "oldest", False), (1, "newest", False),
        (2, "oldest", False), (2, "newest", True),
    ]  # fmt: skip
