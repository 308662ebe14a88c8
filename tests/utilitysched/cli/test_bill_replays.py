"""`utilitysched bill --mechanism vcg:method=replay`."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.utilitysched.cli.conftest import Command, rows
from tests.utilitysched.small import JOBS
from tests.utilitysched.workers.dask_processes import DaskProcesses

REPLAY = ("--mechanism", "vcg:method=replay")


def test_the_bill_has_its_evidence(command: Command, run: Path) -> None:
    answer = command("bill", run, *REPLAY, "--processes", "1")

    replays, charges = rows(run / "replays.csv"), rows(run / "charges.csv")
    assert len(replays) == len(charges) == JOBS
    for replay, charge in zip(replays, charges, strict=True):
        assert replay["begin"] == charge["submit"]
        difference = max(0.0, float(replay["difference"]))
        assert float(charge["charge"]) == pytest.approx(difference, abs=0.01)
        assert charge["standard_error"] == "0"
    negative = sum(float(replay["difference"]) < 0 for replay in replays)
    assert "easy is deterministic: charges have no standard error." in answer.out
    assert f"{negative} means below 0 charged as 0." in answer.out
    assert not (run / "vcg-replays.jsonl").exists()


def test_another_bill_leaves_no_replays_of_an_earlier_one(command: Command, run: Path) -> None:
    command("bill", run, *REPLAY, "--processes", "1")

    command("bill", run)

    assert not (run / "replays.csv").exists()


def test_the_same_bytes_on_one_core_or_two(command: Command, run: Path) -> None:
    found = []
    for processes in ("1", "2"):
        command("bill", run, *REPLAY, "--processes", processes)
        found.append({path.name: path.read_bytes() for path in run.glob("*.csv")})

    assert found[0] == found[1]


def test_a_bill_where_processors_fail_makes_the_outages_of_the_run_again(
    command: Command, market: Path, tmp_path: Path
) -> None:
    nodes = "nodes=1,per=8,mtbf=4min,repair=1min"
    failing = ("--jobs", "0:15", "--scheduler-seed", "3", "--failures", nodes)
    command("simulate", market, *failing, "--out", tmp_path / "failing")
    run = tmp_path / "failing" / "easy"
    found = []
    for processes in ("1", "2"):
        answer = command("bill", run, *REPLAY, "--processes", processes)
        assert answer.code == 0, answer.err
        found.append({path.name: path.read_bytes() for path in run.glob("*.csv")})
    job = rows(run / "jobs.csv")[5]["job_id"]
    again = command("explain-charge", run, job, "--again")
    record = (run / "run.json").read_text("utf-8")
    (run / "run.json").write_text(record.replace("4min", "5min"), "utf-8")
    other = command("bill", run, *REPLAY, "--processes", "1")

    assert found[0] == found[1]
    assert any(row["failures"] != "0" for row in rows(run / "charges.csv"))
    assert again.code == 0, again.err
    assert other.code == 2
    assert other.err == (
        "error: field failures: nodes=1,per=8,mtbf=5min,repair=1min no longer fails as it did: "
        "the outages are others; "
        "give the failures of this schedule, or simulate again, then bill\n"
    )


def test_options_of_the_other_method_are_refused(command: Command, run: Path) -> None:
    answer = command("bill", run, "--mechanism", "vcg:horizon=24h")

    assert answer.code == 2
    assert answer.err == (
        "error: vcg: field horizon: does not concern pivot; leave it out, or write method=replay\n"
    )


@pytest.mark.slow
def test_the_same_bytes_on_a_cluster(command: Command, run: Path, dask: DaskProcesses) -> None:
    command("bill", run, *REPLAY, "--processes", "1")
    here = {path.name: path.read_bytes() for path in run.glob("*.csv")}

    dask.worker()
    answer = command("bill", run, *REPLAY, "--dask", dask.address)

    assert answer.code == 0, answer.err
    assert {path.name: path.read_bytes() for path in run.glob("*.csv")} == here


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (
            ["--dask", "local:2"],
            "--dask: first-price replays nothing; leave it out, or charge",
        ),
        (
            ["--processes", 2],
            "--processes: first-price replays nothing; leave it out, or",
        ),
        ([*REPLAY, "--dask", "local:2", "--processes", 2], "--processes and --dask exclude each"),
        ([*REPLAY, "--dask", "nowhere"], "--dask: 'nowhere' is no address; give the address"),
    ],
)
def test_where_is_refused_before_anything_is_done(
    command: Command, run: Path, options: list[object], said: str
) -> None:
    before = sorted(run.iterdir())

    answer = command("bill", run, *options)

    assert answer.code == 2
    assert answer.err.startswith(f"error: {said}")
    assert sorted(run.iterdir()) == before
