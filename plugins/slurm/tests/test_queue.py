"""A real queue from look to look, as schedulers see it."""

from __future__ import annotations

import numpy as np
import pytest

from plugins.slurm.tests.clusters import job, obeyed, worthless
from swfx import Header, UtilityFunction, UtilityTable, Workload
from swfx.accounting.annotations import Annotations
from tests.scale import many
from utilitysched import simulate
from utilitysched.model.state import QueueState
from utilitysched.schedulers.registry import make_scheduler
from utilitysched_slurm.queue import REMEMBERED, STAYS, LiveQueue, Look
from utilitysched_slurm.reading import ProcessorPool

EIGHT = ProcessorPool(8, 8)
_EIGHT_PROCESSORS = Header((" MaxProcs: 8",))


def queue(scheduler: str = "easy") -> LiveQueue:
    return LiveQueue(make_scheduler(scheduler), worthless)


def seen(look: Look) -> QueueState:
    assert look.state is not None
    return look.state


def test_schedulers_see_who_waits_and_who_runs_until_when() -> None:
    running = job(1, "RUNNING", start=10.0, processors=3)
    look = queue().look(30.0, [running, job(2), job(3, processors=4)], ProcessorPool(8, 5))

    state = seen(look)
    assert (state.now, state.free, look.size) == (30.0, 5, 8)
    assert state.queued.tolist() == [1, 2]
    assert (state.running.tolist(), state.expected_end.tolist()) == ([0], [70.0])
    assert state.known.size.tolist() == [3, 2, 4]
    assert state.known.submit.tolist() == [1.0, 2.0, 3.0]
    assert (look.began, look.over) == ((), ())


def test_processors_of_others_and_of_drained_nodes_are_away() -> None:
    state = seen(queue().look(30.0, [job(1, "RUNNING", start=9.0), job(2)], ProcessorPool(8, 1)))

    assert state.free == 1
    assert state.running.tolist() == [0, 2]
    assert state.expected_end.tolist() == [69.0, 30.0 + STAYS]
    assert state.known.size.tolist() == [2, 2, 5]


def test_one_that_should_have_ended_ends_at_the_next_instant() -> None:
    late = job(1, "RUNNING", start=9.0)
    ending = job(2, "RUNNING COMPLETING", start=99.0)

    ends = seen(queue().look(100.0, [late, ending, job(3)], ProcessorPool(8, 4))).expected_end

    assert ends.tolist() == [np.nextafter(100.0, np.inf)] * 2


def test_runs_end_once_and_schedulers_learn_of_them_at_their_next_pass() -> None:
    live = queue()
    live.look(30.0, [job(1, "RUNNING", start=10.0), job(2)], ProcessorPool(8, 6))
    over = job(1, "COMPLETED", start=10.0, end=35.0)
    ended = live.look(40.0, [over], EIGHT)
    state = seen(live.look(50.0, [over, job(3)], EIGHT))

    assert [(run.seen.key, run.state, run.end) for run in ended.over] == [("1", "COMPLETED", 35.0)]
    assert ended.state is None
    assert (state.finished.tolist(), state.finished_run.tolist()) == ([0], [25.0])
    assert state.queued.tolist() == [2]
    assert seen(live.look(60.0, [over, job(3)], EIGHT)).finished.tolist() == []


def test_who_came_and_went_between_two_looks_has_run() -> None:
    live = queue()
    live.look(30.0, [job(7, "COMPLETED", start=8.0, end=20.0), job(2)], EIGHT)
    gone = job(31, "TIMEOUT", start=31.0, end=39.0)
    never = job(32, "CANCELLED", start=35.0, end=35.0)

    look = live.look(40.0, [gone, never, job(2)], EIGHT)

    assert [run.seen.key for run in look.over] == ["31"]
    assert look.began == ("31",)


def test_who_ran_within_the_second_of_the_last_look_has_run() -> None:
    live = queue()
    live.look(30.6, [], EIGHT)

    ran = job(7, "FAILED", submit=30.0, start=30.0, end=30.0)
    assert [live.look(now, [ran], EIGHT).over for now in (32.6, 33.0)] != [(), ()]
    assert live.look(34.0, [ran], EIGHT).over == ()


def test_a_requeued_job_waits_since_its_first_submission() -> None:
    live = queue()
    live.look(30.0, [job(1, "RUNNING", start=10.0), job(2, processors=8)], ProcessorPool(8, 6))
    again = job(1, submit=33.0, eligible=38.0, restarts=1)

    look = live.look(40.0, [again, job(2, processors=8)], EIGHT)

    assert [(run.state, run.seen.start, run.end) for run in look.over] == [("REQUEUED", 10.0, 33.0)]
    assert seen(look).queued.tolist() == [0, 1]
    assert seen(look).known.submit.tolist() == [1.0, 2.0]
    assert seen(look).disrupted
    assert seen(look).finished.tolist() == []


