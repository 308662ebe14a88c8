"""How the command line ends: exit codes, bugs, pipes, versions, start-up."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.utilitysched.cli.conftest import ROOT, Command, words
from utilitysched.cli import entry
from utilitysched.cli.app import COMMANDS, program
from utilitysched.cli.layout import SECTIONS


def test_a_bug_is_one_line_that_asks_for_a_report(
    command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object, **__: object) -> None:
        raise ZeroDivisionError("division by\nzero")

    monkeypatch.setattr(entry, "program", lambda: broken)

    answer = command("list", "schedulers")
    assert answer.code == 1
    assert answer.err == (
        "error: unexpected ZeroDivisionError: division by zero; this is a bug, please report it "
        "with what utilitysched --debug ... prints\n"
    )
    with pytest.raises(ZeroDivisionError):
        command("--debug", "schedulers")


def test_a_name_that_no_file_can_have(command: Command, tmp_path: Path) -> None:
    answer = command("report", tmp_path / ("a" * 300))

    assert answer.code == 2
    assert answer.err.endswith("...: file name too long\n")


def test_memory_and_interruption_have_their_own_lines() -> None:
    assert entry.explained(MemoryError()) == (
        "not enough memory; try a slice with --jobs A:B",
        1,
    )
    assert entry.explained(KeyboardInterrupt())[1] == 130


def test_without_a_command_the_help_is_printed(command: Command) -> None:
    bare, asked = command(), command("--help")

    assert (bare.code, asked.code) == (0, 0)
    assert bare.out == asked.out
    assert "Start:" in bare.out


def test_the_help_has_every_command_in_a_line_of_its_own_on_one_screen(
    command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    text = command("--help").out
    lines = text.splitlines()

    installed = re.findall(r"^utilitysched-.*:\n(?:  .*\n)*", text, re.MULTILINE)
    assert len(lines) - len("".join(installed).splitlines()) <= 45
    assert max(map(len, lines)) <= 80
    assert not any(line.endswith("...") and "--debug" not in line for line in lines)
    named = {line.split()[0] for line in lines if line.startswith("  ")}
    own = [names for section, names in SECTIONS.items() if not section.startswith("utilitysched-")]
    assert len(" ".join(own).split()) <= 20
    for name in COMMANDS:
        assert name in named, name
    assert not any(line.startswith(" " * 3) for line in lines), "a summary takes two lines"


def test_version(process: Command) -> None:
    answer = process("--version")

    assert answer.code == 0
    assert answer.out.startswith("utilitysched ")


@pytest.mark.parametrize(
    "arguments", [["check", "sample:", "--json"], ["augment", "sample:", "--quiet", "-o", "-"]]
)
def test_the_reader_of_a_pipe_may_leave(arguments: list[str]) -> None:
    piped = f"{' '.join(words(*arguments))} | true; exit ${{PIPESTATUS[0]}}"
    done = subprocess.run(["bash", "-c", piped], cwd=ROOT, capture_output=True, check=False)

    assert done.returncode in {0, 1}
    assert done.stderr == b""


def test_full_standard_output_is_one_line() -> None:
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            words("list", "schedulers", "--json"),
            cwd=ROOT,
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )

    assert done.returncode == 2
    assert done.stderr == (
        "error: standard output cannot be written: no space left; send it elsewhere\n"
    )


def test_shell_completion_is_offered() -> None:
    # the shell is named here, not guessed: a suite may run without one above it
    named = os.environ | {"_TYPER_COMPLETE_TEST_DISABLE_SHELL_DETECTION": "1"}
    command = words("--show-completion", "bash")
    offered = subprocess.run(command, cwd=ROOT, env=named, capture_output=True, check=True)

    assert b"_UTILITYSCHED_COMPLETE" in offered.stdout


def test_help_is_there_without_loading_what_computes() -> None:
    command = [sys.executable, "-X", "importtime", *words("--help")[1:]]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    loaded = {line.rpartition("|")[2].strip() for line in done.stderr.splitlines()}

    assert "utilitysched.cli.app" in loaded
    assert {"numba", "pandas", "deap", "numpy", "rich", "pydantic"} & loaded == set()
    assert len(loaded) < 255


def test_a_plain_simulation_loads_only_what_it_needs(command: Command) -> None:
    command("simulate", "sample:", "-s", "easy")  # compiled code is kept from now on
    again = [sys.executable, "-X", "importtime", *words("simulate", "sample:", "-s", "easy")[1:]]
    done = subprocess.run(again, cwd=ROOT, capture_output=True, text=True, check=True)
    loaded = {line.rpartition("|")[2].strip() for line in done.stderr.splitlines()}

    assert "utilitysched.kernels.replay_easy" in loaded
    assert {"pandas", "deap", "networkx", "altair", "scipy.linalg", "pydantic"} & loaded == set()
    families = ("coscheduling", "genetic", "offline", "priority_preemption", "orderings.value")
    assert {f"utilitysched.schedulers.{each}" for each in families} & loaded == set()
    assert {"pricing.registry", "pricing.charges", "pricing.commitments"} & loaded == set()
    assert {"numba.np.linalg", "numba.typed.dictimpl"} & loaded == set()  # for compiling alone


def every_command(at: Any, path: tuple[str, ...] = ()) -> list[tuple[str, ...]]:
    """Words of each command, and of those that have some of their own."""
    own = getattr(at, "commands", {})
    below = [words for name, each in own.items() for words in every_command(each, (*path, name))]
    return [path, *below]


@pytest.mark.parametrize("path", every_command(program()), ids=" ".join)
def test_help_of_every_command_fits_one_screen(
    command: Command, monkeypatch: pytest.MonkeyPatch, path: tuple[str, ...]
) -> None:
    monkeypatch.setenv("COLUMNS", "100")
    answer = command(*path, "--help")

    lines = answer.out.splitlines()
    assert answer.code == 0
    assert len(lines) <= 60
    assert max(map(len, lines)) <= 100
    assert not [line for line in lines[1:] if re.search(r"[a-z]\.\.\.$", line)], "a summary is cut"


@pytest.mark.parametrize("verb", ["demo", "simulate", "augment", "generate", "check", "bill"])
def test_help_of_a_command_shows_examples(command: Command, verb: str) -> None:
    out = command(verb, "--help").out

    assert f"  utilitysched {'simulate' if verb == 'demo' else verb} " in out


def test_help_says_which_priority_wins(command: Command) -> None:
    assert "0 most urgent" in " ".join(command("simulate", "--help").out.split())


def test_standard_output_is_without_colour_in_a_pipe(process: Command) -> None:
    assert "\x1b" not in process("list", "schedulers").out


@pytest.mark.parametrize("family", ["decision", "experiment", "learn", "list"])
def test_a_command_with_commands_shows_its_help_alone(command: Command, family: str) -> None:
    answer = command(family)

    assert (answer.code, answer.err) == (0, "")
    assert answer.out == command(family, "--help").out
