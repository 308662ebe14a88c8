"""Scores of one job of a real log's size, by the formulas of the semantics, section 3."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from swfx import InputError
from tests.reference.jobs import Job
from tests.reference.orderings import ORDERINGS as TWINS
from tests.reference.orderings import Context
from tests.reference.usage import Weighted, density, priorities
from tests.reference.values import ValueRule, utility
from tests.scale import many
from utilitysched.kernels.machine.priority import WORTH, refresh
from utilitysched.kernels.machine.usage import UsageState, begin
from utilitysched.kernels.policy import scores
from utilitysched.model.forecast import ForecastRule
from utilitysched.model.machine import PoolView, ShareTable, WindowTable
from utilitysched.model.scheduling_pass import SchedulingPass
from utilitysched.model.state import Floats, JobTable, QueueState
from utilitysched.schedulers.list_options import order_from
from utilitysched.schedulers.orderings import orderings
from utilitysched.schedulers.orders import Order
from utilitysched.schedulers.registry import make_scheduler

R, WAIT, REQUEST, SIZE = 2_000_000.0, 5400.0, 7200.0, 24
FREE = 32
LOG_R = math.log10(R)


def one_job() -> JobTable:
    """Submitted 2,000,000 s after the first; worth 100 SU less 1 SU every 1000 s."""
    first = 1e6
    return JobTable(
        1152,
        np.array([first + R]),
        np.array([R]),
        np.array([SIZE]),
        np.array([REQUEST]),
        np.array([2]),
        np.array([0]),
        np.array([0, 2]),
        np.array([0.0, 100_000.0]),
        np.array([100.0, 0.0]),
    )


def score(name: str) -> float:
    """Score of the job once it has waited `WAIT`, under the ordering's defaults."""
    known, ordering = one_job(), orderings()[name]
    numbers = (
        dict.fromkeys(ordering.parameters, 0.0) | WEIGHTS if ordering.start else ordering.parameters
    )
    ranking = Order(ordering, tuple(numbers.values())).ranking(known, once=False)
    forecast = ForecastRule().blank(1)
    forecast.occupancy[0] = REQUEST
    moment = SchedulingPass(known.submit[0] + WAIT, FREE, np.array([], np.int64))
    found = scores(np.array([0]), moment, known, forecast, ranking, math.inf)
    return float(found[0])


VALUE = 100 - 5.4
WEIGHTS = {"value": 1.0, "value_24h": -0.5, "size": -1.0, "request": -1.0, "fits": math.log(8)}
AREA = SIZE * REQUEST


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("fcfs", 3e6),
        ("lcfs", -3e6),
        ("spf", 7200),
        ("lpf", -7200),
        ("sqf", 24),
        ("lqf", -24),
        ("saf", 172_800),
        ("laf", -172_800),
        ("srf", 300),
        ("lrf", -300),
        ("lexp", -1.75),
        ("sexp", 1.75),
        ("wfp3", -0.421875 * 24),
        ("unicef", -0.75 / math.log2(24)),
        ("f1", math.log10(7200) * 24 + 8.70e2 * LOG_R),
        ("f2", math.sqrt(7200) * 24 + 2.56e4 * LOG_R),
        ("f3", 7200 * 24 + 6.86e6 * LOG_R),
        ("f4", 7200 * math.sqrt(24) + 5.30e5 * LOG_R),
        ("nonlinear", 7200 * math.sqrt(24) + 439220.7967202099 * LOG_R),
        ("priority-fifo", 2),
        ("mixed", -5400),
        ("value", -VALUE),
        ("value-density", -VALUE / AREA),
        ("cost-of-delay", -7.2 / AREA),
        ("value-and-delay", -(0.5 * VALUE + 0.5 * 43.2) / AREA),
        ("first-reward", -0.5 * (VALUE / 1.02) / AREA),
        ("projected-value-remaining", VALUE * 94_600 / 2 / 100),
        ("apparent-tardiness-cost", -VALUE / AREA * math.exp(-(94_600 - 7200) / (2 * 7200))),
        ("index", -8 * (VALUE - 0.5 * (VALUE - 86.4)) / AREA),
    ],
)
def test_score(name: str, expected: float) -> None:
    assert score(name) == pytest.approx(expected, rel=1e-12)


def test_every_ordering_is_here() -> None:
    tested = next(mark for mark in test_score.pytestmark if mark.name == "parametrize")  # type: ignore[attr-defined]

    alone = {name for name, each in orderings().items() if not each.reads_usage}
    missing = alone - {name for name, _ in tested.args[1]}
    assert missing == set(), "add rows to test_score, with scores worked out by hand"


