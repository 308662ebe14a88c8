"""Decayed usage against a sum over all jobs that ever ran."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.reference.usage import Stretch, Tree, factor, usage
from tests.scale import many
from utilitysched.kernels.machine.usage import UsageState, begin, compute, end, factors
from utilitysched.model.machine import ShareTable
from utilitysched.model.state import Floats

WEEK = 7 * 86400.0
TREE = Tree([-1, 0, 0, 1, 1, 2, 2, 3], [1, 3, 1, 1, 2, 1, 1, 5])
"""Accounts 1 and 2, account 3 below 1; users 4; 5 and 6; 7."""

USERS = (4, 5, 6, 7)


def shares_of(tree: Tree, entities: list[int], half_life: float, recalc: float = 0.0) -> ShareTable:
    """Return jobs of these entities on a machine that weighs nothing."""
    jobs = len(entities)
    return ShareTable(
        np.array(entities, np.int64),
        np.array(tree.parent, np.int64),
        np.array([tree.part(each) for each in range(len(tree.parent))]),
        np.zeros(jobs),
        np.zeros(jobs),
        np.zeros(6),
        np.array([WEEK, half_life, 0.0, recalc]),
    )


def factors_at(state: UsageState, shares: ShareTable, now: float) -> Floats:
    out = np.empty(len(shares.parent))
    factors(state, shares, now, out)
    return out


class Drawn(NamedTuple):
    """A job that runs at most once at a time."""

    entity: int
    amount: float
    start: int
    duration: int


DRAWN = st.builds(
    Drawn,
    st.sampled_from(USERS),
    st.sampled_from([1.0, 7.0, 64.0, 1 / 3, 1152 * 0.1]),
    st.integers(0, 10**6),
    st.integers(0, 10**6),
)


@given(st.lists(DRAWN, max_size=8), st.sampled_from([0.0, 3600.0, WEEK, 1e9]))
@settings(max_examples=many(60), derandomize=True, deadline=None)
def test_factors_are_those_of_a_sum_over_all_jobs(jobs: list[Drawn], half_life: float) -> None:
    """Any jobs of a tree of accounts, looked at after each change and in between."""
    shares = shares_of(TREE, [job.entity for job in jobs], half_life)
    state = UsageState.blank(len(TREE.parent))
    stretches = [Stretch(j.entity, j.amount, j.start, j.start + j.duration) for j in jobs]
    events = [(job.start, begin, number) for number, job in enumerate(jobs)]
    events += [(job.start + job.duration, end, number) for number, job in enumerate(jobs)]

    for time in sorted({time for time, _, _ in events}):
        for _, change, number in sorted(
            (event for event in events if event[0] == time), key=lambda event: event[1] is end
        ):
            change(state, shares, number, jobs[number].amount, float(time))
        so_far = [each for each in stretches if each.start <= time]
        known = [each if each.end <= time else each._replace(end=np.inf) for each in so_far]
        for now in (float(time), time + 1000.0):
            expected = [factor(TREE, known, each, now, half_life) for each in range(8)]
            assert factors_at(state, shares, now) == pytest.approx(expected, rel=1e-6, abs=1e-9)
    assert not state.rate.any()


def test_a_day_that_is_a_half_life_ago_counts_half() -> None:
    """By hand: a processor from day 0 to day 7, looked at on day 14, half-life 7 days."""
    tree = Tree([-1, 0, 0], [1, 1, 1])
    shares = shares_of(tree, [1, 2], WEEK)
    state = UsageState.blank(3)
    begin(state, shares, 0, 1.0, 0.0)
    end(state, shares, 0, 1.0, WEEK)
    begin(state, shares, 1, 1.0, WEEK)
    # the second user's week has not decayed, so that a third of all usage is the first's
    assert factors_at(state, shares, 2 * WEEK).tolist() == pytest.approx(
        [0.5, 2 ** (-(1 / 3) * 2), 2 ** (-(2 / 3) * 2)]
    )


def test_who_has_no_share_comes_last_and_who_has_used_nothing_first() -> None:
    tree = Tree([-1, 0, 0, 0], [1, 0, 1, 1])
    shares = shares_of(tree, [2], WEEK)
    state = UsageState.blank(4)
    assert factors_at(state, shares, 5.0).tolist() == [1.0, 0.0, 1.0, 1.0]
    begin(state, shares, 0, 4.0, 5.0)
    assert factors_at(state, shares, 9.0).tolist() == [0.5, 0.0, 0.25, 1.0]


def test_usage_does_not_drift_in_a_million_changes() -> None:
    rng = np.random.default_rng(5)
    jobs, half_life = 500_000, 3600.0
    times = np.sort(rng.uniform(0.0, 1e7, jobs))
    amounts = rng.uniform(0.0, 100.0, jobs)
    entities = rng.choice(USERS, jobs)
    shares = shares_of(TREE, entities.tolist(), half_life)
    state = UsageState.blank(8)
    for job in range(0, jobs, 25):  # a million changes take a second; every 25th shows as much
        begin(state, shares, job, amounts[job], times[job])
        end(state, shares, job, amounts[job], times[job] + 10.0)
    last = times[jobs - 25] + 10.0
    stretches = [
        Stretch(int(entities[job]), amounts[job], times[job], times[job] + 10.0)
        for job in range(0, jobs, 25)
    ]
    expected = [usage(TREE, stretches, each, last, half_life) for each in range(8)]
    assert state.at[0] == last
    assert state.usage == pytest.approx(expected, rel=1e-5)
    assert not state.rate.any()


def test_factors_are_those_of_multiples_of_a_period() -> None:
    """Whenever somebody looks: a job that begins at 10 s has run for 290 s at 300 s."""
    shares, always = (shares_of(TREE, [4, 5], WEEK, recalc) for recalc in (300.0, 0.0))
    state = UsageState.blank(8)
    compute(state, shares, 10.0)
    begin(state, shares, 0, 1.0, 10.0)
    begin(state, shares, 1, 4.0, 250.0)
    compute(state, shares, 299.0)
    assert state.computed[0] == 0.0
    assert state.factor.tolist() == [1.0] * 8
    expected = factors_at(state, always, 300.0)
    end(state, shares, 1, 4.0, 310.0)
    compute(state, shares, 599.0)
    assert state.computed[0] == 300.0
    assert state.factor.tolist() == pytest.approx(expected.tolist())


def test_forks_have_a_memory_of_their_own() -> None:
    shares = shares_of(TREE, [4], WEEK)
    state = UsageState.blank(8)
    begin(state, shares, 0, 2.0, 1.0)
    other = state.fork()
    compute(other, shares, 5.0)  # nothing but a cache
    assert other.memory(shares, 7.0) == state.memory(shares, 7.0)
    end(other, shares, 0, 2.0, 9.0)
    assert other.memory(shares, 9.0) != state.memory(shares, 9.0)
    assert state.rate[4] == 2.0
