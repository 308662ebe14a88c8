"""Charges by what the scheduler read: what it knew at every pass, and cliffs that pay nothing."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import pricing
from pricing import Readings
from swfx import InputError, UtilityFunction, UtilityTable, Workload
from tests.scale import enough, many
from tests.utilitysched.displaced import MACHINE, VICTIM, displacing
from tests.utilitysched.market.audit.markets import PROCESSORS, checkpointing, crowd
from utilitysched import Schedule, simulate
from utilitysched.counterfactual.charges import Counterfactuals
from utilitysched.engine.conditions import Failures
from utilitysched.engine.segments_log import waste_of
from utilitysched.market.audit.misreport import MISREPORTS
from utilitysched.market.audit.reported import tell
from utilitysched.model.scheduler import Scheduler, Wrapper
from utilitysched.model.state import Decision, Floats, QueueState
from utilitysched.schedulers.history import History
from utilitysched.schedulers.registry import make_scheduler

FAILING = Failures.from_text(f"nodes={PROCESSORS},mtbf=300,repair=6", 5).between(0, 9_000)


def billed(jobs: Workload, schedule: Schedule, mechanism: str, **more: Any) -> pricing.Charges:
    return pricing.charge(
        jobs,
        schedule.start,
        schedule.end,
        mechanism,
        counterfactual=Counterfactuals.of(jobs, schedule, failures=more.pop("failures", None)),
        used=None if schedule.segments is None else schedule.running_time,
        waste=waste_of(schedule.segments),
        **more,
    )


class Watching(Wrapper):
    """Notes what is forecast of everybody who waits at each pass in which a job starts."""

    def __init__(self, scheduler: Scheduler) -> None:
        super().__init__(scheduler)
        self.history = History(scheduler.rule)
        self.seen: list[tuple[int, float, Floats]] = []

    def decide(self, state: QueueState) -> Decision:
        self.history.observe(state)
        durations = self.history.forecast(state).duration
        decision = self.scheduler.decide(state)
        if len(decision.starts):
            now = state.now
            self.seen += [(job, now, durations[job].copy()) for job in state.queued.tolist()]
        return decision


@pytest.mark.parametrize(
    ("options", "failing"),
    [
        ("duration=requested", True),
        ("duration=fraction,fraction=0.25", False),
        ("duration=predicted", False),
        ("duration=expected", False),
        ("duration=expected", True),
        ("", True),
    ],
)
def test_readings_are_what_the_scheduler_knew_at_each_pass(options: str, failing: bool) -> None:
    again = 0
    for seed in range(many(4)):
        jobs = crowd(seed)
        failures = FAILING if failing else None
        if failing:
            jobs = checkpointing(jobs, seed)
        scheduler = Watching(make_scheduler(f"value-density:{options}".rstrip(":")))
        schedule = simulate(jobs, scheduler, machine_size=PROCESSORS, failures=failures)
        asked = Counterfactuals.of(jobs, schedule, failures=failures)
        job, at, known = map(np.array, zip(*scheduler.seen, strict=True))

        found = asked.forecasts(job, at)

        assert found == pytest.approx(known)
        starts = asked.starts(np.arange(len(jobs)))
        again += len(starts.job) - len(jobs)
    assert again >= enough(3) or not failing


def contested(cliff: bool, **more: Any) -> Workload:
    """Both processors are taken until 10 s; then a job of 40 s, worth 4 SU, meets one worth 30."""
    curve = UtilityFunction([0, 400], [4, 0])
    jobs = Workload.from_columns(
        submit=[0, 1, 1],
        run=[10, 40, 40],
        requested_time=[10, 80, 80],
        processors=[2, 2, 2],
        user=[1, 2, 3],
        utility=UtilityTable.from_functions([curve, curve, UtilityFunction([0, 400], [30, 0])]),
        **more,
    )
    lies = {1: MISREPORTS.make("cliff")} if cliff else {}
    return tell(jobs, lies, None).workload


VALUE_READING = ("value-density", "value-and-delay", "first-reward", "value", "ga:generations=5")


@pytest.mark.parametrize("scheduler", VALUE_READING)
def test_a_cliff_buys_the_first_place_for_nothing_by_first_price_at_the_end(scheduler: str) -> None:
    jobs = contested(cliff=True)
    schedule = simulate(jobs, scheduler, machine_size=2)

    assert schedule.start.tolist() == [0, 10, 50]
    assert billed(jobs, schedule, "first-price:reading=end").charge[1] == 0
    assert billed(jobs, schedule, "first-price:reading=scheduler").charge[1] == 400


@pytest.mark.parametrize("scheduler", VALUE_READING)
def test_who_tells_the_truth_pays_what_it_was_ranked_by(scheduler: str) -> None:
    jobs = contested(cliff=False)
    schedule = simulate(jobs, scheduler, machine_size=2)

    charges = billed(jobs, schedule, "first-price:reading=scheduler")

    assert schedule.start.tolist() == [0, 50, 10]
    assert charges.charge.tolist() == pytest.approx([4, 4 * 351 / 400, 30 * 391 / 400])
    assert charges.reason[0] == "charged: what it was ranked by"
    assert charges.promises == frozenset()


def test_a_duration_that_is_foreseen_is_read_so() -> None:
    jobs = contested(cliff=False)
    schedule = simulate(jobs, "value-density:duration=requested", machine_size=2)

    charges = billed(jobs, schedule, "first-price:reading=scheduler")

    assert charges.charge[2] == pytest.approx(30 * (400 - 9 - 80) / 400)


def test_by_second_price_a_cliff_bids_what_ranked_it() -> None:
    """The cliff and the third job wait together: whoever starts pays what the other bid."""
    jobs = contested(cliff=True)
    schedule = simulate(jobs, "value-density", machine_size=2)
    hours = 2 * 80 / 3600

    before = billed(jobs, schedule, "second-price")
    after = billed(jobs, schedule, "second-price:reading=scheduler")

    assert before.rate.tolist() == [0, 0, 0]  # its own bid is 0, and the other's is above it
    assert after.rate.tolist() == pytest.approx([0, 30 * 391 / 400 / hours, 0])


def test_the_highest_reading_of_all_starts_is_paid() -> None:
    """Started at 0, 20 and 90 s, and taken to run for 300, 100 and 100 s."""
    jobs = contested(cliff=False)[1:2].replace(submit=np.array([0.0]))
    starts = pricing.WorkStarts(np.zeros(3, np.int64), np.array([0.0, 20, 90]))

    class Known:
        def starts(self, jobs: Any) -> pricing.WorkStarts:  # noqa: ARG002
            return starts

        def forecasts(self, jobs: Any, at: Any) -> Floats:  # noqa: ARG002
            return np.array([[300.0], [100], [100]])

    known: Any = Known()
    charges = pricing.charge(
        jobs, [0], [130], "first-price:reading=scheduler", counterfactual=known
    )

    assert charges.charge.tolist() == pytest.approx([4 * 280 / 400])


def test_a_cliff_between_two_starts_gains_nothing() -> None:
    """It pays all of what first ranked it, whatever its checkpoints kept of that start."""
    for seed in range(50):
        jobs = checkpointing(crowd(seed), seed)
        schedule = simulate(jobs, "value-density", machine_size=PROCESSORS, failures=FAILING)
        asked = Counterfactuals.of(jobs, schedule, failures=FAILING)
        stopped = np.flatnonzero(np.bincount(asked.starts(np.arange(len(jobs))).job) > 1)
        if not len(stopped):
            continue
        job = stopped.item(0)
        begun = schedule.start[job] + 1 - jobs.submit[job]
        cliff = UtilityFunction([0, begun], [400, 400])
        told = [cliff if row == job else jobs.utility[row] for row in range(len(jobs))]
        jobs = jobs.replace(utility=UtilityTable.from_functions(told))
        charges = pricing.charge(
            jobs,
            schedule.start,
            schedule.end,
            "first-price:reading=scheduler",
            counterfactual=replace(asked, workload=jobs),
            used=schedule.running_time,
            waste=waste_of(schedule.segments),
        )

        assert charges.outcome.utility[job] == 0
        assert charges.charge[job] == 400
        return
    pytest.fail("no job was stopped")


def test_a_job_that_begins_anew_pays_by_its_first_start() -> None:
    jobs = displacing()
    schedule = simulate(jobs, "value-and-delay:restarts=true", machine_size=MACHINE)

    charges = billed(jobs, schedule, "first-price:reading=scheduler,displaced=no")
    paid = billed(jobs, schedule, "first-price:reading=scheduler")

    assert isinstance(charges.evidence, Readings)
    assert charges.evidence.starts.at[charges.evidence.starts.job == VICTIM].tolist() == [0, 150]
    assert charges.charge[VICTIM] == 200
    assert schedule.segments is not None
    assert schedule.segments.value_lost is not None
    lost = schedule.segments.value_lost.sum()
    assert lost > 0
    assert paid.charge[VICTIM] == pytest.approx(charges.charge[VICTIM] - lost)
    assert paid.total == pytest.approx(charges.total)


@pytest.mark.parametrize(
    "scheduler",
    [
        "easy",
        "conservative",
        "priority-preempt",
        "mixed:size=1",
        "easy:restarts=true",
        "ga:generations=2,weights=utility:0+wait:1",
        "offline",
    ],
)
def test_who_ranks_by_no_curve_has_no_reading(scheduler: str) -> None:
    jobs = contested(cliff=False)
    schedule = simulate(jobs, scheduler, machine_size=2)

    with pytest.raises(InputError) as error:
        billed(jobs, schedule, "first-price:reading=scheduler")

    assert str(error.value) == (
        f"field reading: {schedule.scheduler} ranks jobs by no reading of utility functions that it"
        " declares; leave reading out, or charge by single-price, multi-queue or vcg"
    )


@pytest.mark.parametrize(
    "scheduler",
    [
        "easy:backfill=value-density",
        "value-density:backfill=fcfs",
        "value-density:restarts=true",
        "ga:generations=2,weights=wait:1",
    ],
)
def test_who_reads_curves_says_so(scheduler: str) -> None:
    rule = make_scheduler(scheduler).reading

    assert rule is not None
    assert rule.duration == "zero"


def test_a_decider_that_does_not_say_how_it_reads_has_no_reading() -> None:
    class Mine:
        def decide(self, state: QueueState) -> Decision:
            return Decision(state.queued)

    assert Wrapper(Mine()).reading is None


def test_a_cap_at_realised_values_is_refused() -> None:
    jobs = contested(cliff=True)
    schedule = simulate(jobs, "value-density", machine_size=2)

    with pytest.raises(InputError, match="would let those off that it read wrongly"):
        billed(jobs, schedule, "first-price:reading=scheduler", cap=True)


def test_nobody_knows_the_scheduler_of_a_bare_schedule() -> None:
    jobs = contested(cliff=False)

    with pytest.raises(InputError, match="or leave reading out"):
        pricing.charge(jobs, [0, 10, 50], [10, 50, 90], "first-price:reading=scheduler")
