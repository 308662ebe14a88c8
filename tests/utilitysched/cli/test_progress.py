"""Progress: only for people, only when it takes long."""

from __future__ import annotations

import io
import subprocess
import sys
from types import SimpleNamespace

import pytest

from utilitysched.cli import notifier
from utilitysched.cli.notifier import ProgressBar, clock


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def looking(monkeypatch: pytest.MonkeyPatch, screen: io.StringIO, patience: float) -> None:
    """Make `screen` standard error; pytest puts its own there before each test's body."""
    monkeypatch.setattr(sys, "stderr", screen)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr(notifier, "PATIENCE", patience)


def test_a_bar_after_the_patience_is_over(monkeypatch: pytest.MonkeyPatch) -> None:
    screen = Terminal()
    looking(monkeypatch, screen, 0.0)
    times = iter((100.0, 101.0, 160.0))
    monkeypatch.setattr(notifier, "time", SimpleNamespace(monotonic=lambda: next(times)))
    with ProgressBar("ga") as bar:
        bar._timer.join()
        bar(0.25)
        bar(0.5)

    assert "ga" in screen.getvalue()
    assert "50%" in screen.getvalue()
    assert "1:00 left" in screen.getvalue()


def test_a_bar_while_nothing_is_known_of_how_far_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    screen = Terminal()
    looking(monkeypatch, screen, 0.01)
    with ProgressBar("audit") as bar:
        bar._timer.join()

    assert "audit" in screen.getvalue()
    assert "left" not in screen.getvalue()


OPENED = """
import sys
from utilitysched.cli import main, plugins

class Opened:
    def __init__(self, title, **_):
        print(title, *sorted({"numba", "pandas", "rich", "scipy"} & set(sys.modules)))
        sys.exit()

plugins.ProgressBar = Opened
main([sys.argv[1], "sample:"])
"""


@pytest.mark.parametrize("verb", ["simulate", "audit"])
def test_a_sign_of_life_before_anything_large_is_imported(verb: str) -> None:
    command = [sys.executable, "-c", OPENED, verb]
    done = subprocess.run(command, capture_output=True, text=True, check=False)

    assert done.stdout == "starting\n", done.stderr


def test_nothing_for_what_is_quick(monkeypatch: pytest.MonkeyPatch) -> None:
    screen = Terminal()
    looking(monkeypatch, screen, 3600.0)
    with ProgressBar("easy") as bar:
        bar(0.5)

    assert screen.getvalue() == ""


@pytest.mark.parametrize("quiet", [True, False])
def test_nothing_in_a_pipe_or_when_quiet(quiet: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    screen = Terminal() if quiet else io.StringIO()
    looking(monkeypatch, screen, 0.0)
    with ProgressBar("ga", quiet=quiet) as bar:
        bar(0.5)

    assert screen.getvalue() == ""


def test_time_left_is_written_as_people_read_it() -> None:
    assert [clock(s) for s in (0, 75.2, 7325)] == ["0:00", "1:15", "2:02:05"]
