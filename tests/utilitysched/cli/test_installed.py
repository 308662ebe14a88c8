"""Commands of other distributions, and answers to those that are not here."""

import os
import subprocess
from pathlib import Path

import pytest

from swfx.base.missing import plugin_remedy
from swfx.base.plugins import COMMANDS, EXPLANATIONS, installed_plugins
from swfx.base.removed import REMOVED
from tests.utilitysched.cli.conftest import ROOT, Answer, Command, words
from utilitysched.cli.command_table import GROUP

MODULE = '''"""A command."""

from typing import Annotated

import typer

from swfx.base.typed import Typed

EPILOG = "Examples: utilitysched greet you"


def greet(name: Annotated[str, Typed("NAME", text="Who.")]) -> None:
    """Greet somebody."""
    print(f"hello {name}")


books = typer.Typer()


@books.command()
def open() -> None:
    """Open one."""
    print("opened")


@books.command()
def close() -> None:
    """Close it."""
    print("closed")
'''


def install(folder: Path, *points: str) -> None:
    """Lay out a distribution with these entry points, as an installer does."""
    (folder / "greeting.py").write_text(MODULE)
    metadata = folder / "greeting-1.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: greeting\nVersion: 1\n")
    lines = (f"[{GROUP}]", *points)
    (metadata / "entry_points.txt").write_text("\n".join(lines))


@pytest.fixture
def fresh(tmp_path: Path) -> Command:
    """Run a command in a process that finds the distribution as it begins."""
    install(tmp_path, "greet = greeting:greet", "books = greeting:books")

    def run(*arguments: object) -> Answer:
        places = os.environ | {"PYTHONPATH": str(tmp_path)}
        line = words(*arguments)
        done = subprocess.run(
            line, env=places, cwd=ROOT, capture_output=True, text=True, check=False
        )
        return Answer(done.returncode, done.stdout, done.stderr)

    return run


def test_an_installed_command_is_run_and_shown(fresh: Command) -> None:
    assert fresh("greet", "you").out == "hello you\n"
    assert fresh("books", "close").out == "closed\n"
    helped = fresh("--help").out
    assert "greeting:\n  books" in helped
    assert "Examples: utilitysched greet you" in fresh("greet", "--help").out


def test_an_installed_command_is_refused_like_any_other(fresh: Command) -> None:
    answer = fresh("greet")

    assert answer.code == 2
    assert answer.err == "error: missing argument 'NAME'; see utilitysched greet --help\n"


def test_a_command_that_cannot_be_loaded_is_left_out(
    tmp_path: Path,
) -> None:
    install(tmp_path, "greet = nowhere:greet")
    places = os.environ | {"PYTHONPATH": str(tmp_path)}

    done = subprocess.run(
        words("list", "mechanisms"),
        env=places,
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )

    assert done.stderr == (
        "left out: utilitysched.commands: plug-in 'greet' (nowhere:greet) cannot be loaded:"
        " ModuleNotFoundError: No module named 'nowhere'; update or uninstall greeting\n"
    )


def test_commands_and_explanations_do_not_count_as_what_results_depend_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    install(tmp_path, "greet = greeting:greet")
    monkeypatch.syspath_prepend(tmp_path)

    with (tmp_path / "greeting-1.dist-info/entry_points.txt").open("a") as points:
        points.write(f"\n[{EXPLANATIONS}]\ngreet = greeting:greet\n")

    assert GROUP == COMMANDS
    assert "greeting" not in installed_plugins.__wrapped__()


def test_a_command_of_a_distribution_that_is_not_installed_says_which(
    command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    kitchen = {"utilitysched-kitchen": "bake boil"}
    monkeypatch.setattr("utilitysched.cli.installed.DISTRIBUTIONS", kitchen)

    answer = command("boil", "--soft")

    assert answer.code == 2
    command_line = plugin_remedy(["utilitysched-kitchen"])
    assert "kitchen" in command_line
    assert answer.err == (
        f"error: the command boil is not installed; {command_line}; see utilitysched --help\n"
    )


def test_a_removed_command_or_option_says_what_to_use(
    command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(REMOVED, ("command", "tariffs"), "compare two bills")
    monkeypatch.setitem(REMOVED, ("command of decision", "guess"), "use explain")
    monkeypatch.setitem(REMOVED, ("option of check", "--hard"), "use --strict")
    monkeypatch.setitem(REMOVED, ("transformation", "melt"), "use scale-load")
    monkeypatch.setitem(REMOVED, ("option of scale-load", "lode"), "write load=")

    assert "the command tariffs was removed; compare two bills" in command("tariffs", "x").err
    guessed = command("decision", "guess", "x").err
    assert "the command decision guess was removed; use explain" in guessed
    assert "--hard was removed; use --strict" in command("check", "sample:", "--hard=2").err
    melted = command("convert", "sample:", "--apply", "melt", "-o", "-").err
    assert "transformation 'melt' was removed; use scale-load" in melted
    loaded = command("convert", "sample:", "--apply", "scale-load:lode=2", "-o", "-").err
    assert "scale-load: field lode: was removed; write load=" in loaded
