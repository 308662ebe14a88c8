from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from swfx import InputError, Workload
from swfx.base.columns import Floats, Ints
from swfx.families.generators import LublinModel
from swfx.families.users.registry import USER_MODELS
from swfx.families.users.zipf import SessionParts, Weights, alike, in_sessions
from tests.effort import lines_run

JOBS = LublinModel(machine_size=256).generate(5000, seed=1).workload


def users(text: str, workload: Workload = JOBS, seed: int = 1) -> Workload:
    return USER_MODELS.make(text).annotate(workload, seed).workload


def accuracy_of_prediction(user: Ints, run: Floats) -> float:
    """Mean of min(a/b, b/a) of run times and the mean of their users' last two."""
    latest: dict[int, list[float]] = {}
    ratios = []
    for owner, seconds in zip(user.tolist(), run.tolist(), strict=True):
        known = latest.get(owner, [])
        if known:
            predicted = sum(known) / len(known)
            ratios.append(min(predicted / seconds, seconds / predicted))
        latest[owner] = [*known[-1:], seconds]
    return float(np.mean(ratios))


def share_in_session(w: Workload, gap: float = 3600) -> float:
    """Share of jobs, first ones of users apart, submitted within `gap` of the user's last."""
    order = np.lexsort((w.submit, w.user))
    same = np.diff(w.user[order]) == 0
    return float(np.mean(np.diff(w.submit[order])[same] <= gap))


def test_nothing_but_user_and_group_changes() -> None:
    w = users("zipf")

    assert w.replace(user=JOBS.user, group=JOBS.group, header=JOBS.header) == JOBS
    assert w.header.get("UserModel") == "zipf; seed 1"


def test_activity_is_zipfs_law() -> None:
    jobs = np.bincount(users("zipf:users=20,exponent=1").user)[1:]

    expected = 5000 / np.arange(1, 21) / np.sum(1 / np.arange(1, 21))
    assert abs(jobs - expected).max() <= 1


def test_every_user_is_of_one_group_and_groups_are_of_equal_size() -> None:
    w = users("zipf:users=40,groups=8")

    pairs = np.unique(np.stack([w.user, w.group]), axis=1)
    assert pairs.shape == (2, 40)
    assert np.bincount(pairs[1])[1:].tolist() == [5] * 8


def test_predictions_by_user_beat_those_by_a_shuffle_of_the_users() -> None:
    w = users("zipf")

    shuffled = np.random.default_rng(1).permutation(w.user)
    # in six logs of the Parallel Workloads Archive 0.52 to 0.65, shuffled 0.23 to 0.28
    assert accuracy_of_prediction(w.user, w.run) == pytest.approx(0.54, abs=0.02)
    assert accuracy_of_prediction(shuffled, w.run) == pytest.approx(0.23, abs=0.02)


def test_jobs_come_in_sessions() -> None:
    with_sessions, without = users("zipf"), users("zipf:sessions=false")

    assert share_in_session(with_sessions) == pytest.approx(0.42, abs=0.02)
    assert share_in_session(without) == pytest.approx(0.28, abs=0.02)