def test_a_run_that_is_being_requeued_is_one_run() -> None:
    live = queue()
    live.look(30.0, [job(1, "RUNNING", start=10.0)], ProcessorPool(8, 6))
    # as 22.05 has it: the start is that of the requeue already, the submission not yet
    live.look(33.5, [job(1, "COMPLETING", start=33.0)], ProcessorPool(8, 6))

    look = live.look(40.0, [job(1, submit=33.0, restarts=1)], EIGHT)

    assert [(run.state, run.seen.start, run.end) for run in look.over] == [("REQUEUED", 10.0, 33.0)]


def test_a_restart_between_two_looks_is_two_runs() -> None:
    live = queue()
    live.look(30.0, [job(1, "RUNNING", start=10.0)], ProcessorPool(8, 6))
    again = job(1, "FAILED", submit=33.0, start=40.0, end=50.0, restarts=1)
    look = live.look(60.0, [again], EIGHT)

    states = [(run.state, run.seen.start, run.end) for run in look.over]
    assert states == [("REQUEUED", 10.0, 33.0), ("FAILED", 40.0, 50.0)]


def test_a_number_that_is_used_again_is_another_job() -> None:
    live = queue()
    live.look(30.0, [job(1, user="alice"), job(2)], EIGHT)
    state = seen(live.look(40.0, [job(1, submit=35.0, user="bob"), job(2)], EIGHT))

    assert state.queued.tolist() == [1, 2]
    assert state.known.submit.tolist() == [1.0, 2.0, 35.0]
    assert state.known.user.tolist() == [0, 0, 1]


def test_jobs_vanish_from_a_machine_that_has_another_size() -> None:
    live = queue()
    live.look(30.0, [job(number, processors=1) for number in range(1, 30)], EIGHT)

    assert live.look(40.0, [job(40, processors=9)], ProcessorPool(9, 9)).decision.starts.size == 1


def test_runs_that_vanish_are_counted() -> None:
    live = queue()
    live.look(30.0, [job(1, "RUNNING", start=10.0), job(2)], ProcessorPool(8, 6))

    assert live.look(9000.0, [], EIGHT).lost == 1


def test_what_a_plan_cannot_express_is_left_to_slurm() -> None:
    waits = [
        job(1, held=True),
        job(2, reason="Dependency"),
        job(3, reason="ReqNodeNotAvail, UnavailableNodes:n4"),
        job(4, parted=True),
        job(5, reason="Resources"),
    ]
    look = queue().look(30.0, waits, EIGHT)

    assert look.left == {"held": 1, "Dependency": 1, "ReqNodeNotAvail": 1, "heterogeneous": 1}
    assert [look.keys[place] for place in seen(look).queued] == ["5"]


def test_no_more_tasks_of_an_array_wait_than_may_run() -> None:
    tasks = [job(9, key=f"9_{task}", array=9, at_once=3) for task in range(2, 6)]
    runs = job(9, "RUNNING", key="9_1", array=9, at_once=3, start=20.0)

    look = queue().look(30.0, [*tasks, runs], ProcessorPool(8, 6))

    assert [look.keys[place] for place in seen(look).queued] == ["9_2", "9_3"]
    assert look.left == {"JobArrayTaskLimit": 2}


def test_what_is_taken_back_is_withdrawn_from_the_scheduler() -> None:
    live = queue("conservative")
    withdrawn: list[list[int]] = []
    live.scheduler.withdraw = lambda jobs, _: withdrawn.append(jobs.tolist())  # type: ignore[method-assign]
    live.look(30.0, [job(1), job(2), job(3)], EIGHT)
    live.look(40.0, [job(1), job(2, held=True)], EIGHT)

    assert withdrawn == [[1, 2]]


def test_only_who_may_be_requeued_may_be_preempted() -> None:
    jobs = [
        job(1, "RUNNING", start=10.0, rerunnable=False),
        job(2, "RUNNING", start=11.0, restarts=2),
        job(3),
    ]
    rules = seen(queue("priority-preempt").look(30.0, jobs, ProcessorPool(8, 4))).preemption

    assert rules is not None
    assert rules.interval.tolist() == [-1.0, np.inf, np.inf]
    assert rules.preemptions.tolist() == [0, 2, 0]
    assert rules.last_start[:2].tolist() == [10.0, 11.0]


def _drawn(seed: int) -> Workload:
    draw = np.random.default_rng(seed)
    run = draw.integers(1, 60, 25)
    curves = [UtilityFunction([0.0, float(draw.integers(1, 99))], [9.0, 0.0]) for _ in run]
    return Workload.from_columns(
        submit=np.sort(draw.integers(0, 120, 25)),
        run=run,
        processors=draw.integers(1, 8, 25),
        requested_time=run * draw.integers(1, 4, 25),
        user=draw.integers(0, 3, 25),
        utility=UtilityTable.from_functions(curves),
        header=_EIGHT_PROCESSORS,
    )


