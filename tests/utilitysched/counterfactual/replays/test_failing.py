"""Replays of schedules in which processors fail: they fail alike with a job and without it."""

from __future__ import annotations

import math
import pickle
from collections.abc import Iterable, Iterator
from dataclasses import fields, replace
from random import Random
from typing import Any

import numpy as np
import pytest

import pricing
from checkpoint import PreemptionRules
from checkpoint.failures import Outages
from pricing.counterfactual import ReplayRule
from swfx import InputError, UtilityFunction, UtilityTable, Workload
from tests.preempting import Case, failing_case, random_case
from tests.scale import enough, many
from tests.utilitysched.counterfactual.replays.test_bill import same
from tests.utilitysched.engine.test_outages import outages
from utilitysched import Schedule, make_scheduler, simulate
from utilitysched.counterfactual.charges import Counterfactuals
from utilitysched.counterfactual.replays import Question
from utilitysched.counterfactual.replays import bill as in_blocks
from utilitysched.engine import outages as downtime
from utilitysched.engine.conditions import Failures, StopTerms
from utilitysched.engine.simulation import Simulation
from utilitysched.model.arrivals import Arrivals
from utilitysched.model.scheduler import Setting
from utilitysched.model.segments import Stop
from utilitysched.workers.local import ProcessExecutor

ENDLESS = ReplayRule()


def falling(count: int) -> UtilityTable:
    """Curves that lose 1 SU a second, from 1,000 on."""
    return UtilityTable.from_functions([UtilityFunction([0, 1000], [1000, 0])] * count)


def test_by_hand() -> None:
    """The first job drives the second one onto the processor that fails."""
    jobs = Workload.from_columns(
        submit=[0, 1],
        run=[10, 20],
        requested_time=[10, 20],
        processors=[1, 1],
        utility=falling(2),
    )
    down = outages((15, 17, 1, 2))
    schedule = simulate(jobs, "easy", machine_size=2, failures=down)
    asked = Counterfactuals.of(jobs, schedule, failures=down)

    charges = pricing.charge(
        jobs, schedule.start, schedule.end, "vcg:method=replay", counterfactual=asked
    )

    # with it the second job fails at 15 and starts again at once, on the first processor
    assert schedule.end.tolist() == [10.0, 35.0]
    # without it, it runs there from 1 to 21
    assert charges.charge.tolist() == [14.0, 0.0]


def test_where_jobs_run_matters_as_long_as_something_is_to_fail() -> None:
    """Once the first job has gone all are alike, but for where the second one runs."""
    jobs = Workload.from_columns(
        submit=[0, 0, 20, 100],
        run=[5, 50, 1, 1],
        requested_time=[5, 50, 1, 1],
        processors=[1, 1, 1, 1],
        utility=falling(4),
    )

    def left_out(down: Outages) -> tuple[float, float]:
        schedule = simulate(jobs, "easy", machine_size=2, failures=down)
        found = Counterfactuals.of(jobs, schedule, failures=down).replays(ENDLESS, np.arange(1))
        return float(found.mean[0]), float(found.end[0, 0])

    assert left_out(outages((200, 210, 0, 2))) == (0.0, 20.0)  # whoever runs, fails
    assert left_out(outages((40, 41, 1, 2))) == (40.0, 101.0)
    assert left_out(outages((40, 41, 0, 1))) == (-40.0, 101.0)


def test_what_a_waiting_job_has_done_matters() -> None:
    """Without the first job the second one gets to run before something fails, then both wait."""
    flat = UtilityFunction([0, 30, 1030], [1000, 1000, 0])
    jobs = Workload.from_columns(
        submit=[0, 1, 15],
        run=[10, 5, 1],
        requested_time=[10, 5, 1],
        processors=[1, 2, 1],
        checkpoint_interval=[-1, 3, -1],
        utility=UtilityTable.from_functions([flat] * 3),
    )
    down = outages((5, 30, 1, 2))
    schedule = simulate(jobs, "easy", machine_size=2, failures=down)

    found = Counterfactuals.of(jobs, schedule, failures=down).replays(ENDLESS, np.arange(1))

    assert schedule.start.tolist() == [0.0, 30.0, 15.0]
    # when the third job comes the second one waits in both, but would have done 3 s without the
    # first one
    assert found.mean[0] == 3.0
    assert found.end[0, 0] == 35.0


