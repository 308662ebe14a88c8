"""What is remembered of the plan last decided on."""

from __future__ import annotations

import numpy as np

from utilitysched.schedulers.genetic.genome_map import Memory

MEMORY = Memory(
    order=np.array([9, 4, 7]), job=np.array([4, 7, 9]), start=np.array([60.0, 90.0, 30.0])
)


def test_jobs_of_the_plan_that_still_wait_keep_its_order() -> None:
    assert MEMORY.remembered(np.array([4, 8, 9, 12])).tolist() == [2, 0]


def test_jobs_of_the_plan_have_a_reservation_the_others_none() -> None:
    assert MEMORY.reserved(np.array([4, 8, 9, 12])).tolist() == [60.0, np.inf, 30.0, np.inf]


def test_at_first_there_is_no_plan() -> None:
    queued = np.array([0, 3])

    assert Memory().remembered(queued).tolist() == []
    assert Memory().reserved(queued).tolist() == [np.inf, np.inf]
