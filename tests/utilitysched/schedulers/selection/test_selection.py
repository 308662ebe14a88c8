"""The scheduler that chooses its ordering by what orderings cost so far."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings

from swfx import InputError, Workload
from swfx.reading.sources import open_workload
from tests.scale import many
from tests.strategies import workloads
from utilitysched import make_scheduler, simulate
from utilitysched.schedulers.selection.scheduler import SelectionScheduler

DAY = 86_400.0


@pytest.fixture(scope="module")
def jobs() -> Workload:
    return open_workload("sample:").workload


def choices(workload: Workload, text: str, seed: int = 0) -> list[tuple[float, str]]:
    scheduler = make_scheduler(text)
    assert isinstance(scheduler, SelectionScheduler)
    simulate(workload, scheduler, seed=seed)
    return scheduler.choices


def test_a_choice_at_the_start_of_every_period(jobs: Workload) -> None:
    begun = [time for time, _ in choices(jobs, "select:period=6h")]

    assert np.diff(begun).tolist() == [DAY / 4] * (len(begun) - 1)
    assert begun[0] == jobs.submit.min()


def test_with_full_feedback_the_ordering_is_that_which_cost_least_from_an_empty_machine(
    jobs: Workload,
) -> None:
    policies = ["fcfs", "spf", "laf"]
    accurate = jobs.replace(requested_time=jobs.effective_run)

    found = choices(accurate, f"select:policies={'+'.join(policies)},feedback=full")

    costs = np.zeros(len(policies))
    first = accurate.submit.min()
    for period, (_, chosen) in enumerate(found):
        assert chosen == policies[int(np.argmin(costs))]
        inside = (accurate.submit - first) // DAY == period
        if inside.any():
            part = accurate[np.flatnonzero(inside)]
            waits = [simulate(part, f"{name}:placement=easy").wait(part) for name in policies]
            costs += [wait.sum() for wait in waits]
    assert len({name for _, name in found}) > 1


def test_one_ordering_in_use_schedules_as_that_ordering(jobs: Workload) -> None:
    schedule = simulate(jobs, "select:policies=saf+fcfs,epsilon=0,period=1000d")

    assert (schedule.start == simulate(jobs, "saf").start).all()


def test_nothing_is_chosen_by_run_times_that_are_not_known_yet(jobs: Workload) -> None:
    end = jobs.submit.min() + 4 * DAY
    later = simulate(jobs, "select:feedback=full").end > end
    run = np.where(later, jobs.run * 0.9, jobs.run)

    both = [choices(each, "select:feedback=full") for each in (jobs, jobs.replace(run=run))]

    early = [[one for one in found if one[0] <= end] for found in both]
    assert early[0] == early[1]
    assert 0 < later.sum() < len(jobs)


@pytest.mark.parametrize(
    "text",
    [
        "select:epsilon=0.3,period=60",
        "select:choose=exp3,decay=0.9,threshold=90,period=100",
        "select:choose=thompson,policies=unicef+wfp3+saf,cost=lost-value,period=150",
        "select:feedback=noisy,policies=fcfs+spf+lcfs,period=200",
    ],
)
@settings(max_examples=many(10), deadline=None)
@given(log=workloads(max_jobs=40))
@pytest.mark.slow
def test_the_compiled_loop_plays_turns_as_passes_in_python_do(text: str, log: Workload) -> None:
    compiled, asked = make_scheduler(text), make_scheduler(text)

    fast = simulate(log, compiled, seed=5)
    slow = simulate(log, asked, seed=5, preemption="")

    assert fast.deciding is None
    assert slow.deciding is not None
    assert (fast.start.tolist(), compiled.choices) == (slow.start.tolist(), asked.choices)


def test_a_schedule_tells_which_ordering_came_into_use_when(jobs: Workload) -> None:
    scheduler = make_scheduler("select:feedback=full")
    noted = simulate(jobs, scheduler).provenance["choices"]

    assert noted[0] == [jobs.submit.min(), "fcfs"]
    assert all(first[1] != second[1] for first, second in pairwise(noted))
    assert {tuple(each) for each in noted} <= set(scheduler.choices)


def test_another_seed_chooses_otherwise(jobs: Workload) -> None:
    assert choices(jobs, "select:epsilon=0.5", 3) != choices(jobs, "select:epsilon=0.5", 4)


@pytest.mark.parametrize(
    "text", ["select:epsilon=0", "select:feedback=full", "select:choose=ucb1,epsilon=0"]
)
def test_what_draws_nothing_says_so(text: str) -> None:
    assert not make_scheduler(text).stochastic


@pytest.mark.parametrize("cost", ["slowdown", "lost-value"])
def test_other_costs(cost: str, jobs: Workload) -> None:
    found = choices(jobs, f"select:feedback=full,cost={cost},policies=lpf+spf+value-density")

    # the largest jobs first is never the cheapest
    assert {name for _, name in found[1:]} <= {"spf", "value-density"}


def test_starved_jobs_go_first(jobs: Workload) -> None:
    text = "select:policies=saf+spf,threshold=7200,epsilon=0,period=1000d"

    schedule = simulate(jobs, text)

    assert (schedule.start == simulate(jobs, "saf:threshold=7200").start).all()


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("select:policies=fcfs", "two orderings or more"),
        ("select:policies=fcfs+fcfs", "two orderings or more"),
        ("select:policies=fcfs+sap", "unknown scheduler 'sap'"),
        ("select:feedback=full,choose=ucb1", "none has to be tried"),
        ("select:period=1", "period"),
        ("select:decay=2", "decay"),
    ],
)
def test_refusals(text: str, part: str) -> None:
    with pytest.raises(InputError, match=part):
        make_scheduler(text)


def test_any_scheduler_is_a_policy(jobs: Workload) -> None:
    few = jobs[:120]
    chosen = choices(few, "select:policies=[climb:climb=0,warm=false+fcfs],epsilon=0,period=6h")
    assert {name for _, name in chosen} == {
        "climb:climb=0,warm=false",
        "fcfs",
    }  # the unseen in turn

    one = simulate(few, "select:policies=[climb:climb=0,warm=false+fcfs],epsilon=0,period=999d")
    assert one.start.tolist() == simulate(few, "climb:climb=0,warm=false").start.tolist()
    # an ordering has EASY placement: alone, FCFS is the name of what does not backfill
    other = simulate(few, "select:policies=fcfs+saf,epsilon=0,period=999d")
    assert other.start.tolist() == simulate(few, "easy").start.tolist()


@pytest.mark.parametrize(
    ("options", "part"),
    [
        ("policies=saf+ga,feedback=full", "what a search would have cost is not simulated"),
        ("policies=saf+ga,threshold=1d", "is for orderings alone"),
        ("policies=[saf+ga:preempt=true]", "preempts jobs"),
    ],
)
def test_policies_that_cannot_be_selected(options: str, part: str) -> None:
    with pytest.raises(InputError, match=part):
        make_scheduler(f"select:{options}")