def test_at_the_end_of_the_window_a_waiting_job_has_only_to_do_what_is_left() -> None:
    """The second job fails with 12 of 20 s saved; the first one has what still works."""
    jobs = Workload.from_columns(
        submit=[0, 1],
        run=[100, 20],
        requested_time=[100, 20],
        processors=[1, 1],
        checkpoint_interval=[-1, 4],
        restart_overhead=[-1, 2],
        utility=falling(2),
    )
    down = outages((15, 60, 1, 2))
    schedule = simulate(jobs, "easy", machine_size=2, failures=down)
    asked = Counterfactuals.of(jobs, schedule, failures=down)

    found = asked.replays(ReplayRule(horizon=30.0), np.arange(1))

    # with the first one it would end at 30 + 2 + 8, without it at 21
    assert found.mean[0] == 19.0


def whole_of(simulation: Simulation) -> list[object]:
    """Return all that came of a simulation."""
    simulation.finish()
    found = simulation.outcome()
    assert found.segments is not None
    columns = [getattr(found.segments, column.name) for column in fields(found.segments)]
    times = [found.start, found.end, found.backfilled]
    return [np.array(each).tolist() for each in times + columns]


def test_what_a_fork_does_is_nothing_to_what_it_branches_off_from(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(downtime, "DAY", 20.0)
    for seed in range(many(10)):
        case, text = drawn(seed)
        asked = Counterfactuals.of(case.workload, simulated(case, text, "priority-preempt"))
        arrivals = Arrivals.of(case.workload, case.processors)
        terms = StopTerms.of(case.workload, arrivals.order, case.rules)
        scheduler = make_scheduler("priority-preempt")
        scheduler.prepare(Setting(case.processors, arrivals.longest_request, 0))
        assert asked.failures is not None
        whole, stem = (
            Simulation(
                arrivals, scheduler, terms=terms, failures=asked.failures.again(case.processors)
            )
            for _ in range(2)
        )
        expected = whole_of(whole)

        for job in np.flatnonzero(np.diff(arrivals.known.submit, prepend=-1.0)).tolist():
            stem.advance(arrivals.known.submit.item(job))
            assert whole_of(stem.fork(scheduler)) == expected
            lacking = stem.fork(scheduler)
            lacking.leave_out(job)
            lacking.finish()
        assert whole_of(stem) == expected


def test_what_is_kept_of_replays_is_of_the_same_question() -> None:
    text, jobs = "nodes=8,mtbf=300,repair=5", crowd()
    failed = [
        Failures.from_text(text, 1),
        Failures.from_text(text, 2),
        *(Failures.from_text(text + more, 1) for more in (",seed=9", ",seed=8")),
        Failures.from_text("nodes=8,mtbf=300,repair=6", 1),
        *(Failures(outages((15, end, 1, 2))) for end in (17, 18)),
    ]
    kinds: list[tuple[str | None, Failures | None]]
    kinds = [(None, None), ("default", None), ("scratch=true", None)]
    kinds += [("default", failures) for failures in failed]

    digests = {
        Question(jobs, "easy", 8, 0, None, *kind, start=jobs.submit, rule=ENDLESS).digest
        for kind in kinds
    }

    assert len(digests) == len(kinds)


def drawn(seed: int, *, fails: bool = True) -> tuple[Case, str | None]:
    """A case, and failures that hit it often; where nothing fails, any job can be preempted."""
    rng = Random(f"drawn {seed}")
    if not fails:
        rules = PreemptionRules.from_text("scratch=true,overhead=1,actual=2")
        return random_case(rng, most=20)._replace(rules=rules), None
    case = failing_case(rng, most=12)
    text = f"nodes={case.processors},mtbf=15,repair=3"
    return case, rng.choice([text, text + ",seed=9"])


def simulated(
    case: Case, text: str | None, scheduler: str, jobs: Workload | None = None
) -> Schedule:
    return simulate(
        case.workload if jobs is None else jobs,
        scheduler,
        machine_size=case.processors,
        seed=5,
        preemption=case.rules,
        failures=text,
    )


@pytest.mark.parametrize(
    ("scheduler", "fails"),
    [
        ("easy", True),
        ("saf:placement=none", True),
        ("priority-preempt", True),
        ("priority-preempt", False),
    ],
)
def test_replays_find_what_a_log_without_the_job_would_bring(
    scheduler: str, fails: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(downtime, "DAY", 20.0)  # so that further outages are drawn along the way
    stopped = changed = early = 0
    for seed in range(many(10)):
        case, text = drawn(seed, fails=fails)
        jobs = case.workload[case.order]
        schedule = simulated(case, text, scheduler, jobs)
        found = Counterfactuals.of(jobs, schedule).replays(ENDLESS, np.arange(len(jobs)))

        having = jobs.utility.evaluate(schedule.turnaround(jobs))
        assert schedule.segments is not None
        stop = Stop.FAILED if fails else Stop.PREEMPTED
        stopped += int((schedule.segments.stop == stop).sum())
        for gone in np.flatnonzero(jobs.submit > jobs.submit.min()):  # the first sets the clock
            rest = jobs[np.arange(len(jobs)) != gone]
            without = simulated(case, text, scheduler, rest)
            lacking = np.insert(rest.utility.evaluate(without.turnaround(rest)), gone, np.nan)
            mine = found.losses.cause == gone
            told = dict(
                zip(found.losses.victim[mine].tolist(), found.losses.loss[mine], strict=True)
            )
            lost = {
                job: float(lacking[job] - having[job])
                for job in range(len(jobs))
                if job != gone and lacking[job] != having[job]
            }
            assert told == pytest.approx(lost)
            changed += bool(lost)
            early += bool(found.end[gone, 0] < schedule.end.max())
    assert stopped > enough(10 if fails else 3)
    assert changed > enough(10)
    assert early > enough(10)


def test_everywhere_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    """In two processes and when sent to a cluster."""
    jobs = crowd()
    text = "nodes=4,per=2,mtbf=40,repair=9"
    schedule = simulate(
        jobs, "ga:generations=1,population=4", machine_size=8, seed=3, failures=text
    )
    everybody, rule = np.arange(len(jobs)), ReplayRule(math.inf, 2)
    asked = Counterfactuals.of(jobs, schedule)
    alone = asked.replays(rule, everybody)

    monkeypatch.setattr(in_blocks, "JOBS", 7)

    class Elsewhere:
        def run(self, work: Any, tasks: Iterable[Any]) -> Iterator[tuple[Any, Any]]:
            first, *rest = tasks
            yield first, pickle.loads(pickle.dumps(work)).prepare()(first)
            yield from ProcessExecutor(2).run(work, rest)

    same(alone, replace(asked, executor=Elsewhere()).replays(rule, everybody))
    assert alone.error.max() > 0


def crowd(count: int = 25) -> Workload:
    number = np.arange(count)
    return Workload.from_columns(
        submit=4 * number,
        run=10 + 5 * (number % 7),
        requested_time=[60] * count,
        processors=1 + number % 5,
        checkpoint_interval=np.where(number % 2, 7, -1),
        restart_overhead=np.where(number % 2, 2, -1),
        utility=falling(count),
    )


def test_other_outages_are_refused() -> None:
    jobs, text = crowd(), "nodes=8,mtbf=300,repair=5"
    schedule = simulate(jobs, "easy", machine_size=8, seed=1, failures=text)
    told = dict(schedule.provenance)
    others = Failures.from_text(text, seed=2)

    told["outages"] = {**told["outages"], "seed": 2}  # type: ignore[dict-item]
    for asked in (
        Counterfactuals.recorded(jobs, schedule.start, told),
        Counterfactuals.of(jobs, schedule, failures=others),
    ):
        with pytest.raises(InputError) as error:
            asked.replays(ENDLESS, np.arange(3))

        assert str(error.value) == (
            "field failures: nodes=8,mtbf=300,repair=5 no longer fails as it did: the outages are "
            "others; give the failures of this schedule, or simulate again, then bill"
        )


def test_outages_that_were_given_must_be_given_again() -> None:
    jobs, down = crowd(), outages((15, 17, 1, 2))
    schedule = simulate(jobs, "easy", machine_size=8, failures=down)

    with pytest.raises(InputError) as error:
        Counterfactuals.of(jobs, schedule).replays(ENDLESS, np.arange(3))

    assert str(error.value) == (
        "field failures: nothing says what failed (1 outages); "
        "give it: Counterfactuals.of(workload, schedule, failures=...), or simulate again, then "
        "bill"
    )


def test_outages_may_be_none() -> None:
    jobs, none = crowd(), outages()
    schedule = simulate(jobs, "easy", machine_size=8, failures=none)
    unfailing = simulate(jobs, "easy", machine_size=8, preemption="default")

    found, plain = (
        Counterfactuals.of(jobs, made, failures=given).replays(ENDLESS, np.arange(len(jobs)))
        for made, given in ((schedule, none), (unfailing, None))
    )

    assert found.mean.tolist() == plain.mean.tolist()
    assert found.mean.any()


def test_a_run_that_does_not_note_its_outages_is_billed_unless_they_matter() -> None:
    """Earlier versions wrote down the text alone."""
    jobs = crowd()
    schedule = simulate(jobs, "easy", machine_size=8, failures="nodes=8,mtbf=300,repair=5")
    told = {key: said for key, said in schedule.provenance.items() if key != "outages"}
    asked = Counterfactuals.recorded(jobs, schedule.start, told)

    charges = pricing.charge(
        jobs,
        schedule.start,
        schedule.end,
        "first-price:reading=end",
        counterfactual=asked,
        used=schedule.running_time,
    )

    assert charges.total > 0
    with pytest.raises(InputError, match=r"nothing says what failed .*; .* simulate again"):
        asked.replays(ENDLESS, np.arange(3))
