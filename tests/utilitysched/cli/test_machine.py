"""Machine files on the command line: drafts, simulations, comparisons, experiments."""

from __future__ import annotations

import json
import shlex
from pathlib import Path

import pytest

import swfx
from tests.utilitysched.cli.conftest import Command, refused, rows
from tests.utilitysched.small import plain_workload
from utilitysched import simulate

POOLS = """\
[[pools]]
name = "1"
capacity = {processors = 6}

[[pools]]
name = "2"
capacity = {processors = 3}
"""


@pytest.fixture
def log(tmp_path: Path) -> Path:
    """The small log, whose jobs are in two partitions and need nothing else."""
    path = tmp_path / "log.swf"
    jobs = plain_workload()
    swfx.write(jobs.replace(partition=jobs.group), path)
    return path


@pytest.fixture
def machine(tmp_path: Path) -> Path:
    path = tmp_path / "machine.toml"
    path.write_text(POOLS)
    return path


def starts(folder: Path) -> list[float]:
    return [float(row["starting_time"]) for row in rows(folder / "jobs.csv")]


def test_a_draft_of_the_log_can_be_simulated(command: Command, log: Path, tmp_path: Path) -> None:
    draft = tmp_path / "draft.toml"
    answer = command("describe", log, "--machine", draft)

    assert (answer.code, answer.out) == (0, "")
    assert answer.err == f"wrote {draft}: correct its capacities before you simulate with it\n"
    assert draft.read_text().startswith(f"# First draft of the machine of {log}.")
    assert command("simulate", log, "--machine", draft).code == 0
    refused(command("describe", log, "--machine", draft), f"{draft}: is there already")


def test_pools_run_their_own_jobs(
    command: Command, log: Path, machine: Path, tmp_path: Path
) -> None:
    answer = command("simulate", log, "--machine", machine, "--out", tmp_path / "runs")

    assert answer.code == 0
    assert f"9 processors in 2 pools of {machine}," in " ".join(answer.out.split())
    assert "are one machine" not in answer.err
    together = starts(tmp_path / "runs" / "easy")
    for partition, processors in ((1, 6), (2, 3)):
        jobs = plain_workload().group == partition
        alone = simulate(plain_workload()[jobs], "easy", machine_size=processors)
        assert [start for start, mine in zip(together, jobs, strict=True) if mine] == (
            alone.start.tolist()
        )


def test_a_run_records_its_machine_and_can_be_repeated(
    command: Command, log: Path, machine: Path, tmp_path: Path
) -> None:
    command("simulate", log, "--machine", machine, "--out", tmp_path / "runs")
    run = tmp_path / "runs" / "easy"
    record = json.loads((run / "run.json").read_text())

    assert record["simulation"]["machine"]["pools"][1] == {
        "name": "2",
        "capacity": {"processors": 3},
    }
    assert record["simulation"]["machine_size"] == record["workload"]["machine_size"] == 9
    again = shlex.split(record["command"])[1:]
    assert again[-2:] == ["--machine", str(machine)]
    command(*again, "--out", tmp_path / "again")
    assert (tmp_path / "again" / "easy" / "run.json").read_bytes() == (
        (run / "run.json").read_bytes()
    )
    assert starts(tmp_path / "again" / "easy") == starts(run)


def test_partitions_of_one_machine_are_noted_without_a_machine_file(
    command: Command, log: Path
) -> None:
    assert "2 partitions (1, 2) are one machine" in command("simulate", log).err


def test_what_binds_no_job_is_noted(command: Command, log: Path, machine: Path) -> None:
    machine.write_text(f"not_simulated = ['x']\n{POOLS.replace('= 6', '= 6, gpu = 2')}")
    answer = command("simulate", log, "--machine", machine)

    assert "machine: no job needs gpu\nmachine: 1 statement of it is not simulated: " in answer.err
    assert f"utilitysched describe machine:{machine} lists it" in answer.err


@pytest.mark.parametrize(
    ("changed", "words", "said"),
    [
        (("", ""), ("--machine-size", 8), "--machine-size: 8 is not the size of the machine, 9"),
        (("= 3", "= 2"), (), "error: --machine: job 6 needs 3 processors, pool 2 has 2"),
        (('"2"', '"3"'), (), "error: --machine: job 2 is in partition 2, which no pool has"),
        (("processors", "processor"), (), "machine.toml:3: field pools[0].capacity: pool 1 has no"),
    ],
)
def test_what_cannot_be_is_refused(
    changed: tuple[str, str],
    words: tuple[object, ...],
    said: str,
    command: Command,
    log: Path,
    machine: Path,
) -> None:
    machine.write_text(POOLS.replace(*changed))

    plain = ("simulate", log, "--utilities", "none")
    refused(command(*plain, "--machine", machine, *words), said)


def test_comparisons_are_on_the_machine(command: Command, log: Path, machine: Path) -> None:
    words = ("compare", "easy", "fcfs", "-w", log, "--seeds", 1, "--processes", 1)
    small = command(*words, "--machine", machine)
    large = command(*words, "--machine-size", 9)

    assert small.code == 0
    assert small.out != large.out


def test_an_experiment_has_its_machine_beside_it(
    command: Command, log: Path, machine: Path
) -> None:
    file = log.with_name("grid.toml")
    text = f"""\
[workload]
source = "{log.name}"
[schedulers]
names = ["easy", "fcfs"]
[simulation]
machine = "{machine.name}"
"""
    file.write_text(text)
    words = ("experiment", "run", file, "--processes", 1)
    first = command(*words)

    assert first.code == 0
    # a comment changes nothing, a capacity everything
    machine.write_text(f"# again\n{POOLS}")
    assert command(*words).err.startswith("2 of 2 simulations in ")
    machine.write_text(POOLS.replace("= 3", "= 4"))
    assert "already" not in command(*words).err
    machine.write_text(POOLS.replace("= 3", "= [3]"))
    refused(command(*words), "machine.toml:7: field pools[1].capacity.processors: is a list")


def test_an_experiment_audits_on_a_machine(command: Command, log: Path, machine: Path) -> None:
    file = log.with_name("grid.toml")
    file.write_text(
        f'[workload]\nsource = "{log.name}"\n[schedulers]\nnames = ["easy"]\n'
        f'[simulation]\nmachine = "{machine.name}"\n'
        '[audit]\ndraws = 1\njobs = 3\nlies = ["request"]\nmechanisms = ["single-price"]\n'
    )

    assert command("experiment", "run", file, "--processes", 1).code == 0


def test_an_audit_says_on_which_machine_it_was(
    command: Command, log: Path, machine: Path, tmp_path: Path
) -> None:
    few = "--sample", 2, "--lie", "request", "-m", "single-price", "-s", "easy"
    words = "audit", log, "--machine", machine, *few, "--out", tmp_path / "audit", "--json"

    told = json.loads(command(*words).out)

    assert [pool["name"] for pool in told["asked"]["machine"]["pools"]] == ["1", "2"]
    refused(command(*words, "--machine-size", 5), "is not the size of the machine")


def test_an_option_is_named_for_a_file_that_is_not_there(command: Command, log: Path) -> None:
    said = "no.toml: cannot be read: no such file or directory; give the path of a machine file"
    refused(command("simulate", log, "--machine", log.with_name("no.toml")), said)
    assert swfx.read(log).workload.machine_size == 8
