"""Priority preemption decides as its readable twin does, and keeps its reservations."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from checkpoint import PreemptionRules
from tests.checked import check_case
from tests.preempting import Case, checkpoints_of, random_rules
from tests.queues import Row, jobs_of, workload_of
from tests.reference.jobs import Job
from tests.reference.protocol import Choice, State
from tests.reference.urgency import Wanted, decide
from tests.scale import enough, many
from utilitysched import Decision, QueueState, Schedule, make_scheduler, simulate
from utilitysched.model.segments import Stop

CASES, FEW = many(120), many(40)


def drawn(seed: int) -> tuple[Case, Wanted, str]:
    """One random case, and the same options for the twin and as a text."""
    rng = Random(seed)
    case = crowded(rng)
    wanted = Wanted(
        urgent=rng.choice([0, 1, 1, 2, 3]),
        latest=rng.random() < 0.3,
        preemptions=rng.choice([0, 1, 1, 2, 5]),
        minimum=rng.choice([0.0, 0.0, 1.0, 4.0]),
    )
    victim = "latest" if wanted.latest else "least-lost"
    text = (
        f"priority-preempt:urgent={wanted.urgent},victim={victim},preemptions={wanted.preemptions},"
        f"minimum={wanted.minimum}"
    )
    return case, wanted, text


def crowded(rng: Random) -> Case:
    """Draw long jobs of low classes, most with checkpoints, and urgent ones that come later."""
    processors = rng.randint(2, 8)

    def row(first: int, last: int, longest: int, queues: list[int]) -> Row:
        request = rng.randint(1, longest) / 2
        run = request if rng.random() < 0.7 else rng.randint(0, longest) / 4
        size = rng.randint(1, processors if rng.random() < 0.3 else (processors + 1) // 2)
        return Row(rng.randint(first, last) / 4, run, request, size, queue=rng.choice(queues))

    low = [row(0, 20, 60, [1, 3, 4, 5]) for _ in range(rng.randint(2, 9))]
    urgent = [row(4, 90, 20, [0, 1, 2]) for _ in range(rng.randint(1, 8))]
    rows = rng.sample(low + urgent, len(low) + len(urgent))
    annotated = workload_of(rows).replace(
        checkpoint_interval=np.array([rng.choice([-1.0, 0.5, 1.0, 2.5, 4.0]) for _ in rows]),
        restart_overhead=np.array([rng.choice([-1.0, 0.0, 0.25, 1.0]) for _ in rows]),
    )
    return Case(annotated, processors, random_rules(rng), eagerness=0.0)


def scheduled(case: Case, scheduler: str) -> Schedule:
    return simulate(case.workload, scheduler, machine_size=case.processors, preemption=case.rules)


def check_decisions(case: Case, wanted: Wanted, schedule: Schedule) -> None:
    """Refuse a schedule that starts or preempts otherwise than the twin."""
    jobs, saves = jobs_of(case.workload), checkpoints_of(case)

    def choose(state: State) -> Choice:
        return decide(state, jobs, saves, case.processors, wanted)

    check_case(case, schedule, choose)


def test_it_decides_as_its_twin() -> None:
    """And preempts nobody who is urgent, or too often, or too early, for one who is not."""
    found = 0
    for seed in range(CASES):
        case, wanted, text = drawn(seed)
        schedule = scheduled(case, text)
        check_decisions(case, wanted, schedule)

        order, priority = np.array(case.order), np.empty(len(case.workload), np.int64)
        segments = schedule.segments
        assert segments is not None
        priority[order] = [job.priority for job in jobs_of(case.workload)]
        preempted = segments.stop == Stop.PREEMPTED
        victims, causes = segments.job[preempted], segments.cause[preempted]
        assert (priority[victims] > wanted.urgent).all(), seed
        assert (priority[causes] <= wanted.urgent).all(), seed
        assert (causes >= 0).all(), seed
        assert np.bincount(victims, minlength=1).max() <= wanted.preemptions, seed
        assert (segments.elapsed[preempted] >= wanted.minimum).all(), seed
        found += len(victims)
    assert found > enough(40)


@pytest.mark.parametrize("seed", range(FEW))
def test_without_checkpoints_it_is_priority_fifo(seed: int) -> None:
    case, _, text = drawn(seed)
    none = case.workload.replace(checkpoint_interval=np.full(len(case.workload), -1.0))
    case = case._replace(workload=none, rules=PreemptionRules())

    schedule = scheduled(case, text)
    plain = simulate(none, "priority-fifo", machine_size=case.processors)

    assert (schedule.start == plain.start).all()
    assert (schedule.end == plain.end).all()
    assert (schedule.backfilled == plain.backfilled).all()
    assert schedule.passes == plain.passes


@pytest.mark.parametrize("seed", range(FEW))
def test_work_is_conserved(seed: int) -> None:
    case, _, text = drawn(seed)
    case = case._replace(rules=PreemptionRules())
    jobs = len(case.workload)

    segments = scheduled(case, text).segments

    assert segments is not None
    parts = segments.kept + segments.lost + segments.overhead
    assert (parts == segments.elapsed).all()
    assert (segments.per_job(segments.kept, jobs) == case.workload.effective_run).all()


class Watched:
    """Priority preemption, every decision of which is looked at.

    Parameters
    ----------
    text : str
        The scheduler.
    jobs : list of Job
        In arrival order.
    """

    preempts = True

    def __init__(self, text: str, jobs: list[Job]) -> None:
        self.scheduler = make_scheduler(text)
        self.jobs = jobs

    def decide(self, state: QueueState) -> Decision:
        """Check that each preempted job is needed."""
        decision = self.scheduler.decide(state)
        preempted = [self.jobs[job].size for job in decision.preempts]
        started = sum(
            self.jobs[job].size
            for job in decision.starts
            if self.jobs[job].priority <= self.scheduler.options["urgent"]
        )
        if preempted:
            assert state.free + sum(preempted) >= started
            assert state.free < started
        return decision


@pytest.mark.parametrize("seed", range(FEW))
def test_jobs_are_preempted_only_where_urgent_ones_do_not_fit(seed: int) -> None:
    case, _, text = drawn(seed)
    watched = Watched(text, jobs_of(case.workload))

    schedule = simulate(case.workload, watched, machine_size=case.processors, preemption=case.rules)

    assert (schedule.start == scheduled(case, text).start).all()
