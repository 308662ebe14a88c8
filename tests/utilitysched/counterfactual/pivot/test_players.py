"""Charges whose players are users or accounts: a player's own jobs are no others."""

from __future__ import annotations

import math
from collections.abc import Sequence
from random import Random

import numpy as np
import pytest

from pricing import charge
from pricing.evidence import own_losses
from swfx import Header, InputError, UtilityFunction, UtilityTable, Workload
from tests.queues import jobs_of
from tests.reference.jobs import Job, Running
from tests.reference.lists import Scheduler
from tests.reference.pivot import projection
from tests.scale import many
from utilitysched import simulate
from utilitysched.counterfactual.charges import Counterfactuals
from utilitysched.model.schedule import Schedule

PROCESSORS = 4


def crowd(rng: Random, header: Header | None = None) -> Workload:
    """Jobs of three users and two groups that come nearly together; times are never equal."""
    jobs = 9
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


def worth(jobs: Sequence[Job], starts: dict[int, float]) -> float:
    """Return what a plan is worth to some jobs (SU), by the points of their curves."""
    total = 0.0
    for job in jobs:
        (_, most), (deadline, _) = job.points
        total += most * max(0.0, 1 - (starts[job.number] + job.request - job.submit) / deadline)
    return total


def by_hand(workload: Workload, schedule: Schedule, player: Sequence[int]) -> list[float]:
    """Charge every start by plans of the readable engine, to jobs of other players only.

    What jobs of a player start together, they are charged together, by processor-seconds.
    """
    jobs, charges = jobs_of(workload), []
    start, end = schedule.start.tolist(), schedule.end.tolist()
    for job in jobs:
        now, mine = start[job.number], player[job.number]
        queued = [each for each in jobs if each.submit <= now <= start[each.number]]
        running = [
            Running(start[each.number] + each.request, each.number, each.size)
            for each in jobs
            if start[each.number] < now < end[each.number]
        ]
        own = [each for each in queued if each == job or player[each.number] == mine >= 0]
        others = [each for each in queued if each not in own]
        together = [each for each in own if start[each.number] == now]
        rest = [each for each in queued if each not in together]
        twin = Scheduler()
        with_jobs = projection(queued, now, running, PROCESSORS, twin)
        without = projection(rest, now, running, PROCESSORS, twin) if rest else {}
        lost = max(0.0, worth(others, without) - worth(others, with_jobs))
        asked = [each.size * each.request for each in together]
        charges.append(lost * job.size * job.request / sum(asked))
    return charges


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
    assert [column.tolist() for column in together.losses] == [[0, 1], [2, 2], [75, 75], [10, 10]]
    assert (together.without_job - together.with_job).tolist()[:2] == [75, 75]
    assert together.others.tolist()[:2] == [1, 1]


@pytest.mark.parametrize("kind", ["jobs", "users", "accounts"])
def test_charges_are_what_jobs_of_other_players_lose(kind: str) -> None:
    rng = Random(5)
    charged = 0
    for _ in range(many(25)):
        workload = crowd(rng, Header((" GroupMeans: account",)))
        schedule = simulate(workload, "easy", machine_size=PROCESSORS)
        player = {"jobs": [-1] * 9, "users": workload.user, "accounts": workload.group}[kind]
        asked = Counterfactuals.of(workload, schedule)

        found = charge(
            workload, schedule.start, schedule.end, f"vcg:players={kind}", counterfactual=asked
        )

        assert found.charge.tolist() == pytest.approx(by_hand(workload, schedule, player), abs=1e-9)
        if kind != "jobs":
            assert not own_losses(found, np.where(player < 0, -2 - np.arange(9), player)).any()
        charged += int(np.count_nonzero(found.charge))
    assert charged > many(25)


def test_what_delays_jobs_of_the_same_payer_is_summed() -> None:
    workload = crowd(Random(6))
    schedule = simulate(workload, "easy", machine_size=PROCESSORS)
    asked = Counterfactuals.of(workload, schedule)
    found = charge(workload, schedule.start, schedule.end, "vcg", counterfactual=asked)
    losses, group = asked.pivots().losses, workload.group

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
