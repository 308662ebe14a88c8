"""Bills, explanations, ceilings and quotes of runs on a machine file."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.utilitysched.cli.conftest import Command, refused

LISTING = """\
JobID|User|Partition|Submit|Start|End|State|AllocCPUS|Timelimit|AllocTRES
1|ann|batch|2026-10-05T08:00:00|2026-10-05T08:00:00|2026-10-05T10:00:00|COMPLETED|4|02:00:00|cpu=4
2|bob|batch|2026-10-05T08:00:00|2026-10-05T10:00:00|2026-10-05T11:00:00|COMPLETED|4|01:00:00|cpu=4
3|ann|gpu|2026-10-05T08:00:00|2026-10-05T08:00:00|2026-10-05T10:00:00|COMPLETED|1|02:00:00|cpu=1,gres/gpu=2
4|bob|gpu|2026-10-05T08:00:00|2026-10-05T10:00:00|2026-10-05T11:00:00|COMPLETED|1|01:00:00|cpu=1,gres/gpu=2
"""
MACHINE = """\
[[pools]]
name = "batch"
capacity = {processors = 4}

[[pools]]
name = "gpu"
capacity = {processors = 8, gpu = 2}
"""


@pytest.fixture
def log(tmp_path: Path) -> tuple[str, ...]:
    (tmp_path / "sacct.txt").write_text(LISTING)
    (tmp_path / "machine.toml").write_text(MACHINE)
    return f"slurm:{tmp_path / 'sacct.txt'}", "--machine", str(tmp_path / "machine.toml"), "--quiet"


@pytest.fixture
def run(command: Command, log: tuple[str, ...], tmp_path: Path) -> Path:
    drawn = "--utilities", "default", "-s", "easy", "--out", str(tmp_path / "runs")
    assert command("simulate", *log, *drawn).code == 0
    return tmp_path / "runs" / "easy"


@pytest.mark.parametrize("mechanism", ["vcg:method=pivot", "vcg:method=replay"])
def test_a_run_on_a_machine_is_billed_and_each_charge_explained(
    command: Command, run: Path, mechanism: str
) -> None:
    assert command("bill", run, "--mechanism", mechanism, "--quiet").code == 0

    explained = command("explain-charge", run, "3", "--again")

    assert explained.code == 0
    assert "identical to the last decimal" in explained.out


def test_a_gpu_is_billed_by_the_hour(command: Command, run: Path) -> None:
    arguments = "--mechanism", "single-price:of=gres/gpu", "--json", "--quiet"
    told = json.loads(command("bill", run, *arguments).out)

    assert told["total"] == 6


def test_a_ceiling_prices_each_resource(
    command: Command, log: tuple[str, ...], tmp_path: Path
) -> None:
    drawn = *log, "--utilities", "default"
    told = json.loads(command("ceiling", *drawn, "--json", "--out", str(tmp_path / "c")).out)
    shown = command("ceiling", *drawn).out

    resources = {(each["pool"], each["resource"]): each for each in told["resources"]}
    assert list(resources) == [("batch", "processors"), ("gpu", "processors"), ("gpu", "gpu")]
    assert told["easy"] <= told["found"] <= told["bound"] <= told["trivial_bound"]
    assert told["machine_size"] == 12
    assert "PRICES THAT PROVE THE CEILING" in shown
    assert len(json.loads((tmp_path / "c" / "ceiling.json").read_text())["pools"]) == 3


def test_quotes_and_snapshots_refuse_a_machine_of_pools(
    command: Command, run: Path, tmp_path: Path
) -> None:
    message = "are of one pool of processors, without limits and windows"
    job = "--processors", "1", "--request", "1h"
    refused(command("quote", run, "--at", "1h", *job), message)
    snapshot = "decision", "snapshot", run, "--at", "1h", "-o", tmp_path / "queue.json"
    refused(command(*snapshot), message)
