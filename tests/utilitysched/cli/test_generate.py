"""`utilitysched generate`: workloads from models."""

from __future__ import annotations

from pathlib import Path

import swfx
from swfx.reading.sources import open_workload
from tests.utilitysched.cli.conftest import Command


def test_it_writes_what_the_model_makes(command: Command, tmp_path: Path) -> None:
    out = tmp_path / "model.swf.gz"
    answer = command("generate", "lublin", "jobs=40", "machine_size=64", "-o", out, "--seed", 9)

    said = [
        "0 jobs cut to the machine's 64 processors",
        "24 jobs in queue 0",
        "16 jobs in queue 1",
        "offered load 1.457",
        f"wrote 40 jobs to {out}",
    ]
    assert answer == (0, "", "".join(f"{line}\n" for line in said))
    made = open_workload("model:lublin,jobs=40,machine_size=64,seed=9").workload
    assert swfx.read(out).workload == made


def test_the_ways_to_say_it_are_one(command: Command, tmp_path: Path) -> None:
    ways = [
        ["lublin", "jobs=40", "--seed", "9"],
        ["lublin,jobs=40,seed=9"],
        ["model:lublin,jobs=40", "seed=9"],
    ]
    for i, way in enumerate(ways):
        command("generate", *way, "-o", tmp_path / f"{i}.swf")

    first = (tmp_path / "0.swf").read_bytes()
    assert [(tmp_path / f"{i}.swf").read_bytes() for i in (1, 2)] == [first, first]


def test_utilities_have_a_seed_of_their_own(command: Command, tmp_path: Path) -> None:
    def made(name: str, *options: object) -> swfx.Workload:
        out = tmp_path / name
        answer = command(
            "generate", "lublin", "jobs=40", "-o", out, "--utilities", "default", *options
        )
        assert "simulating easy once" in answer.err
        return swfx.read(out).workload

    first = made("a.swfx", "--seed", 1)
    other = made("b.swfx", "--seed", 1, "--utility-seed", 2)
    assert first.utility.defined.all()
    assert other.submit.tolist() == first.submit.tolist()
    assert other.utility != first.utility


def test_users_estimates_and_priorities(command: Command, tmp_path: Path) -> None:
    options = ["--users", "zipf:users=9,groups=3", "--estimates", "tsafrir"]
    options += ["--priorities", "by-request"]
    answer = command("generate", "lublin", "jobs=400", "seed=3", "-o", tmp_path / "a.swf", *options)

    same = "users=zipf,users.users=9,users.groups=3,estimates=tsafrir,priorities=by-request"
    command("generate", f"lublin,jobs=400,seed=3,{same}", "-o", tmp_path / "b.swf")
    assert answer.err.splitlines()[4:6] == [
        "9 users in 3 groups, the busiest with 25.2% of the jobs",
        "24 distinct estimates up to 129600 s",
    ]
    assert (tmp_path / "a.swf").read_bytes() == (tmp_path / "b.swf").read_bytes()


def test_jobs_of_a_model_may_take_checkpoints(command: Command, tmp_path: Path) -> None:
    out = tmp_path / "model.swfx"

    answer = command("generate", "lublin,jobs=200,seed=3", "-o", out, "--checkpoints", "all")

    assert "\n200 of 200 jobs take checkpoints: 100.00% of the jobs, " in answer.err
    assert set(swfx.read(out).workload.checkpoint_interval.tolist()) == {900}
