from __future__ import annotations

import numpy as np

from tests.pricing.stopped import pieces_of, random_run
from tests.scale import many
from tests.utilitysched.preempted import preempted_schedule, preempted_workload
from utilitysched import simulate
from utilitysched.engine.segments_log import waste_of


def test_a_stop_has_the_work_before_it_and_the_restart_after() -> None:
    waste = waste_of(preempted_schedule().segments)

    assert waste is not None
    columns = waste.job, waste.cause, waste.preempted, waste.time, waste.lost, waste.overhead
    assert [*zip(*columns, strict=True)] == [(0, 1, True, 50, 20, 8)]


def test_all_that_was_lost_belongs_to_a_stop() -> None:
    for seed in range(many(30)):
        jobs, schedule = random_run(seed)
        waste = waste_of(schedule.segments)
        pieces = pieces_of(jobs, schedule)

        assert waste is not None
        for job in range(len(jobs)):
            lost = sum(piece.lost + piece.overhead for piece in pieces if piece.job == job)
            assert waste.seconds[waste.job == job].sum() == lost


def test_where_nobody_can_be_stopped_there_is_none() -> None:
    plain = simulate(preempted_workload(), "easy", machine_size=4)
    able = simulate(preempted_workload(), "easy", machine_size=4, preemption="default")

    assert waste_of(plain.segments) is None
    waste = waste_of(able.segments)
    assert waste is not None
    assert len(waste) == 0
    assert np.array_equal(plain.end, able.end)