def test_sessions_exchange_jobs_within_kinds_only() -> None:
    with_sessions, without = users("zipf:kinds=7"), users("zipf:kinds=7,sessions=false")

    line = np.lexsort((JOBS.submit, JOBS.run, np.rint(np.log2(JOBS.size))))
    for kind in range(7):
        part = line[np.arange(5000) * 7 // 5000 == kind]
        assert sorted(with_sessions.user[part]) == sorted(without.user[part])
    assert not np.array_equal(with_sessions.user, without.user)


def test_more_kinds_make_jobs_more_alike_and_sessions_fewer() -> None:
    few, many = users("zipf:kinds=10"), users("zipf:kinds=200")

    assert accuracy_of_prediction(few.user, few.run) < accuracy_of_prediction(many.user, many.run)
    assert share_in_session(few) > share_in_session(many)


def test_jobs_in_any_order_get_the_same_users() -> None:
    order = np.random.default_rng(1).permutation(5000)

    ordered, mixed = users("zipf:sessions=false"), users("zipf:sessions=false", JOBS[order])

    assert np.array_equal(ordered.user[order], mixed.user)


def test_the_seed_decides() -> None:
    assert users("zipf", seed=3) == users("zipf", seed=3)
    assert not np.array_equal(users("zipf", seed=3).user, users("zipf", seed=4).user)


def test_former_users_are_replaced_with_a_note() -> None:
    log = Workload.from_columns(submit=[0, 1, 2], run=[1, 2, 3], processors=[1, 1, 1], user=[7] * 3)
    log = log.replace(header=log.header.with_value("User", "7 alice"))

    workload, notes = USER_MODELS.make("zipf:users=2,groups=1").annotate(log, seed=1)

    assert np.bincount(workload.user)[1:].tolist() == [2, 1]
    assert workload.header.get("User") is None
    assert notes == (
        "2 users in 1 groups, the busiest with 66.7% of the jobs",
        "the users of the workload are replaced",
    )


def test_of_few_jobs_the_least_active_users_get_none() -> None:
    w = users("zipf:users=1000", JOBS[:50])

    assert np.unique(w.user).size < 50
    assert len(w) == 50


def test_no_jobs_no_users() -> None:
    assert users("zipf", JOBS[:0]).user.size == 0


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("users=0", "zipf: field users: 0 is out of bounds; give 1 to 1e+06"),
        ("users=4,groups=5", "zipf: field groups: 5 is out of bounds; give 1 to 4"),
        ("exponent=-1", "zipf: field exponent: -1 is out of bounds; give 0 to 10"),
        ("kinds=0", "zipf: field kinds: 0 is out of bounds; give 1 to 1e+06"),
        ("gap=-1h", "zipf: field gap: -3600 is out of bounds; give 0 to 1e+09"),
        ("sessions=no", "zipf: field sessions: 'no' is not a choice; give true or false"),
    ],
)
def test_options_out_of_bounds(text: str, message: str) -> None:
    with pytest.raises(InputError) as error:
        USER_MODELS.make(f"zipf:{text}")

    assert str(error.value) == message


def test_the_label_makes_the_same_model_again() -> None:
    model = USER_MODELS.make("zipf:users=30,groups=3,sessions=false,gap=20min,exponent=1.5")

    assert model.label == "zipf:users=30,exponent=1.5,groups=3,sessions=false,gap=1200"
    assert USER_MODELS.make(model.label) == model


def test_size_class_then_run_time_then_submit_time() -> None:
    log = Workload.from_columns(
        submit=[9, 8, 7, 6, 5, 4], run=[2, 2, 1, 3, 3, 1], processors=[3, 4, 2, 1, 1, 5]
    )

    assert alike(log).tolist() == [4, 3, 2, 5, 1, 0]


def test_a_size_belongs_to_the_nearest_power_of_two_in_proportion() -> None:
    # from 5.66 to 11.3 processors it is 8
    log = Workload.from_columns(submit=[0] * 4, run=[4, 3, 2, 1], processors=[5, 6, 11, 12])

    assert alike(log).tolist() == [0, 2, 1, 3]


def test_jobs_of_unknown_size_count_as_serial() -> None:
    log = Workload.from_columns(submit=[0, 0], run=[5, 6], processors=[2, -1])

    assert alike(log).tolist() == [1, 0]


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


@pytest.mark.parametrize("places", [1, 2, 3, 7, 8, 9])
def test_amounts_find_the_places_that_hold_them(places: int) -> None:
    weights = Weights(places)
    for place in range(places):
        weights.add(place, place % 3)
    line = [place for place in range(places) for _ in range(place % 3)]

    assert weights.total == len(line)
    assert [weights.find(i + 0.5) for i in range(len(line))] == line
    assert [weights.find(float(i)) for i in range(len(line))] == line
