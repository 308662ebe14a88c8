"""Priority preemption on schedules worked out by hand.

Random ones are in tests/test_differential_urgency.py.
"""

from __future__ import annotations

import pytest

from swfx import InputError, Workload
from utilitysched import Schedule, make_scheduler, simulate
from utilitysched.model.segments import Stop
from utilitysched.schedulers.priority_preemption import PriorityPreempt

LOW, NORMAL, EXPRESS, INTERACTIVE = 4, 3, 1, 0


def workload(*rows: tuple[float, float, int, int, float]) -> Workload:
    """Return jobs given as submit, run, processors, queue and checkpoint interval."""
    submit, run, size, queue, interval = zip(*rows, strict=True)
    return Workload.from_columns(
        submit=submit,
        run=run,
        requested_time=run,
        processors=size,
        queue=queue,
        checkpoint_interval=interval,
        restart_overhead=[5.0] * len(rows),
    )


def preempted(schedule: Schedule) -> list[int]:
    assert schedule.segments is not None
    jobs: list[int] = schedule.segments.job[schedule.segments.stop == Stop.PREEMPTED].tolist()
    return jobs


def test_an_urgent_job_starts_at_once_and_its_victim_goes_on_from_its_checkpoint() -> None:
    jobs = workload((0, 100, 4, NORMAL, 30), (50, 20, 2, EXPRESS, -1))

    schedule = simulate(jobs, "priority-preempt", machine_size=4)

    assert schedule.start.tolist() == [0, 50]
    assert schedule.end.tolist() == [70 + 5 + 70, 70]
    assert preempted(schedule) == [0]


def test_nobody_is_preempted_where_all_together_are_too_few() -> None:
    jobs = workload((0, 100, 2, NORMAL, 30), (0, 100, 2, NORMAL, -1), (50, 20, 3, EXPRESS, -1))

    schedule = simulate(jobs, "priority-preempt", machine_size=4)

    assert preempted(schedule) == []
    assert schedule.start.tolist() == [0, 0, 100]


def test_lower_classes_and_the_classes_of_the_option_do_not_preempt() -> None:
    jobs = workload((0, 100, 4, LOW, 30), (50, 20, 2, NORMAL, -1))

    assert preempted(simulate(jobs, "priority-preempt", machine_size=4)) == []
    assert preempted(simulate(jobs, "priority-preempt:urgent=3", machine_size=4)) == [0]


def test_who_was_preempted_once_is_not_preempted_again() -> None:
    jobs = workload((0, 100, 4, NORMAL, 10), (20, 10, 4, EXPRESS, -1), (50, 10, 4, INTERACTIVE, -1))

    assert preempted(simulate(jobs, "priority-preempt", machine_size=4)) == [0]
    assert preempted(simulate(jobs, "priority-preempt:preemptions=2", machine_size=4)) == [0, 0]


def test_behind_a_blocked_urgent_job_others_preempt_only_where_it_starts_no_later() -> None:
    """Job 2 needs the processors of job 0, which takes no checkpoints, until 100."""
    first = [(0, 100, 4, NORMAL, -1), (0, 200, 2, LOW, 10), (10, 50, 6, INTERACTIVE, -1)]
    short = workload(*first, (20, 80, 2, EXPRESS, -1))
    long = workload(*first, (20, 81, 2, EXPRESS, -1))

    fits, delays = (simulate(jobs, "priority-preempt", machine_size=6) for jobs in (short, long))

    assert (preempted(fits), fits.start[2:].tolist()) == ([1], [100, 20])
    assert (preempted(delays), delays.start[2:].tolist()) == ([1], [100, 150])


def test_a_preemptioned_job_waits_behind_urgent_ones() -> None:
    jobs = workload(
        (0, 100, 2, NORMAL, 10),
        (0, 100, 2, NORMAL, -1),
        (50, 50, 2, EXPRESS, -1),
        (60, 30, 4, INTERACTIVE, -1),
    )

    schedule = simulate(jobs, "priority-preempt", machine_size=4)

    assert schedule.start.tolist() == [0, 0, 50, 100]
    assert schedule.end.tolist() == [130 + 5 + 50, 100, 100, 130]


def test_options_reach_the_scheduler() -> None:
    made = make_scheduler("priority-preempt:minimum=10min,urgent=0,victim=latest,preemptions=3")

    assert made.options == {"urgent": 0, "victim": "latest", "preemptions": 3, "minimum": 600.0}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("urgent=-1", "priority-preempt: field urgent: -1 is below 0; give 0 or more"),
        ("preemptions=-2", "field preemptions: -2 is below 0; give 0 or more"),
        ("minimum=-5", "priority-preempt: field minimum: -5 is below 0; give 0 or more"),
        ("victim=least", "field victim: 'least' is not a choice; did you mean 'latest'"),
    ],
)
def test_unusable_options_are_refused(text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        make_scheduler(f"priority-preempt:{text}")


def test_a_second_one_decides_alike_and_there_is_nothing_to_remember() -> None:
    jobs = workload((0, 100, 4, NORMAL, 30), (50, 20, 2, EXPRESS, -1))
    scheduler = PriorityPreempt()
    once = simulate(jobs, scheduler, machine_size=4)

    again = simulate(jobs, scheduler.fork(), machine_size=4)

    assert again == once
    assert scheduler.memory_of(jobs.size) is None
