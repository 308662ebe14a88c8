"""Letters that steer a terminal, or turn the order of others, are never printed by any command."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from unicodedata import category

import pytest

import swfx
from swfx.families.generators import attach_utilities
from swfx.header import named
from tests.utilitysched.cli.conftest import Answer, Command
from tests.utilitysched.small import plain_workload
from utilitysched.cli.layout import SECTIONS
from utilitysched.cli.list import EPILOGS

EVIL = "a\x1b]0;b\x07\x1b[2J\u202egnp\u2066\x9b1m\r\u200b"
NAMES = [*(name for names in SECTIONS.values() for name in names.split()), *EPILOGS]
"""All commands, those of installed distributions too."""


def steering(text: str) -> set[str]:
    """Letters of a text that a terminal would not show but obey."""
    return {letter for letter in text if letter != "\n" and category(letter)[0] in "CZ"} - {" "}


def assert_plain(answer: Answer) -> None:
    assert answer.code in {0, 2}, answer.err
    assert steering(answer.out) == set(), answer.out
    assert steering(answer.err) == set(), answer.err


@pytest.fixture
def evil(tmp_path: Path) -> Path:
    """A log, itself called so, of users, groups, queues and a machine that are called so."""
    jobs = attach_utilities(plain_workload(), seed=3)
    kinds = ("User", "Group", "Queue", "Partition", "Executable")
    names = [named(kind, number, f"{EVIL}{number}") for kind in kinds for number in range(1, 6)]
    header = swfx.Header((*jobs.header.lines, f" Computer: {EVIL}".replace("\r", ""), *names))
    path = tmp_path / f"{EVIL}.swfx"
    swfx.write(jobs.replace(header=header), path)
    return path


@pytest.mark.parametrize("name", NAMES)
def test_what_was_typed_and_cannot_be_used_is_told_visibly(
    command: Command, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    for words in ([EVIL], [f"--{EVIL}"], [f"nowhere{EVIL}", EVIL], ["--help", EVIL]):
        assert_plain(command(name, *words))


ON_LOGS: dict[str, Callable[[Path], list[object]]] = {
    "check": lambda _: [],
    "describe": lambda _: [],
    "simulate": lambda log: ["-s", "easy", "-o", log.parent / "runs"],
}
"""Options with which commands print all that they have to say of a log."""


@pytest.mark.parametrize("name", ON_LOGS)
@pytest.mark.parametrize("as_json", [False, True], ids=["text", "json"])
def test_names_in_a_log_are_printed_visibly(
    command: Command, name: str, as_json: bool, evil: Path
) -> None:
    answer = command(name, evil, *ON_LOGS[name](evil), *(["--json"] if as_json else []))

    assert_plain(answer)
    assert answer.code == 0, answer.err
    assert answer.out
    if as_json:
        json.loads(answer.out)


def test_names_of_runs_are_printed_visibly(command: Command, evil: Path) -> None:
    runs = evil.parent / "runs"
    assert command("simulate", evil, "-s", "easy", "-o", runs).code == 0

    for words in (
        ("bill", runs / "easy", "--mechanism", "single-price", "--by", "user"),
        ("bill", runs / "easy", "--mechanism", "single-price", "--json"),
        ("explain-charge", runs / "easy", 7),
        ("decision", "explain", runs / "easy", "--at", 300),
        ("report", runs, "-o", runs / "page.html"),
        ("compare", "easy", "fcfs", "-w", evil),
    ):
        answer = command(*words)
        assert_plain(answer)
        assert answer.code == 0, answer.err
