"""Failures worked out by hand, what is refused, and whom they never let run."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

from checkpoint import PreemptionRules
from checkpoint.failures import Outages
from swfx import InputError, Workload
from tests.preempting import Case, Preemptor, failing_case
from tests.scale import many
from tests.utilitysched.engine.test_restarts import rows
from utilitysched import Schedule, allocations, metrics, simulate
from utilitysched.engine import outages as downtime
from utilitysched.engine.conditions import Failures, StopTerms
from utilitysched.engine.simulation import Simulation
from utilitysched.model.arrivals import Arrivals
from utilitysched.model.segments import Stop
from utilitysched.runs import Results, claim, read_results, write_run

NODES = "nodes=4,per=2,mtbf=2h,repair=10min"


def two_jobs() -> Workload:
    """A job of 100 s on all 4 processors that saves its work every 30 s, and one of 10 s on 2."""
    return Workload.from_columns(
        submit=[0, 0],
        run=[100, 10],
        requested_time=[200, 20],
        processors=[4, 2],
        checkpoint_interval=[30, -1],
        restart_overhead=[8, -1],
    )


def outages(*down: tuple[float, float, int, int]) -> Outages:
    return Outages.union([(*row, 0) for row in down], ("node",))


def many_jobs(count: int = 40) -> Workload:
    number = np.arange(count)
    return Workload.from_columns(
        submit=100 * number,
        run=600 + 300 * (number % 7),
        requested_time=[3600] * count,
        processors=1 + number % 5,
        user=number % 3,
        checkpoint_interval=np.where(number % 2, 120, -1),
        restart_overhead=np.where(number % 2, 20, -1),
    )


def test_a_job_goes_on_from_its_last_checkpoint_on_what_still_works() -> None:
    schedule = simulate(two_jobs(), "easy", machine_size=4, failures=outages((50, 70, 1, 2)))

    assert rows(schedule) == [
        (0, 0, 50, 0, 30, 20, Stop.FAILED, -1),
        (1, 50, 60, 0, 10, 0, Stop.COMPLETED, -1),
        (0, 70, 148, 8, 70, 0, Stop.COMPLETED, -1),
    ]
    assert allocations(two_jobs(), schedule) == ["0-3", "0 2", "0-3"]
    assert schedule.provenance["failures"] == "1 outages"
    assert schedule.provenance["preemption"] == "default"
    figures = metrics.summary(two_jobs(), schedule)
    assert (figures["failures"], figures["preemptions"]) == (1, 0)
    assert figures["processor_hours_lost_to_failures"] == 80 / 3600


def test_a_failure_elsewhere_stops_nobody() -> None:
    plain = simulate(two_jobs(), "fcfs", machine_size=8)

    schedule = simulate(two_jobs(), "fcfs", machine_size=8, failures=outages((5, 70, 6, 8)))

    assert schedule.end.tolist() == plain.end.tolist()
    assert schedule.passes == plain.passes + 2  # at 5 and at 70


def test_a_job_that_ends_as_its_processors_fail_has_ended() -> None:
    schedule = simulate(two_jobs(), "easy", machine_size=4, failures=outages((100, 150, 0, 4)))

    assert schedule.start.tolist() == [0, 150]
    assert schedule.end.tolist() == [100, 160]


def test_without_checkpoints_all_is_done_again() -> None:
    workload = two_jobs().replace(checkpoint_interval=np.array([-1.0, -1.0]))

    schedule = simulate(
        workload, "easy", machine_size=4, preemption="on_demand=5", failures=outages((50, 51, 0, 1))
    )

    assert rows(schedule)[0] == (0, 0, 50, 0, 0, 50, Stop.FAILED, -1)


def test_failures_are_those_of_the_seed_however_long_it_takes() -> None:
    workload = many_jobs()
    again = Failures.from_text(NODES, seed=3)
    ahead = again.between(0, 1e6)

    drawn = simulate(workload, "easy", machine_size=8, seed=3, failures=NODES)
    given = simulate(workload, "easy", machine_size=8, seed=3, failures=ahead)

    assert drawn.segments == given.segments
    assert drawn.end.tolist() == given.end.tolist()
    assert np.count_nonzero(drawn.segments.stop == Stop.FAILED) > 3  # type: ignore[union-attr]
    other = simulate(workload, "easy", machine_size=8, seed=4, failures=NODES)
    assert other.segments != drawn.segments


def test_outages_are_drawn_as_far_as_they_are_needed(monkeypatch: pytest.MonkeyPatch) -> None:
    expected = simulate(many_jobs(), "easy", machine_size=8, failures=NODES)

    monkeypatch.setattr(downtime, "DAY", 1.0)

    assert simulate(many_jobs(), "easy", machine_size=8, failures=NODES) == expected


@pytest.mark.parametrize(
    ("scheduler", "options", "message"),
    [
        (
            "easy",
            {"failures": "nodes=3,mtbf=1h,repair=1min"},
            (
                "failures: these nodes have 3 processors, not 4; "
                "give as many nodes and processors per node as the machine has"
            ),
        ),
        (
            "easy",
            {"failures": outages((0, 1, 3, 6))},
            "failures: processor 5 fails, the machine has 4; give outages of this machine",
        ),
        (
            "easy",
            {"failures": "nodes=4,mtbf=1h,repair=1min,prefer=safe"},
            (
                "failures: field prefer: was removed; "
                "leave it out: nodes fail alike, jobs get the lowest ones"
            ),
        ),
    ],
)
def test_refusals(scheduler: str, options: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError) as error:
        simulate(two_jobs(), scheduler, machine_size=4, **options)

    assert str(error.value) == message


def test_a_job_that_never_gets_through_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(downtime, "MOST_FAILURES", 20)
    jobs = Workload.from_columns(job_id=[7], submit=[0], run=[300], processors=[4])

    with pytest.raises(InputError, match=r"^failures: job 7 \(index \d+\) failed 20 times until"):
        simulate(jobs, "easy", machine_size=4, failures="nodes=4,mtbf=60,repair=1")


@pytest.mark.parametrize(("interval", "ends"), [(-1, False), (3600, False), (120, True)])
def test_a_job_that_could_never_get_through_is_told_at_once(interval: float, ends: bool) -> None:
    # all 16 nodes fail once in 2,000 s: one of them in 125 s
    jobs = Workload.from_columns(
        job_id=[3, 7],
        submit=[0, 0],
        run=[60, 7200],
        processors=[1, 62],
        checkpoint_interval=[-1, interval],
    )
    domains = "nodes=16,per=4,mtbf=2000,repair=10"

    if ends:
        assert simulate(jobs, "easy", machine_size=64, failures=domains).end[1] > 7200
        return
    with pytest.raises(InputError) as error:
        simulate(jobs, "easy", machine_size=64, failures=domains)
    stretch = "7,200" if interval == -1 else "3,600"
    assert str(error.value) == (
        f"failures: job 7 needs {stretch} s without a failure on 62 processors, of which one fails"
        " every 125 s or more often: it would never end;"
        " give it checkpoints, or processors that fail less often"
    )


def test_a_job_that_never_finds_its_processors_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(downtime, "MOST_FAILURES", 20)
    jobs = Workload.from_columns(job_id=[6, 7], submit=[0, 10], run=[20, 50], processors=[4, 4])
    domains = "nodes=4,mtbf=60,repair=6000"

    message = r"^failures: job \d \(index \d+\) waits for 4 of 4 processors at .* for 20 outages"
    with pytest.raises(InputError, match=message):
        simulate(jobs, "easy", machine_size=4, failures=domains)


def clashes(case: Case, schedule: Schedule) -> list[tuple[int, int]]:
    """Processors at the start of a segment that another one, or an outage, has at that time."""
    found = schedule.segments
    assert found is not None
    held = [numbers_in(text) for text in allocations(case.workload, schedule)]
    spans = list(zip(found.start.tolist(), found.end.tolist(), held, strict=True))
    spans += [(start, end, set(range(low, high))) for start, end, low, high in case.outages]
    lasting = [span for span in spans if span[0] < span[1]]
    return [
        (i, j)
        for i, (start, _, mine) in enumerate(lasting)
        for j, (begin, end, theirs) in enumerate(lasting)
        if i != j and begin <= start < end and mine & theirs
    ]


def numbers_in(text: str) -> set[int]:
    ends = [piece.split("-") for piece in text.split()]
    return {
        number for low, *high in ends for number in range(int(low), int((high or [low])[0]) + 1)
    }


@pytest.mark.parametrize(
    "scheduler",
    [
        "easy",
        "saf:placement=none",
        "fcfs:placement=conservative,replan=true",
        "ga:population=4,generations=2",
    ],
)
def test_nobody_runs_where_something_is_down_and_no_work_is_lost_twice(scheduler: str) -> None:
    for seed in range(many(6)):
        case = failing_case(Random(f"named {seed}"))

        schedule = simulate(
            case.workload,
            scheduler,
            machine_size=case.processors,
            preemption=case.rules,
            failures=case.drawn_outages(),
        )

        assert clashes(case, schedule) == []
        found, jobs = schedule.segments, len(case.workload)
        assert found is not None
        held = [len(numbers_in(text)) for text in allocations(case.workload, schedule)]
        assert held == case.workload.size[found.job].tolist()
        done = found.per_job(found.overhead + found.kept + found.lost, jobs)
        assert done.tolist() == found.per_job(found.elapsed, jobs).tolist()
        kept = found.per_job(found.kept, jobs)
        assert (kept <= case.workload.effective_run).all()
        if case.rules.actual <= 1 or case.rules.overrun == "run":
            assert kept.tolist() == case.workload.effective_run.tolist()


def test_a_fork_fails_as_its_stem_would() -> None:
    case = failing_case(Random(2), most=20)
    rules = PreemptionRules(scratch=True)
    case = case._replace(rules=rules, eagerness=0.8)
    arrivals = Arrivals.of(case.workload, case.processors)
    terms = StopTerms.of(case.workload, arrivals.order, rules)
    preemptor, failures = Preemptor(case, 3), Failures(case.drawn_outages())
    stem = Simulation(arrivals, preemptor, terms=terms, failures=failures)
    branches = []

    while stem.step():
        branches.append(stem.fork(preemptor))
    for branch in branches:
        branch.finish()

    stops = [branch.outcome().segments for branch in branches]
    assert np.count_nonzero(stops[-1].stop == Stop.FAILED)  # type: ignore[union-attr]
    for found in stops:
        assert found == stem.outcome().segments


def test_what_failed_is_stored_and_read_back(tmp_path: Path) -> None:
    jobs = two_jobs()
    schedule = simulate(jobs, "easy", machine_size=4, failures=outages((50, 70, 1, 2)))
    target = claim(tmp_path, jobs.digest(), ["easy"])
    target.write_workload(jobs, {})
    record = {
        "workload": {"digest": jobs.digest(), "classes": None},
        "simulation": dict(schedule.provenance),
    }
    write_run(
        target.runs["easy"], Results(jobs, schedule, metrics.summary(jobs, schedule), record, {})
    )

    run = read_results(target.runs["easy"])

    assert run.schedule.segments == schedule.segments
    assert run.allocations == ["0-3", "0 2", "0-3"]
