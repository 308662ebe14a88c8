"""What users try at and after submission, on a real Slurm with the script of the market."""

from __future__ import annotations

import os
import re
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from pathlib import Path

import pytest

from plugins.slurm.tests.private.cluster import PrivateCluster, script_for
from utilitysched.cli.entry import run
from utilitysched.schedulers.registry import make_scheduler
from utilitysched_slurm import commands
from utilitysched_slurm.comments import NEW, read_bid
from utilitysched_slurm.driver import Driver
from utilitysched_slurm.journal import said_as_comment
from utilitysched_slurm.store import AdmittedJob
from utilitysched_slurm.worth import worth_by

pytestmark = [
    pytest.mark.slurm,
    pytest.mark.skipif(os.geteuid() != 0, reason="only root is several users"),
]

USER, ACCOUNTS = "games", "physics,chemistry"
BATCH = ("--parsable", "--chdir=/", "--output=/dev/null", "--wrap=sleep 60", "-n1", "-t5")
BEAT = 60.0

FINAL = ["Nice=7", "TimeLimit=4", "Account=chemistry", "NumCPUs=2", "NumTasks=2", "QOS=low"]
HARMLESS = ["StartTime=now", "Dependency=", "JobName=run", "Requeue=1", "Deadline=now+7200"]


