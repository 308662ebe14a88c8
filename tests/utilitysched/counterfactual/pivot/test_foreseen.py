"""Plans of priority preemption beside what it does where nobody comes and all run as requested."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from checkpoint import PreemptionRules
from pricing import PivotRule
from swfx import InputError, UtilityFunction, UtilityTable, Workload
from tests.preempting import Case, random_case
from tests.scale import enough, many
from utilitysched import simulate
from utilitysched.counterfactual.charges import Counterfactuals
from utilitysched.counterfactual.pivots import PivotRecorder
from utilitysched.engine.conditions import StopTerms
from utilitysched.engine.rollout import PlayedOn, Rollout
from utilitysched.engine.simulation import Simulation
from utilitysched.model.arrivals import Arrivals
from utilitysched.model.plans import Begun, Plans
from utilitysched.model.state import Decision, Floats, QueueState
from utilitysched.schedulers.priority_preemption import PriorityPreempt
from utilitysched.schedulers.registry import make_scheduler

TEXTS = ("priority-preempt", "priority-preempt:urgent=3,victim=latest,preemptions=3,minimum=4")


class Watched:
    """Priority preemption that compares what is played on with the engine, once all have come."""

    preempts = True

    def __init__(self, text: str, last: float) -> None:
        made = make_scheduler(text)
        assert isinstance(made, PriorityPreempt)
        self.scheduler, self.last = made, last
        self.simulation: Simulation | None = None
        self.ends: list[tuple[Floats, Floats]] = []
        self.preempted = 0

    def decide(self, state: QueueState) -> Decision:
        decision = self.scheduler.decide(state)
        if state.now >= self.last:
            self.compare(state, decision, gone=None)
            for job in decision.starts.tolist():
                self.compare(state, decision, gone=job)
        return decision

    def compare(self, state: QueueState, decision: Decision, gone: int | None) -> None:
        """Note when all end, by both, without a job that starts now."""
        assert self.simulation is not None
        engine = self.simulation.fork(self.scheduler)
        if gone is not None:
            engine.queue.remove(gone)
            state = engine.state()
            decision = self.scheduler.decide(state) if engine.queue else Decision()
        played = PlayedOn(state, self.scheduler)
        played.play(decision)
        engine.carry_out(state, decision)
        engine.finish()
        self.ends.append((engine.end[played.present], played.simulation.end))
        self.preempted += int((played.simulation.table.preemption.preemptions > 0).sum())


def as_requested(rng: Random) -> Case:
    """Draw jobs that run as long as they request; a restart takes what is expected."""
    case = random_case(rng)
    jobs = case.workload
    rules = PreemptionRules.from_text(f"scratch={rng.choice(['true', 'false'])},overhead=2")
    return case._replace(workload=jobs.replace(requested_time=jobs.run), rules=rules)


@pytest.mark.parametrize("text", TEXTS)
def test_what_is_played_on_is_what_the_engine_does(text: str) -> None:
    rng = Random(51)
    preempted = compared = 0
    for _ in range(many(60, least=30)):
        case = as_requested(rng)
        arrivals = Arrivals.of(case.workload, case.processors)
        watched = Watched(text, float(arrivals.known.submit[-1]))
        terms = StopTerms.of(case.workload, arrivals.order, case.rules)
        watched.simulation = Simulation(arrivals, watched, terms=terms)
        watched.simulation.finish()

        for engine, played in watched.ends:
            assert played.tolist() == engine.tolist()
        compared += len(watched.ends)
        preempted += watched.preempted
    assert compared > enough(100)
    assert preempted > enough(10)


def test_who_preempts_pays_what_the_preempted_loses() -> None:
    """The first job makes room for 10 s, and pays a restart of 2 s: 12 s later it is 6 SU less."""
    curve = UtilityFunction([0, 256], [128, 0])
    jobs = Workload.from_columns(
        submit=[0, 10],
        run=[100, 10],
        processors=[1, 1],
        queue=[3, 0],
        checkpoint_interval=np.array([1.0, -1.0]),
        restart_overhead=np.array([2.0, -1.0]),
        utility=UtilityTable.from_functions([curve, curve]),
    )
    schedule = simulate(jobs, "priority-preempt", machine_size=1)

    found = Counterfactuals.of(jobs, schedule).pivots()

    assert schedule.end.tolist() == [112.0, 20.0]
    assert found.charge.tolist() == [0.0, 6.0]
    assert (found.with_job[1], found.without_job[1]) == (72.0, 78.0)
    assert [column.tolist() for column in found.losses[:4]] == [[1], [0], [6.0], [12.0]]


def test_a_shorter_stay_is_charged_less() -> None:
    """The first job requests 20 s and runs for 5 s: each second costs the second job 1 SU."""
    jobs = Workload.from_columns(
        submit=[0, 0],
        run=[5, 10],
        requested_time=[20, 10],
        processors=[1, 1],
        queue=[0, 0],
        utility=UtilityTable.from_functions([UtilityFunction([0, 100], [100, 0])] * 2),
    )
    asked = Counterfactuals.of(jobs, simulate(jobs, "priority-preempt", machine_size=1))

    assert asked.pivots("requested").charge.tolist() == [20.0, 0.0]
    assert asked.pivots("actual").charge.tolist() == [5.0, 0.0]


class Asked:
    """Priority preemption that is asked at a time what one of the jobs costs the others."""

    preempts = True

    def __init__(self, at: float, job: int) -> None:
        self.scheduler, self.at, self.job = PriorityPreempt(), at, job
        self.plans: Plans | None = None

    def decide(self, state: QueueState) -> Decision:
        decision = self.scheduler.decide(state)
        if state.now == self.at:
            assert decision.starts.tolist() == [self.job]
            self.plans = Rollout(self.scheduler).started(state, Begun.one(self.job), None)
        return decision


def test_left_out_jobs_are_gone_once_the_scheduler_has_decided() -> None:
    """Of two processors one is taken until 20 s, and a job of one player starts on the other.

    Another of its jobs, which needs both and goes first, keeps a long job of a rival from starting
    beside the rest: without it the rival could start at once, if the first had not started.
    """
    falling = UtilityFunction([0, 100], [100, 0])
    jobs = Workload.from_columns(
        submit=[0, 1, 1, 1],
        run=[20, 10, 30, 15],
        processors=[1, 1, 1, 2],
        user=[3, 1, 2, 1],
        queue=[0, 0, 3, 0],
        utility=UtilityTable.from_functions([falling] * 4),
    )
    schedule = simulate(jobs, "priority-preempt", machine_size=2)
    asked = Counterfactuals.of(jobs, schedule)

    found = asked.pivots(players="users")

    # with the job the rival starts when that ends, without it now: 10 s of 1 SU each
    assert schedule.start.tolist() == [0.0, 1.0, 35.0, 20.0]
    assert found.charge[1] == 10.0
    assert (found.with_job[1], found.without_job[1]) == (60.0, 70.0)
    assert asked.pivots().without_job[1] != 70.0


class LeftOut(Watched):
    """Compares plans in which jobs are left out with the engine, once all have come."""

    def __init__(self, text: str, last: float, rng: Random) -> None:
        super().__init__(text, last)
        self.rng, self.planner = rng, Rollout(self.scheduler)

    def decide(self, state: QueueState) -> Decision:
        self.planner.deciding()
        decision = self.scheduler.decide(state)
        waiting = state.queued[~np.isin(state.queued, decision.starts)].tolist()
        if state.now >= self.last and len(waiting) > 1 and len(decision.starts):
            own = np.array(self.rng.sample(waiting, self.rng.randint(1, len(waiting) - 1)))
            job = decision.starts[:1]
            self.compare_plans(state, decision, Begun(job, np.array([np.nan]), own))
        return decision

    def compare_plans(self, state: QueueState, decision: Decision, begun: Begun) -> None:
        """Note when all others end, by the plan with the begun job and by the engine."""
        assert self.simulation is not None
        engine = self.simulation.fork(self.scheduler)
        engine.passing = frozenset(begun.job.tolist())
        engine.carry_out(state, decision)
        for job in begun.left_out.tolist():
            engine.queue.remove(job)
        engine.wake_up = state.now
        engine.finish()
        plans = self.planner.started(state, begun, None)
        left = state.known.request.copy()
        left[state.running] = state.expected_end - state.now
        assert not np.isin(plans.job, [*begun.job, *begun.left_out]).any()
        assert len(plans.with_job) == 1
        self.ends.append((engine.end[plans.job], plans.with_job[0] + left[plans.job]))
        self.preempted += len(decision.preempts)


@pytest.mark.parametrize("text", TEXTS)
def test_plans_with_left_out_jobs_are_what_the_engine_does_without_them(text: str) -> None:
    rng = Random(53)
    compared = 0
    for _ in range(many(60, least=30)):
        case = as_requested(rng)
        arrivals = Arrivals.of(case.workload, case.processors)
        watched = LeftOut(text, float(arrivals.known.submit[-1]), rng)
        terms = StopTerms.of(case.workload, arrivals.order, case.rules)
        watched.simulation = Simulation(arrivals, watched, terms=terms)
        watched.simulation.finish()
        for engine, planned in watched.ends:
            assert planned.tolist() == pytest.approx(engine.tolist())
            compared += len(engine)
    assert compared > enough(30)


def test_a_job_that_is_preempted_is_not_foreseen_to_come_back() -> None:
    """The fourth job starts beside the first, and at 40 s makes room for the third: for good.

    The last one, which needs the whole machine as well, follows the third.
    """
    jobs = Workload.from_columns(
        submit=[0, 1, 1, 1, 1],
        run=[20, 20, 10, 100, 10],
        processors=[2, 2, 3, 1, 3],
        queue=[3, 0, 0, 3, 3],
        checkpoint_interval=np.array([-1.0, -1.0, -1.0, 1.0, -1.0]),
        restart_overhead=np.array([-1.0, -1.0, -1.0, 0.0, -1.0]),
    )
    asked = Asked(1.0, 3)

    schedule = simulate(jobs, asked, machine_size=3)

    assert schedule.start.tolist() == [0.0, 20.0, 40.0, 1.0, 111.0]
    assert asked.plans is not None
    assert asked.plans.job.tolist() == [1, 2, 4]
    assert asked.plans.with_job.tolist() == [[20.0, 40.0, 50.0]]
    assert asked.plans.without_job.tolist() == [20.0, 40.0, 50.0]


def test_reservations_are_refused() -> None:
    with pytest.raises(InputError, match="what a reservation of priority-preempt costs is not"):
        PivotRecorder(make_scheduler("priority-preempt"), PivotRule(reservations=True))