def test_jobs_worth_nothing_tie_under_first_reward() -> None:
    """Whatever they request: their processors cost the others as much, second by second."""
    request = np.array([60.0, 7200.0, 333.0, 1e5, 100.0, 70.0])
    size = np.array([1, 3, 7, 24, 11, 2])
    zero, offsets = np.zeros(6), np.array([0, 0, 0, 0, 0, 2, 4])
    curves = np.array([0.0, 1e6, 0.0, 2e6]), np.array([100.0, 0.0, 7.0, 0.0])
    known = JobTable(
        1152, zero, zero, size, request, zero.astype(int), np.arange(6), offsets, *curves
    )
    ordering = orderings()["first-reward"]
    ranking = Order(ordering, tuple(ordering.parameters.values())).ranking(known, once=False)
    forecast = ForecastRule().blank(6)
    forecast.occupancy[:] = request
    moment = SchedulingPass(WAIT, FREE, np.array([], np.int64))

    found = scores(np.arange(6), moment, known, forecast, ranking, math.inf)

    assert set(found[:4].tolist()) == {0.5 * (1e-4 + 3.5e-6) / 1152}


FAR = st.floats(0.0, 1e6)
CURVES = st.lists(st.tuples(FAR, st.floats(0.0, 1e5)), max_size=5)


@given(
    st.lists(st.tuples(st.integers(1, 64), FAR, FAR, CURVES), min_size=1, max_size=6),
    st.lists(st.floats(-2, 2), min_size=27, max_size=27),
    st.integers(0, 64),
)
@settings(max_examples=many(200), derandomize=True, deadline=None)
def test_scores_of_the_index_are_those_of_its_twin(
    drawn: list[tuple[int, float, float, list[tuple[float, float]]]],
    numbers: list[float],
    free: int,
) -> None:
    """Any queue, weights and free processors; curves are made to fall."""
    jobs = [
        Job(i, 1e6 - wait, 1.0, request, size, priority=i % 4, user=i, points=falling(points))
        for i, (size, request, wait, points) in enumerate(sorted(drawn, key=lambda job: -job[2]))
    ]
    ordering = orderings()["index"]
    known, forecast = table_of(jobs), ForecastRule().blank(len(jobs))
    forecast.duration[:, 0] = forecast.occupancy[:] = known.request
    ranking = Order(ordering, tuple(numbers)).ranking(known, once=False)
    moment = SchedulingPass(1e6, free, np.array([], np.int64))

    found = scores(np.arange(len(jobs)), moment, known, forecast, ranking, math.inf)

    weights = dict(zip(ordering.parameters, numbers, strict=True))
    submits = tuple(job.submit for job in jobs)
    context = Context(1e6, 64, queue=tuple(jobs), free=free, learned=weights, submits=submits)
    assert found.tolist() == pytest.approx([TWINS["index"](job, context)[0] for job in jobs])


RULE = "value-and-delay:alpha=0.95,tau=86400"  # and occupancy=requested, see ranked_by


def long_queue(seed: int, gap: float, jobs: int = 120) -> list[Job]:
    """Return more than a day's work, submitted at one instant or one job after the other."""
    rng = np.random.default_rng(seed)
    made = []
    for i in range(jobs):
        value, end = rng.uniform(10.0, 100.0), rng.uniform(10.0, 60.0) * 3600.0
        size, request = int(rng.integers(1, 64)), float(rng.integers(1, 12) * 3600)
        points = ((0.0, value), (end, 0.0))
        made.append(Job(i, gap * i, 1.0, request, size, priority=i % 4, user=i, points=points))
    return made


def ranked_by(text: str, jobs: list[Job], now: float) -> list[int]:
    order, known = order_from(text), table_of(jobs)
    forecast = ForecastRule().blank(len(jobs))
    forecast.duration[:, 0], forecast.occupancy[:] = 0.0, known.request
    moment = SchedulingPass(now, 8, np.array([], np.int64))
    ranking = order.ranking(known, once=False)
    found = scores(np.arange(len(jobs)), moment, known, forecast, ranking, math.inf)
    ranked: list[int] = np.argsort(found, kind="stable").tolist()
    return ranked


@pytest.mark.parametrize("seed", range(3))
def test_a_long_queue_that_is_all_there_is_goes_by_the_rule_of_the_index(seed: int) -> None:
    jobs = long_queue(seed, gap=0.0)

    assert ranked_by("index", jobs, 0.0) == ranked_by(RULE, jobs, 0.0)
    # so does one without a job of more than two instants of a day for each hundred queued
    later = [*jobs[:-2], jobs[-2]._replace(submit=3600.0), jobs[-1]._replace(submit=7200.0)]
    assert ranked_by("index", later, 7200.0) == ranked_by(RULE, later, 7200.0)


