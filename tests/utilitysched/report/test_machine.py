"""Machines as people read them."""

from __future__ import annotations

from pathlib import Path

import pytest

from swfx.machine import Limit, Machine, Pool, PriorityWeights, Share, Window
from utilitysched.report.machine import MOST_ROWS, machine_description
from utilitysched.report.terminal import print_description

POOL = Pool("batch", {"processors": 4, "gpu": 2}, ("short", "long"))
WINDOW = Window("course", 3600.0, 10_800.0, "batch", {"processors": 1}, None, {"account": "a"})


def printed(machine: Machine, capsys: pytest.CaptureFixture[str]) -> list[str]:
    """Lines without blanks at their ends and with single ones between words."""
    print_description(machine_description(machine, "machine.toml"))
    return [" ".join(line.split()) for line in capsys.readouterr().out.splitlines()]


def test_a_plain_machine_is_its_pools(capsys: pytest.CaptureFixture[str]) -> None:
    lines = printed(Machine((Pool("all", {"processors": 4}),)), capsys)

    assert lines[:2] == ["machine.toml: 1 pool of 4 processors", "Read from machine.toml."]
    assert [line for line in lines if line.isupper()] == ["POOLS", "MULTIFACTOR PRIORITY"]
    assert "All weights are 0: jobs come in the order of their submission." in lines


def test_all_parts_of_a_machine(capsys: pytest.CaptureFixture[str]) -> None:
    machine = Machine(
        (POOL, Pool("large", {"processors": 64})),
        nodes=4,
        limits=(Limit("user", {"jobs": 1, "memory": 4096}, None, {"qos": "long"}),),
        windows=(WINDOW, Window("maintenance", 0.0, 60.0)),
        shares=(Share(3, "a"), Share(1, "a", "ann"), Share(2, "b", parent="a")),
        priority=PriorityWeights(age=5.5, favor_small=True, partitions={"short": 2.0}),
        not_simulated=("slurm.conf:7: MaxTime=60: why",),
    )
    lines = printed(machine, capsys)

    assert {
        "batch short, long 4 2",
        "large large 64 -",
        "-: not named, so never short.",
        "Requests are rounded up to nodes of 4 processors.",
        "user (each) qos long 1 job, 4,096 MB memory",
        "course batch 1 h 2 h 1 processor account a",
        "maintenance all 0 s 1 min all",
        "age 5.50",
        "Small jobs have the larger factor of size.",
        "Partitions: short 2.",
        "a 3 1 1",
        "b a 2 0 0",
        "slurm.conf:7: MaxTime=60: why",
    } - {*lines} == set()


def test_many_limits_are_cut(capsys: pytest.CaptureFixture[str]) -> None:
    limits = tuple(Limit("user", {"jobs": 1}, f"u{number}") for number in range(MOST_ROWS + 3))
    lines = printed(Machine((POOL,), limits=limits), capsys)

    assert len([line for line in lines if line.startswith("user u")]) == MOST_ROWS
    assert "And 3 more: --machine FILE writes all." in lines


def test_a_slurm_conf_and_its_listings(tmp_path: Path) -> None:
    (tmp_path / "qos.txt").touch()
    machine = Machine((POOL,))
    lead = machine_description(machine, str(tmp_path / "slurm.conf")).lead

    assert lead == [
        "Read from slurm.conf and qos.txt.",
        "Beside it lies no listing of associations and reservations.",
    ]
