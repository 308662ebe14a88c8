"""Failure domains: a tree, each with a stream of its own."""

from __future__ import annotations

import math

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from checkpoint.domains import FailureDomains
from checkpoint.failure_text import failure_domains
from checkpoint.lifetime import Lifetime
from swfx import InputError

DAY = 86_400.0
MACHINE = "nodes=12,per=2,mtbf=20d,repair=4h,rack=6:mtbf=15d:repair=1d,power=3:mtbf=30d"


def test_a_domain_s_failure_hits_exactly_its_leaves() -> None:
    """With long lives and short repairs, nothing overlaps: every outage is a whole domain's."""
    domains = failure_domains("nodes=12,per=2,mtbf=300d,repair=1,rack=6:mtbf=100d,power=3:mtbf=99d")

    outages = domains.outages(0, 900 * DAY, seed=1)

    assert {cause.rstrip("0123456789") for *_, cause in outages.rows()} == {"node", "power", "rack"}
    for _, _, low, high, cause in outages.rows():
        leaves = nx.descendants(domains.tree, cause) | {cause}
        hit = {p for leaf in leaves for p in range(*domains.processors[leaf])}
        assert set(range(low, high)) == hit


def test_ranges_are_those_of_a_tree() -> None:
    domains = failure_domains(MACHINE)

    assert domains.machine_size == 24
    assert domains.processors["machine"] == (0, 24)
    assert domains.processors["rack1"] == (12, 24)
    assert domains.processors["power3"] == (18, 24)
    for whole, part in domains.tree.edges:
        low, high = domains.processors[part]
        assert domains.processors[whole][0] <= low < high <= domains.processors[whole][1]


@pytest.mark.parametrize("seed", range(5))
def test_no_processor_is_down_twice_at_once(seed: int) -> None:
    outages = failure_domains(MACHINE).outages(0, 200 * DAY, seed)

    assert len(outages) > 50
    for processor in range(24):
        mine = (outages.low <= processor) & (processor < outages.high)
        assert np.all(outages.end[mine][:-1] <= outages.start[mine][1:])


def test_the_same_seed_gives_the_same_bytes_and_another_others() -> None:
    first, again, other = (failure_domains(MACHINE).outages(0, 99 * DAY, s) for s in (1, 1, 2))

    assert first == again
    assert first.start.tobytes() == again.start.tobytes()
    assert first != other
    assert failure_domains(MACHINE + ",seed=1").outages(0, 99 * DAY, 2) == first


def test_another_domain_leaves_the_failures_of_the_others_as_they_are() -> None:
    few = failure_domains("nodes=12,mtbf=20d,repair=4h,rack=6:mtbf=15d")
    many = failure_domains("nodes=18,mtbf=20d,repair=4h,rack=6:mtbf=15d,power=2:mtbf=1d")

    for name in few.lifetimes:
        assert few.failures(name, 0, 500 * DAY, 7) == many.failures(name, 0, 500 * DAY, 7) != []


def test_domains_fail_independently() -> None:
    """Gaps between the failures of node0 and node1 are unrelated: 3,000 pairs, |r| < 4 / 55."""
    domains = failure_domains("nodes=2,mtbf=1d,repair=1")
    first, second = (np.diff(domains.failures(f"node{i}", 0, 3300 * DAY, 1)) for i in (0, 1))

    assert abs(np.corrcoef(first[:3000], second[:3000])[0, 1]) < 0.073


@given(st.integers(1, 150), st.integers(0, 50))
def test_a_later_end_adds_outages_and_changes_none(days: int, seed: int) -> None:
    domains = failure_domains(MACHINE)

    assert domains.outages(0, days * DAY, seed) == domains.outages(0, 300 * DAY, seed).before(
        days * DAY
    )


def test_rates_add_up_along_the_branch() -> None:
    rate = failure_domains(
        "nodes=4,per=2,mtbf=100,repair=1,rack=2:mtbf=50,machine=all:mtbf=20"
    ).rate

    assert rate == pytest.approx([1 / 100 + 1 / 50 + 1 / 20] * 8)


def test_the_rate_of_a_job_is_the_average_over_its_places() -> None:
    domains = failure_domains("nodes=4,per=2,mtbf=100,repair=1,rack=2:mtbf=50,machine=all:mtbf=20")

    for processors in range(1, 9):
        total = 0.0
        for first in (0, 2, 4, 6):
            job = {(first + i) % 8 for i in range(processors)}
            total += sum(
                life.rate
                for name, life in domains.lifetimes.items()
                if job & set(range(*domains.processors[name]))
            )
        assert domains.job_rate(processors) == pytest.approx(total / 4)


def test_processors_go_down_as_often_as_their_rate_says() -> None:
    """Four nodes in two racks, 10,000 days: 2,000 failures of nodes and 500 of racks.

    Racks take two nodes down: 3,000 on average, with a deviation of sqrt(2,000 + 500 x 4) = 63 or
    2.1%. Repairs and overlaps take away at most 4 h of every 13 days, 1.3%; 8% is above three
    deviations and that.
    """
    domains = failure_domains("nodes=4,mtbf=20d,repair=4h,rack=2:mtbf=40d")

    outages = domains.outages(0, 10_000 * DAY, seed=4)

    per_processor = ((outages.high - outages.low).sum() / 4) / 10_000
    assert per_processor == pytest.approx(domains.rate[0] * DAY, rel=0.08)


def test_wholes_that_overlap_or_join_are_no_trees() -> None:
    for edges in ([("a", "c"), ("b", "c")], [("a", "b"), ("c", "d")], [("a", "b"), ("b", "a")]):
        with pytest.raises(InputError, match="these failure domains are no tree; give every"):
            FailureDomains(nx.DiGraph(edges))
    with pytest.raises(InputError, match="no tree"):
        FailureDomains(nx.DiGraph())


def test_leaves_have_processors() -> None:
    tree: nx.DiGraph[str] = nx.DiGraph([("machine", "node")])
    tree.add_node("node", lifetime=Lifetime(math.inf, 1))

    with pytest.raises(InputError, match="node has neither parts nor processors; give it a whole"):
        FailureDomains(tree)


def test_a_machine_of_another_size_is_refused() -> None:
    domains = failure_domains(MACHINE)

    domains.check(24)
    with pytest.raises(InputError) as refused:
        domains.check(25)
    assert str(refused.value) == (
        "failures: these failure domains have 24 processors, not 25; "
        "give as many nodes and processors per node as the machine has"
    )
    with pytest.raises(InputError, match="24 processors, not 99"):
        domains.job_rate(99)
