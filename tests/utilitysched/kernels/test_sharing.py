"""The compiled loop of shared nodes beside its twin in exact fractions."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

import numpy as np
import pytest

from tests.reference.sharing import ORDERS, Cluster, CoJob
from tests.scale import enough, many
from utilitysched.kernels.sharing import (
    TICK,
    SharedNodes,
    SharingJobs,
    SharingPolicy,
    SharingState,
    Speeds,
    advance_sharing,
    on_ticks,
)

SPEEDS = (0.5, 0.75, 1.0, 1.25, 1.5)
APPLICATIONS = 3


def drawn(seed: int) -> tuple[SharedNodes, SharingPolicy, SharingJobs, Speeds]:
    """A small cluster, any policy, and up to twelve jobs."""
    draw = np.random.default_rng(seed)
    half = int(draw.integers(1, 4))
    reserves = bool(draw.random() < 0.1)
    contiguous = bool(draw.random() < 0.2) and not reserves
    nodes = SharedNodes(int(draw.integers(1, 7)), 2 * half, half, contiguous)
    count = int(draw.integers(1, 13))
    submit = np.sort(draw.integers(0, 20, count) / 2.0)
    work = draw.integers(0, 13, count) / 2.0
    request = work + draw.integers(0, 5, count) / 2.0
    exact = bool(draw.random() < 0.7)
    kills = bool(draw.random() < 0.3)
    jobs = SharingJobs(
        submit - submit[0],
        draw.integers(1, nodes.nodes * nodes.cores + 1, count),
        work,
        work if exact else request,
        request if kills else np.full(count, np.inf),
        draw.integers(0, APPLICATIONS, count),
    )
    policy = SharingPolicy(
        0 if reserves else int(draw.integers(0, len(ORDERS))),
        bool(draw.random() < 0.8) and not reserves,
        reserves,
        int(draw.choice([0, 2, 10**9])),
        int(draw.choice([3, 10**9])),
        int(draw.integers(0, 4)),
        exact,
    )
    beside = draw.choice(SPEEDS, (APPLICATIONS, APPLICATIONS))
    friends = (beside + beside.T) / 2 > 1.0
    return nodes, policy, jobs, Speeds(beside.max(axis=1), beside, friends)


def by_twin(
    nodes: SharedNodes, policy: SharingPolicy, jobs: SharingJobs, speeds: Speeds
) -> list[CoJob]:
    """What the twin makes of the same."""
    found = [
        CoJob(
            Fraction(submit),
            size,
            Fraction(work),
            Fraction(known),
            None if limit == np.inf else Fraction(limit),
            application,
        )
        for submit, size, work, known, limit, application in zip(
            *(column.tolist() for column in jobs), strict=True
        )
    ]
    cluster = Cluster(
        nodes.nodes,
        nodes.cores,
        nodes.half,
        [Fraction(speed) for speed in speeds.alone.tolist()],
        [[Fraction(speed) for speed in row] for row in speeds.beside.tolist()],
        order=ORDERS[policy.order],
        shares=policy.shares,
        reserves=policy.reserves,
        contiguous=nodes.contiguous,
        depth=policy.depth,
        window=policy.window,
        rank=policy.least_rank,
        ends_are_known=policy.learns_ends,
    )
    cluster.run(found)
    return found


def by_kernel(
    nodes: SharedNodes, policy: SharingPolicy, jobs: SharingJobs, speeds: Speeds, passes: int
) -> SharingState:
    """What the compiled loop makes of it, so many passes at a time."""
    state = SharingState.blank(len(jobs.submit), nodes.nodes, policy.reserves)
    while not advance_sharing(nodes, policy, jobs, speeds, state, passes):
        pass
    return state


def test_the_loop_is_its_twin() -> None:
    met: Counter[str] = Counter()
    for seed in range(many(500, 200)):
        case = drawn(seed)
        nodes, policy, _, _ = case

        twin = by_twin(*case)
        state = by_kernel(*case, passes=1 + seed % 7)

        assert state.start.tolist() == [float(job.start) for job in twin], (seed, case)
        assert state.end.tolist() == [float(job.end) for job in twin], (seed, case)
        assert (state.halves == -1).all()
        changed = any(job.speed != 1 and job.since > job.start for job in twin)
        killed = any(job.limit == job.end - job.start > job.work for job in twin)
        met.update(
            {
                ORDERS[policy.order]: policy.shares,
                "reserving": policy.reserves,
                "contiguous": nodes.contiguous,
                "speeds that change": changed,
                "killed": killed,
                "waiting": any(job.start > job.submit for job in twin),
                "compact and sharing": policy.shares and any(job.compact for job in twin),
            }
        )
    least = dict.fromkeys(ORDERS, 20) | {"reserving": 20, "contiguous": 40, "killed": 15}
    least |= {"speeds that change": 100, "waiting": 300, "compact and sharing": 60}
    assert {what: met[what] for what, few in least.items() if met[what] < enough(few)} == {}


def one_by_one(works: list[float], speed: float) -> tuple[SharingJobs, Speeds]:
    """Jobs of half a node each that come together; all pairs run at one speed."""
    count = len(works)
    work = on_ticks(np.array(works))
    jobs = SharingJobs(
        np.zeros(count),
        np.ones(count, np.int64),
        work,
        work,
        np.full(count, np.inf),
        np.zeros(count, np.int64),
    )
    return jobs, Speeds(np.ones(1), np.full((1, 1), speed), np.zeros((1, 1), np.bool_))


FIRST_COME = SharingPolicy(0, True, False, 10**9, 10**9, 3, True)


def test_a_neighbour_slows_until_it_ends() -> None:
    # side by side at 1/2 until 4 s, when the short one's 2 s of work are done; then 4 s at 1
    jobs, speeds = one_by_one([2.0, 6.0], 0.5)

    state = by_kernel(SharedNodes(1, 2, 1, False), FIRST_COME, jobs, speeds, 100)

    assert state.start.tolist() == [0.0, 0.0]
    assert state.end.tolist() == [4.0, 8.0]


@pytest.mark.parametrize("speed", [0.7, 0.9, 1.1, 1.3])
def test_jobs_that_end_together_do_so_in_one_pass(speed: float) -> None:
    # 0.1 + 0.2 is not 0.3 in floating point; two halves of a node free up for one compact job
    jobs, speeds = one_by_one([0.1, 0.3, 0.2], speed)

    state = by_kernel(SharedNodes(1, 2, 1, False), FIRST_COME, jobs, speeds, 100)

    assert state.end[1] == state.end[2]
    assert state.end[1] == pytest.approx(0.3 / speed, abs=TICK)
    assert state.counts[3] == 3
