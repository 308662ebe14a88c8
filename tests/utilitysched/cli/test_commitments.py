"""Commitments from end to end: curves that were changed after the log was read are refused."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import numpy as np
import pytest

import swfx
from swfx import UtilityTable, Workload
from tests.utilitysched.cli.conftest import Command, refused, rows

SECRET = "UTILITYSCHED_COMMITMENT_SECRET"
VALUED = "value-density"


@pytest.fixture
def run(command: Command, market: Path, tmp_path: Path) -> Path:
    return simulated(command, market, tmp_path / "runs")


def simulated(command: Command, log: Path, out: Path, *options: str) -> Path:
    answer = command("simulate", log, "--scheduler", VALUED, "--out", out, *options)
    assert answer.code == 0, answer.err
    return out / VALUED


def others_tripled(jobs: Workload, user: int) -> Workload:
    factor = np.where(np.repeat(jobs.user, jobs.utility.points) == user, 1.0, 3.0)
    curves = jobs.utility
    return jobs.replace(utility=UtilityTable(curves.offsets, curves.times, curves.values * factor))


def triple_others(run: Path, user: int, *, mended: bool = True) -> None:
    """Triple the curves of all other users in the files of a run, and mend its digests."""
    path = run.parent / "workload.swfx.gz"
    jobs = swfx.read(path, cleaning="none").workload
    forged = others_tripled(jobs, user)
    swfx.write(forged, path)
    for file in (run.parent / "load_report.json", run / "run.json") if mended else ():
        file.write_text(file.read_text().replace(jobs.digest(), forged.digest()))


def last_line(run: Path) -> str:
    return (run.parent / "commitments.csv").read_text().splitlines()[-1]


def a_job_of(run: Path, user: int) -> int:
    jobs = swfx.read(run.parent / "workload.swfx.gz", cleaning="none").workload
    return int(jobs.job_id[jobs.user == user][0])


def first_of_others(run: Path, user: int) -> int:
    """Return the first job of another user that is worth something."""
    jobs = swfx.read(run.parent / "workload.swfx.gz", cleaning="none").workload
    return int(jobs.job_id[(jobs.user != user) & (jobs.utility.start_values > 0)].min())


@pytest.mark.parametrize("mended", [True, False])
@pytest.mark.parametrize("mechanism", ["vcg", "first-price:reading=end"])
def test_tripled_curves_are_neither_billed_nor_explained(
    command: Command, run: Path, mechanism: str, mended: bool
) -> None:
    assert command("bill", run, "--mechanism", mechanism).code == 0
    job, victim = a_job_of(run, 1), first_of_others(run, 1)
    assert command("explain-charge", run, job).code == 0
    written = (run / "charges.csv").read_bytes()

    triple_others(run, 1, mended=mended)

    problem = f"job {victim}: its utility function is not the one committed to on 20"
    refused(command("bill", run, "--mechanism", mechanism), problem)
    refused(command("explain-charge", run, job), problem)
    refused(command("explain-charge", run, victim), problem)
    assert (run / "charges.csv").read_bytes() == written


def test_whoever_simulates_anew_is_found_by_what_was_published(
    command: Command, market: Path, run: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With a secret of its own the centre is asked about jobs, not about secrets."""
    monkeypatch.setenv(SECRET, "a secret of the centre")
    honest = simulated(command, market, tmp_path / "honest")
    published = shutil.copy(honest.parent / "commitments.csv", tmp_path / "published.csv")
    line, job, victim = last_line(honest), a_job_of(honest, 1), first_of_others(honest, 1)
    command("bill", honest)
    assert command("explain-charge", honest, job, "--published", line).code == 0
    assert command("explain-charge", honest, job, "--published", published).code == 0

    swfx.write(others_tripled(swfx.read(market).workload, 1), tmp_path / "tripled.swfx")
    forged = simulated(command, tmp_path / "tripled.swfx", tmp_path / "forged")
    command("bill", forged)

    assert command("explain-charge", forged, job).code == 0
    refused(
        command("explain-charge", forged, job, "--published", line),
        f"ends in the line {last_line(forged)[-64:]}, which is not the one published; name the"
        " published file in place of its last line",
    )
    refused(
        command("explain-charge", forged, job, "--published", published),
        f"job {victim}: its utility function is not the one committed to on 20",
    )
    monkeypatch.delenv(SECRET)
    refused(command("explain-charge", honest, job), f"set {SECRET} to it, or to @FILE")
    refused(command("explain-charge", run, job, "--published", published), "another secret")


def test_without_commitments_nobody_vouches_and_nothing_fails(command: Command, run: Path) -> None:
    line = last_line(run)
    (run.parent / "commitments.csv").unlink()

    billed = command("bill", run)
    job = a_job_of(run, 1)
    explained = command("explain-charge", run, job, "--json")

    said = "obody vouches for the utility functions: there is no commitments.csv"
    assert billed.code == explained.code == 0
    assert said in billed.err
    assert json.loads(explained.out)["commitments"] is None
    assert said in command("explain-charge", run, job).out
    refused(command("explain-charge", run, job, "--published", line), "commitments.csv: is missing")
    refused(command("explain-charge", run, job, "--proof", run / "p.json"), "nobody vouches")


