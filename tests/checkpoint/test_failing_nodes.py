"""Failing nodes: independent, at the rate that they promise, and what they refuse."""

from __future__ import annotations

import math
import shlex
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from checkpoint.failing_nodes import FailingNodes, as_mtbf
from swfx import InputError

DAY = 86_400.0
TEXT = "nodes=12,per=2,mtbf=20d,repair=4h"
NODES = FailingNodes.from_text(TEXT)


def test_every_outage_is_that_of_a_whole_node() -> None:
    outages = NODES.outages(0, 900 * DAY, seed=1)

    assert (NODES.machine_size, NODES.starts.tolist()) == (24, list(range(0, 24, 2)))
    for start, end, low, high, cause in outages.rows():
        assert (low, high, end - start) == (2 * int(cause[4:]), low + 2, 4 * 3600)
    assert len({row[4] for row in outages.rows()}) == 12


def test_the_same_seed_gives_the_same_bytes_and_another_others() -> None:
    first, again, other = (NODES.outages(0, 99 * DAY, seed) for seed in (1, 1, 2))

    assert first == again
    assert first.start.tobytes() == again.start.tobytes()
    assert first != other
    assert FailingNodes.from_text(f"{TEXT},seed=1").outages(0, 99 * DAY, 2) == first


@given(st.integers(1, 150), st.integers(0, 50))
def test_a_later_end_adds_outages_and_changes_none(days: int, seed: int) -> None:
    whole = NODES.outages(0, 300 * DAY, seed)

    assert NODES.outages(0, days * DAY, seed) == whole.before(days * DAY)


def test_another_node_leaves_the_failures_of_the_others_as_they_are() -> None:
    more = replace(NODES, nodes=18)

    for node in range(12):
        assert NODES.failures(node, 0, 500 * DAY, 7) == more.failures(node, 0, 500 * DAY, 7) != []


def test_failures_come_at_their_rate_from_the_first_day_on() -> None:
    """A stationary renewal process has t / cycle events on average, whatever t.

    Counted are the first 20 days of 1,000 nodes that fail every 10 days on average (repairs take
    1 s, rounding to seconds is negligible): 2,000 events, of a variance of 2,000. Four deviations
    are 179.
    """
    nodes = FailingNodes(nodes=1000, mtbf=10 * DAY, repair=1)

    assert abs(len(nodes.outages(0, 20 * DAY, 3)) - 2000) < 179


def test_times_between_failures_have_the_mean_and_spread_of_their_distribution() -> None:
    """5,000 gaps: the mean is within 4 deviations, 4 / sqrt(5,000) = 5.7%."""
    nodes = FailingNodes(nodes=2, mtbf=5 * DAY, repair=3600)
    first, second = (np.diff(nodes.failures(i, 0, 5000 * 5.1 * DAY, 5)) - 3600 for i in (0, 1))

    assert first.mean() == pytest.approx(5 * DAY, rel=0.057)
    assert first.std() / first.mean() == pytest.approx(1.0, rel=0.15)
    assert abs(np.corrcoef(first[:3000], second[:3000])[0, 1]) < 0.073  # 4 / sqrt(3,000)


def test_instants_are_whole_seconds_after_the_beginning_and_follow_repairs() -> None:
    instants = FailingNodes(nodes=1, mtbf=2, repair=5).failures(0, 0.5, 1000, 1)

    assert all((instant - 0.5).is_integer() and instant > 0.5 for instant in instants)
    assert np.diff(instants).min() == 6


def test_a_failure_at_the_end_is_not_before_it() -> None:
    node = FailingNodes(nodes=1, mtbf=1000, repair=10)
    first, second, *_ = node.failures(0, 0, 10_000)

    assert node.failures(0, 0, second) == [first]
    assert node.failures(0, 0, second + 1) == [first, second]


def test_what_never_fails_never_fails() -> None:
    nodes = FailingNodes.from_text("nodes=2,mtbf=never,repair=60")

    assert (len(nodes.outages(0, 1e12)), nodes.rate) == (0, 0)


def test_times_between_failures_may_be_in_years() -> None:
    assert as_mtbf("1.5y", "x", "mtbf") == 547.5 * DAY
    assert as_mtbf("90d", "x", "mtbf") == 90 * DAY
    with pytest.raises(InputError, match=r"field mtbf: unknown unit .* 'fivey'; known: .*, y"):
        as_mtbf("fivey", "x", "mtbf")


def test_a_text_needs_no_quotes_in_a_shell() -> None:
    assert shlex.quote(TEXT) == TEXT


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("nodes=4", "field mtbf: must be given; as in nodes=260,per=8,mtbf=5y,repair=4h"),
        ("mtbf=5y,repair=4h", "field nodes: must be given"),
        ("nodes=4,mtbf=5q,repair=4h", "field mtbf: unknown unit of time: 'q'"),
        ("nodes=4,mtbf=0.5,repair=4h", "field mtbf: 0.5 is below 1; give 1 or more"),
        ("nodes=4,mtbf=5y,repair=0", "field repair: 0 is below 1; give 1 or more"),
        ("nodes=4,mtbf=5y,repair=1.5", "field repair: 1.5 s are not whole seconds; give whole"),
        ("nodes=4,mtbf=5y,repair=4h,file=x", "field file: was removed; write nodes=N,per=P"),
        ("nodes=4,mtbf=5y,repair=4h,prefer=safe", "field prefer: was removed; leave it out"),
        ("nodes=4,mtbf=5y,repair=4h,rack=2:mtbf=5y", "field rack: was removed; write nodes=N"),
        ("nodes=4,mtbf=5y,shape=0.7,repair=4h", "field shape: was removed; leave it out: times"),
        ("nodes=4,mtbf=5y,reapir=4h", "field reapir: is not a known key; did you mean 'repair'?"),
        ("nodes=x,mtbf=5y,repair=4h", "field nodes: 'x' is not a whole number"),
        ("nodes=0,mtbf=5y,repair=4h", "field nodes: 0 is out of bounds; give 1 to 1e+06"),
        ("nodes=4,mtbf=5y,repair=4h,seed=-1", "field seed: -1 is below 0; give 0 or more"),
    ],
)
def test_refusals_say_what_to_write(text: str, message: str) -> None:
    with pytest.raises(InputError) as refused:
        FailingNodes.from_text(text)

    assert str(refused.value).startswith(f"failures: {message}")


@pytest.mark.parametrize("repair", [math.inf, math.nan])
def test_repairs_end(repair: float) -> None:
    with pytest.raises(InputError, match="field repair"):
        FailingNodes(nodes=1, mtbf=DAY, repair=repair)


def test_a_machine_of_another_size_is_refused() -> None:
    NODES.check(24)
    with pytest.raises(InputError) as refused:
        NODES.check(25)
    assert str(refused.value) == (
        "failures: these nodes have 24 processors, not 25; "
        "give as many nodes and processors per node as the machine has"
    )
