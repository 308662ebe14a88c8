"""Losses as users may see them: by class, and never those of fewer than three rivals."""

from __future__ import annotations

import math
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pricing.disclosure import FEWEST, OTHERS, losses_by_class, rival, shown_classes
from pricing.evidence import Loss
from swfx import Workload

JOBS = st.lists(
    st.tuples(st.integers(-1, 6), st.integers(-1, 3), st.floats(-50, 50)), min_size=1, max_size=25
)
"""User, queue and loss of each job."""


@given(JOBS, st.integers(-1, 6))
def test_a_class_has_three_rivals_and_all_is_counted_once(
    jobs: list[tuple[int, int, float]], owner: int
) -> None:
    users, queues, lost = zip(*jobs, strict=True)
    count = len(jobs)
    workload = Workload.from_columns(
        submit=[0] * count, run=[1] * count, processors=[1] * count, user=users, queue=queues
    )
    own = [row for row in range(count) if users[row] == owner >= 0]

    classes = losses_by_class(workload, [Loss(row, lost[row], None) for row in range(count)], own)

    names = [each.name for each in classes]
    assert len(set(names)) == len(names)
    assert sum(each.jobs for each in classes) == count
    assert math.fsum(each.loss for each in classes) == pytest.approx(math.fsum(lost), abs=1e-9)
    mine = {f"job {workload.job_id[row]}" for row in own}
    assert {name for name in names if name.startswith("job ")} == mine
    rivals = {rival(users[row], row) for row in range(count) if row not in own}
    shown = [each for each in classes if each.name not in mine]
    for each in shown:
        if each.name == OTHERS:
            continue
        inside = {
            rival(users[row], row)
            for row in range(count)
            if row not in own and each.name.endswith(f" {queues[row]}")
        }
        assert len(inside) >= FEWEST or "unknown" in each.name
    if len(rivals) < FEWEST:
        assert [each.name for each in shown] == [OTHERS] * bool(rivals)


@given(st.dictionaries(st.text("abc", min_size=1, max_size=2), st.sets(st.integers(0, 9))))
def test_what_is_merged_has_three_rivals_unless_all_is(users: dict[str, set[int]]) -> None:
    rivals = {name: {rival(user, 0) for user in some} for name, some in users.items() if some}

    shown = shown_classes(rivals)

    merged = [name for name in rivals if shown[name] == OTHERS]
    together = {each for name in merged for each in rivals[name]}
    assert all(len(rivals[name]) >= FEWEST for name in rivals if name not in merged)
    assert not merged or len(together) >= FEWEST or len(merged) == len(rivals)


def test_two_users_who_lose_most_are_not_told_apart() -> None:
    jobs = Workload.from_columns(
        submit=[0] * 6,
        run=[1] * 6,
        processors=[1] * 6,
        user=[1, 2, 3, 4, 5, 5],
        queue=[1] * 5 + [2],
    )
    losses = enumerate([5.0, 4.0, 3.0, 2.0, 1.0, 7.0])
    lost = [Loss(row, loss, 60.0, Decimal(int(loss))) for row, loss in losses]

    assert losses_by_class(jobs, lost, [0]) == [("others", 5, 17.0, 17), ("job 1", 1, 5.0, 5)]
