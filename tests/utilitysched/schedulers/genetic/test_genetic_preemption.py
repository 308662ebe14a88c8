"""The genetic scheduler that preempts running jobs."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import cast

import numpy as np
import pytest

from checkpoint import PreemptionRules
from swfx import Workload
from tests.planning import Case
from tests.preemptible import PreemptionCase, random_preemption_case
from tests.reference.jobs import Job
from tests.reference.preempting_plan import Held
from tests.scale import enough, many
from tests.utilitysched.schedulers.genetic.test_genetic_scheduler import workload as busy
from utilitysched import Decision, QueueState, Schedule, make_scheduler, simulate
from utilitysched.engine.conditions import StopTerms
from utilitysched.engine.simulation import Simulation
from utilitysched.model.arrivals import Arrivals
from utilitysched.model.scheduler import Setting
from utilitysched.model.segments import Stop
from utilitysched.schedulers.genetic.genome_map import Memory
from utilitysched.schedulers.genetic.options import GeneticOptions
from utilitysched.schedulers.genetic.scheduler import GeneticScheduler

SMALL = "population=6,generations=3"
UNDAMPED = f"ga:preempt=true,{SMALL},preemptions=1000,lost=0"


def made(text: str) -> GeneticScheduler:
    return cast("GeneticScheduler", make_scheduler(text))


def workload(jobs: int, seed: int, share: float = 0.6) -> Workload:
    """Return a busy workload for 8 processors; a share of its jobs takes checkpoints."""
    rng = np.random.default_rng(seed)
    return busy(jobs, seed).replace(
        checkpoint_interval=np.where(rng.random(jobs) < share, rng.integers(5, 60, jobs), -1.0),
        restart_overhead=rng.integers(0, 5, jobs).astype(float),
    )


def run(text: str, jobs: Workload, seed: int = 0) -> Schedule:
    return simulate(jobs, text, machine_size=8, seed=seed)


def preemptions(schedule: Schedule, jobs: Workload) -> list[int]:
    """How often each job was preempted."""
    assert schedule.segments is not None
    stopped = schedule.segments.job[schedule.segments.stop == Stop.PREEMPTED]
    counted: list[int] = np.bincount(stopped, minlength=len(jobs)).tolist()
    return counted


def same(one: Schedule, other: Schedule) -> bool:
    columns = ("start", "end", "backfilled")
    return one.passes == other.passes and all(
        getattr(one, name).tobytes() == getattr(other, name).tobytes() for name in columns
    )


DEAR = ((0.0, 500.0), (60.0, 0.0))
CHEAP = ((0.0, 10.0), (1000.0, 0.0))


def state_of(queued: list[Job], held: list[Held], processors: int = 4) -> QueueState:
    return PreemptionCase(Case(100.0, processors, queued, []), held, [0] * len(queued)).state


def held(number: int, size: int = 4, interval: float = 10.0) -> Held:
    """Return a cheap job that began at 60 s and asked for 200 s."""
    job = Job(number, 50.0, 0.0, 200.0, size, points=CHEAP)
    return Held(job, start=60.0, paid=0.0, interval=interval, overhead=2.0)


URGENT = Job(0, 90.0, 0.0, 20.0, 4, points=DEAR)


def test_a_cheap_running_job_makes_room_for_a_dear_one() -> None:
    decision = made(UNDAMPED).decide(state_of([URGENT], [held(1)]))

    assert decision.starts.tolist() == [0]
    assert decision.preempts.tolist() == [1]
    assert decision.order is not None
    assert decision.order.tolist() == [0]


def test_jobs_that_must_not_be_preempted_are_left_alone() -> None:
    state = state_of([URGENT], [held(1, interval=-1.0)])

    assert made(UNDAMPED).decide(state).preempts.tolist() == []
    assert made("ga").decide(state_of([URGENT], [held(1)])).preempts.tolist() == []


@pytest.mark.parametrize(
    ("option", "preempted"), [("lost=1000", [1]), ("lost=1000000", []), ("preemptions=0", [])]
)
def test_preemptions_are_damped(option: str, preempted: list[int]) -> None:
    kept = [
        each
        for each in UNDAMPED.split(",")
        if each.split("=")[0] != option.split("=", maxsplit=1)[0]
    ]
    text = ",".join([*kept, option])

    decision = made(text).decide(state_of([URGENT], [held(1)]))

    assert decision.preempts.tolist() == preempted


def test_a_boost_keeps_a_job_running_that_was_worth_much_at_first() -> None:
    worn = ((0.0, 900.0), (10.0, 5.0), (1000.0, 0.0))
    one = held(1)
    state = state_of([URGENT], [one._replace(job=one.job._replace(points=worn))])
    boosted = f"{UNDAMPED},damping=boost"

    assert made(UNDAMPED).decide(state).preempts.tolist() == [1]
    assert made(boosted).decide(state).preempts.tolist() == []


def test_only_as_many_are_preempted_as_are_in_the_way() -> None:
    narrow = [held(number, size=1) for number in (1, 2, 3, 4)]
    urgent = URGENT._replace(size=2)

    decision = made(UNDAMPED).decide(state_of([urgent], narrow))

    assert decision.starts.tolist() == [0]
    assert len(decision.preempts) == 2


def test_nothing_is_searched_where_all_fit_or_none_can() -> None:
    scheduler = GeneticScheduler(GeneticOptions(preempt=True), log=True)

    all_fit = scheduler.decide(state_of([URGENT._replace(size=1)], [held(1, size=3)]))
    none_can = scheduler.decide(state_of([URGENT], [held(1, interval=-1.0)]))

    assert all_fit.starts.tolist() == [0]
    assert none_can.starts.tolist() == []
    assert scheduler.logbook == []


def test_preempted_jobs_go_ahead_in_the_order_of_their_preemptions_after_starved_ones() -> None:
    queued = [Job(number, 10.0 * number, 0.0, 50.0, 4) for number in range(6)]
    case = PreemptionCase(Case(100.0, 4, queued, []), [], [0, 0, 1, 0, 2, 1])
    scheduler = made(f"ga:preempt=true,{SMALL},damping=airline,threshold=95")
    memory = Memory(preempted=np.array([4, 2]))

    planned, starts = scheduler.plan(case.state, memory, seed=1)

    # job 5 was preempted, it is not known when
    assert planned.order[:4].tolist() == [0, 4, 2, 5]
    assert starts.tolist() == [0]
    plain = made(f"ga:preempt=true,{SMALL},threshold=95")
    assert plain.plan(case.state, memory, seed=1)[0].order[:1].tolist() == [0]


class Watch:
    """Asks a scheduler, and checks each decision against what is known of preemptions."""

    preempts = True

    def __init__(self, scheduler: GeneticScheduler) -> None:
        self.scheduler = scheduler
        self.turns: list[int] = []
        self.led = 0

    def decide(self, state: QueueState) -> Decision:
        decision = self.scheduler.decide(state)
        queued = set(state.queued.tolist())
        turns = [job for job in self.turns if job in queued]
        if turns and decision.order is not None:
            assert decision.order[: len(turns)].tolist() == turns
            self.led += len(turns) > 1
        started = set(decision.starts.tolist())
        preempted = self.scheduler.memory.preempted.tolist() if len(decision.preempts) else []
        new = [job for job in preempted if job in set(decision.preempts.tolist())]
        self.turns = [job for job in turns if job not in started] + new
        return decision


def test_airline_jobs_keep_the_order_of_their_preemptions() -> None:
    led = 0
    for seed in range(3):
        text = f"ga:preempt=true,{SMALL},lost=0,damping=airline,preemptions=2"
        watch = Watch(made(text))
        simulate(workload(100, seed), watch, machine_size=8)
        led += watch.led
    assert led > 5


@pytest.mark.parametrize("limit", [1, 2])
def test_over_a_whole_log_nobody_is_preempted_more_often_than_the_limit(limit: int) -> None:
    most = 0
    for seed in range(2):
        jobs = workload(60, seed)
        text = f"ga:preempt=true,{SMALL},lost=0,preemptions={limit}"
        most = max(most, *preemptions(run(text, jobs), jobs))
    assert most == limit


@pytest.mark.parametrize(("share", "limit"), [(0.0, 0), (0.0, 3), (0.6, 0)])
def test_where_nobody_can_be_preempted_it_is_the_plain_scheduler(share: float, limit: int) -> None:
    rng = Random(limit)
    for _ in range(many(4)):
        jobs = workload(rng.randint(20, 60), rng.randint(0, 10**6), share)
        text = f"ga:{SMALL},threshold=3x"
        more = f"preempt=true,preemptions={limit},damping=airline,lost=1"

        assert same(run(f"{text},{more}", jobs, seed=3), run(text, jobs, seed=3))


def test_what_is_decided_is_never_worth_less_than_without_preemption() -> None:
    rng = Random(5)
    gained = 0
    for _ in range(many(150)):
        state = random_preemption_case(rng).state
        plain = made(UNDAMPED.replace("preemptions=1000", "preemptions=0"))
        preempting = made(UNDAMPED)

        one, other = plain.decide(state), preempting.decide(state)

        if len(other.preempts):
            gained += 1
        else:
            assert other.starts.tolist() == one.starts.tolist()
            assert preempting.memory.order.tolist() == plain.memory.order.tolist()
    assert gained > enough(10)


def test_random_decisions_can_be_carried_out() -> None:
    rng = Random(6)
    preempted = 0
    for _ in range(many(200)):
        state = random_preemption_case(rng).state
        assert state.preemption is not None
        decision = made(UNDAMPED).decide(state)
        size, preempts = state.known.size, decision.preempts

        assert set(decision.starts.tolist()) <= set(state.queued.tolist())
        assert set(preempts.tolist()) <= set(state.running.tolist())
        assert (state.preemption.interval[preempts] >= 0).all()
        assert size[decision.starts].sum() <= state.free + size[preempts].sum()
        preempted += len(preempts)
    assert preempted > enough(20)


def test_preemption_pays() -> None:
    earned = {"ga:population=6,generations=3": 0.0, UNDAMPED: 0.0}
    for seed in range(2):
        jobs = workload(80, seed)
        for text in earned:
            end = run(text, jobs).end
            earned[text] += float(jobs.utility.evaluate(end - jobs.submit).sum())
    plain, preempting = earned.values()

    assert preempting > 1.02 * plain


def test_memories_differ_where_the_order_of_preemptions_does() -> None:
    scheduler = made(f"ga:preempt=true,{SMALL},damping=airline")
    queued = np.array([3, 5, 8])
    scheduler.memory = Memory(preempted=np.array([5, 3]))
    before = scheduler.memory_of(queued)
    fork = scheduler.fork()
    fork.memory = replace(fork.memory, preempted=np.array([3, 5]))

    assert scheduler.memory_of(queued) == before
    assert fork.memory_of(queued) != before


def test_a_fork_goes_on_as_the_simulation_does() -> None:
    jobs = workload(80, seed=8)
    arrivals = Arrivals.of(jobs, 8)
    scheduler = made(f"ga:preempt=true,{SMALL},lost=0,damping=airline")
    scheduler.prepare(Setting(8, arrivals.longest_request, seed=1))
    terms = StopTerms.of(jobs, arrivals.order, PreemptionRules())
    simulation = Simulation(arrivals, scheduler, terms=terms)
    simulation.advance(600.0)
    fork = simulation.fork(scheduler.fork())

    simulation.finish()
    fork.finish()

    one, other = simulation.outcome(), fork.outcome()
    assert one.end.tolist() == other.end.tolist()
    assert one.segments == other.segments
    assert simulation.table.preemption.preemptions.sum() > 0