@pytest.fixture(scope="module")
def heart(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("heart") / "heartbeat"


@pytest.fixture(scope="module")
def cluster(slurm: None, heart: Path) -> Iterator[PrivateCluster]:
    accounts = ("add account physics,chemistry", "add qos low")
    users = f"add user root,{USER} account={ACCOUNTS} qos=normal,low defaultqos=normal"
    partition = "PartitionName=main Nodes=n1 Default=YES MaxTime=60 State=UP"
    with PrivateCluster(
        {"n1": "CPUs=2 RealMemory=1000"},
        (partition, "JobSubmitPlugins=lua"),
        (),
        (*accounts, users),
        script_for(heart, heart.parent),
    ) as started:
        yield started


Submit = Callable[..., str]


@pytest.fixture
def submit(cluster: PrivateCluster, heart: Path) -> Iterator[Submit]:
    """Submits a job as a user, with a market in command unless its last sign is older."""
    jobs: list[str] = []

    def submitted(*options: str, silent: float = 0.0) -> str:
        heart.write_text(f"{time.time() - silent:.0f}\nand so on\n")
        done = cluster.run_as(USER, "sbatch", *BATCH, *options)
        assert done.returncode == 0, done.stderr
        jobs.append(done.stdout.strip())
        return jobs[-1]

    yield submitted
    cluster.run("scancel", *jobs)


def told(cluster: PrivateCluster, job: str) -> dict[str, str]:
    shown = cluster.run("scontrol", "show", "job", job)
    return dict(re.findall(r"(\w+)=(.*?)(?=\s+\w+=|\n|$)", shown))


def admitted(cluster: PrivateCluster, job: str) -> str:
    """Do as the market does when it admits a job."""
    cluster.run("scontrol", "hold", job)
    said = read_bid("deadline=4h,value=9", 0.0, UTC).said
    text = AdmittedJob(job, time.time(), "physics", USER, said_as_comment(said)).text
    cluster.run("scontrol", "update", f"JobId={job}", f"AdminComment={text}")
    return job


def test_new_jobs_are_held_while_there_is_a_market(cluster: PrivateCluster, submit: Submit) -> None:
    market, own, plain = submit(), submit("--hold"), submit(silent=BEAT + 1)

    found = [told(cluster, job) for job in (market, own, plain)]
    assert [job.get("AdminComment") for job in found] == [NEW, None, None]
    assert [job["Priority"] == "0" for job in found] == [True, True, False]


@pytest.mark.parametrize("admit", [admitted, lambda _, job: job], ids=["admitted", "new"])
def test_users_do_not_release_what_the_market_has(
    cluster: PrivateCluster, submit: Submit, admit: Callable[[PrivateCluster, str], str]
) -> None:
    job = admit(cluster, submit())

    for change in (("release", job), ("update", f"JobId={job}", "Nice=7"), ("top", job)):
        assert cluster.run_as(USER, "scontrol", *change).returncode == 1, change
    for verb in ("release", "hold"):
        refusal = cluster.run_as(USER, "scontrol", verb, job)
        assert refusal.returncode == 1
        assert "Job is in held state" in refusal.stderr
    for change in ("Priority=9", "AdminComment=x", *HARMLESS):
        cluster.run_as(USER, "scontrol", "update", f"JobId={job}", change)
    assert told(cluster, job)["Priority"] == "0"


def test_an_own_hold_is_released_into_the_market(
    ours: PrivateCluster, submit: Submit, tmp_path: Path
) -> None:
    job = submit("--hold")

    with Driver(tmp_path, commands, make_scheduler("easy"), worth_by("none", 0)) as driver:
        driver.cycle()
        assert not driver.store.active
        assert ours.run_as(USER, "scontrol", "release", job).returncode == 0
        found = told(ours, job)
        driver.cycle()
    assert told(ours, job)["Reason"] == "JobHeldAdmin"
    begins = datetime.fromisoformat(found["StartTime"] + "+00:00").timestamp()
    assert found["JobState"] == "PENDING"
    assert 0 < begins - time.time() <= BEAT


def test_what_was_admitted_stays_as_it_was_bid_for(cluster: PrivateCluster, submit: Submit) -> None:
    job = submit("--comment=deadline=4h,value=40")

    def change(text: str) -> int:
        return cluster.run_as(USER, "scontrol", "update", f"JobId={job}", text).returncode

    assert change("Comment=deadline=4h,value=50") == 0
    assert change("Comment=value=50") == 1
    admitted(cluster, job)
    before = told(cluster, job)
    bids = ["Comment=deadline=4h,value=60", "Comment=", "Comment=amend value=50"]
    for each in (*bids, *FINAL):
        assert change(each) == 1, each
    assert told(cluster, job) == before
    assert change("Comment=amend deadline=4h,value=60") == 0


def test_without_a_market_users_do_as_they_like(cluster: PrivateCluster, submit: Submit) -> None:
    job = submit()
    submit("--hold", silent=BEAT + 1)

    assert cluster.run_as(USER, "scontrol", "update", f"JobId={job}", "TimeLimit=4").returncode == 0
    assert cluster.run_as(USER, "scontrol", "release", job).returncode == 0
    cluster.wait(lambda: cluster.states()[job] == "RUNNING", "for a released job")


def test_a_job_is_quoted_as_slurm_takes_it_and_submitted_with_its_bid(
    ours: PrivateCluster,
    submit: Submit,
    tmp_path: Path,
    capfd: pytest.CaptureFixture[str],
) -> None:
    admitted(ours, submit("--comment=deadline=4h,value=1"))
    script = tmp_path / "job.sh"
    script.write_text("#!/bin/bash\n#SBATCH -t 0-1:30\n#SBATCH --comment=none\nsleep 1\n")

    bid = ("--value", "40", "--deadline", "4h", "--quote", "--scheduler", "value-density")
    options = ("--chdir=/", "--output=/dev/null", "--ntasks=2")
    assert run(["slurm", "submit", str(script), *bid, "--samples", "2", "--", *options]) == 0

    said = capfd.readouterr().out
    assert "2 processors for at most 1 h 30 min" in said
    assert "1 job queued, 0 running, 2 of 2 processors free" in said
    job = said.split()[-1]
    found = told(ours, job)
    assert found["Comment"] == "value=40,deadline=4h"
    assert (found["AdminComment"], found["TimeLimit"], found["NumCPUs"]) == (NEW, "01:30:00", "2")
    ours.run("scancel", job)


def test_other_terms_are_asked_for_and_granted(
    ours: PrivateCluster,
    submit: Submit,
    tmp_path: Path,
    capfd: pytest.CaptureFixture[str],
) -> None:
    ours.run("scontrol", "update", "NodeName=n1", "State=DRAIN", "Reason=test")
    job = submit("--comment=deadline=4h,value=9")
    with Driver(tmp_path, commands, make_scheduler("easy"), worth_by("none", 0)) as driver:
        driver.cycle()
        for value, says in (("5", "worth less 0 s after submission"), ("12", "")):
            terms = ("--value", value, "--deadline", "5h", "--wait", "60")
            with ThreadPoolExecutor() as pool:
                asking = pool.submit(run, ["slurm", "amend", job, *terms])
                while not asking.done():
                    driver.cycle()
            assert asking.result() == (2 if says else 0)
            assert says in capfd.readouterr().err
        curve = driver.store.active[job].said.utility
    ours.run("scontrol", "update", "NodeName=n1", "State=RESUME")
    assert curve is not None
    assert curve.values.tolist() == [12.0, 12.0]
    assert curve.times[-1] == pytest.approx(5 * 3600, abs=60)
