"""Failures, preemptions and charges by VCG together, as the rules ask for: all of it adds up.

Work: what is kept, lost and spent on restarts is what ran. Time: each processor runs a job, is
down, or is idle. Money: charges are what others lose, to the last unit.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from itertools import pairwise
from random import Random

import numpy as np
import pytest

import pricing
from checkpoint.failures import Outages
from pricing import Charges, Pivots, Replays
from pricing.counterfactual import horizon_seconds
from pricing.mechanisms import vcg
from tests.checked import attempts_of, check_case
from tests.preempting import Case, Preemptor, checkpoints_of, failing_case, random_case
from tests.queues import jobs_of
from tests.reference.absence import lost_by, lost_literally
from tests.reference.jobs import Job, Running
from tests.reference.lost_work import Piece, bill
from tests.reference.protocol import Choice, Chooser, Outage, State
from tests.reference.urgency import Wanted, decide
from tests.scale import enough, many
from tests.translated import Translated
from tests.utilitysched.engine.test_outages import numbers_in
from utilitysched import Schedule, allocations, simulate
from utilitysched.counterfactual import inputs
from utilitysched.counterfactual.charges import Counterfactuals
from utilitysched.counterfactual.replays import question
from utilitysched.engine import engine
from utilitysched.engine import outages as downtime
from utilitysched.engine.conditions import Failures, StopTerms
from utilitysched.engine.segments_log import waste_of
from utilitysched.engine.simulation import Simulation
from utilitysched.model.arrivals import Arrivals
from utilitysched.model.scheduler import Scheduler, Setting, scheduler_of
from utilitysched.model.segments import Segments, Stop
from utilitysched.schedulers import registry

SEED = 5

FAR = 4_000.0
"""By then every small case has ended (s)."""

LOST_RATE = 3
"""For lost work, SU per processor-hour."""

MOST = 10
"""Jobs of a case."""

SCHEDULERS = ("random-preempt", "priority-preempt", "ga:preempt=true")


class PreemptingPlan(Preemptor):
    """Preemptions at random, by all that can be seen; of that, nothing is forgotten."""

    label = "random-preempt"
    stochastic = False

    def prepare(self, setting: Setting) -> None:
        """Need nothing."""

    def fork(self, seed: int | None = None) -> PreemptingPlan:  # noqa: ARG002 - nothing is drawn
        return self

    def memory_of(self, queued: object) -> object:  # noqa: ARG002
        return object()


@dataclass(frozen=True, eq=False)
class Balance:
    """One random case.

    Attributes
    ----------
    case : Case
        Jobs, machine, rules and outages.
    failures : str or Outages or None
        What the engine is told of the outages.
    scheduler : str
        Its text, or ``random-preempt``.
    wanted : Wanted
        Options of ``priority-preempt``, as its twin takes them.
    mechanism : str
        How jobs are charged.
    payer : str
        Who pays for lost work.
    """

    case: Case
    failures: str | Outages | None
    scheduler: str
    wanted: Wanted
    mechanism: str
    payer: str

    @cached_property
    def jobs(self) -> list[Job]:
        return jobs_of(self.case.workload)

    @cached_property
    def outages(self) -> Outages:
        """As the engine has them."""
        if isinstance(self.failures, str):
            begin = float(self.case.workload.submit.min())
            return Failures.from_text(self.failures, SEED).between(begin, FAR)
        return self.failures or Outages.union([], ())

    def scheduled(self) -> Schedule:
        return simulate(
            self.case.workload,
            self.scheduler,
            machine_size=self.case.processors,
            seed=SEED,
            preemption=self.case.rules,
            failures=self.failures,
        )

    def ends(self, never: Sequence[int], until: float) -> list[float]:
        """Simulate all from the beginning, without some of the jobs; return the ends (s).

        What waits at `until` (s) counts as started then.
        """
        case, size = self.case, self.case.processors
        arrivals = Arrivals.of(case.workload, size)
        terms = StopTerms.of(case.workload, arrivals.order, case.rules)
        scheduler = self.made(self.scheduler)
        scheduler.prepare(Setting(size, arrivals.longest_request, SEED))
        failures = Failures.of(self.failures, size, SEED)
        simulation = Simulation(arrivals, scheduler, terms=terms, failures=failures)
        # not before: a job that is left out counts as known, as it would from its submission on
        for number in sorted(never):
            simulation.advance(self.jobs[number].submit)
            simulation.leave_out(number)
        simulation.advance(until)
        ends: list[float] = simulation.ends_of(np.arange(len(self.jobs)), until).tolist()
        return ends

    def made(self, text: str) -> Scheduler:
        """Return a scheduler by its text."""
        if text == "random-preempt":
            return scheduler_of(PreemptingPlan(self.case, SEED))
        return registry.make_scheduler(text)

    def twin(self) -> Chooser:
        """Return the scheduler as the checker asks it."""
        if self.scheduler == "random-preempt":
            return PreemptingPlan(self.case, SEED).choose
        if self.scheduler.startswith("ga"):
            return Translated(self.case, self.outages, self.scheduler, SEED).choose
        return self._by_urgency

    def _by_urgency(self, state: State) -> Choice:
        down = [
            Running(outage.end, len(self.jobs), outage.high - outage.low)
            for outage in self.case.outages
            if outage.start <= state.now < outage.end
        ]
        saves, processors = checkpoints_of(self.case), self.case.processors
        return decide(state, self.jobs, saves, processors, self.wanted, down)

    def lost_by(self, gone: int) -> dict[int, float]:
        """Return who would have how much more without a job, by number, from whole logs (SU)."""
        if "literal" in self.mechanism:
            return lost_literally(gone, self.jobs, self.ends)
        horizon = in_seconds(self.mechanism.partition("horizon=")[2])
        return lost_by(gone, self.jobs, self.ends, horizon)


def in_seconds(horizon: str) -> float:
    """Return a horizon that says hours, and means seconds: cases are short."""
    return horizon_seconds(horizon) / 3600


def drawn(seed: int) -> Balance:
    """Draw a case; in most of them, processors fail."""
    rng = Random(f"balance {seed}")
    scheduler = SCHEDULERS[seed % len(SCHEDULERS)]
    make = random_case if rng.random() < 0.2 else failing_case
    case = make(rng, most=MOST)
    while not case.workload.has_utilities:
        case = make(rng, most=MOST)
    failures: str | Outages | None = case.drawn_outages() if case.outages else None
    if failures and rng.random() < 0.4:
        failures = f"nodes={case.processors},mtbf=40,repair=3"
    preemptions = rng.choice([1, 2])
    wanted = Wanted(rng.choice([1, 2]), rng.random() < 0.3, preemptions, 0.0)
    if scheduler == "priority-preempt":
        victim = "latest" if wanted.latest else "least-lost"
        scheduler += f":urgent={wanted.urgent},victim={victim},preemptions={preemptions}"
    elif scheduler != "random-preempt":
        scheduler += f",population=4,generations=2,preemptions={preemptions}"
    horizon = rng.choice(["recoupled", "recoupled", "8h", "25h"])
    mechanism = f"vcg:method=replay,horizon={horizon}"
    if scheduler != "random-preempt" and rng.random() < 0.2:  # it knows whom to expect
        mechanism = "vcg:literal=true"
    payer = rng.choice(["centre", "preemptor", "preempted", "stopped"])
    found = Balance(case, failures, scheduler, wanted, mechanism, payer)
    down = tuple(Outage(*row[:4]) for row in found.outages.rows())
    return replace(found, case=case._replace(outages=down))


@pytest.fixture(autouse=True)
def short_times(monkeypatch: pytest.MonkeyPatch) -> None:
    """Outages are drawn for as short a time as the cases last, then further ones."""
    monkeypatch.setattr(downtime, "DAY", 10.0)
    monkeypatch.setattr(vcg, "horizon_seconds", in_seconds)


@pytest.mark.parametrize("seed", range(many(120)))
def test_it_balances(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    balance = drawn(seed)
    for module in (engine, inputs, question):
        monkeypatch.setattr(module, "make_scheduler", balance.made)

    schedule = balance.scheduled()

    idle = check_case(balance.case, schedule, balance.twin())
    assert schedule.segments is not None
    assert_work_balances(balance.case, schedule.segments)
    assert_time_balances(balance.case, schedule, idle)
    mechanism = f"{balance.mechanism},lost={balance.payer},lost_rate={LOST_RATE}"
    charges = charged(balance, schedule, mechanism)
    assert_losses_are_those_of_whole_logs(balance, charges)
    assert_jobs_pay_by_hand(balance, schedule, charges)
    assert_money_balances(charges)
    if balance.scheduler.startswith("ga"):
        by_plans = charged(balance, schedule, f"vcg:settle=end,lost={balance.payer}")
        assert_money_balances(by_plans)


def charged(balance: Balance, schedule: Schedule, mechanism: str) -> Charges:
    given = balance.failures if isinstance(balance.failures, Outages) else None
    asked = Counterfactuals.of(balance.case.workload, schedule, failures=given)
    return pricing.charge(
        balance.case.workload,
        schedule.start,
        schedule.end,
        mechanism,
        counterfactual=asked,
        used=schedule.running_time,
        waste=waste_of(schedule.segments),
    )


def assert_work_balances(case: Case, segments: Segments) -> None:
    jobs, run = len(case.workload), case.workload.effective_run
    parts = segments.kept + segments.lost + segments.overhead
    assert parts.tolist() == segments.elapsed.tolist()
    kept = segments.per_job(segments.kept, jobs)
    if case.rules.actual > 1 and case.rules.overrun == "kill":
        assert (kept <= run).all()
    else:
        assert kept.tolist() == run.tolist()
    assert (segments.stop[segments.last] == Stop.COMPLETED).all()


def assert_time_balances(case: Case, schedule: Schedule, idle: float) -> None:
    """Every processor is at every instant with one job, down, or idle."""
    segments = schedule.segments
    assert segments is not None
    began = min(
        [schedule.submitted(case.workload).min(), *(outage.start for outage in case.outages)]
    )
    ended = float(schedule.end.max())
    busy: list[list[tuple[float, float]]] = [[] for _ in range(case.processors)]
    held = allocations(case.workload, schedule) if case.outages else [""] * len(segments)
    for start, end, text in zip(segments.start, segments.end, held, strict=True):
        for processor in numbers_in(text):
            busy[processor].append((float(start), float(end)))
    for start, end, low, high in case.outages:
        for processor in range(low, high):
            busy[processor].append((min(start, ended), min(end, ended)))
    for spans in busy:
        lasting = sorted(span for span in spans if span[0] < span[1])
        assert all(before[1] <= after[0] for before, after in pairwise(lasting))
    used = math.fsum(schedule.used(case.workload))
    down = math.fsum(
        (min(end, ended) - min(start, ended)) * (high - low)
        for start, end, low, high in case.outages
    )
    assert used + down + idle == case.processors * (ended - began)
    if case.outages:
        assert math.fsum(end - start for spans in busy for start, end in spans) == used + down


def assert_losses_are_those_of_whole_logs(balance: Balance, charges: Charges) -> None:
    """It simulates all again for each job, from the beginning to the end."""
    evidence, order = charges.evidence, balance.case.order
    assert isinstance(evidence, Replays)
    rows = zip(*(column.tolist() for column in evidence.losses[:3]), strict=True)
    lost = {
        (order[gone], order[victim]): loss
        for gone in range(len(order))
        for victim, loss in balance.lost_by(gone).items()
    }
    assert {(cause, victim): loss for cause, victim, loss in rows} == pytest.approx(lost, abs=1e-9)


def assert_jobs_pay_by_hand(balance: Balance, schedule: Schedule, charges: Charges) -> None:
    """Each pays what others lose by it, and for lost work."""
    order, sizes = balance.case.order, [job.size for job in balance.jobs]
    evidence, shares = charges.evidence, charges.shares
    assert isinstance(evidence, Replays)
    assert shares is not None
    pieces = [
        Piece(
            attempt.job,
            *map(Fraction, (attempt.start, attempt.end, attempt.overhead, attempt.lost)),
            attempt.cause if attempt.cause >= 0 else None,
            attempt.stop == Stop.PREEMPTED,
        )
        for attempt in attempts_of(balance.case.workload, schedule)
    ]
    own = {number: Fraction(evidence.charge[job]) for number, job in enumerate(order)}
    rate = dict.fromkeys(own, Fraction(LOST_RATE))
    expected = bill(pieces, sizes, own, rate, balance.payer)
    assert charges.charge[order].tolist() == pytest.approx(
        [float(expected.charge(number)) for number in own], abs=1e-9
    )
    for name in ("price", "paid"):
        money = sum(getattr(stop, name) for stop in expected.work)
        assert math.fsum(getattr(shares.work, name)) == pytest.approx(float(money), abs=1e-9)


def assert_money_balances(charges: Charges) -> None:
    """Lines, statements and the ledger come to one total, and losses to the charges."""
    assert charges.shares is not None
    assert charges.total == math.fsum(charges.shares.to_centre) == float(charges.billed)
    assert charges.total == pytest.approx(math.fsum(charges.charge), rel=1e-12, abs=1e-12)
    assert charges.ledger.total == charges.billed
    holds = {check.name: check.holds for check in pricing.check_charges(charges)}
    assert all(holds[name] for name in ("total", "lines", "statements", "waste"))
    evidence, shares = charges.evidence, charges.shares
    assert isinstance(evidence, Replays | Pivots)
    assert shares is not None
    for job, own in enumerate(shares.own.tolist()):
        mine = evidence.losses.loss[evidence.losses.cause == job]
        assert own == evidence.charge[job] == max(0.0, math.fsum(mine))
    with_and_without = evidence.without_job - evidence.with_job
    known = np.isfinite(with_and_without)
    planned = evidence.losses._replace(loss=evidence.losses.planned).by_cause(len(known))
    assert planned[known] == pytest.approx(with_and_without[known], abs=1e-9)


def test_there_is_something_to_balance() -> None:
    """Cases have preemptions and failures, losses in both directions, and windows that close."""
    stops = {Stop.PREEMPTED: 0, Stop.FAILED: 0}
    positive = negative = early = 0
    # not the preempting job, who is known to this test alone
    for seed in range(1, many(200, least=120), 3):
        balance = drawn(seed)
        schedule = balance.scheduled()
        assert schedule.segments is not None
        for stop in stops:
            stops[stop] += int(np.count_nonzero(schedule.segments.stop == stop))
        evidence = charged(balance, schedule, balance.mechanism).evidence
        assert isinstance(evidence, Replays)
        positive += int((evidence.mean > 0).sum())
        negative += int((evidence.mean < 0).sum())
        early += int((evidence.recoupled[:, 0] & (evidence.end[:, 0] < schedule.end.max())).sum())
    assert stops[Stop.PREEMPTED] > enough(20)
    assert stops[Stop.FAILED] > enough(20)
    assert positive > enough(30)
    assert negative > enough(10)
    assert early > enough(50)
