"""Charges whose players are users or accounts: a player's own jobs are no others."""

from __future__ import annotations

import math
from collections.abc import Callable
from random import Random

import numpy as np
import pytest

from pricing import Charges, Pivots, charge
from pricing.evidence import own_losses
from pricing.pivots import NOT_COUNTED
from swfx import Header, InputError, UtilityFunction, UtilityTable, Workload
from tests.queues import jobs_of
from tests.reference.lists import Scheduler
from tests.reference.pivot import Served, charges, planned_losses, worth
from tests.scale import enough, many
from utilitysched import simulate
from utilitysched.counterfactual.charges import Counterfactuals
from utilitysched.report.sentences import uncharged_sentences

PROCESSORS = 4
JOBS = 9
Bill = Callable[..., Charges]


def crowd(rng: Random, header: Header | None = None) -> Workload:
    """Jobs of three users and two groups that come nearly together; times are never equal."""
    jobs = JOBS
    curves = [
        UtilityFunction([0, rng.uniform(50, 200)], [rng.uniform(5, 90), 0]) for _ in range(jobs)
    ]
    return Workload.from_columns(
        header=header or Header(),
        submit=sorted(rng.uniform(0, 20) for _ in range(jobs)),
        run=[rng.uniform(5, 40) for _ in range(jobs)],
        requested_time=[rng.uniform(40, 60) for _ in range(jobs)],
        processors=[rng.randint(1, PROCESSORS) for _ in range(jobs)],
        user=[rng.choice([-1, 1, 2, 3]) for _ in range(jobs)],
        group=[rng.choice([1, 2]) for _ in range(jobs)],
        utility=UtilityTable.from_functions(curves),
    )


def rivals(machine: str) -> Counterfactuals:
    """Two jobs of a user, worth 100 SU together, in whose way a rival's job of 150 SU is.

    Each needs half of the machine, and is worth 14.5 SU after the rival's, which needs all of it,
    and now or never. By ten times what they are worth they go first; or by coming first.
    """
    curves = [UtilityFunction([0, 10, 20], [500, 500, 145])] * 2
    curves.append(UtilityFunction([0, 10, 10.5], [150, 150, 0]))
    jobs = Workload.from_columns(
        submit=[0, 0, 0],
        run=[10] * 3,
        requested_time=[10] * 3,
        processors=[1, 1, 2],
        user=[1, 1, 2],
        utility=UtilityTable.from_functions(curves),
    )
    schedule = simulate(jobs, machine, machine_size=2, seed=1)
    assert schedule.start.tolist() == [0, 0, 10]
    return Counterfactuals.of(jobs, schedule)


@pytest.mark.parametrize("scheduler", ["ga:duration=requested", "easy", "conservative"])
def test_two_jobs_that_displace_a_rival_together_pay_together(scheduler: str) -> None:
    """Without one of them the other is still in the rival's way, which loses 150 SU."""
    asked = rivals(scheduler)

    alone, together = asked.pivots(), asked.pivots(players="users")

    assert alone.charge.tolist() == [0, 0, 0]
    assert together.charge.tolist() == [75, 75, 0]
    assert [column.tolist() for column in together.losses[:4]] == [
        *([0, 1], [2, 2], [75, 75], [10, 10])
    ]
    assert together.losses.had.tolist() == [150, 150]
    assert (together.without_job - together.with_job).tolist()[:2] == [75, 75]
    assert together.others.tolist()[:2] == [1, 1]


@pytest.mark.parametrize("scheduler", ["easy", "conservative", "ga:duration=requested"])
def test_parts_of_a_job_that_start_a_second_apart_pay_for_the_rival(scheduler: str) -> None:
    """The second part waits for one more processor: it is in no plan when the first one starts.

    Without either of them the rival would start after a second and be worth 150 SU.
    """
    first = UtilityFunction([0, 1, 1.5], [300, 300, 0])
    parts = [UtilityFunction([0, 11, 20], [500, 500, 145])] * 2
    rival = UtilityFunction([0, 11, 11.5], [150, 150, 0])
    jobs = Workload.from_columns(
        submit=[0] * 4,
        run=[1, 10, 10, 10],
        requested_time=[1, 10, 10, 10],
        processors=[1, 1, 1, 2],
        user=[3, 1, 1, 2],
        utility=UtilityTable.from_functions([first, *parts, rival]),
    )
    schedule = simulate(jobs, scheduler, machine_size=2, seed=1)
    assert schedule.start.tolist() == [0, 0, 1, 11]
    asked = Counterfactuals.of(jobs, schedule)

    assert asked.pivots().charge.tolist() == [0, 0, 0, 0]
    assert asked.pivots(players="users").charge.tolist() == [0, 150, 0, 0]


SCHEDULERS = {
    "easy": Scheduler(),
    "saf": Scheduler("saf"),
    "fcfs:placement=none": Scheduler(placement="none"),
    "spf:placement=reservations,reservations=2": Scheduler("spf", "reservations", reservations=2),
}


