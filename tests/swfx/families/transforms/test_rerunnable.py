from __future__ import annotations

import numpy as np
import pytest

from swfx import InputError, Workload
from swfx.families.generators import attach_utilities
from swfx.families.transforms import apply_all

JOBS = 2_000
LOG = Workload.from_columns(run=np.full(JOBS, 60), wait=np.zeros(JOBS), processors=np.ones(JOBS))


def marked(share: float, seed: int = 0) -> Workload:
    return apply_all(LOG, [f"rerunnable:share={share}"], seed).workload


def test_the_share_of_jobs_is_met_and_said() -> None:
    half = marked(0.5, seed=7)

    assert abs(half.rerunnable.sum() - JOBS / 2) < 4 * np.sqrt(JOBS / 4)
    assert half.header.get("Transformation") == "rerunnable:share=0.5; seed 7"
    assert set(half.extra["rerunnable"].tolist()) == {0, 1}


def test_a_job_of_a_smaller_share_is_in_a_larger_one() -> None:
    tenth, half = marked(0.1), marked(0.5)

    assert tenth.rerunnable.any()
    assert half.rerunnable[tenth.rerunnable].all()


@pytest.mark.parametrize(("share", "marks"), [(0, [0, 0]), (1, [1, 1])])
def test_none_and_all_need_no_seed(share: int, marks: list[int]) -> None:
    jobs = marked(share)[:2]

    assert jobs.extra["rerunnable"].tolist() == marks
    assert jobs.header.get("Transformation") == f"rerunnable:share={share}"


def test_utility_functions_are_drawn_as_without_it() -> None:
    before = attach_utilities(marked(0.5, seed=1), seed=1)

    assert before.utility == attach_utilities(LOG, seed=1).utility


def test_a_job_whose_user_said_nothing_may_not_be_killed() -> None:
    assert Workload.from_columns(run=[60, 60, 60], rerunnable=[1, 0, -1]).rerunnable.tolist() == [
        True,
        False,
        False,
    ]
    assert not LOG.rerunnable.any()


@pytest.mark.parametrize("share", ["-0.1", "1.1"])
def test_a_share_out_of_bounds_is_refused(share: str) -> None:
    with pytest.raises(InputError, match="share"):
        apply_all(LOG, [f"rerunnable:share={share}"])


def test_a_mark_that_is_neither_0_nor_1_is_refused() -> None:
    with pytest.raises(InputError, match="it must be 0 or 1, or -1 for none"):
        Workload.from_columns(run=[60], rerunnable=[2])
