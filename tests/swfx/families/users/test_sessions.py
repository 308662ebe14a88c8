from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from swfx.families.users.sessions import SessionParts, in_sessions
from tests.effort import lines_run

HOUR = 3600.0


def dealt(submit: list[float], kind: list[int], owner: list[int], seed: int = 0) -> list[int]:
    parts = SessionParts(np.array(submit, dtype=float), np.array(kind), np.array(owner))
    return in_sessions(parts, HOUR, np.random.default_rng(seed)).tolist()


def test_who_submitted_within_the_hour_submits_again() -> None:
    # two bursts of two jobs, dealt to the owners crosswise
    for seed in range(20):
        owners = dealt([0, 60, 90_000, 90_060], [0] * 4, [1, 2, 2, 1], seed)
        assert owners in ([1, 1, 2, 2], [2, 2, 1, 1])


def test_a_session_may_have_jobs_of_several_kinds() -> None:
    for seed in range(20):
        owners = dealt([0, 60, 90_000, 90_060], [0, 1, 0, 1], [1, 2, 2, 1], seed)
        assert owners in ([1, 1, 2, 2], [2, 2, 1, 1])


def test_nobody_in_session_then_by_jobs_left() -> None:
    first = [dealt([0, 1e5, 2e5, 3e5], [0] * 4, [1, 1, 1, 2], seed)[0] for seed in range(400)]

    assert abs(first.count(1) - 300) < 40


@given(
    st.lists(st.tuples(st.integers(0, 20_000), st.integers(0, 2), st.integers(0, 3)), max_size=30),
    st.integers(0, 9),
)
def test_owners_keep_their_jobs_of_each_kind(jobs: list[tuple[int, int, int]], seed: int) -> None:
    submit, kind, owner = map(list, zip(*sorted(jobs), strict=True)) if jobs else ([], [], [])

    owners = dealt(submit, kind or np.empty(0, int), owner or np.empty(0, int), seed)

    assert sorted(zip(kind, owners, strict=True)) == sorted(zip(kind, owner, strict=True))


@pytest.mark.slow
def test_many_owners_of_one_kind_take_no_longer() -> None:
    few, many = (lines_for(jobs) for jobs in (500, 4_000))

    # eight times the jobs: eight times as much, 64 times if each draw looked at every owner
    assert 8 * few < many < 16 * few


def lines_for(jobs: int) -> int:
    owner = np.arange(jobs)
    parts = SessionParts(np.arange(jobs) * 10.0, np.zeros(jobs, np.int64), owner)
    return lines_run(lambda: in_sessions(parts, 1e9, np.random.default_rng(1)))
