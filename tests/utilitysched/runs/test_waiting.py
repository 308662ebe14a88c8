"""What jobs waited for on the pools of a machine file."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from swfx import Header, InputError, Workload
from swfx.machine import Limit, Machine, Pool, Window
from utilitysched import simulate
from utilitysched.report.waiting import causes, sentence, short
from utilitysched.runs.stored import StoredRun
from utilitysched.runs.waiting import Holder, WaitingRun, queued_job

NAMES = Header((" User: 1 ann", " User: 2 bob", " Account: 1 physics", " Partition: 1 gpu"))
POOL = Pool("gpu", {"processors": 8, "gpu": 2})


def jobs(**columns: Any) -> Workload:
    """Three jobs, submitted at 0 s, of 10 s and 4 processors each; ann's, bob's and ann's."""
    defaults = {
        "submit": [0, 0, 0],
        "run": [10, 10, 10],
        "requested_time": [20, 20, 20],
        "processors": [4, 4, 4],
        "user": [1, 2, 1],
        "account": [1, 1, 1],
        "partition": [1, 1, 1],
    }
    return Workload.from_columns(**(defaults | columns), header=NAMES)


def ran(machine: Machine, start: list[float], **columns: Any) -> WaitingRun:
    """Return the three jobs on a machine, and when each started (s)."""
    workload, begin = jobs(**columns), np.array(start, np.float64)
    record = {"simulation": {"machine": machine.to_dict()}}
    waiting = WaitingRun.of(StoredRun(workload, begin, begin + workload.run, record))
    assert waiting is not None
    return waiting


def test_without_a_machine_file_there_is_nothing_to_explain() -> None:
    workload = jobs()

    assert WaitingRun.of(StoredRun(workload, workload.submit, workload.run, {})) is None


def test_a_resource_of_which_too_little_is_free() -> None:
    gpus = {"tres/gres/gpu": [1, 1, 1], "processors": [1, 1, 1]}
    run = ran(Machine((POOL,)), [0, 0, 10], **gpus)

    reason = run.at(0).reason(2)

    holders = (Holder("user ann", 1), Holder("user bob", 1))
    assert reason[:7] == ("resource", "gpu", "gpu", 1, 2, 2, holders)
    assert short(reason) == "gpu: needs 1, 0 of 2 free"
    assert sentence(run.at(0), 2) == (
        "Job 3 waits for gpu in pool gpu: it needs 1, with 0 of 2 free and the rest in use by user"
        " ann (1), user bob (1)."
    )


def test_a_limit_and_who_has_what_it_lets_have() -> None:
    limit = Limit("user", {"processors": 6})
    run = ran(Machine((POOL,), limits=(limit,)), [0, 20, 10], processors=[4, 2, 4])

    assert short(run.at(0).reason(2)) == "limit of user ann: 4 of 6 processors"
    assert sentence(run.at(5), 2) == (
        "Job 3 waits for a limit: user ann may have 6 processors at a time, and it needs 4, with 4"
        " in use by job 1 (4)."
    )
    # what is free is free for bob, whom no limit holds
    assert run.at(0).reason(1).kind == "turn"


def test_limits_on_running_jobs_name_users() -> None:
    limit = Limit("account", {"jobs": 2}, within={"partition": "gpu"})
    run = ran(Machine((POOL,), limits=(limit,)), [0, 0, 10], processors=[1, 1, 1])

    assert sentence(run.at(0), 2) == (
        "Job 3 waits for a limit: account physics in partition gpu may have 2 running jobs at a"
        " time, and has 2: user ann (1), user bob (1)."
    )


def test_limits_on_submitted_jobs_let_the_first_in() -> None:
    limit = Limit("all", {"submitted": 2})
    run = ran(Machine((POOL,), limits=(limit,)), [0, 10, 20], processors=[8, 8, 8])

    before, after = run.at(0), run.at(10)

    assert before.reason(1).key == ("resource", "gpu", "processors")
    assert before.reason(2)[:6] == ("limit", "all jobs", "submitted", 1, 2, 2)
    assert after.reason(2).key == ("resource", "gpu", "processors")


