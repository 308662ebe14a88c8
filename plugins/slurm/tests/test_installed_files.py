"""Files for Slurm and systemd: written where they are wanted, others never lost."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from tests.utilitysched.cli.conftest import Command
from utilitysched_slurm.comments import NEW
from utilitysched_slurm.installed_files import NAMES, packaged, script_release
from utilitysched_slurm.script import BEAT, PROBE

SCRIPT, FUNCTIONS, UNIT = NAMES


def test_all_files_are_written_once(command: Command, tmp_path: Path) -> None:
    written = [command("slurm", "files", tmp_path) for _ in range(2)]

    assert [each.code for each in written] == [0, 0]
    assert [line.split(": ")[1] for line in written[0].out.splitlines()] == ["written"] * 3
    assert [line.split(": ")[1] for line in written[1].out.splitlines()] == ["is there"] * 3
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(NAMES)
    assert (tmp_path / SCRIPT).read_bytes() == packaged(SCRIPT)
    assert (tmp_path / SCRIPT).stat().st_mode & 0o777 == 0o644


def test_another_file_stays_unless_it_is_to_be_replaced(command: Command, tmp_path: Path) -> None:
    for number in (1, 2):
        (tmp_path / SCRIPT).write_text(f"-- ours {number}")
        kept = command("slurm", "files", tmp_path)
        assert kept.code == 2
        assert f"{SCRIPT}: another file is there, and stays" in kept.out
        assert (tmp_path / SCRIPT).read_text() == f"-- ours {number}"
        replaced = command("slurm", "files", "--replace", tmp_path, SCRIPT)
        assert replaced.code == 0
        assert f"{SCRIPT}: written; the other file is now {SCRIPT}.before" in replaced.out

    assert (tmp_path / f"{SCRIPT}.before").read_text() == "-- ours 1"
    assert (tmp_path / f"{SCRIPT}.before1").read_text() == "-- ours 2"
    assert (tmp_path / SCRIPT).read_bytes() == packaged(SCRIPT)


@pytest.mark.parametrize("arguments", [("no/such/folder",), (".", "slurm.conf")])
def test_what_cannot_be_written_is_refused(command: Command, arguments: tuple[str, ...]) -> None:
    assert command("slurm", "files", *arguments).code == 2


def test_the_functions_say_what_the_market_says() -> None:
    functions = packaged(FUNCTIONS).decode()
    project = tomllib.loads((Path(__file__).parents[1] / "pyproject.toml").read_text())["project"]

    assert script_release() == project["version"]
    for line in (f'PROBE = "{PROBE}"', f"BEAT = {BEAT}", f'NEW = "{NEW}"'):
        assert f"local {line}" in functions
    assert len(packaged(SCRIPT).splitlines()) == 5