@pytest.mark.parametrize(
    "scheduler",
    ["fcfs", "easy", "conservative", "value-density", "priority-fifo", "ga:generations=4"],
)
def test_a_cluster_that_obeys_runs_what_the_simulator_runs(scheduler: str) -> None:
    for seed in range(many(2)):
        workload, decides = _drawn(seed), make_scheduler(scheduler)
        # being prepared anew means nothing to one that remembers nothing
        remembered = REMEMBERED if decides.remembers else 0

        started = obeyed(workload, decides, 8, remembered)

        assert started.tolist() == simulate(workload, scheduler).start.tolist()


@pytest.mark.parametrize(
    "scheduler", ["conservative", "value-density:duration=predicted", "ga:generations=4"]
)
def test_one_that_is_prepared_anew_again_and_again_keeps_to_the_machine(scheduler: str) -> None:
    workload = _drawn(7)
    starts = obeyed(workload, make_scheduler(scheduler), 8, remembered=0)
    ends = starts + workload.effective_run

    for now in starts:
        assert workload.size[(starts <= now) & (now < ends)].sum() <= 8
    assert (starts >= workload.submit).all()


def test_a_flood_of_one_user_stops_nobody_worth_more_and_leaves_nothing() -> None:
    worth = {
        user: Annotations(utility=UtilityFunction([0, 60_000], [value, value]))
        for user, value in (("mallory", 1.0), ("bob", 9.0))
    }
    live = LiveQueue(make_scheduler("value-density"), lambda job: worth[job.user], remembered=0)
    flood = [job(number, user="mallory") for number in range(1, 10_001)]

    look = live.look(20_000.0, [*flood, job(15_000, user="bob")], ProcessorPool(8, 2))
    live.look(20_030.0, [], EIGHT)
    after = live.look(20_060.0, [job(16_000, user="bob")], EIGHT)

    assert len(seen(look).queued) == 10_001
    assert [look.keys[place] for place in look.decision.starts] == ["15000"]
    assert after.keys == ["16000"]


def test_plans_are_made_anew_where_slurm_does_otherwise() -> None:
    live = queue("conservative")
    live.look(30.0, [job(1), job(2)], EIGHT)

    obeyed_by = [job(1, "RUNNING", start=30.0), job(2, "RUNNING", start=30.0), job(3)]
    assert not seen(live.look(31.0, obeyed_by, ProcessorPool(8, 4))).disrupted
    ignored = [*obeyed_by[:2], job(3)]
    assert seen(live.look(32.0, ignored, ProcessorPool(8, 4))).disrupted


@pytest.mark.parametrize("scheduler", ["easy", "conservative"])
def test_jobs_that_left_are_let_go_of(scheduler: str) -> None:
    live = LiveQueue(make_scheduler(scheduler), worthless, remembered=5)
    rows, over, began = [], [], []
    for now in range(10, 1010, 10):  # one arrives, runs for 30 s, is shown for 20 s, and is gone
        jobs = [
            job(at, state, submit=at, start=start, end=start + 30, user=f"user{at}")
            for at in range(max(10, now - 60), now + 10, 10)
            for state, start in [_where(now - at, at)]
        ]
        look = live.look(float(now), jobs, ProcessorPool(8, 2))
        state = seen(look)
        rows.append(len(look.keys))
        over += [run.seen.key for run in look.over]
        began += look.began
        assert (look.lost, look.size) == (0, 8)
        assert [look.keys[place] for place in state.queued] == [str(now)]
        assert [look.keys[run.place] for run in look.over] == [run.seen.key for run in look.over]
        assert len(set(state.known.user[: len(look.keys)].tolist())) == len(look.keys)

    assert max(rows) <= 2 * (7 + 5) + 1
    assert over == [str(at) for at in range(10, 970, 10)]
    assert began == [str(at) for at in range(10, 1000, 10)]


def _where(age: int, at: int) -> tuple[str, float]:
    """State and start of a job that waits for 10 s."""
    return ("PENDING" if age < 10 else "RUNNING" if age < 40 else "COMPLETED"), at + 10.0


def test_a_scheduler_that_is_prepared_anew_is_told_again_who_ended_last() -> None:
    live, full = LiveQueue(make_scheduler("easy"), worthless, remembered=2), ProcessorPool(8, 1)
    ended = [job(at, "COMPLETED", start=10.0 + at, end=20.0 + at) for at in range(9)]
    live.look(5.0, [job(99)], full)
    told = [seen(live.look(60.0, [*ended, job(99)], full)) for _ in range(2)]
    live.look(70.0, [job(99)], full)
    again = live.look(80.0, [job(99)], full)

    assert [len(state.finished) for state in told] == [9, 0]
    assert not told[1].disrupted
    assert [again.keys[place] for place in seen(again).finished] == ["7", "8"]
    assert seen(again).finished_end is not None
    assert seen(again).finished_end.tolist() == [27.0, 28.0]
    assert seen(again).disrupted
    assert not seen(live.look(90.0, [job(99)], full)).disrupted
