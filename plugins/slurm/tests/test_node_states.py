"""Nodes that take jobs, by their states, and what becomes of jobs that wake them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from plugins.slurm.tests.clusters import RECORDED, listed
from plugins.slurm.tests.fake import BOOTS, FakeSlurm
from utilitysched.schedulers.registry import make_scheduler
from utilitysched_slurm.driver import Driver, DriverTerms
from utilitysched_slurm.node_states import states_of, takes_jobs
from utilitysched_slurm.reading import ProcessorPool, read_pool
from utilitysched_slurm.worth import worth_by


@pytest.mark.parametrize(
    "text",
    [
        "idle", "mixed", "planned", "mixed-", "idle@", "idle~", "mixed~", "idle#", "mixed#",
        "idle+cloud+powered_down", "idle+cloud+powering_up+not_responding", "allocated!",
        "MIXED+POWER_DOWN", "idle+powered_down+power_up", "completing",
        "idle+powered_down+not_responding",
    ],
)  # fmt: skip
def test_what_sleeps_or_wakes_takes_jobs(text: str) -> None:
    assert takes_jobs(states_of(text))


@pytest.mark.parametrize(
    "text",
    [
        "down", "down~", "drained", "drained~", "draining!", "idle%", "idle!", "idle*", "inval",
        "idle+cloud+powering_down", "idle+power_down", "mixed+drain+power_down", "reserved",
        "idle+powered_down+reserved", "down+cloud+powered_down", "idle$", "idle^", "blocked",
        "future", "unknown*", "mixed+not_responding", "down+powering_up+not_responding",
    ],
)  # fmt: skip
def test_what_powers_down_or_is_drained_or_broken_takes_none(text: str) -> None:
    assert not takes_jobs(states_of(text))


@pytest.mark.parametrize("version", ["22.05.8", "24.11.5"])
def test_what_takes_jobs_is_what_took_them(version: str) -> None:
    """Recorded on private clusters, where a job then asked for each node."""
    document = json.loads((RECORDED / f"power-{version}.json").read_text())
    told = document["told"]
    took = {name for name, node in told.items() if node["then"] != "PENDING"}

    for key in ("State", "StateComplete"):
        assert {name for name in told if takes_jobs(states_of(told[name][key]))} == took
    assert read_pool(listed(document)) == ProcessorPool(16, 6)


def test_where_all_nodes_sleep_a_job_starts_and_runs_once(tmp_path: Path) -> None:
    slurm = FakeSlurm({"n1": 2, "n2": 2}, holds_new=True)
    slurm.power_down("n1")
    slurm.power_down("n2")
    job = slurm.submit(cpus=4, work=30)
    terms = DriverTerms(clock=slurm.clock, sleep=slurm.sleep)
    with Driver(tmp_path, slurm, make_scheduler("easy"), worth_by("none", 0), terms) as driver:
        for _ in range(30):
            driver.cycle()
            slurm.advance(5)
        lines = driver.journal.listing.read_text().splitlines()

    [run] = slurm.runs
    assert run.start > BOOTS + run.job.submit
    assert [line.split("|")[0] for line in lines] == ["JobID", job]
