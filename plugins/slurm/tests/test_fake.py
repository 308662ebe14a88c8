"""A Slurm of our own making does what a real one was seen to do."""

from __future__ import annotations

from typing import Any

import pytest

from plugins.slurm.tests.fake import BEGAN, BOOTS, FakeSlurm
from utilitysched_slurm.accounting import read_runs
from utilitysched_slurm.commands import Action, SlurmError, Verb
from utilitysched_slurm.reading import SlurmJob, read_jobs, read_pool

FOUR = {"n1": 2, "n2": 2}


def told(slurm: FakeSlurm, verb: Verb, key: str, value: str = "") -> str:
    return slurm.apply([Action(verb, key, value)]).get(key, "")


def seen(slurm: FakeSlurm, key: str) -> SlurmJob:
    return next(job for job in read_jobs(slurm.queue()) if job.key == key)


def states(slurm: FakeSlurm) -> dict[str, str]:
    return {job.key: " ".join(job.states) for job in read_jobs(slurm.queue())}


def test_a_held_job_takes_no_priority_and_starts_when_it_is_released() -> None:
    slurm = FakeSlurm(FOUR, holds_new=True)
    first, second = slurm.submit(cpus=4, work=9), slurm.submit(cpus=4, work=9)
    slurm.advance(60)
    assert (seen(slurm, first).reason, seen(slurm, first).held) == ("JobHeldUser", True)
    assert not slurm.by_user("release", first)
    assert told(slurm, "hold", first) == ""
    assert seen(slurm, first).reason == "JobHeldAdmin"
    assert not slurm.by_user("release", first)

    slurm.apply([Action("release", first, "7"), Action("release", second, "8")])
    slurm.advance(2)

    assert states(slurm) == {first: "PENDING", second: "RUNNING"}
    assert read_pool(slurm.nodes()) == (4, 0)
    slurm.advance(30)
    assert set(states(slurm).values()) == {"COMPLETED"}
    slurm.advance(400)
    assert states(slurm) == {}


def test_a_victim_ends_waits_held_and_goes_on_from_its_checkpoint() -> None:
    slurm = FakeSlurm(FOUR)
    key = slurm.submit(work=100, traps=True)
    slurm.advance(41)
    assert told(slurm, "checkpoint", key) == ""
    slurm.advance(10)
    assert told(slurm, "requeue", key) == ""
    assert (states(slurm)[key], read_pool(slurm.nodes()).idle) == ("COMPLETING", 3)
    slurm.advance(10)
    waits = seen(slurm, key)
    assert (waits.reason, waits.held, waits.restarts) == ("JobHeldUser", True, 1)
    assert waits.submit == BEGAN + 51

    assert told(slurm, "requeue", key) == "Job is pending execution"
    assert told(slurm, "release", key, "5") == ""
    slurm.advance(61)
    assert states(slurm)[key] == "COMPLETING"
    runs = read_runs(slurm.accounted([key]))[key]
    assert [run.state for run in runs] == ["REQUEUED", "COMPLETED"]
    assert [run.end - run.start for run in runs] == [50, 60]


def test_a_node_that_fails_sends_its_jobs_back_held_by_nobody() -> None:
    slurm = FakeSlurm(FOUR)
    key = slurm.submit(cpus=3)
    slurm.advance(10)
    slurm.down("n2")
    assert (seen(slurm, key).held, seen(slurm, key).restarts) == (False, 1)
    assert read_pool(slurm.nodes()) == (4, 2)
    slurm.advance(100)
    assert states(slurm)[key] == "PENDING"
    slurm.up("n2")
    slurm.advance(100)
    assert states(slurm)[key] == "COMPLETED"


def test_a_controller_that_is_killed_forgets_the_last_orders_and_numbers() -> None:
    slurm = FakeSlurm({"n1": 1})
    slurm.submit(work=1000)
    slurm.advance(10)
    waits = slurm.submit()
    told(slurm, "hold", waits)
    slurm.advance(10)
    slurm.apply([Action("release", waits, "9"), Action("describe", waits, "text")])
    gone = slurm.submit()
    slurm.crash(20)
    with pytest.raises(SlurmError, match="Unable to contact"):
        slurm.queue()
    slurm.advance(20)

    job: Any = seen(slurm, waits)
    assert (job.held, job.admin_comment) == (True, "")
    assert states(slurm) == {"1": "RUNNING", waits: "PENDING"}
    assert slurm.submit() == gone


def test_users_do_what_they_may() -> None:
    slurm = FakeSlurm({"n1": 1})
    runs, waits = slurm.submit(work=99), slurm.submit()
    slurm.advance(3)
    before = seen(slurm, waits)
    assert slurm.by_user("comment", waits, "deadline=1h,value=5")
    assert slurm.by_user("nice", waits, "50")
    assert not slurm.by_user("nice", waits, "-50")
    assert slurm.by_user("hold", waits)
    assert seen(slurm, waits).held
    assert slurm.by_user("release", waits)
    assert slurm.by_user("cancel", runs)
    slurm.advance(5)

    assert (before.comment, seen(slurm, waits).comment) == ("", "deadline=1h,value=5")
    assert states(slurm) == {runs: "CANCELLED", waits: "RUNNING"}


def test_a_job_wakes_a_node_and_begins_when_it_is_up() -> None:
    slurm = FakeSlurm(FOUR)
    slurm.power_down("n1")
    slurm.power_down("n2")
    assert read_pool(slurm.nodes()) == (4, 4)
    key = slurm.submit(cpus=1, work=9)
    slurm.advance(2)

    before = seen(slurm, key)
    assert (states(slurm)[key], before.holds) == ("CONFIGURING", True)
    states_of_nodes = [row["statecomplete"] for row in slurm.nodes()]
    assert states_of_nodes == ["mixed+powering_up+not_responding", "idle+powered_down"]
    assert read_pool(slurm.nodes()) == (4, 3)
    slurm.advance(BOOTS)
    assert seen(slurm, key).start == before.start + BOOTS
    slurm.advance(9)
    assert states(slurm)[key] == "COMPLETED"
    assert slurm.runs[0].end - slurm.runs[0].start == 9