def test_the_secret_is_the_owner_s_and_reveals_itself_in_no_other_file(run: Path) -> None:
    secret = run.parent / "commitments.secret"

    assert secret.stat().st_mode & 0o777 == 0o600
    text = secret.read_text().strip()
    others = [path for path in run.parent.rglob("*") if path.is_file() and path != secret]
    assert all(text.encode() not in path.read_bytes() for path in others)


def test_a_secret_of_the_centre_stays_where_it_is(
    command: Command, market: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "secret"
    file.write_text("0123456789abcdef\n")
    monkeypatch.setenv(SECRET, f"@{file}")
    run = simulated(command, market, tmp_path / "runs")

    assert not (run.parent / "commitments.secret").exists()
    assert command("bill", run).code == 0
    monkeypatch.setenv(SECRET, "another secret of the centre")
    refused(command("bill", run), "the commitments were made with another secret")
    monkeypatch.setenv(SECRET, "short")
    refused(command("bill", run), f"field {SECRET}: has 5 bytes, fewer than 16")


def test_a_proof_is_written_and_checked_by_anybody(
    command: Command, run: Path, tmp_path: Path
) -> None:
    command("bill", run)
    job, other, line = a_job_of(run, 1), a_job_of(run, 2), last_line(run)
    proof = tmp_path / "mine.json"

    answer = command("explain-charge", run, job, "--proof", proof)
    published = shutil.copy(run.parent / "commitments.csv", tmp_path)
    shutil.rmtree(run.parent)
    checked = command("explain-charge", proof, job, "--published", line)

    assert f"wrote {proof}" in answer.err
    assert checked.code == 0
    assert checked.out.startswith(f"Job {job}: committed to on 20")
    assert command("explain-charge", proof, job, "--published", published) == checked
    document = json.loads(command("explain-charge", proof, job, "--published", line, "--json").out)
    assert document["jobs"][0]["job"] == str(job)
    refused(command("explain-charge", proof, other, "--published", line), f"job {other}")
    refused(command("explain-charge", proof, job, "--published", "0" * 64), "none of this proof")
    refused(command("explain-charge", proof, job), "--published")
    proof.write_text(proof.read_text().replace('"user": "1"', '"user": "2"'))
    refused(command("explain-charge", proof, job, "--published", line), "is not the one committed")
    proof.write_text("{")
    refused(command("explain-charge", proof, job, "--published", line), "cannot be read")


def test_jobs_of_nobody_known_are_not_proven_together(
    command: Command, market: Path, tmp_path: Path
) -> None:
    jobs = swfx.read(market).workload
    swfx.write(jobs.replace(user=np.full(len(jobs), -1)), tmp_path / "log.swfx")
    run = simulated(command, tmp_path / "log.swfx", tmp_path / "runs")
    command("bill", run)
    job = int(jobs.job_id[0])

    answer = command("explain-charge", run, job, "--proof", tmp_path / "proof.json")

    refused(answer, f"the log does not say whose job {job} is; name a job of a known user")
    assert not (tmp_path / "proof.json").exists()


def test_the_first_reading_counts(command: Command, market: Path, tmp_path: Path) -> None:
    """What is read again is as it was: the commitments stay, and since when they vouch."""
    run = simulated(command, market, tmp_path / "runs")
    files = [run.parent / name for name in ("commitments.csv", "commitments.secret")]
    before = [(path.read_bytes(), path.stat().st_mtime_ns) for path in files]
    read = json.loads((run / "timing.json").read_text())["read_unix_s"]

    simulated(command, market, tmp_path / "runs")

    timing = json.loads((run / "timing.json").read_text())
    assert [(path.read_bytes(), path.stat().st_mtime_ns) for path in files] == before
    assert timing["read_unix_s"] == read < timing["began_unix_s"]
    forced = simulated(command, market, tmp_path / "runs", "--jobs", "0:30", "--force")
    assert command("bill", forced).code == 0
    assert len(rows(run.parent / "commitments.csv")) < len(before[0][0].splitlines()) - 1


def test_a_recorded_log_is_vouched_for_since_it_was_read(
    command: Command, market: Path, tmp_path: Path
) -> None:
    since = "utility functions are vouched for as they were on 20"
    jobs = swfx.read(market).workload
    swfx.write(jobs.replace(wait=np.maximum(jobs.wait, 0)), tmp_path / "log.swfx")

    billed = command("bill", tmp_path / "log.swfx", "--drawn-values", "--out", tmp_path / "runs")

    assert billed.code == 0, billed.err
    assert since in billed.err
    assert "when the log was first read; publish the last line of commitments.csv" in billed.err
    run = tmp_path / "runs" / "recorded"
    explained = command("explain-charge", run, a_job_of(run, 1))
    assert explained.code == 0
    assert since in explained.err
