"""Options of holes and restarts, and schedulers that take no processors back after all."""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np
import pytest

from swfx import InputError, Workload
from tests.queues import random_workload
from utilitysched import make_scheduler, simulate
from utilitysched.model.segments import Stop
from utilitysched.schedulers.placements import PLACEMENTS, Placement
from utilitysched.schedulers.restarts import RestartingScheduler


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("easy:kills=1", "field kills: nobody is killed; give holes=true or restarts=true, too"),
        ("saf:holes=true,kills=-1", "field kills: -1 is out of bounds"),
        ("saf:holes=perhaps", "field holes"),
        ("conservative:holes=true", "field holes: reservations cannot be kept .*add replan=true"),
        ("ga:preempt=true,restarts=true", "field restarts: ga:.* decides itself who is stopped"),
        ("recorded:holes=true", "decides itself who is stopped"),
        ("offline:holes=true", "decides itself who is stopped"),
        ("value-density:reserve=1,holes=true", "field reserve: jobs that wait for idle time"),
        ("easy:stop=youngest-first", "field stop: was removed; .* holes=true"),
    ],
)
def test_what_cannot_be_is_refused(text: str, said: str) -> None:
    with pytest.raises(InputError, match=said):
        make_scheduler(text)


def test_options_in_force_are_written_once() -> None:
    made = make_scheduler("value:kill_area=500,kills=1,restarts=true,holes=false")

    assert made.label == "value:restarts=true,kills=1"
    assert made.options["kill_age"] == 43200.0
    assert made.preempts


@pytest.mark.parametrize("name", ["easy", "ga:population=4,generations=2", "saf:placement=none"])
def test_where_nobody_is_rerunnable_holes_change_nothing(name: str) -> None:
    drawn = random_workload(Random(3), 14)
    with_holes = f"{name}{',' if ':' in name else ':'}holes=true"

    plain = simulate(drawn.workload, name, machine_size=drawn.processors)
    same = simulate(drawn.workload, with_holes, machine_size=drawn.processors)

    assert same.start.tolist() == plain.start.tolist()
    assert same.backfilled.tolist() == plain.backfilled.tolist()


def test_a_soft_job_gives_way_and_runs_again() -> None:
    # ten short runs of the past let the last job hope to end before the wide one can start
    jobs = Workload.from_columns(
        submit=[*range(-300, -200, 10), 0, 1, 2],
        run=[*[1] * 10, 10, 50, 40],
        requested_time=[*[40] * 10, 10, 50, 40],
        processors=[*[1] * 10, 3, 4, 1],
        rerunnable=[*[0] * 12, 1],
    )

    schedule = simulate(jobs, "easy:holes=true", machine_size=4)

    assert schedule.segments is not None
    of_soft = schedule.segments.job == 12
    assert schedule.segments.start[of_soft].tolist() == [2.0, 60.0]
    assert schedule.segments.stop[of_soft].tolist() == [Stop.PREEMPTED, Stop.COMPLETED]
    assert schedule.segments.cause[of_soft].tolist() == [11, -1]
    assert schedule.segments.value_lost is not None
    assert not schedule.segments.value_lost.any()
    assert schedule.end.tolist()[10:] == [10.0, 60.0, 100.0]


@pytest.mark.parametrize("rerunnable", [0, 1])
def test_who_would_start_in_the_same_pass_gives_way_unharmed(rerunnable: int) -> None:
    # twenty short runs are known; then a long job and a short one come at once
    jobs = Workload.from_columns(
        submit=[*range(-300, -100, 10), 0, 0],
        run=[*[1] * 20, 3600, 1],
        requested_time=[*[40] * 20, 7200, 40],
        processors=[*[1] * 20, 4, 1],
        rerunnable=[*[0] * 20, rerunnable, 0],
    )

    schedule = simulate(jobs, "easy:restarts=true,theta=0", machine_size=4)

    assert schedule.start.tolist()[20:] == ([1.0, 0.0] if rerunnable else [0.0, 3600.0])
    assert schedule.segments is not None
    assert not (schedule.segments.stop == Stop.PREEMPTED).any()


def every_hundred_seconds(
    moment: Any, queue: Any, releases: Any, known: Any, limits: Any, plan: Any, started: Any
) -> float:
    """Start what fits at times that a hundred divides, and want to be asked then."""
    free = moment.free if moment.now % 100.0 == 0.0 else 0
    for job in queue.job:
        if known.size[job] <= free:
            free -= known.size[job]
            started[job] = True
    return float(moment.now - moment.now % 100.0 + 100.0)


@pytest.mark.parametrize("compiled", [True, False])
def test_the_placement_is_asked_again_when_it_wants(
    monkeypatch: pytest.MonkeyPatch, *, compiled: bool
) -> None:
    timed = Placement("timed", every_hundred_seconds, keeps_reservations=False, summary="")
    monkeypatch.setitem(PLACEMENTS, "timed", timed)
    if not compiled:
        monkeypatch.setattr(RestartingScheduler, "compiled_base", None)
    jobs = Workload.from_columns(submit=[5, 6], run=[10, 10], processors=[4, 4])

    schedule = simulate(jobs, "fcfs:placement=timed,restarts=true", machine_size=4)

    assert schedule.start.tolist() == [100.0, 200.0]


def test_genetic_plans_take_processors_back() -> None:
    drawn = random_workload(Random(11), 60)
    jobs = drawn.workload.replace(rerunnable=np.ones(len(drawn.workload), np.int64))
    text = "ga:population=4,generations=2,holes=true,restarts=true"

    schedule = simulate(jobs, text, machine_size=drawn.processors)

    found = schedule.segments
    assert found is not None
    assert (found.stop == Stop.PREEMPTED).any()
    assert found.per_job(found.kept, len(jobs)).tolist() == jobs.effective_run.tolist()
    kills = np.bincount(found.job[found.stop == Stop.PREEMPTED])
    assert kills.max() <= 3