@pytest.mark.parametrize("seed", range(3))
def test_where_jobs_arrive_or_few_wait_the_index_goes_by_its_weights(seed: int) -> None:
    jobs = long_queue(seed, gap=600.0)
    now = jobs[-1].submit
    few = [job._replace(request=job.request / 100, submit=0.0) for job in jobs]
    for queue, moment in ((jobs, now), (few, 0.0)):
        found = ranked_by("index", queue, moment)
        context = Context(
            moment,
            64,
            queue=tuple(queue),
            free=8,
            rule=ValueRule(duration="zero"),
            submits=tuple(job.submit for job in queue),
        )
        assert found == sorted(range(len(queue)), key=lambda i: by_weights(queue[i], context))
        assert found != ranked_by(RULE, queue, moment)


def by_weights(job: Job, context: Context) -> float:
    """Return the score that the weights alone give, lowest first."""
    arriving = context.now - np.arange(1.0 + len(context.queue))[::-1]
    (found,) = TWINS["index"](job, replace(context, submits=tuple(arriving)))
    return found


def falling(points: list[tuple[float, float]]) -> tuple[tuple[float, float], ...]:
    """Make a curve of some points: times rise from 0, values fall."""
    times = sorted({0.0, *(time for time, _ in points)}) if points else []
    values = sorted((value for _, value in points), reverse=True)
    return tuple(zip(times, [*values[:1], *values][: len(times)], strict=True))


def table_of(jobs: list[Job]) -> JobTable:
    """Return what the kernels take of jobs on 64 processors."""
    points = [point for job in jobs for point in job.points]
    submit = np.array([job.submit for job in jobs])
    return JobTable(
        64,
        submit,
        submit - submit.min(),
        np.array([job.size for job in jobs]),
        np.array([job.request for job in jobs]),
        np.array([job.priority for job in jobs]),
        np.array([job.user for job in jobs]),
        np.cumsum([0, *(len(job.points) for job in jobs)]),
        np.array([time for time, _ in points]),
        np.array([value for _, value in points]),
    )


WEEK = 7 * 86400.0
MACHINE_WEIGHTS = np.array([1000.0, 2000.0, 300.0, 40.0, 500.0, 0.0])


def shares_of(
    jobs: list[Job], weights: Floats = MACHINE_WEIGHTS, recalc: float = 0.0
) -> ShareTable:
    """Two users with equal shares, jobs theirs by turns; factors of partition and QOS besides."""
    count = np.arange(len(jobs))
    constants = np.array([WEEK, WEEK, 0.0, recalc])
    half = np.array([1.0, 0.5, 0.5])
    parents = np.array([-1, 0, 0])
    return ShareTable(
        1 + count % 2, parents, half, count % 3 / 2, count % 5 / 4, weights, constants
    )


def usage_scores(text: str, jobs: list[Job], shares: ShareTable, state: UsageState) -> Floats:
    """Scores of jobs at 1,000,000 s under an ordering that reads usage, durations 0."""
    scheduler = make_scheduler(text).compiled_on_machine
    table, known, forecast = (
        scheduler.shares(shares),
        table_of(jobs),
        ForecastRule().blank(len(jobs)),
    )
    forecast.duration[:, 0], forecast.occupancy[:] = 0.0, known.request
    ((order, ranking),) = scheduler.usage_rankings(scheduler.policy(known, once=False))
    order.settle(ranking.parameters, table)
    queue, moment = np.arange(len(jobs)), SchedulingPass(1e6, 8, np.array([], np.int64))
    refresh(state, table, 1e6, queue, ranking.parameters)
    found: Floats = scores(queue, moment, known, forecast, ranking, math.inf)
    return found


def used(jobs: list[Job], shares: ShareTable, amount: float) -> UsageState:
    """Usage of the first job's user alone."""
    state = UsageState.blank(3)
    if amount:
        begin(state, shares, 0, amount, 1000.0)
    return state


QUEUED = st.lists(st.tuples(st.integers(1, 64), FAR, FAR, CURVES), min_size=1, max_size=6)
WEIGHT = st.floats(0.0, 5000.0)


@given(QUEUED, st.lists(WEIGHT, min_size=6, max_size=6), st.booleans(), st.sampled_from([0.0, 3.0]))
@settings(max_examples=many(100), derandomize=True, deadline=None)
def test_multifactor_is_the_weighted_sum(
    drawn: list[tuple[int, float, float, list[tuple[float, float]]]],
    weights: list[float],
    small: bool,
    amount: float,
) -> None:
    """Any queue and weights, given as options or by the machine."""
    jobs = [
        Job(i, 1e6 - wait, 1.0, request, size, points=falling(points))
        for i, (size, request, wait, points) in enumerate(sorted(drawn, key=lambda job: -job[2]))
    ]
    shares = shares_of(jobs)
    state = used(jobs, shares, amount)
    names = ("age", "fairshare", "size", "partition", "qos", "value")
    numbers = dict(zip(names, weights, strict=True)) | {"max_age": 5e5, "favor_small": float(small)}
    if not any(weights):
        return
    text = ",".join(f"{name}={value!r}" for name, value in numbers.items())

    found = usage_scores(f"multifactor:{text}", jobs, shares, state)

    of_users = [0.25 if amount else 1.0, 1.0]
    known = [
        Weighted(of_users[i % 2], float(shares.partition[i]), float(shares.qos[i]))
        for i in range(len(jobs))
    ]
    expected = priorities(jobs, known, numbers, 1e6, 64)
    assert (-found).tolist() == pytest.approx(expected, rel=1e-9, abs=1e-9)


