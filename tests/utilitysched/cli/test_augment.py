"""`utilitysched augment`: a log in, extended SWF out."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import swfx
from swfx.base.numbers import shortened
from swfx.families.generators import UtilitySpec, attach_utilities
from swfx.families.transforms import apply_all
from tests.utilitysched.cli.conftest import Command, refused
from tests.utilitysched.small import JOBS


def test_it_writes_what_the_library_draws(command: Command, log: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.swfx"
    answer = command("augment", log, "-o", out, "--utilities", "factor=3,step=1", "--seed", 7)

    spec = UtilitySpec.from_text("factor=3,step=1")
    drawn = attach_utilities(swfx.read(log).workload, spec, 7)
    assert answer == (
        0,
        "",
        (
            f"utilities: {JOBS} of {JOBS} jobs (100.0%) by {shortened(spec.to_text())}\n"
            f"wrote {JOBS} jobs to {out}\n"
        ),
    )
    assert swfx.read(out).workload == drawn


def test_jobs_that_are_dropped_while_reading_are_told(command: Command, tmp_path: Path) -> None:
    log, out = tmp_path / "log.swf", tmp_path / "out.swfx"
    job = "0 5 {} 1 -1 -1 1 20 -1 1 1 1 -1 1 -1 -1 -1\n"
    log.write_text(f"; MaxProcs: 4\n1 {job.format(10)}2 {job.format(-1)}")

    _, _, said = command("augment", log, "-o", out)

    assert said.splitlines()[0] == (
        f"{log}: 1 job of 2 lines, 1 dropped, 0 repaired; see utilitysched check"
    )


def test_simulate_draws_the_same_with_the_same_seed(
    command: Command, log: Path, tmp_path: Path
) -> None:
    command("augment", log, "-o", tmp_path / "a.swfx.gz", "--seed", 5)
    command("simulate", log, "--seed", 5, "--out", tmp_path / "runs")

    augmented = swfx.read(tmp_path / "a.swfx.gz").workload
    assert swfx.read(tmp_path / "runs" / "workload.swfx.gz").workload == augmented


def test_slices_and_machine_sizes(command: Command, log: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.swfx"
    command("augment", log, "-o", out, "--jobs", "10:20", "--machine-size", 16)

    written = swfx.read(out).workload
    assert written.job_id.tolist() == list(range(11, 21))
    assert written.machine_size == 16


def test_standard_output(process: Command, log: Path) -> None:
    answer = process("augment", "-", "-o", "-", feed=log.read_bytes())

    assert answer.code == 0
    assert answer.out.startswith("; SWFX: 1.0\n") or "SWFX: 1.0" in answer.out
    assert answer.err.startswith("utilities: 60 of 60 jobs (100.0%) by factor=2,")


def test_transformations_come_before_utilities(command: Command, log: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.swfx"
    answer = command("augment", log, "-o", out, "--apply", "slice:jobs=:10", "-a", "accurate")

    some = apply_all(swfx.read(log).workload, ["slice:jobs=:10", "accurate"]).workload
    assert swfx.read(out).workload == attach_utilities(some)
    assert answer.err.splitlines()[-3:] == [
        "50 jobs dropped: slice:jobs=:10: outside of it",
        f"utilities: 10 of 10 jobs (100.0%) by {shortened(UtilitySpec().to_text())}",
        f"wrote 10 jobs to {out}",
    ]


def test_no_utilities_when_told_so(command: Command, log: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.swf"
    command("augment", log, "-o", out, "--utilities", "none")

    assert out.read_bytes() == log.read_bytes()


def test_checkpoints_and_soft_estimates(command: Command, log: Path, tmp_path: Path) -> None:
    guesses = tmp_path / "guesses.csv"
    guesses.write_text("job,soft_estimate,confidence\n2,600,3\n")
    out = tmp_path / "out.swfx"

    answer = command(
        *("augment", log, "-o", out, "--utilities", "none"),
        *("--checkpoints", "all:interval=60", "--soft-estimates", guesses),
    )

    written = swfx.read(out).workload
    assert set(written.checkpoint_interval.tolist()) == {60}
    assert (written.soft_estimate[1], written.confidence[1]) == (600, 0.6)
    assert answer.err.splitlines()[-3:] == [
        (
            f"{JOBS} of {JOBS} jobs take checkpoints: 100.00% of the jobs, "
            "100.00% of the node-hours (run times up to the request)"
        ),
        f"1 of {JOBS} jobs have a soft estimate",
        f"wrote {JOBS} jobs to {out}",
    ]


@pytest.mark.parametrize(
    ("options", "refusal"),
    [
        (("--checkpoints", "survy"), "unknown checkpoint annotation 'survy'; did you mean"),
        (("--users", "zipf:group=2"), "zipf: field group: is not a known key; did you mean"),
    ],
)
def test_a_wrong_model_is_refused_before_the_log_is_read(
    command: Command, tmp_path: Path, options: tuple[str, str], refusal: str
) -> None:
    answer = command("augment", "none.swf", "-o", tmp_path / "o.swfx", *options)

    refused(answer, refusal)


def test_users_estimates_and_priorities(command: Command, log: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.swf"
    options = ["--priorities", "by-request:limits=10min:1", "--estimates", "factor:f=3"]
    answer = command(
        "augment", log, "-o", out, "--users", "zipf:users=4,groups=2", *options, "--seed", 7,
        "--utilities", "none",
    )  # fmt: skip

    before, after = swfx.read(log).workload, swfx.read(out).workload
    assert answer.code == 0
    assert np.bincount(after.user)[1:].tolist() == [24, 15, 11, 10]
    assert after.requested_time.tolist() == (3 * before.run).tolist()
    assert after.queue.tolist() == np.where(3 * before.run <= 600, 1, 3).tolist()
    models = [after.header.get(f"{kind}Model") for kind in ("User", "Estimate", "Priority")]
    assert models == [
        "zipf:users=4,groups=2; seed 7",
        "factor:f=3; seed 7",
        "by-request:limits=600:1; seed 7",
    ]
    assert answer.err.splitlines()[0] == "4 users in 2 groups, the busiest with 40.0% of the jobs"


def test_utilities_of_the_log_are_kept_unless_new_ones_are_asked_for(
    command: Command, log: Path, tmp_path: Path
) -> None:
    first, kept, drawn = (tmp_path / f"{name}.swfx" for name in ("first", "kept", "drawn"))
    command("augment", log, "-o", first, "--seed", 1)

    _, _, said = command("augment", first, "-o", kept, "--seed", 2)
    command("augment", first, "-o", drawn, "--seed", 2, "--replace")

    before = swfx.read(first).workload.utility
    assert swfx.read(kept).workload.utility == before
    assert swfx.read(drawn).workload.utility != before
    assert "keep the one that they have" in said
    assert "--replace draws new ones" in said


def test_rerunnable_jobs_are_drawn_and_leave_the_utilities_alone(
    command: Command, log: Path, tmp_path: Path
) -> None:
    plain, half = tmp_path / "plain.swfx", tmp_path / "half.swfx"
    command("augment", log, "-o", plain, "--seed", 7)
    status, _, said = command("augment", log, "-o", half, "--seed", 7, "--rerunnable", 0.5)

    jobs = swfx.read(half).workload
    assert status == 0
    assert f"may be killed and run again: {jobs.rerunnable.sum()}" in said
    assert 0 < jobs.rerunnable.sum() < len(jobs)
    assert jobs.header.get("Transformation") == "rerunnable:share=0.5; seed 7"
    assert jobs.utility == swfx.read(plain).workload.utility


@pytest.mark.parametrize("share", ["-0.1", "1.5", "half", "nan"])
def test_a_share_of_rerunnable_jobs_is_from_0_to_1(
    command: Command, log: Path, tmp_path: Path, share: str
) -> None:
    status, _, said = command("augment", log, "-o", tmp_path / "a.swfx", "--rerunnable", share)

    assert status == 2
    assert f"invalid value for '--rerunnable': {share}" in said.replace("'half'", "half")
