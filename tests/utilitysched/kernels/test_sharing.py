"""The compiled loop of shared nodes beside its twin in exact fractions."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from typing import NamedTuple

import numpy as np
import pytest

from checkpoint.failures import Outages
from swfx import UtilityFunction
from tests.reference.sharing import ORDERS, Cluster, CoJob, History, Outage
from tests.scale import enough, many
from utilitysched.engine.conditions import Failures
from utilitysched.engine.outages import Downtime
from utilitysched.kernels.sharing.beliefs import Beliefs, observe
from utilitysched.kernels.sharing.loop import advance_sharing
from utilitysched.kernels.sharing.orders import scores
from utilitysched.kernels.sharing.state import SharedRun, SharingState
from utilitysched.kernels.sharing.terms import (
    EASY,
    FILLER,
    NO_CURVES,
    SHADOW,
    SHORT_FILLER,
    TICK,
    TOGETHER,
    UNRESERVED,
    VALUE,
    SharedNodes,
    SharingJobs,
    SharingPolicy,
    Speeds,
    on_ticks,
)
from utilitysched.model.segments import Segments, Stop
from utilitysched.model.state import JobTable
from utilitysched.schedulers.coscheduling.play import SharedPlay

SPEEDS = (0.5, 0.75, 1.0, 1.25, 1.5)
APPLICATIONS = 3


class Case(NamedTuple):
    """What a run needs; the scheduler knows the speeds, or begins with a table, NaN for unknown."""

    nodes: SharedNodes
    policy: SharingPolicy
    jobs: SharingJobs
    speeds: Speeds
    table: Speeds | None = None
    trust: float = 1.0
    before: tuple[tuple[int, int, float], ...] = ()
    """Speeds that it has seen earlier, of an application beside another."""
    outages: tuple[Outage, ...] = ()

    def beliefs(self) -> Beliefs:
        """What the scheduler takes the speeds to be at first."""
        if self.table is None:
            return Beliefs.from_table(self.speeds, np.inf, self.policy)
        beliefs = Beliefs.from_table(self.table, self.trust, self.policy)
        for observation in self.before:
            observe(self.policy, beliefs, *observation)
        return beliefs

    def history(self) -> History | None:
        """The same for the twin."""
        if self.table is None:
            return None
        known = {
            (one, other): (speed, self.trust)
            for one, row in enumerate(self.table.columns().tolist())
            for other, speed in enumerate(row)
            if self.trust and not np.isnan(speed)
        }
        history = History(APPLICATIONS, self.policy.optimism, known)
        for observation in self.before:
            history.learn(*observation)
        return history


def drawn(seed: int) -> Case:
    """A small cluster, any policy, and up to 16 jobs."""
    draw = np.random.default_rng(seed)
    half = int(draw.integers(1, 4))
    reserves = bool(draw.random() < 0.15)
    contiguous = bool(draw.random() < 0.2) and not reserves
    parts = int(draw.choice([2, 2, 2, 3, 4]))
    cores = parts * half + int(draw.integers(0, 2))
    nodes = SharedNodes(int(draw.integers(1, 7)), cores, half, contiguous, parts)
    most, count = nodes.nodes * nodes.cores, int(draw.integers(1, 17))
    if draw.random() < 0.5:
        most = min(most, 3 * half)
    submit = np.sort(draw.integers(0, draw.choice([6, 20]), count) / 2.0)
    # the twin puts a reservation of no length behind others of its instant, the loop does not
    work = draw.integers(int(reserves), 13, count) / 2.0
    request = work + draw.integers(0, 5, count) / 2.0
    exact = bool(draw.random() < 0.7)
    kills = bool(draw.random() < 0.3)
    jobs = SharingJobs(
        submit - submit[0],
        draw.integers(1, most + 1, count),
        work,
        work if exact else request,
        request if kills else np.full(count, np.inf),
        draw.integers(0, APPLICATIONS, count),
        draw.choice([0.8, 1.0, 1.25], count),
    )
    backfilling = int(draw.choice([EASY] * 5 + [SHADOW] * 4 + [UNRESERVED] * 2))
    conservative = reserves or backfilling == UNRESERVED
    order = 0 if conservative else min(int(draw.integers(0, len(ORDERS) + 1)), VALUE)
    nodes = nodes._replace(contiguous=contiguous and order != VALUE)
    policy = SharingPolicy(
        order,
        (bool(draw.random() < 0.8) or order == VALUE) and not conservative,
        reserves,
        backfilling,
        int(draw.choice([0, 2, 10**9])),
        int(draw.choice([3, 10**9])),
        int(draw.integers(0, 4)),
        exact,
        1.0,
        float(draw.choice([0.0, 0.1])),
        bool(draw.random() < 0.4) and not contiguous and order != VALUE,
        float(draw.choice([1.0, 4.0])),
    )
    beside = draw.choice(SPEEDS, (APPLICATIONS, APPLICATIONS))
    speeds = Speeds(beside.max(axis=1), beside)
    curves = valued(draw, jobs) if order == VALUE else NO_CURVES
    case = Case(nodes, policy, jobs._replace(table=curves), speeds)
    if draw.random() < 0.5:
        # what the scheduler begins with, or believes for ever: others than the true speeds
        trust = float(draw.choice([0.0, 0.5, 2.0, np.inf]))
        drawn_from = SPEEDS if trust == np.inf else (*SPEEDS, np.nan)
        wrong = draw.choice(drawn_from, (APPLICATIONS, APPLICATIONS))
        table = Speeds(draw.choice(drawn_from, APPLICATIONS), wrong)
        pairs = draw.integers(0, APPLICATIONS, (int(draw.integers(10, 40)), 2)).tolist()
        before = tuple((one, other, float(beside[one, other])) for one, other in pairs)
        case = case._replace(table=table, trust=trust, before=before)
    if draw.random() < 0.6:
        return case
    # each of some cores fails now and then
    outages = []
    for core in draw.choice(nodes.nodes * nodes.cores, min(3, nodes.nodes), replace=False).tolist():
        changes = np.cumsum(draw.integers(1, 24, 8)) / 2
        pairs = zip(changes[::2].tolist(), changes[1::2].tolist(), strict=True)
        outages += [Outage(Fraction(start), Fraction(end), core) for start, end in pairs]
    return case._replace(outages=tuple(sorted(outages)))


def valued(draw: np.random.Generator, jobs: SharingJobs) -> JobTable:
    """The jobs, most of them with falling curves of two to four points."""
    points = draw.choice([0, 2, 3, 4], len(jobs.submit))
    curves = [
        (
            np.concatenate(([0], 1 + np.sort(draw.choice(39, count - 1, replace=False)))),
            np.sort(draw.integers(0, 30, count))[::-1],
        )
        for count in points[points > 0]
    ]
    nothing = (np.empty(0), np.empty(0))
    times, values = (
        np.concatenate(rows, dtype=float) for rows in zip(nothing, *curves, strict=True)
    )
    offsets = np.concatenate(([0], np.cumsum(points)))
    return NO_CURVES._replace(offsets=offsets, times=times, values=values)


def curves_of(table: JobTable) -> list[UtilityFunction | None]:
    """The curve of each job."""
    bounds = zip(table.offsets[:-1].tolist(), table.offsets[1:].tolist(), strict=True)
    return [
        UtilityFunction(table.times[first:last], table.values[first:last]) if last > first else None
        for first, last in bounds
    ]


def by_twin(case: Case) -> tuple[list[CoJob], Cluster]:
    """What the twin makes of the same."""
    nodes, policy, jobs, speeds, *_ = case
    found = [
        CoJob(
            Fraction(submit),
            size,
            Fraction(work),
            Fraction(known),
            None if limit == np.inf else Fraction(limit),
            application,
            noise,
        )
        for submit, size, work, known, limit, application, noise in zip(
            *(column.tolist() for column in jobs[:-1]), strict=True
        )
    ]
    cluster = Cluster(
        nodes.nodes,
        nodes.cores,
        nodes.part_cores,
        [Fraction(speed) for speed in speeds.alone.tolist()],
        [[Fraction(speed) for speed in row] for row in speeds.beside.tolist()],
        order=ORDERS[policy.order],
        shares=policy.shares,
        reserves=policy.reserves,
        backfilling=("easy", "shadow", "unreserved")[policy.backfilling],
        contiguous=nodes.contiguous,
        parts=nodes.parts,
        depth=policy.depth,
        window=policy.window,
        rank=policy.least_rank,
        ends_are_known=policy.learns_ends,
        ranks_nodes=policy.ranks_nodes,
        history=case.history(),
        outages=list(case.outages),
        tau=policy.tau,
        curves=curves_of(jobs.table),
    )
    cluster.run(found)
    return found, cluster


def with_outages(case: Case) -> tuple[SharingState, Segments]:
    """What the compiled loop makes of a case, failures included."""
    nodes, policy, jobs, speeds, *_ = case
    state = SharingState.blank(nodes, policy, jobs, case.beliefs())
    rows = [(float(start), float(end), core, core + 1, core) for start, end, core in case.outages]
    cores = nodes.nodes * nodes.cores
    outages = Outages.union(rows, tuple(f"core{core}" for core in range(cores)))
    downtime = Downtime(Failures(outages), cores, jobs.submit.tolist())
    run = SharedRun(nodes, policy, jobs, speeds, state)
    play = SharedPlay(run, np.array([nodes.cores]), 0.0, downtime)
    play.finish(lambda _: None, str)
    segments = play.segments(np.arange(len(jobs.submit)))
    assert segments is not None
    return state, segments


def by_kernel(case: Case, passes: int, beliefs: Beliefs | None = None) -> SharingState:
    """What the compiled loop makes of it, so many passes at a time."""
    nodes, policy, jobs, speeds, *_ = case
    state = SharingState.blank(nodes, policy, jobs, beliefs or case.beliefs())
    while not advance_sharing(nodes, policy, jobs, speeds, state, passes):
        pass
    return state


def test_the_loop_is_its_twin() -> None:
    met: Counter[str] = Counter()
    for seed in range(many(600, 250)):
        case = drawn(seed)
        policy = case.policy

        twin, cluster = by_twin(case)
        if case.outages:
            state, segments = with_outages(case)
            failed = segments.stop == Stop.FAILED
            columns = (column[failed].tolist() for column in (segments.start, segments.job))
            assert [*zip(*columns, strict=True)] == sorted((s, i) for i, s, _ in cluster.lost), seed
            assert segments.lost[failed].sum() == sum(end - start for _, start, end in cluster.lost)
        else:
            state = by_kernel(case, passes=1 + seed % 7)

        assert state.start.tolist() == [float(job.start) for job in twin], (seed, case)
        assert state.end.tolist() == [float(job.end) for job in twin], (seed, case)
        assert (state.holders == -1).all()
        if cluster.history:
            believed, known = state.beliefs, cluster.history.known
            pairs = {pair: known.get(pair, (0.0, 0.0)) for pair in np.ndindex(believed.mean.shape)}
            counts = (believed.trust + believed.seen).ravel().tolist()
            assert counts == [count for _, count in pairs.values()], seed
            means = [mean for mean, _ in pairs.values()]
            assert believed.mean.ravel().tolist() == pytest.approx(means), seed
        changed = any(job.speed != 1 and job.since > job.start for job in twin)
        killed = any(job.limit == job.end - job.start > job.work for job in twin)
        met.update(
            {
                ORDERS[policy.order]: policy.shares,
                "reserving": policy.reserves,
                "shadow": policy.backfilling == SHADOW and policy.depth > 0,
                "unreserved": policy.backfilling == UNRESERVED and policy.depth > 0,
                "contiguous": case.nodes.contiguous,
                "stopped": bool(cluster.lost),
                "stopped beside others": policy.shares and len(cluster.lost) > 3,
                "more than two": case.nodes.parts > 2 and policy.shares,
                "ranked nodes": policy.ranks_nodes and policy.shares,
                "learned": case.table is not None and any(job.beside is not None for job in twin),
                "learned from a table": case.table is not None and case.trust > 0,
                "learned beside several": any(job.due for job in twin),
                "speeds that change": changed,
                "killed": killed,
                "waiting": any(job.start > job.submit for job in twin),
                "compact and sharing": policy.shares and any(job.compact for job in twin),
            }
        )
    least = dict.fromkeys(ORDERS, 20) | {"reserving": 20, "contiguous": 40, "killed": 10}
    least |= {
        "shadow": 100,
        "unreserved": 25,
        "ranked nodes": 60,
        "more than two": 100,
        "stopped": 60,
        "stopped beside others": 20,
        "learned": 60,
        "learned from a table": 60,
        "learned beside several": 5,
        "speeds that change": 75,
        "waiting": 300,
        "compact and sharing": 60,
    }
    assert {what: met[what] for what, few in least.items() if met[what] < enough(few)} == {}


def one_by_one(works: list[float], speed: float) -> Case:
    """Jobs of half a node each on one that come together; all pairs run at one speed."""
    count = len(works)
    work = on_ticks(np.array(works))
    jobs = SharingJobs(
        np.zeros(count),
        np.ones(count, np.int64),
        work,
        work,
        np.full(count, np.inf),
        np.zeros(count, np.int64),
        np.ones(count),
    )
    speeds = Speeds(np.ones(1), np.full((1, 1), speed))
    return Case(SharedNodes(1, 2, 1, False), FIRST_COME, jobs, speeds)


FIRST_COME = SharingPolicy(0, True, False, EASY, 10**9, 10**9, 3, True, 1.0, 0.1, False)


def test_a_neighbour_slows_until_it_ends() -> None:
    # side by side at 1/2 until 4 s, when the short one's 2 s of work are done; then 4 s at 1
    state = by_kernel(one_by_one([2.0, 6.0], 0.5), 100)

    assert state.start.tolist() == [0.0, 0.0]
    assert state.end.tolist() == [4.0, 8.0]


@pytest.mark.parametrize("speed", [0.7, 0.9, 1.1, 1.3])
def test_jobs_that_end_together_do_so_in_one_pass(speed: float) -> None:
    # 0.1 + 0.2 is not 0.3 in floating point; two halves of a node free up for one compact job
    state = by_kernel(one_by_one([0.1, 0.3, 0.2], speed), 100)

    assert state.end[1] == state.end[2]
    assert state.end[1] == pytest.approx(0.3 / speed, abs=TICK)
    assert state.counts[3] == 3


@pytest.mark.parametrize(("later", "ends"), [(TOGETHER, [4.0, 4.0]), (TOGETHER + TICK, None)])
def test_ends_up_to_the_tolerance_apart_are_one_instant(
    later: float, ends: list[float] | None
) -> None:
    state = by_kernel(one_by_one([4.0, 4.0 + later], 1.0), 100)

    assert state.end.tolist() == (ends or [4.0, 4.0 + later])
    assert state.counts[3] == (2 if ends else 3)


def queued(nodes: int, *sizes_and_works: tuple[int, float]) -> list[float]:
    """Starts of jobs that come together, on nodes of two halves, at one speed whoever is beside."""
    sizes, works = (list(column) for column in zip(*sizes_and_works, strict=True))
    jobs = one_by_one(works, 1.0).jobs._replace(size=np.array(sizes))
    case = one_by_one(works, 1.0)._replace(nodes=SharedNodes(nodes, 2, 1, False), jobs=jobs)
    starts: list[float] = by_kernel(case, 100).start.tolist()
    return starts


@pytest.mark.parametrize(("work", "start"), [(10.0, 10.0), (10.0 + TICK, 22.0)])
def test_a_compact_head_starts_when_both_halves_are_free(work: float, start: float) -> None:
    # the head has both halves of the one node from 20 on; what fills the first must end by then
    assert queued(1, (1, 10.0), (1, 20.0), (2, 2.0), (1, work)) == [0.0, 0.0, 20.0, start]


@pytest.mark.parametrize(("work", "start"), [(10.0, 10.0), (10.0 + TICK, 22.0)])
def test_a_head_that_shares_starts_when_one_half_of_each_node_is_free(
    work: float, start: float
) -> None:
    # halves of the first node are free from 10 and 30 on, of the second from 20 and 40 on
    running = [(1, 10.0), (1, 20.0), (1, 30.0), (1, 40.0)]

    assert queued(2, *running, (2, 2.0), (1, work))[4:] == [20.0, start]


def fillers(order: int, sizes: list[int], free: int) -> list[float]:
    """Scores of queued jobs, all of which run for the same time."""
    jobs = one_by_one([1.0] * len(sizes), 1.0).jobs._replace(size=np.array(sizes))
    queue, ranks = np.arange(len(sizes)), np.zeros(1, np.int64)
    policy = FIRST_COME._replace(order=order)
    found: list[float] = scores(policy, jobs, queue, free, ranks, queue).tolist()
    return found


def test_equal_fractions_are_ties() -> None:
    # gap / age is 7/11 for all of the first, gap + second place is 6/5 for all of the second;
    # quotients that are rounded differ
    assert (1 / 11) / (1 / 7) != (3 / 11) / (3 / 7)
    assert 2 / 10 + (1 - 0 / 5) != 4 / 10 + (1 - 1 / 5)

    assert len(set(fillers(FILLER, list(range(1, 8)), 11))) == 1
    assert len(set(fillers(SHORT_FILLER, [2, 4, 6, 8, 10], 10))) == 1


def test_value_filler_takes_the_nodes_where_both_do_best() -> None:
    # the first two keep apart; beside the first the third is faster, but beside the second both are
    beside = np.array([[1.0, 0.5, 0.5], [0.5, 1.0, 1.25], [1.5, 1.25, 1.0]])
    case = one_by_one([8.0, 8.0, 4.0], 1.0)
    jobs = case.jobs._replace(
        submit=np.array([0.0, 0.0, 1.0]),
        application=np.arange(3),
        table=NO_CURVES._replace(offsets=np.zeros(4, np.int64)),
    )
    nodes, policy = SharedNodes(2, 2, 1, False), FIRST_COME._replace(order=VALUE)
    state = by_kernel(Case(nodes, policy, jobs, Speeds(beside.max(axis=1), beside)), 100)

    assert state.placed.tolist() == [0, 2, 3]


def test_who_has_seen_the_truth_schedules_as_who_knows_it() -> None:
    # seen once without noise, or so often that noise no longer matters
    for seed in range(many(60)):
        case = drawn(seed)
        quiet = case._replace(
            jobs=case.jobs._replace(noise=np.ones_like(case.jobs.noise)),
            policy=case.policy._replace(optimism=0.0),
        )
        known = by_kernel(case._replace(table=None), 100)

        seen_once = by_kernel(quiet, 100, Beliefs.from_table(case.speeds, 1.0, quiet.policy))
        seen_always = by_kernel(case, 100, Beliefs.from_table(case.speeds, np.inf, case.policy))

        for found in (seen_once, seen_always):
            assert found.start.tolist() == known.start.tolist(), seed
            assert found.end.tolist() == known.end.tolist(), seed


def test_a_speed_is_learned_from_co_runs_that_end() -> None:
    # side by side at 1/2 until 4 s, then the long one alone at 1 until 8 s
    case = one_by_one([2.0, 6.0], 0.5)
    noisy = case._replace(jobs=case.jobs._replace(noise=np.array([0.8, 1.2])))

    found = by_kernel(noisy, 100, Beliefs.from_table(noisy.speeds, 0.0, FIRST_COME)).beliefs

    assert found.seen.tolist() == [[2.0, 1.0]]
    assert found.mean[0] == pytest.approx([(0.4 + 0.6) / 2, 1.2])
    assert found.speeds.beside[0, 0] == pytest.approx(0.5 + 0.1 / np.sqrt(3))
    assert found.speeds.alone[0] == pytest.approx(1.2 + 0.1 / np.sqrt(2))


def beside_two(seen: dict[int, float], noise: float = 1.0, trust: float = 0.0) -> Beliefs:
    """Beliefs after a job has run on two nodes at 1/2, the least of 1/2 and 3/4 beside two others.

    By then, some of these speeds have been seen.
    """
    jobs = one_by_one([2.0, 6.0, 6.0], 1.0).jobs._replace(
        size=np.array([2, 1, 1]), application=np.arange(3), noise=np.array([noise, 1.0, 1.0])
    )
    beside = np.array([[1.0, 0.5, 0.75], [1.0, 1.0, 1.0], [1.0, 1.0, 1.0]])
    speeds = Speeds(np.ones(3), beside)
    beliefs = Beliefs.from_table(speeds, trust, FIRST_COME)
    for other, speed in seen.items():
        observe(FIRST_COME, beliefs, 0, other, speed)
    by_kernel(Case(SharedNodes(2, 2, 1, False), FIRST_COME, jobs, speeds), 100, beliefs)
    return beliefs


@pytest.mark.parametrize(
    ("known", "trust"), [({}, 0.0), ({}, 1.0), ({1: 0.5}, 0.0), ({2: 0.5}, 0.0)]
)
def test_a_speed_beside_several_is_not_learned_where_two_can_explain_it(
    known: dict[int, float], trust: float
) -> None:
    # nothing seen, though a table has the speeds; or the slower has, the other may be as slow; or
    # the faster has been so slow
    assert beside_two(known, trust=trust).seen[0, 1:3].tolist() == [
        float(1 in known),
        float(2 in known),
    ]


def test_a_speed_beside_several_is_that_beside_the_only_one_that_explains_it() -> None:
    found = beside_two({2: 0.75})

    assert found.seen[0].tolist() == [0.0, 1.0, 1.0, 0.0]
    assert found.mean[0, 1] == 0.5

    # measured at 0.8: now the other explains nothing, either
    assert beside_two({2: 0.75}, noise=1.6).seen[0].tolist() == [0.0, 0.0, 1.0, 0.0]


def test_what_was_never_seen_is_taken_to_be_better_than_what_was() -> None:
    policy = FIRST_COME._replace(optimism=0.2)
    found = Beliefs.from_table(Speeds(np.ones(2), np.ones((2, 2))), 0.0, policy)
    assert found.speeds.beside.tolist() == [[1.2, 1.2], [1.2, 1.2]]
    assert found.friends.all()

    for _ in range(3):
        observe(policy, found, 0, 0, 0.6)

    assert found.speeds.beside[0].tolist() == pytest.approx([0.7, 0.8])
    assert found.speeds.beside[1].tolist() == [1.2, 1.2]
    assert found.friends.tolist() == [[False, False], [False, True]]


def test_a_table_counts_for_as_many_observations_as_it_is_trusted() -> None:
    # beside itself 1.2 in the table, beside the other and nobody unknown; trusted like two
    # observations; the second application is not in the table at all
    policy = FIRST_COME._replace(optimism=0.0)
    unknown = np.array([[1.2, np.nan], [np.nan, np.nan]])
    found = Beliefs.from_table(Speeds(np.full(2, np.nan), unknown), 2.0, policy)
    assert found.speeds.beside.tolist() == [[1.2, 1.2], [1.0, 1.0]]
    assert found.speeds.alone.tolist() == [1.2, 1.0]

    observe(policy, found, 0, 0, 0.9)
    observe(policy, found, 0, 0, 0.7)
    observe(policy, found, 0, 1, 0.8)

    # (2 x 1.2 + 0.9 + 0.7) / (2 + 2); what the table does not have follows experience alone
    assert found.mean[0].tolist() == pytest.approx([1.0, 0.8, 0.0])
    assert found.seen[0].tolist() == [2.0, 1.0, 0.0]
    # alone: the mean of both
    assert found.speeds.alone[0] == pytest.approx(0.9)
