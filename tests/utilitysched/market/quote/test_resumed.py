"""What comes after a moment of a run, beside what came after it in the run itself."""

from __future__ import annotations

from pathlib import Path
from random import Random

import numpy as np
import pytest

from swfx import InputError, Workload
from tests.checked import linked
from tests.preempting import random_case
from tests.queues import Machine
from tests.scale import many
from utilitysched import make_scheduler, simulate
from utilitysched.counterfactual.branch import branch
from utilitysched.engine.simulation import Simulation
from utilitysched.exact.planned import brought_to
from utilitysched.market.quote.futures import drawn, failures_at, simulation_of
from utilitysched.market.quote.scenario import Scenario
from utilitysched.model.scheduler import Scheduler
from utilitysched.model.segments import Stop
from utilitysched.model.state import Floats, Integers
from utilitysched.runs.snapshot import (
    FailureSource,
    OutageRecord,
    QueuedJob,
    RunningJob,
    Snapshot,
    read_snapshot,
    write_snapshot,
)
from utilitysched.runs.snapshot.stored import snapshot_of
from utilitysched.runs.stored import StoredRun

SCHEDULERS = (
    "easy",
    "lexp:placement=none",
    "value-density:backfill=spf,duration=predicted",
    "conservative:replan=true",
    "priority-preempt:preemptions=3",
    "priority-preempt:urgent=2,victim=latest,preemptions=2",
)
TIMES = ("run", "requested_time")


def a_run(rng: Random, scheduler: str, *, depends: bool) -> StoredRun:
    case = random_case(rng, most=20)
    workload: Workload = case.workload[np.argsort(case.workload.submit, kind="stable")]
    workload = workload.replace(job_id=np.arange(1, len(workload) + 1))
    if depends:
        # who is released in a second pass at an instant cannot be told to come in it
        longer = {name: np.maximum(getattr(workload, name), 0.125) for name in TIMES}
        workload = linked(rng, Machine(workload.replace(**longer), case.processors)).workload
    mtbf, repair = rng.choice([40, 150]), rng.choice([5, 20])
    schedule = simulate(
        workload,
        scheduler,
        machine_size=case.processors,
        seed=rng.randint(0, 99),
        dependencies=depends,
        preemption=case.rules,
        failures=f"nodes={case.processors},mtbf={mtbf},repair={repair}",
    )
    record = {"simulation": schedule.provenance}
    times = workload.replace(submit=schedule.submitted(workload)), schedule.start, schedule.end
    return StoredRun(*times, record, schedule.segments, logged_submit=workload.submit)


def a_scenario(rng: Random, run: StoredRun, file: Path) -> Scenario:
    """Return a moment of a run, often one of failure, and all that come after it."""
    submit = run.workload.submit
    assert run.segments is not None
    failed = run.segments.end[run.segments.stop == Stop.FAILED]
    moments = np.concatenate([run.start, run.end, submit, np.tile(failed, 9)])
    snapshot = snapshot_of(run, rng.choice(moments[moments < submit.max()].tolist()))
    write_snapshot(snapshot, file)
    snapshot = read_snapshot(file)
    *coming, last = (
        next(row for row in snapshot_of(run, submit.item(job)).queued if row.id == job + 1)
        for job in np.argsort(submit, kind="stable").tolist()
        if submit[job] > snapshot.now
    )
    return Scenario.of(snapshot, last, coming)


def resumed(scenario: Scenario, run: Floats, scheduler: Scheduler) -> Simulation:
    change = drawn(scenario, run, reserved=scheduler.keeps_reservations)
    return branch(simulation_of(scenario, scheduler), change)


def places(scenario: Scenario) -> Integers:
    """Return the position in the workload of all jobs that did not end before."""
    snapshot = scenario.snapshot
    found = np.full(len(scenario.known.submit), -1)
    for where, rows in (
        (scenario.queued, snapshot.queued),
        (scenario.running, snapshot.running),
        (slice(scenario.present, None), scenario.coming),
    ):
        found[where] = [row.id - 1 for row in rows]
    return found[scenario.contenders]


@pytest.mark.parametrize("scheduler", SCHEDULERS)
def test_what_comes_after_a_moment_is_the_rest_of_the_run(scheduler: str, tmp_path: Path) -> None:
    rng = Random(scheduler)
    down = stopped = coming = 0
    for _ in range(many(12, least=12)):
        run = a_run(rng, scheduler, depends=rng.random() < 0.6)
        if len(np.unique(run.workload.submit)) == 1:
            continue
        scenario = a_scenario(rng, run, tmp_path / "moment.json")
        there, place = scenario.contenders, places(scenario)
        lasts = np.zeros(len(scenario.known.submit))
        lasts[there] = run.workload.effective_run[place]
        chosen = make_scheduler(scheduler)
        brought_to(scenario.snapshot, chosen)

        simulation = resumed(scenario, lasts, chosen)
        simulation.finished = scenario.finished.tolist()
        simulation.useful_run = [ended.run for ended in scenario.snapshot.finished]
        simulation.finish()

        assert simulation.end[there].tolist() == run.end[place].tolist()
        snapshot = scenario.snapshot
        down += len(snapshot.down)
        coming += len(scenario.coming)
        told = [row.checkpoints for row in (*snapshot.queued, *snapshot.running)]
        stopped += sum(each.stops for each in told if each is not None)
    assert down > 0
    assert stopped > 0
    assert coming > 10


def test_what_is_down_is_so_until_its_end_and_nothing_else_fails() -> None:
    down = (OutageRecord(0, 1, 0.0, 30.0),)
    moment = Snapshot(10.0, 4, (RunningJob(1, 2, 25.0),), (QueuedJob(2, 5.0, 3, 7.0),), down=down)
    scenario = Scenario.of(moment, QueuedJob(3, 10.0, 1, 5.0))
    simulation = resumed(scenario, scenario.request, make_scheduler("easy"))
    simulation.finish()

    ends = {30.0 + 7, 25.0, 25.0 + 5}
    assert moment.free == 0
    assert set(simulation.end.tolist()) == ends


def test_outages_that_do_not_follow_from_what_fails_are_refused() -> None:
    failures = FailureSource("nodes=4,mtbf=1000,repair=50", 3, 0.0)
    down = (OutageRecord(0, 0, 9.0, 20.0),)
    with pytest.raises(InputError, match="field down: by nodes=4,"):
        failures_at(Snapshot(10.0, 4, down=down, failures=failures))
