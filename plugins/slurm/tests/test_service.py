"""The unit of systemd, which systemd and the command line know, and signs of life."""

from __future__ import annotations

import re
import shlex
import shutil
import socket
import subprocess
import sys
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

import pytest

from plugins.slurm.tests.fake import BEGAN, FakeSlurm
from tests.utilitysched.cli.conftest import Command
from utilitysched.schedulers.registry import make_scheduler
from utilitysched_slurm.commands import Action
from utilitysched_slurm.driver import HEARTBEAT, Driver, DriverTerms
from utilitysched_slurm.installed_files import packaged
from utilitysched_slurm.market import serving, tell_service_manager
from utilitysched_slurm.worth import worth_by

UNIT = packaged("utilitysched-slurm.service").decode()
PROGRAM = "/opt/utilitysched/bin/utilitysched"

EXPOSED = 15
"""Tenths of a point out of ten that systemd may find: a service without any limits has 96."""

systemd = pytest.mark.skipif(
    shutil.which("systemd-analyze") is None,
    reason="systemd-analyze not found: apt-get install systemd",
)


def said(key: str) -> str:
    """Return what the unit says, with its own variables."""
    [value] = re.findall(rf"^{key}=(.*)$", UNIT, re.MULTILINE)
    own = dict(re.findall(r'^Environment="?(\w+)=(.*?)"?$', UNIT, re.MULTILINE))
    for name, text in own.items():
        value = value.replace(f"${{{name}}}", text).replace(f"${name}", text)
    return str(value)


@pytest.mark.parametrize("key", ["ExecStart", "ExecStopPost"])
def test_its_commands_have_the_options_that_it_gives(command: Command, key: str) -> None:
    program, *words = shlex.split(said(key))
    help_text = command(*words[:2], "--help").out

    assert (program, "$" in said(key)) == (PROGRAM, False)
    given = [word for word in words if word.startswith("--")]
    assert given
    assert [each for each in given if f"{each} " not in help_text] == []


def test_folders_are_those_that_systemd_makes_for_it() -> None:
    words = shlex.split(said("ExecStart"))
    given = dict(pairwise(words))

    assert given["--out"] == f"/var/lib/{said('StateDirectory')}"
    assert f"--out {given['--out']}" in said("ExecStopPost")
    functions = packaged("utilitysched.lua").decode()
    assert f'{{ heartbeat = "{given["--out"]}/{HEARTBEAT}" }}' in functions


def analysed(tmp_path: Path, text: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    unit = tmp_path / "utilitysched-slurm.service"
    unit.write_text(text.replace(PROGRAM, sys.executable))
    return subprocess.run(
        ["systemd-analyze", *arguments, str(unit)], capture_output=True, text=True, check=False
    )


@systemd
def test_systemd_knows_all_that_it_says(tmp_path: Path) -> None:
    found = analysed(tmp_path, UNIT, "verify")
    assert (found.returncode, found.stderr) == (0, "")

    wrong = analysed(tmp_path, UNIT.replace("NoNewPrivileges", "NoMorePrivileges"), "verify")
    assert "NoMorePrivileges" in wrong.stderr


@systemd
def test_it_has_few_rights(tmp_path: Path) -> None:
    allowed = ("security", "--offline=true", f"--threshold={EXPOSED}")

    assert analysed(tmp_path, UNIT, *allowed).returncode == 0
    assert analysed(tmp_path, UNIT.replace("ProtectSystem=strict\n", ""), *allowed).returncode


def test_systemd_hears_that_we_are_alive(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)  # addresses of sockets are short
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
        manager.bind("notify")
        monkeypatch.setenv("NOTIFY_SOCKET", "notify")
        tell_service_manager("READY=1")
        assert manager.recv(64) == b"READY=1"
    tell_service_manager("READY=1")  # nobody listens any more
    monkeypatch.delenv("NOTIFY_SOCKET")
    tell_service_manager("READY=1")


class SlowSlurm(FakeSlurm):
    """A cluster on which each order takes a twentieth of a second."""

    def apply(self, actions: Sequence[Action]) -> dict[str, str]:
        self.advance(len(actions) // 20)
        return super().apply(actions)


def test_a_long_first_cycle_shows_that_we_are_alive(tmp_path: Path) -> None:
    slurm, beats = SlowSlurm({"n1": 2}, holds_new=True), list[float]()
    for _ in range(1500):
        slurm.submit(work=9000)
    terms = DriverTerms(clock=slurm.clock, sleep=slurm.sleep)
    with (
        Driver(tmp_path, slurm, make_scheduler("easy"), worth_by("none", 0), terms) as driver,
        serving(driver, tmp_path / HEARTBEAT, fail_open=False) as cycle,
    ):
        beat = driver.on_step

        def noted() -> None:
            beat()
            beats.append(float((tmp_path / HEARTBEAT).read_text()))

        driver.on_step = noted
        cycle()

    assert beats[-1] - BEGAN > 60
    assert max(after - before for before, after in pairwise(beats)) < 30
