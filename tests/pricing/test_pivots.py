"""Comparisons at the starts of a job, put together, and what is charged of losses."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pricing.pivots import Losses, Starts, run_shares
from swfx import Workload
from tests.reference.pivot import PlannedLoss, charges


def test_of_a_job_sums_over_its_starts_are_told_and_errors_added_by_their_squares() -> None:
    unknown = np.nan
    starts = Starts(
        job=np.array([0, 0, 0, 2, 2, 3]),
        at=np.arange(6.0),
        held=np.full(6, unknown),
        others=np.array([1, 2, 3, 4, 5, 0]),
        with_job=np.array([10.0, 20.0, unknown, 5.0, 6.0, unknown]),
        without_job=np.array([11.0, 22.0, unknown, 5.0, 7.0, unknown]),
        error=np.array([3.0, 4.0, unknown, 0.0, 2.0, unknown]),
    )

    others, with_job, without_job, error = starts.by_job(4)

    assert others.tolist() == [6, 0, 9, 0]
    np.testing.assert_array_equal(with_job, [30.0, unknown, 11.0, unknown])
    np.testing.assert_array_equal(without_job, [33.0, unknown, 12.0, unknown])
    np.testing.assert_array_equal(error, [5.0, unknown, 2.0, unknown])


JOBS = 5

rows = st.lists(
    st.builds(
        PlannedLoss,
        st.integers(0, 6).map(float),
        st.integers(0, JOBS - 1),
        st.integers(0, JOBS - 1),
        st.one_of(st.floats(-20, 30), st.integers(-5, 9).map(float)).filter(bool),
    ),
    max_size=25,
    unique_by=lambda row: row[:3],
)
amounts = st.lists(st.floats(0, 40), min_size=JOBS, max_size=JOBS)
flags = st.lists(st.booleans(), min_size=JOBS, max_size=JOBS)


def planned(losses: list[PlannedLoss], had: list[float]) -> Losses:
    time, cause, victim, loss = np.array(losses).reshape(-1, 4).T
    pair = cause.astype(np.int64), victim.astype(np.int64)
    return Losses.whole(*pair, loss, loss)._replace(time=time, had=np.array(had)[pair[1]])


@given(rows, amounts, flags, flags)
def test_charges_are_those_of_the_definition_and_take_no_more_than_victims_had(
    losses: list[PlannedLoss], had: list[float], pays: list[bool], brief: list[bool]
) -> None:
    settled = planned(losses, had).settled(np.flatnonzero(pays), np.flatnonzero(brief))

    charge = np.maximum(settled.by_cause(JOBS), 0.0)
    paying = [row for row in losses if pays[row.cause]]
    assert charge.tolist() == pytest.approx(charges(paying, had, brief), abs=1e-9)
    # whatever causes gain by others, no victim is charged for beyond what it had
    for job in range(JOBS):
        mine = settled.of(settled.victim == job)
        assert math.fsum(np.maximum(mine.loss, 0.0)) <= had[job] * (1 + 1e-12)
        assert mine.loss.any() <= (not brief[job])
    assert charge.sum() <= sum(had) + 1e-9
    # nothing is added, and settling again changes nothing
    assert (settled.loss <= np.maximum(settled.planned, 0.0)).all()
    again = settled.settled(np.flatnonzero(pays), np.flatnonzero(brief))
    assert again.loss.tolist() == settled.loss.tolist()


def test_sums_by_pair_have_one_row_for_cause_and_victim() -> None:
    losses = planned(
        [PlannedLoss(2.0, 1, 0, 4.0), PlannedLoss(1.0, 1, 0, 3.0), PlannedLoss(1.0, 0, 3, 5.0)],
        [9.0] * JOBS,
    )

    pairs = losses.by_pair()

    assert [column.tolist() for column in pairs[:4]] == [[0, 1], [3, 0], [5, 7], [5, 7]]
    assert pairs.time.tolist() == [1, 1]
    assert len(Losses.nothing().by_pair().cause) == 0


def test_shares_of_the_request_are_those_of_jobs_that_have_ended() -> None:
    jobs = Workload.from_columns(
        submit=[0] * 4,
        run=[5, 30, 0, 5],
        requested_time=[10, 20, -1, 10],
        processors=[1] * 4,
    )

    share = run_shares(jobs, np.array([5.0, 20.0, 0.0, np.nan]))

    np.testing.assert_array_equal(share, [0.5, 1.0, 1.0, np.nan])