def test_options_go_before_the_weights_of_the_machine() -> None:
    jobs = long_queue(1, gap=1000.0, jobs=4)
    shares = shares_of(jobs)
    table = make_scheduler("multifactor:age=7,half_life=1d").compiled_on_machine.shares(shares)
    assert table.weights.tolist() == [7.0, *MACHINE_WEIGHTS[1:]]
    assert table.constants.tolist() == [WEEK, 86400.0, 0.0, 0.0]
    assert make_scheduler("easy").compiled_on_machine.shares(shares) is shares


def test_weights_that_are_all_zero_are_refused() -> None:
    shares = shares_of([], np.zeros(6))
    with pytest.raises(InputError, match="multifactor: all weights are 0; give some, as in"):
        make_scheduler("multifactor").compiled_on_machine.shares(shares)
    assert (
        make_scheduler("fairshare").compiled_on_machine.shares(shares).weights.tolist() == [0.0] * 6
    )


@pytest.mark.parametrize("by", WORTH)
def test_fair_share_by_value_is_value_times_the_factor(by: str) -> None:
    jobs = [job._replace(submit=1e6 - 3600.0 * job.number) for job in long_queue(2, 0.0, 6)][::-1]
    shares = shares_of(jobs)
    found = usage_scores(f"fairshare:by={by}", jobs, shares, used(jobs, shares, 5.0))
    worth = {
        "usage": [1.0] * 6,
        "value": [utility(job.points, 1e6 - job.submit) for job in jobs],
        "value-density": [density(job, 1e6) for job in jobs],
    }
    expected = [-each * (0.25, 1.0)[i % 2] for i, each in enumerate(worth[by])]
    assert found.tolist() == pytest.approx(expected)


@pytest.mark.parametrize(
    ("text", "reads"),
    [
        ("fairshare", False),
        ("fairshare:by=value", True),
        ("multifactor:value=0", False),
        ("multifactor:value=5", True),
        ("multifactor", True),
    ],
)
def test_utility_functions_matter_where_they_are_read(text: str, reads: bool) -> None:
    """The machine may give value a weight that no option takes away."""
    scheduler = make_scheduler(text)
    assert scheduler.bids_matter is reads
    assert scheduler.compiled is None
    assert scheduler.remembers
    assert not scheduler.reads_queued_only
    assert scheduler.label == text


def test_priorities_stay_as_they_were_computed() -> None:
    """Computed at 100 s: a job submitted since then has not waited yet."""
    jobs = [Job(0, 40.0, 1.0, 60.0, 4), Job(1, 200.0, 1.0, 60.0, 4)]
    shares = shares_of(jobs, np.array([1000.0, 0.0, 0.0, 0.0, 0.0, 0.0]), recalc=1e7)
    state = used(jobs, shares, 0.0)
    state.computed[0] = 100.0
    found = usage_scores("multifactor", jobs, shares, state)
    assert found.tolist() == pytest.approx([-1000.0 * 60.0 / WEEK, 0.0])


def test_a_scheduler_in_python_reads_factors_from_the_pool() -> None:
    jobs = [Job(i, 0.0, 1.0, 60.0, 4) for i in range(3)]
    shares, nothing = shares_of(jobs), np.empty(0)
    amounts, none = np.zeros((0, 1), np.int64), np.empty(0, np.int64)
    windows = WindowTable(none, nothing, nothing, nothing, amounts, none > 0, np.zeros((3, 0)) > 0)
    seen = PoolView(
        0,
        np.full((3, 1), 4),
        np.array([64]),
        np.array([4]),
        windows,
        shares=shares,
        fairshare=np.array([0.25, 0.5, 0.75]),
        computed=1e6,
    )
    state = QueueState(
        1e6, 4, np.arange(3), none, nothing, none, nothing, table_of(jobs), pool=seen
    )
    scheduler = make_scheduler("fairshare")

    assert scheduler.decide(state).starts.tolist() == [2]
    with pytest.raises(InputError, match="fairshare: usage is not known here"):
        scheduler.decide(replace(state, pool=None))


def test_seeds_of_a_search_read_no_usage() -> None:
    with pytest.raises(InputError, match="reads usage"):
        order_from("fairshare")
