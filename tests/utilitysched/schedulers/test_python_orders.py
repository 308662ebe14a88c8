"""Orderings in Python: as the compiled ones, and by rules that need memory or labels."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from random import Random
from typing import Any

import numpy as np
import pytest

import pricing
from swfx import Header, InputError, Workload
from tests.checked import linked
from tests.preempting import failing_case, random_case
from tests.queues import Machine, random_workload
from tests.scale import enough, many
from tests.test_differential import PLACEMENTS, drawn
from tests.utilitysched.counterfactual.replays.small import asked_of, everybody
from tests.utilitysched.market.quote.markets import market
from tests.utilitysched.market.quote.test_quote import MECHANISMS, billed, exactly, quoted
from utilitysched import QueueState, Schedule, make_scheduler, simulate
from utilitysched.counterfactual.charges import Counterfactuals
from utilitysched.counterfactual.replays import replay_jobs
from utilitysched.model.job_facts import JobFacts
from utilitysched.model.state import Floats
from utilitysched.schedulers.list_options import order_from
from utilitysched.schedulers.orderings import ORDERINGS, ordering

CASES = many(36)
RANK = {"debug": 0.0, "long": 2.0}


class Saf:
    def score(self, state: QueueState) -> Floats:
        known, jobs = state.known, state.queued
        # facts follow jobs by their numbers, whatever these are
        every = np.arange(len(known.submit))
        asked = state.column("requested_processors", every)
        arrived = state.facts.arrived if state.facts else 0
        assert asked[:arrived].tolist() == known.size[:arrived].tolist()
        assert set(asked[arrived:].tolist()) <= {-1}
        return known.request[jobs] * known.size[jobs]


class Wfp3:
    def score(self, state: QueueState) -> Floats:
        known, jobs = state.known, state.queued
        ratio = (state.now - known.submit[jobs]) / np.maximum(known.request[jobs], 1.0)
        return -(ratio * ratio * ratio) * known.size[jobs]


class LeastUsed:
    def __init__(self, half_life: float) -> None:
        self.half_life = half_life

    def prepare(self, setting: Any) -> None:  # noqa: ARG002
        self.usage: dict[int, float] = {}
        self.now = 0.0

    def score(self, state: QueueState) -> Floats:
        fade = 0.5 ** ((state.now - self.now) / self.half_life)
        self.usage = {user: used * fade for user, used in self.usage.items()}
        self.now, user = state.now, state.known.user
        assert state.finished_end is not None
        ended = state.finished, state.finished_run, state.finished_end
        for job, run, end in zip(*ended, strict=True):
            area = run * state.known.size[job] * 0.5 ** ((state.now - end) / self.half_life)
            self.usage[user[job]] = self.usage.get(user[job], 0.0) + area
        return np.array([self.usage.get(each, 0.0) for each in user[state.queued]])


class ByPartition:
    def score(self, state: QueueState) -> Floats:
        return np.array([RANK.get(name, 1.0) for name in state.labels("partition").of_jobs()])


@pytest.fixture(autouse=True)
def in_python(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr("utilitysched.schedulers.orderings.ORDERINGS", {**ORDERINGS})
    for name, made in (("my-saf", Saf), ("my-wfp3", Wfp3), ("by-partition", ByPartition)):
        ordering(name, summary="")(made)
    ordering("least-used", summary="", parameters={"half_life": 7.3})(LeastUsed)
    return


def case_of(seed: int) -> tuple[Workload, dict[str, Any]]:
    """Return a random workload, and failures, stops and dependencies."""
    rng = Random(f"asked {seed}")
    fails, depends, stops = (rng.random() < 0.5 for _ in range(3))
    case = failing_case(rng, 20) if fails else random_case(rng, 20)
    workload = linked(rng, Machine(*case[:2])).workload if depends else case.workload
    workload = workload.replace(requested_processors=workload.size)
    options: dict[str, Any] = {"machine_size": case.processors, "dependencies": depends}
    if stops:
        options["preemption"] = case.rules
    if fails:
        options["failures"] = case.drawn_outages()
    return workload, options


def assert_equal(compiled: Schedule, asked: Schedule) -> None:
    named = {name: compiled.provenance[name] for name in ("scheduler", "options")}
    provenance = asked.provenance | named
    assert replace(asked, scheduler=compiled.scheduler, provenance=provenance) == compiled
    assert (asked.passes, asked.segments) == (compiled.passes, compiled.segments)


@pytest.mark.parametrize("seed", range(CASES))
def test_the_same_score_gives_the_schedule_of_the_compiled_ordering(seed: int) -> None:
    workload, options = case_of(seed)
    placement = ("replan", *PLACEMENTS[:5])[seed % 6]
    text = drawn(Random(seed), ("saf", "wfp3")[seed // 6 % 2], placement).text

    compiled, asked = (simulate(workload, each, **options) for each in (text, f"my-{text}"))

    assert_equal(compiled, asked)


def test_the_backfill_order_is_asked_too() -> None:
    for seed in range(many(6)):
        workload, options = case_of(seed)

        compiled, asked = (
            simulate(workload, f"easy:backfill={name}", **options) for name in ("saf", "my-saf")
        )

        assert_equal(compiled, asked)


def starts_in_turn(
    workload: Workload, processors: int, place: Callable[[int, float, list[tuple[float, int]]], Any]
) -> list[float]:
    """Start of each job where the queue is served in order, nobody ahead, by plain loops."""
    start: dict[int, float] = {}
    ends: list[tuple[float, int]] = []
    every = range(len(workload))
    run, submit, size = (
        each.tolist() for each in (workload.effective_run, workload.submit, workload.size)
    )
    now = min(submit)
    while len(start) < len(workload):
        ended = sorted(each for each in ends if each[0] <= now)
        free = processors - sum(size[job] for end, job in ends if end > now)
        queue = [job for job in every if submit[job] <= now and job not in start]
        for job in sorted(queue, key=lambda job: (place(job, now, ended), submit[job], job)):
            if size[job] > free:
                break
            free -= size[job]
            start[job] = now
            ends.append((now + run[job], job))
        now = min(
            [end for end, _ in ends if end > now] + [each for each in submit if each > now],
            default=now,
        )
    return [start[job] for job in every]


def busy(seed: int) -> tuple[Workload, int]:
    """Return a random workload of three users and partitions, in which every job runs a while."""
    rng = Random(seed)
    workload, processors = random_workload(rng, 24)
    jobs = len(workload)
    run = np.array([rng.randint(1, 9) for _ in range(jobs)], dtype=np.float64)
    return workload.replace(
        run=run,
        requested_time=run + 3,
        user=np.array([rng.choice([7, 3, 5, -1]) for _ in range(jobs)]),
        partition=np.array([rng.choice([1, 2, 3]) for _ in range(jobs)]),
        header=Header((" Partition: 1 long", " Partition: 2 debug", " Partition: 3 batch")),
    ), processors


def decayed(workload: Workload, half_life: float) -> Callable[..., float]:
    """Usage of the user of a job, from scratch."""
    user, area = workload.user.tolist(), (workload.size * workload.effective_run).tolist()

    def usage(job: int, now: float, ended: list[tuple[float, int]]) -> float:
        parts = [
            area[other] * 0.5 ** ((now - end) / half_life)
            for end, other in ended
            if user[other] == user[job]
        ]
        return round(sum(parts), 9)

    return usage


def test_who_used_least_goes_first() -> None:
    changed = 0
    for seed in range(many(20)):
        workload, processors = busy(seed)

        served = simulate(workload, "least-used:placement=none", machine_size=processors).start

        expected = starts_in_turn(workload, processors, decayed(workload, 7.3))
        assert served.tolist() == expected
        fcfs = simulate(workload, "fcfs", machine_size=processors).start
        changed += served.tolist() != fcfs.tolist()
    assert changed >= enough(5)


def test_the_order_of_partitions() -> None:
    changed = 0
    for seed in range(many(20)):
        workload, processors = busy(seed)

        served = simulate(workload, "by-partition:placement=none", machine_size=processors).start

        names = {1: 2.0, 2: 0.0, 3: 1.0}
        rank = [names[number] for number in workload.partition.tolist()]
        expected = starts_in_turn(workload, processors, lambda job, *_, rank=rank: rank[job])
        assert served.tolist() == expected
        fcfs = simulate(workload, "fcfs", machine_size=processors).start
        changed += served.tolist() != fcfs.tolist()
    assert changed >= enough(5)


@pytest.mark.parametrize("scheduler", ["least-used", "by-partition:placement=none"])
def test_replays_are_simulations_without_the_job(scheduler: str) -> None:
    charged = 0
    for seed in range(many(8)):
        workload, processors = busy(seed)
        question = asked_of(workload, processors, scheduler)

        replays = replay_jobs(question, everybody(question))

        earned = worths(workload, scheduler, processors)
        for job in range(len(workload)):
            rest = np.arange(len(workload)) != job
            without = worths(workload[rest], scheduler, processors)
            assert replays.mean[job] == pytest.approx(without.sum() - earned[rest].sum(), abs=1e-6)
        charged += np.count_nonzero(replays.charge)
    assert charged > 0


def worths(workload: Workload, scheduler: str, processors: int) -> Floats:
    schedule = simulate(workload, scheduler, machine_size=processors, seed=5)
    return workload.utility.evaluate(schedule.turnaround(workload))


def test_where_nothing_is_uncertain_the_bill_is_as_quoted() -> None:
    rng = Random(11)
    scheduler = "least-used:half_life=1e18"  # a moment does not say when jobs ended
    waited = charged = 0
    for _ in range(many(8, least=8)):
        case = market(rng, scheduler)
        offer = quoted(case, scheduler).offers[0]
        assert offer.now.completion == exactly(case.schedule.end[-1])
        asked = Counterfactuals.of(case.workload, case.schedule)
        for mechanism in MECHANISMS:
            paid = billed(case, mechanism, asked)
            assert offer.now.charges[mechanism] == exactly(paid), mechanism
        waited += case.schedule.start[-1] > case.workload.submit[-1]
        charged += offer.now.charges["vcg"].mean > 0
    assert waited > 0
    assert charged > 0


@pytest.mark.parametrize("placement", ["none", "easy", "conservative,replan=true"])
def test_charges_by_plans_are_those_of_the_compiled_ordering(placement: str) -> None:
    workload, processors = busy(3)
    workload = workload.replace(requested_processors=workload.size)

    charges = []
    for name in ("saf", "my-saf"):
        schedule = simulate(workload, f"{name}:placement={placement}", machine_size=processors)
        asked = Counterfactuals.of(workload, schedule)
        bill = pricing.charge(workload, schedule.start, schedule.end, "vcg", counterfactual=asked)
        charges.append(bill.charge)

    assert charges[0].sum() > 0
    assert charges[0].tolist() == charges[1].tolist()


@pytest.mark.parametrize("name", ["run", "wait", "status", "processors", "state", "tres/energy"])
def test_what_becomes_of_jobs_is_not_told(name: str) -> None:
    class Knowing:
        def score(self, state: QueueState) -> Floats:
            return state.column(name) * 1.0

    ordering("knowing", summary="")(Knowing)
    with pytest.raises(InputError, match=f"{name} is not known before a job has ended"):
        simulate(*busy(1)[:1], "knowing", machine_size=busy(1)[1])


def test_columns_are_of_jobs_in_any_form_and_not_misspelt() -> None:
    jobs = busy(1)[0].replace(user=np.arange(len(busy(1)[0])) % 5)
    arrivals = np.argsort(jobs.submit, kind="stable")
    facts = JobFacts(jobs, arrivals, range(len(jobs)), len(jobs))
    marked = np.isin(np.arange(len(jobs)), [0, 2])

    for chosen in ([0, 2], np.array([0, 2]), marked):
        assert facts.column("user", chosen).tolist() == jobs.user[arrivals[[0, 2]]].tolist()
    for name in ("tres/nope", "usr"):
        with pytest.raises(InputError, match=f"field {name}: no job has it; "):
            facts.column(name, [0])


def test_refusals() -> None:
    class Short:
        def score(self, state: QueueState) -> Floats:
            return state.known.submit

    ordering("short", summary="")(Short)
    workload, processors = busy(2)
    with pytest.raises(InputError, match=r"short: score\(\) returned 12 numbers for 11 jobs"):
        simulate(workload, "short", machine_size=processors)
    Short.score = lambda *_: "abc"  # type: ignore[assignment,method-assign]
    with pytest.raises(InputError, match=r"short: score\(\) returned 'abc', which is not numbers"):
        simulate(workload, "short", machine_size=processors)
    for methods in ({}, {"score": lambda _: 0.0}):
        with pytest.raises(InputError, match=r"class Bare has no method score\(self, state\)"):
            ordering("bare", summary="")(type("Bare", (), methods))
    with pytest.raises(InputError, match=r"Saf does not take .* 'p'; write __init__\(self, p\)"):
        ordering("other", summary="", parameters={"p": 1.0})(Saf)
    with pytest.raises(InputError, match="my-saf: field seeds: scores jobs in Python"):
        order_from("my-saf")
    with pytest.raises(InputError, match="least-used: field policies: has to be asked at every"):
        make_scheduler("select:policies=fcfs+least-used")
    assert make_scheduler("least-used:half_life=9,backfill=saf").options["half_life"] == 9


def test_only_the_setting_of_a_simulation_prepares_a_class() -> None:
    sizes = []

    class Prepared(Wfp3):
        def prepare(self, setting: Any) -> None:
            sizes.append(setting.machine_size)

    ordering("prepared", summary="")(Prepared)
    workload, processors = busy(2)
    simulate(workload, make_scheduler("prepared"), machine_size=processors)
    assert sizes == [processors]


def test_a_log_without_the_label_is_refused() -> None:
    jobs = Workload.from_columns(submit=[0, 0], run=[5, 5], processors=[1, 1])
    with pytest.raises(InputError, match="the log does not say 'partition'"):
        simulate(jobs, "by-partition", machine_size=1)
