"""Commands of other distributions, and answers to those that are not here."""

import os
import subprocess
from pathlib import Path

import pytest

from swfx.base.plugins import COMMANDS, installed_plugins
from swfx.base.removed import REMOVED
from tests.utilitysched.cli.conftest import ROOT, Command, words
from utilitysched.cli.installed import GROUP

MODULE = '''"""A command."""

import typer

from utilitysched.cli.options import argument

EPILOG = "Examples: utilitysched greet you"


def greet(name: str = argument("NAME", "Who.")) -> None:
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


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "greeting.py").write_text(MODULE)
    metadata = tmp_path / "greeting-1.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: greeting\nVersion: 1\n")
    (metadata / "entry_points.txt").write_text(
        "[utilitysched.commands]\ngreet = greeting:greet\nbooks = greeting:books\n"
    )
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))


@pytest.mark.usefixtures("installed")
def test_an_installed_command_is_run_and_shown(process: Command) -> None:
    assert process("greet", "you").out == "hello you\n"
    assert process("books", "close").out == "closed\n"
    helped = process("--help").out
    assert "greeting:\n  books" in helped
    assert "Examples: utilitysched greet you" in process("greet", "--help").out


@pytest.mark.usefixtures("installed")
def test_an_installed_command_is_refused_like_any_other(process: Command) -> None:
    answer = process("greet")

    assert answer.code == 2
    assert answer.err == "error: missing argument 'NAME'; see utilitysched greet --help\n"


def test_a_command_that_cannot_be_loaded_is_left_out(
    tmp_path: Path,
) -> None:
    metadata = tmp_path / "greeting-1.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: greeting\nVersion: 1\n")
    (metadata / "entry_points.txt").write_text("[utilitysched.commands]\ngreet = nowhere:greet\n")
    places = os.environ | {"PYTHONPATH": str(tmp_path)}

    done = subprocess.run(
        words("mechanisms"), env=places, cwd=ROOT, capture_output=True, text=True, check=True
    )

    assert done.stderr == (
        "left out: utilitysched.commands: plug-in 'greet' (nowhere:greet) cannot be loaded:"
        " ModuleNotFoundError: No module named 'nowhere'; update or uninstall greeting\n"
    )


def test_commands_do_not_count_as_what_results_depend_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "greeting.py").write_text(MODULE)
    metadata = tmp_path / "greeting-1.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: greeting\nVersion: 1\n")
    (metadata / "entry_points.txt").write_text("[utilitysched.commands]\ngreet = greeting:greet\n")
    monkeypatch.syspath_prepend(tmp_path)

    assert GROUP == COMMANDS
    assert "greeting" not in installed_plugins.__wrapped__()


def test_a_removed_command_or_option_says_what_to_use(
    command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(REMOVED, ("command", "tariffs"), "compare two bills")
    monkeypatch.setitem(REMOVED, ("option of check", "--hard"), "use --strict")
    monkeypatch.setitem(REMOVED, ("transformation", "melt"), "use scale-load")
    monkeypatch.setitem(REMOVED, ("option of scale-load", "lode"), "write load=")

    assert "the command tariffs was removed; compare two bills" in command("tariffs", "x").err
    assert "--hard was removed; use --strict" in command("check", "sample:", "--hard=2").err
    melted = command("convert", "sample:", "--apply", "melt", "-o", "-").err
    assert "transformation 'melt' was removed; use scale-load" in melted
    loaded = command("convert", "sample:", "--apply", "scale-load:lode=2", "-o", "-").err
    assert "scale-load: field lode: was removed; write load=" in loaded
