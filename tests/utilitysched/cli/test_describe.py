"""`utilitysched describe`."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import swfx
from swfx.machine import machine_from, read_machine
from swfx.reading.streaming import CHUNK
from tests.utilitysched.cli.conftest import Command
from tests.utilitysched.small import JOBS, plain_workload


def test_the_terminal(command: Command, market: Path) -> None:
    answer = command("describe", market)

    assert answer.code == 0
    titles = [line for line in answer.out.splitlines() if line.isupper()]
    assert titles[:3] == ["JOBS IN NUMBERS", "SIZES", "RUN TIMES"]
    assert "UTILITY FUNCTIONS" in titles
    assert max(map(len, answer.out.splitlines())) <= 100
    assert answer.err == ""


def test_json(command: Command, log: Path) -> None:
    document = json.loads(command("describe", log, "--json").out)

    assert document["workload"] == str(log)
    assert document["overview"]["jobs"] == JOBS
    assert sum(row["jobs"] for row in document["sizes"]) == JOBS


def test_a_page(command: Command, log: Path, tmp_path: Path) -> None:
    answer = command("describe", log, "-o", tmp_path / "page.html")
    again = command("describe", log, "-o", "-")

    assert (answer.out, answer.err) == ("", f"wrote {tmp_path / 'page.html'}\n")
    assert (tmp_path / "page.html").read_text("utf-8") == again.out
    assert again.out.startswith("<!DOCTYPE html>")


def test_the_log_may_be_longer_than_a_part(command: Command, tmp_path: Path) -> None:
    jobs = 3 * CHUNK // 2
    long = plain_workload()[np.arange(jobs) % JOBS]
    swfx.write(long, tmp_path / "long.swf")
    document = json.loads(command("describe", tmp_path / "long.swf", "--json").out)

    assert document["overview"]["jobs"] == jobs


def test_a_broken_line_is_refused(command: Command, tmp_path: Path) -> None:
    (tmp_path / "log.swf").write_text("1 0 -1 x\n")
    answer = command("describe", tmp_path / "log.swf", "-o", tmp_path / "page.html")

    assert answer.code == 2
    assert answer.err.startswith(f"error: {tmp_path / 'log.swf'}:1: ")
    assert not (tmp_path / "page.html").exists()


SLURM_CONF = """\
ClusterName=lab
SlurmctldPort=6817
PriorityWeightAge=1000
PriorityDecayHalfLife=0
AccountingStorageEnforce=limits
NodeName=n[1-4] CPUs=4 RealMemory=4000 Gres=gpu:2
NodeName=m1 CPUs=64 RealMemory=256000
PartitionName=main Nodes=n[1-4] MaxTime=60
PartitionName=short Nodes=n1
PartitionName=large Nodes=m1
"""


def test_a_slurm_conf(command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")
    (tmp_path / "slurm.conf").write_text(SLURM_CONF)
    (tmp_path / "qos.txt").write_text("Name|Priority|GrpTRES\nhigh|10|cpu=1\n")
    answer = command("describe", "machine:slurm.conf")
    lines = [line.split() for line in answer.out.splitlines()]

    assert answer.code == 0
    assert max(map(len, answer.out.splitlines())) <= 80
    assert ["main", "main,", "short", "16", "16,000", "8"] in lines
    assert ["large", "large", "64", "256,000", "-"] in lines
    assert "partition short" in answer.out
    assert ["qos", "high", "1", "processor"] in lines
    assert ["age", "1,000"] in lines
    assert "usage halves in 36500 d" in answer.out
    assert "slurm.conf:8: MaxTime=60: a job's limit is the one that the log has" in answer.out
    assert "lies no listing of associations and reservations." in answer.out


def test_a_slurm_conf_becomes_a_machine_file(command: Command, tmp_path: Path) -> None:
    (tmp_path / "slurm.conf").write_text(SLURM_CONF)
    name, file = f"machine:{tmp_path / 'slurm.conf'}", tmp_path / "machine.toml"
    answer = command("describe", name, "--machine", file, "--json")

    assert answer.err == f"wrote {file}\n"
    assert json.loads(command("describe", f"machine:{file}", "--json").out) == json.loads(
        answer.out
    )
    assert read_machine(file) == machine_from(name)


def test_a_mistake_in_a_slurm_conf(command: Command, tmp_path: Path) -> None:
    (tmp_path / "slurm.conf").write_text("NodeName=n1 CPUs=some\n")
    answer = command("describe", f"machine:{tmp_path / 'slurm.conf'}")

    assert answer.code == 2
    assert answer.err.startswith(f"error: {tmp_path / 'slurm.conf'}:1: field CPUs: ")
