from __future__ import annotations

from contextlib import suppress

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from checkpoint.selection import Quota, select
from swfx import InputError

areas = st.lists(st.integers(1, 10**6).map(float), min_size=2, max_size=40)


def choose(area: list[float], count: int, share: float, tolerance: float = 1e-9) -> list[int]:
    taste = np.zeros(len(area))
    quota = Quota(count, share, sum(area), tolerance)
    return [int(job) for job in select(np.array(area), taste, quota)]


def test_the_only_choice_is_found() -> None:
    assert choose([1, 2, 4, 8, 16], count=3, share=(1 + 4 + 8) / 31) == [0, 2, 3]


@pytest.mark.parametrize(("share", "chosen"), [(3 / 31, [0, 1]), (24 / 31, [3, 4])])
def test_the_ends_of_the_range(share: float, chosen: list[int]) -> None:
    assert choose([1, 2, 4, 8, 16], count=2, share=share) == chosen


def test_everybody() -> None:
    assert choose([5, 5, 5], count=3, share=1) == [0, 1, 2]


def test_taste_decides_between_jobs_of_one_area() -> None:
    quota = Quota(count=2, share=0.5, total=4, tolerance=0)

    assert select(np.ones(4), np.array([0, 3, 1, 2.0]), quota).tolist() == [1, 3]


def test_a_share_out_of_reach_is_refused_with_the_range() -> None:
    with pytest.raises(InputError) as error:
        choose([1, 2, 4, 8, 16], count=2, share=0.9)

    assert str(error.value) == (
        "field node_hours: 2 jobs cannot have 0.9 of the node-hours: the smallest have 0.09677, "
        "the largest 0.7742; give a share in between, or another share of jobs"
    )


def test_a_share_between_what_can_be_had_is_refused_with_the_nearest() -> None:
    with pytest.raises(InputError) as error:
        choose([10, 10, 40, 40], count=2, share=0.4, tolerance=0.05)

    assert str(error.value) == (
        "field node_hours: the nearest choice found has 0.5; "
        "give this share, or a tolerance above 0.05"
    )


@given(areas, st.data())
def test_count_and_tolerance_hold_or_it_is_refused(area: list[float], data: st.DataObject) -> None:
    count = data.draw(st.integers(1, len(area)))
    share = data.draw(st.floats(0, 1))
    taste = np.array(data.draw(st.lists(st.floats(-5, 5), min_size=len(area), max_size=len(area))))
    with suppress(InputError):
        chosen = select(np.array(area), taste, Quota(count, share, sum(area), tolerance=0.02))

        assert len(set(chosen.tolist())) == count
        assert abs(np.array(area)[chosen].sum() / sum(area) - share) <= 0.02


def test_larger_and_smaller_jobs_are_drawn_alike_when_the_share_is_theirs() -> None:
    jobs = 20_000
    rng = np.random.default_rng(5)
    area = rng.lognormal(10, 2, jobs)
    taste = -np.log(rng.exponential(size=jobs))

    chosen = select(area, taste, Quota(jobs // 4, 0.25, area.sum(), tolerance=1e-4))

    share_of_the_large = np.mean(area[chosen] > np.median(area))
    assert share_of_the_large == pytest.approx(0.5, abs=0.02)