@pytest.mark.parametrize("kind", ["jobs", "users", "accounts"])
@pytest.mark.parametrize("settle", ["start", "end"])
def test_charges_are_what_jobs_of_other_players_lose(kind: str, settle: str) -> None:
    rng = Random(5)
    charged = cut = short = 0
    for case in range(many(60, least=30)):
        scheduler = [*SCHEDULERS][case % len(SCHEDULERS)]
        workload = crowd(rng, Header((" GroupMeans: account",)))
        schedule = simulate(workload, scheduler, machine_size=PROCESSORS)
        player = {"jobs": [-1] * JOBS, "users": workload.user, "accounts": workload.group}[kind]
        asked = Counterfactuals.of(workload, schedule)
        text = f"vcg:players={kind},settle={settle},fair=0.3"

        found = charge(workload, schedule.start, schedule.end, text, counterfactual=asked)

        jobs, times = jobs_of(workload), (schedule.start.tolist(), schedule.end.tolist())
        served = Served(jobs, *times, PROCESSORS, SCHEDULERS[scheduler])
        losses = planned_losses(served, list(player), by_end=settle == "end")
        had = [worth(job, job.submit) for job in jobs]
        brief = [job.effective < 0.3 * job.request for job in jobs]
        expected = charges(losses, had, brief)
        assert found.charge.tolist() == pytest.approx(expected, abs=1e-9)
        if kind != "jobs":
            own = np.where(np.array(player) < 0, -2 - np.arange(JOBS), player)
            assert not own_losses(found, own).any()
        whole = charges(losses, [math.inf] * JOBS, [False] * JOBS)
        charged += int(np.count_nonzero(found.charge))
        cut += charges(losses, had, [False] * JOBS) != whole
        short += charges(losses, [math.inf] * JOBS, brief) != whole
    assert charged > enough(20)
    assert cut > enough(3) or settle == "end"
    assert short > enough(5)


def delayed_twice(run: float, status: int = 1) -> Bill:
    """Two jobs of which each takes all of 15 SU from a third one, as it is planned.

    The first ends after a second, when the second comes and is shorter than the third.
    """
    curves = [None, None, UtilityFunction([0, 12, 12.5], [15, 15, 0])]
    jobs = Workload.from_columns(
        submit=[0, 1, 0],
        run=[1, 8, run],
        requested_time=[9, 8, 10],
        processors=[1, 1, 1],
        user=[1, 2, 3],
        status=[status, 1, 1],
        utility=UtilityTable.from_functions(curves),
    )
    schedule = simulate(jobs, "spf", machine_size=1)
    assert schedule.start.tolist() == [0, 1, 9]
    asked = Counterfactuals.of(jobs, schedule)
    times = schedule.start, schedule.end
    return lambda text, **terms: charge(jobs, *times, text, counterfactual=asked, **terms)


def test_what_is_charged_for_a_victim_is_at_most_what_it_had() -> None:
    bill = delayed_twice(run=9)

    found = bill("vcg")
    assert found.charge.tolist() == [15, 0, 0]
    assert found.reason[1] == f"not charged: {NOT_COUNTED}"
    assert isinstance(found.evidence, Pivots)
    losses = found.evidence.losses
    assert losses.cause.tolist() == [0, 1]
    assert losses.time.tolist() == [0, 1]
    assert losses.planned.tolist() == losses.had.tolist() == [15, 15]
    assert losses.loss.tolist() == [15, 0]
    (sentence,) = uncharged_sentences(found)
    assert sentence == (
        "Of what others lose by the plans, 15.00 SU beyond all that the jobs were worth are not"
        " charged."
    )


def test_jobs_that_do_not_pay_use_up_nothing_of_what_a_victim_had() -> None:
    bill = delayed_twice(run=9, status=5)

    assert bill("vcg", exclude_statuses=(5,)).charge.tolist() == [15, 0]


@pytest.mark.parametrize(
    ("run", "text", "paid"),
    [
        (0.1, "vcg", [15, 0, 0]),
        (0.09, "vcg", [0, 0, 0]),
        (0.09, "vcg:fair=0.009", [15, 0, 0]),
        (0.0, "vcg:fair=0", [15, 0, 0]),
    ],
)
def test_a_job_that_hardly_runs_is_no_victim(run: float, text: str, paid: list[float]) -> None:
    found = delayed_twice(run)(text)

    assert found.charge.tolist() == paid
    brief = [*uncharged_sentences(found)]
    assert ("of jobs that ran for less than 1% of their requested time" in " ".join(brief)) == (
        paid == [0, 0, 0]
    )


def test_what_delays_jobs_of_the_same_payer_is_summed() -> None:
    workload = crowd(Random(6))
    schedule = simulate(workload, "easy", machine_size=PROCESSORS)
    asked = Counterfactuals.of(workload, schedule)
    found = charge(workload, schedule.start, schedule.end, "vcg", counterfactual=asked)
    assert isinstance(found.evidence, Pivots)
    losses, group = found.evidence.losses, workload.group

    own = own_losses(found, group)

    assert own.any()
    for job in range(len(workload)):
        lost = math.fsum(
            loss
            for cause, victim, loss in zip(*losses[:3], strict=True)
            if cause == job and group[victim] == group[job]
        )
        assert own[job] == pytest.approx(min(max(lost, 0.0), found.charge[job]))


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("vcg:method=replay,players=users", "field players: does not concern replay"),
        ("vcg:literal=true,players=users", "field players: does not concern replay"),
        ("vcg:method=replay,fair=0.2", "field fair: does not concern replay"),
        ("vcg:fair=1.5", "field fair"),
        ("vcg:players=accounts", "the log does not say 'account'"),
        ("vcg:players=groups", "players"),
    ],
)
def test_what_is_not_defined_is_refused(text: str, problem: str) -> None:
    workload = crowd(Random(7))
    schedule = simulate(workload, "easy", machine_size=PROCESSORS)

    with pytest.raises(InputError, match=problem):
        charge(
            workload,
            schedule.start,
            schedule.end,
            text,
            counterfactual=Counterfactuals.of(workload, schedule),
        )
