"""Machines of runs: what of them binds no job, and copies that notice a change."""

from __future__ import annotations

from pathlib import Path

import pytest

from swfx import Header, InputError, Workload
from swfx.machine import Limit, Machine, Pool, Share, Window
from utilitysched.runs.machines import MachineCopy, unused_notes

HEADER = Header((" User: 1 ann", " Account: 1 optics"))
POOL = Pool("all", {"processors": 8})


def notes(machine: Machine) -> list[str]:
    jobs = Workload.from_columns(
        submit=[0, 5], run=[9, 9], processors=[1, 2], user=[1, 1], account=[1, 1], header=HEADER
    )
    return [*unused_notes(machine, jobs, Path("machine.toml"))]


def test_nothing_is_noted_of_a_machine_that_fits_the_log() -> None:
    limits = (Limit("user", {"jobs": 2}, "ann"), Limit("account", {"jobs": 2}, "physics"))
    tree = (Share(1, "optics", parent="physics"),)

    assert notes(Machine((POOL,), limits=limits, shares=tree)) == []


def test_groups_without_jobs_are_named() -> None:
    limits = tuple(Limit("user", {"jobs": 2}, f"user{n}") for n in range(7))

    assert notes(Machine((POOL,), limits=limits)) == [
        "machine: no job is of user user0, user1, user2, user3, user4 and 2 more"
    ]


def test_groups_that_the_log_does_not_tell_are_named() -> None:
    window = Window("course", 0, 9, for_jobs_of={"reference": "x"})
    machine = Machine((POOL,), limits=(Limit("qos", {"jobs": 2}),), windows=(window,))

    assert notes(machine) == [
        "machine: the log does not say QOS: what the machine says of it binds no job",
        "machine: the log does not say reference: what the machine says of it binds no job",
    ]


def test_resources_that_no_job_needs_are_named() -> None:
    pool = Pool("all", {"processors": 8, "gpu": 2, "matlab": 4})

    assert notes(Machine((pool,))) == ["machine: no job needs gpu, matlab"]


@pytest.mark.parametrize("prefix", ["", "machine:"])
def test_a_copy_notices_that_its_file_says_something_else(prefix: str, tmp_path: Path) -> None:
    file = tmp_path / "machine.toml"
    file.write_text('[[pools]]\nname = "all"\ncapacity = {processors = 8}\n')
    copy = MachineCopy.beside(f"{prefix}machine.toml", tmp_path)

    file.write_text(f"# the same\n{file.read_text()}")
    assert copy.of_log(HEADER) == Machine((POOL,))
    file.write_text(file.read_text().replace("8", "9"))
    with pytest.raises(InputError, match="says something else than when the experiment was"):
        copy.of_log(HEADER)
