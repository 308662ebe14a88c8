"""From what is and what was decided to what Slurm is to be told."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from plugins.slurm.tests.clusters import job
from swfx import UtilityFunction
from swfx.accounting.annotations import Annotations
from utilitysched_slurm.commands import Action
from utilitysched_slurm.journal import said_as_comment
from utilitysched_slurm.reading import SlurmJob
from utilitysched_slurm.reconcile import PATIENCE, Desired, reconcile
from utilitysched_slurm.store import AdmittedJob

NOW, GRACE = 1000.0, 30.0
NOTHING = Desired()
CURVE = UtilityFunction([0.0, 60.0], [9.0, 0.0])


def entry(number: int, checkpoint: float = -1.0, **more: Any) -> AdmittedJob:
    said = Annotations(utility=CURVE, checkpoint_interval=checkpoint)
    bid = said_as_comment(said)
    return AdmittedJob(str(number), float(number), "physics", "alice", bid, **more)


def waiting(known: AdmittedJob, processors: int = 2, **more: Any) -> SlurmJob:
    """A job that waits as the market wants it: held, and described."""
    held = {"held": True, "reason": "JobHeldAdmin", "admin_comment": known.text}
    return job(int(known.key), processors=processors, **(held | more))


def running(known: AdmittedJob, states: str = "RUNNING", **more: Any) -> SlurmJob:
    return job(int(known.key), states, start=500.0, admin_comment=known.text, **more)


def steps(
    *pairs: tuple[SlurmJob, AdmittedJob], idle: int = 4, plan: Desired = NOTHING
) -> list[Action]:
    known = {one.key: one for _, one in pairs}
    return reconcile(NOW, [seen for seen, _ in pairs], idle, plan, known, GRACE)


def test_nothing_is_done_where_all_is_as_it_should_be() -> None:
    one, two = entry(1), entry(2)

    assert steps((waiting(one), one), (running(two), two)) == []


def test_starts_are_released_in_order_and_nobody_else() -> None:
    one, two, three = entry(1), entry(2), entry(3)

    found = steps(*((waiting(each), each) for each in (one, two, three)), plan=Desired(["3", "1"]))

    assert found == [Action("release", "3", "1000000"), Action("release", "1", "999999")]


def test_a_start_waits_for_its_processors_and_smaller_ones_do_not() -> None:
    wide, small = entry(1), entry(2)
    pairs = ((waiting(wide, 8), wide), (waiting(small, 1), small))

    assert steps(*pairs, plan=Desired(["1", "2"])) == [Action("release", "2", "999999")]


@pytest.mark.parametrize(
    ("idle", "released"),
    [(0, []), (1, ["3"]), (2, ["1"]), (3, ["1", "3"]), (4, ["1", "2"]), (5, ["1", "2", "3"])],
)
def test_what_is_released_has_idle_processors_to_the_last_one(
    idle: int, released: list[str]
) -> None:
    known = [entry(number) for number in (1, 2, 3)]
    pairs = [(waiting(each, size), each) for each, size in zip(known, (2, 2, 1), strict=True)]

    found = steps(*pairs, idle=idle, plan=Desired(["1", "2", "3"]))

    assert [each.key for each in found] == released
    assert all(each.verb == "release" for each in found)


def test_a_start_that_runs_already_takes_no_idle_processors() -> None:
    runs, waits = entry(1), entry(2)
    pairs = ((running(runs, processors=4), runs), (waiting(waits, 4), waits))

    assert steps(*pairs, plan=Desired(["1", "2"])) == [Action("release", "2", "999999")]


def test_whoever_is_not_held_by_an_administrator_is_held() -> None:
    one = entry(1)
    by_user = waiting(one, reason="JobHeldUser")
    free = waiting(one, held=False, reason="Priority")

    assert steps((by_user, one)) == steps((free, one)) == [Action("hold", "1")]


def test_a_released_job_is_let_be() -> None:
    just, long_ago = entry(1, released=NOW - 1), entry(2, released=NOW - PATIENCE - 1)
    pairs = [(waiting(each, held=False, reason="Resources"), each) for each in (just, long_ago)]

    assert steps(*pairs) == []


def test_a_release_that_was_lost_is_repeated() -> None:
    one = entry(1, released=NOW - 1)

    assert steps((waiting(one), one), plan=Desired(["1"])) == [Action("release", "1", "1000000")]


def test_a_preempted_job_writes_its_checkpoint_before_it_ends() -> None:
    writes = entry(1, checkpoint=60.0)
    signalled = replace(writes, leaving=NOW - 1)
    late = replace(writes, leaving=NOW - GRACE)

    assert steps((running(writes), writes), plan=Desired(preempts=["1"])) == [
        Action("checkpoint", "1")
    ]
    assert steps((running(signalled), signalled), plan=Desired(preempts=["1"])) == []
    assert steps((running(late), late)) == [Action("requeue", "1")]
    assert steps((running(late, "COMPLETING"), late)) == []


def test_a_job_that_may_not_be_requeued_any_more_stays() -> None:
    late = entry(1, checkpoint=60.0, leaving=NOW - GRACE)

    assert steps((running(late, rerunnable=False), late)) == []


def test_a_preempted_job_without_checkpoints_ends_at_once() -> None:
    one = entry(1)

    assert steps((running(one), one), plan=Desired(preempts=["1"])) == [Action("requeue", "1")]


def test_a_requeued_job_is_held_by_an_administrator() -> None:
    # as Slurm 22.05 leaves it: its user could release it
    one = entry(1)

    assert steps((waiting(one, reason="JobHeldUser", restarts=1), one)) == [Action("hold", "1")]


def test_what_was_accepted_is_written_into_the_admin_comment() -> None:
    one = replace(entry(1), note="it's a note")
    found = steps((waiting(one, admin_comment=""), one))

    assert found == [Action("describe", "1", one.text)]
    assert "'" not in one.text
    again = AdmittedJob.from_comment(waiting(one))
    assert again == replace(one, release=1.0)


def test_jobs_that_are_not_of_the_market_are_not_touched() -> None:
    assert reconcile(NOW, [job(1), job(2, "RUNNING")], 4, Desired(["1"], ["2"]), {}, GRACE) == []


def test_parts_of_heterogeneous_jobs_are_left_to_slurm() -> None:
    one = entry(1)

    assert steps((waiting(one, parted=True), one)) == [Action("release", "1", "1")]


def test_ends_come_first_and_descriptions_last() -> None:
    one, two, three = entry(1), entry(2), entry(3)
    pairs = (
        (waiting(one, admin_comment=""), one),
        (waiting(three, reason="JobHeldUser"), three),
        (running(two), two),
    )

    found = steps(*pairs, plan=Desired(["1"], ["2"]))

    assert [each.verb for each in found] == ["requeue", "hold", "release", "describe"]
