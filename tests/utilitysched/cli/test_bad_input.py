"""Errors of every command: exit code 2, lines of the terminal's width, few names."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from tests.utilitysched.cli.conftest import unfolded
from utilitysched.cli.app import COMMANDS
from utilitysched.cli.entry import run as run_command

BAD = """\
simulate no-such-file.swf
simulate sample: -s nosuch
simulate sample: -s gaa
simulate sample: -s ga:treshold=3
simulate sample: -s saf:placment=none
simulate sample: -s coscheduled:polcy=first
simulate sample: --apply foo
simulate sample: --apply filter:foo=3
simulate sample: --utilities foo=3
simulate sample: --trim 0.7
compare easy fcfs --metric foo
compare easy nosuch
check no-such-file.swf
check foo:no-such-file
check accounting-csv,foo=3:no-such-file
describe sample: --jbos 3
describe sample: --top many
fetch nowhere
generate lublyn -o x.swf
generate lublin machine_siz=3 -o x.swf
generate lublin --users foo -o x.swf
augment sample: -o x.swfx --checkpoints foo
convert sample: -o x.foo
decision explain nowhere --at 3d
decision bound nowhere.json
ceiling sample: --jobs 5:3
advise-checkpoint --mtbf soon
learn index sample: --metric foo -o x.toml
learn foo
audit sample: --lie foo
audit sample: --mechanism foo
quote nowhere --processors 8
quote nowhere.json --at soon
bill nowhere
bill nowhere --mechanism first-prize
explain-charge nowhere 7
report nowhere
experiment run nowhere.toml
list foo
billing-run nowhere --month 2026-13
invoice nowhere
ledger foo
serve nowhere --port x
token --role foo
slurm foo
simulat
"""

NAMES = re.compile(r"(?:known|Choose from): (.*?)(?:; (?!\.\.\.)|$)")
"""Names that an error lists."""


def error_of(words: list[str], capsys: pytest.CaptureFixture[str]) -> tuple[int, str]:
    """Exit code of a command, and its error as it is printed."""
    code = run_command(words)
    return code, capsys.readouterr().err


@pytest.mark.parametrize("line", BAD.splitlines())
@pytest.mark.parametrize("columns", [60, 80, None], ids=["60", "80", "file"])
def test_an_error_fits_the_terminal_and_lists_few_names(
    line: str,
    columns: int | None,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    words = shlex.split(line)
    if words[0] not in COMMANDS and words[0] != "simulat":
        pytest.skip(f"{words[0]} is not installed")
    if columns:
        monkeypatch.setenv("COLUMNS", str(columns))
    else:
        monkeypatch.delenv("COLUMNS")

    code, text = error_of(words, capsys)
    first, *others = text.splitlines()
    assert code == 2
    assert first.startswith("error: ")
    assert all(each.startswith("  ") for each in others)
    assert max(map(len, (first, *others))) <= (columns or 80)
    for names in NAMES.findall(unfolded(text)):
        listed = names.partition(", ... and ")[0].split(", ")
        assert len(listed) <= 8, names
    assert list(tmp_path.iterdir()) == []


def test_every_command_is_tried() -> None:
    assert {line.split()[0] for line in BAD.splitlines()} >= {*COMMANDS} - {"demo"}


def test_paths_and_commands_stay_whole(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    path = tmp_path / "a-long-name-of-a-folder" / "and-a-long-name-of-a-log.swf"

    _, text = error_of(["check", str(path)], capsys)
    assert any(line.strip() == f"{path}:" for line in text.splitlines())
    _, text = error_of(["simulate", "sample:", "-s", "nosuch"], capsys)
    assert "utilitysched list schedulers" in text


@pytest.mark.parametrize(
    ("words", "error"),
    [
        ("simulat", "no such command 'simulat'; did you mean 'simulate'? see utilitysched --help"),
        (
            "describe sample: --by x",
            "no such option: --by; did you mean --job or --jobs? see utilitysched describe --help",
        ),
    ],
)
def test_what_typer_refuses_is_worded_as_ours(
    words: str, error: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert unfolded(error_of(words.split(), capsys)[1]) == f"error: {error}\n"
