"""Outages: the union of failures, per processor."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from checkpoint.failures import Outages

PROCESSORS = 6
CAUSES = ("a", "b", "c")

ranges = st.tuples(st.integers(0, PROCESSORS - 1), st.integers(1, PROCESSORS)).filter(
    lambda pair: pair[0] < pair[1]
)
failures = st.builds(
    lambda start, lasts, pair, cause: (float(start), float(start + lasts), *pair, cause),
    st.integers(0, 30),
    st.integers(1, 15),
    ranges,
    st.integers(0, 2),
)


def test_who_is_down_stays_down_until_the_last_repair() -> None:
    rack, node, again = (5.0, 20.0, 0, 4, 1), (0.0, 30.0, 1, 2, 0), (20.0, 25.0, 0, 1, 0)

    outages = Outages.union([rack, node, again], ("node", "rack"))

    assert outages.rows() == [
        (0.0, 30.0, 1, 2, "node"),
        (5.0, 20.0, 0, 1, "rack"),
        (5.0, 20.0, 2, 4, "rack"),
        (20.0, 25.0, 0, 1, "node"),
    ]
    assert outages.processor_seconds == 30 + 3 * 15 + 5
    assert outages.processors == 4
    assert outages.before(5).rows() == [(0.0, 30.0, 1, 2, "node")]


def test_without_failures_nothing_is_down() -> None:
    none = Outages.union([], CAUSES)

    assert (len(none), none.processors, none.processor_seconds, none.rows()) == (0, 0, 0, [])


def test_columns_cannot_be_written_and_equality_is_of_content() -> None:
    row = (0.0, 30.0, 1, 2, 0)

    assert Outages.union([row], CAUSES) == Outages.union([row], CAUSES)
    assert Outages.union([row], CAUSES) != Outages.union([row], ("x", "b", "c"))
    assert not Outages.union([row], CAUSES).end.flags.writeable


@given(st.lists(failures, max_size=12))
def test_every_processor_is_down_when_any_of_its_failures_lasts(
    failed: list[tuple[float, float, int, int, int]],
) -> None:
    outages = Outages.union(failed, CAUSES)

    times_down = np.zeros((PROCESSORS, 50), np.int64)
    for start, end, low, high, _ in outages.rows():
        times_down[low:high, int(start) : int(end)] += 1
    expected = np.zeros_like(times_down)
    for start, end, low, high, _ in failed:
        expected[low:high, int(start) : int(end)] = 1
    assert times_down.tolist() == expected.tolist()
    assert np.all(np.diff(outages.start) >= 0)


@given(st.lists(failures, max_size=12))
def test_each_outage_begins_with_a_failure_of_its_cause(
    failed: list[tuple[float, float, int, int, int]],
) -> None:
    begun = {(start, CAUSES[cause], p) for start, _, a, b, cause in failed for p in range(a, b)}

    for start, _, low, high, cause in Outages.union(failed, CAUSES).rows():
        assert {(start, cause, p) for p in range(low, high)} <= begun
