from __future__ import annotations

import numpy as np

from swfx import Workload
from swfx.links import chosen, cut, renumbered


def chain() -> Workload:
    return Workload.from_columns(
        job_id=[7, 8, 9], submit=[0, 5, 9], preceding_job=[-1, 7, 8], think_time=[-1, 3, 4]
    )


def test_links_to_jobs_that_are_not_chosen_are_cut_and_counted() -> None:
    kept = chosen(chain(), np.array([True, False, True]))

    assert kept.workload.job_id.tolist() == [7, 9]
    assert kept.workload.preceding_job.tolist() == [-1, -1]
    assert kept.workload.think_time.tolist() == [-1, -1]
    assert kept.cut == 1


def test_a_link_that_led_nowhere_before_stays() -> None:
    log = chain().replace(preceding_job=[-1, 99, 8])

    assert chosen(log, slice(1, 3)).workload.preceding_job.tolist() == [99, 8]


def test_a_number_that_another_chosen_job_has_is_not_gone() -> None:
    log = chain().replace(job_id=[7, 7, 9], preceding_job=[-1, -1, 7])

    assert chosen(log, slice(1, 3)).workload.preceding_job.tolist() == [-1, 7]


def test_cut_leaves_a_workload_without_links_as_it_is() -> None:
    log = Workload.from_columns(submit=[0])

    assert cut(log, [1]).workload is log


def test_links_follow_new_numbers() -> None:
    again = renumbered(chain())

    assert again.workload.job_id.tolist() == [1, 2, 3]
    assert again.workload.preceding_job.tolist() == [-1, 1, 2]
    assert again.cut == 0


def test_links_stay_within_their_group() -> None:
    twice = chain()[np.array([0, 1, 0, 2])]

    again = renumbered(twice, np.array([0, 0, 1, 1]))

    assert again.workload.preceding_job.tolist() == [-1, 1, -1, -1]
    assert again.cut == 1


def test_parts_of_a_heterogeneous_job_stay_together() -> None:
    log = Workload.from_columns(job_id=[4, 7, 8, 9], part_of=[-1, 6, 6, 9])

    assert renumbered(log).workload.part_of.tolist() == [-1, 2, 2, 4]
    assert renumbered(log, np.array([0, 0, 1, 1])).workload.part_of.tolist() == [-1, 2, 3, 4]