@pytest.mark.parametrize(
    ("begin", "words"),
    [
        (15, "the job, which asks for 4 for 20 s, would run into it"),
        (0, "the job asks for 4 for 20 s"),
    ],
)
def test_a_window_bars_what_would_run_into_it(begin: float, words: str) -> None:
    window = Window("repairs", begin, 40, known=0, taken={"processors": 6})
    run = ran(Machine((POOL,), windows=(window,)), [40, 40, 50])

    assert short(run.at(0).reason(0)) == "window repairs"
    assert sentence(run.at(0), 0) == (
        f"Job 1 waits for window repairs: from {begin} s to 40 s it takes 6 processors, and"
        f" {words}."
    )


def test_a_window_leaves_alone_who_is_exempt_and_who_ends_before() -> None:
    repairs = Window("repairs", 20, 40, for_jobs_of={"user": "bob"})
    later = Window("later", 30, 40, known=10)
    run = ran(Machine((POOL,), windows=(repairs, later)), [40, 40, 50], requested_time=[25, 25, 20])

    kinds = [run.at(0).reason(job).kind for job in range(3)]

    assert kinds == ["window", "turn", "turn"]


def test_a_window_bars_a_job_of_no_time_as_it_begins() -> None:
    columns = {"run": [0, 0, 0], "requested_time": [-1, -1, -1]}
    machine = Machine((POOL,), windows=(Window("repairs", 10, 40),))
    run = ran(machine, [40, 40, 50], **columns)

    assert [run.at(time).reason(0).kind for time in (0, 10)] == ["turn", "window"]


def test_a_window_may_bar_a_job_only_from_a_later_pass_on() -> None:
    # at 0 the job would end before the window; at 10, when another comes, it would not
    machine = Machine((POOL,), windows=(Window("repairs", 20, 40),))
    run = ran(machine, [40, 40, 50], submit=[0, 0, 10], requested_time=[15, 15, 15])

    assert {key[0]: hours * 3600 for key, hours in run.hours(0).items()} == pytest.approx(
        {"turn": 10, "window": 30}
    )


def test_hours_by_cause_add_up_to_the_wait() -> None:
    limit = Limit("user", {"processors": 4})
    window = Window("repairs", 7210, 9000, known=7200)
    run = ran(
        Machine((POOL,), limits=(limit,), windows=(window,)),
        [0, 0, 9000],
        run=[3600, 7200, 10],
        processors=[4, 4, 4],
        **{"tres/gres/gpu": [0, 2, 1]},
    )

    hours = run.hours(2)

    assert hours == {
        ("limit", "user ann", "processors"): 1.0,
        ("resource", "gpu", "gpu"): 1.0,
        ("window", "repairs", "processors"): pytest.approx(1800 / 3600),
    }
    assert causes(hours) == {"room": 1.0, "limits": 1.0, "windows": 0.5}
    assert run.hours(0) == {}


def test_a_job_that_is_not_queued_has_no_reason() -> None:
    run = ran(Machine((POOL,)), [0, 0, 10])

    assert queued_job(run.at(0), "3") == 2
    with pytest.raises(InputError, match=r"job 3 is not queued at 12 s; it was submitted at 0 s"):
        queued_job(run.at(12), "3")


def test_hours_are_those_that_the_engine_counted() -> None:
    workload, machine = (
        crowd(60),
        Machine(
            (Pool("gpu", {"processors": 8, "gpu": 3}),),
            limits=(Limit("user", {"processors": 6}), Limit("account", {"submitted": 9})),
            windows=(Window("repairs", 4000, 5000, known=2000, taken={"processors": 5}),),
        ),
    )
    schedule = simulate(workload, "saf", machine=machine)
    assert schedule.held is not None
    run = StoredRun(workload, schedule.start, schedule.end, {"simulation": schedule.provenance})
    waiting = WaitingRun(run, machine)

    found = [causes(waiting.hours(job)) for job in range(len(workload))]

    for name, held in zip(("limits", "windows"), schedule.held, strict=True):
        assert np.count_nonzero(held) > 5
        assert [each[name] for each in found] == pytest.approx((held / 3600).tolist())


def crowd(count: int) -> Workload:
    """Jobs of four users in two accounts, more than a small machine has room for."""
    rng = np.random.default_rng(5)
    run = rng.integers(100, 900, count)
    return jobs(
        submit=np.sort(rng.integers(0, 5000, count)),
        run=run,
        requested_time=2 * run,
        processors=rng.integers(1, 6, count),
        user=rng.integers(1, 5, count),
        account=rng.integers(1, 3, count),
        partition=np.ones(count, np.int64),
        **{"tres/gres/gpu": rng.integers(0, 3, count)},
    )
