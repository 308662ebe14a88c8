"""A right schedule breaks no rule of its machine; every mutant breaks the rule that it should."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import NamedTuple

import numpy as np
import pytest

from swfx import Header, Workload
from swfx.machine import Limit, Machine, Pool, Share, Window
from utilitysched import Schedule
from utilitysched.analysis.feasibility import (
    RULES,
    Violation,
    admissions,
    amount_of,
    pools_of,
    violations,
)
from utilitysched.model.segments import Segments, Stop

HEADER = Header(
    (
        *(" Partition: 1 batch", " Partition: 2 long", " Partition: 3 gpu"),
        *(" User: 1 ann", " User: 2 bob", " Account: 1 physics", " Account: 2 biology"),
    )
)

MACHINE = Machine(
    pools=(
        Pool("cpu", {"processors": 8}, ("batch", "long")),
        Pool("gpu", {"processors": 8, "gpu": 4}),
    ),
    nodes=2,
    limits=(
        Limit("partition", {"processors": 4}, "long"),
        Limit("user", {"jobs": 2}, within={"account": "biology"}),
        Limit("user", {"submitted": 3}),
        Limit("all", {"gpu": 3}),
    ),
    windows=(
        Window("maintenance", 100, 120, pool="cpu", known=50),
        Window("school", 100, 140, "gpu", {"gpu": 2}, for_jobs_of={"account": "physics"}),
        Window("repair", 200, 220, "cpu", {"processors": 4}, known=150, requeue=True),
    ),
)


class Drawn(NamedTuple):
    """A job of the schedule: when it starts, how long it runs, and what it is."""

    submit: float
    start: float
    run: float
    request: float
    size: int
    gpus: int
    partition: int
    user: int
    account: int


JOBS = (
    # three nodes of cpu are in use from 0 to 50; node 3 is taken at 10
    Drawn(0, 0, 40, 60, 3, 0, 1, 1, 1),  # rounded up to 4
    Drawn(0, 0, 50, 99, 2, 0, 2, 1, 2),
    Drawn(0, 10, 30, 90, 2, 0, 2, 2, 2),
    # runs into the maintenance that nobody knew of
    Drawn(5, 40, 70, 80, 2, 0, 1, 1, 2),
    # ends before the maintenance by its request, to the second
    Drawn(45, 60, 10, 40, 6, 0, 1, 1, 1),
    # what the maintenance lets wait
    Drawn(60, 120, 20, 30, 8, 0, 1, 2, 1),
    # the gpu pool: at most 3 gpus by the limit, 2 while the school lasts
    Drawn(0, 0, 100, 100, 2, 3, 3, 2, 2),
    Drawn(5, 100, 30, 60, 2, 2, 3, 2, 2),
    Drawn(6, 100, 20, 20, 2, 1, 3, 1, 1),
    # runs into the repair before that is known; half of the pool is left to it
    Drawn(70, 140, 70, 80, 4, 0, 1, 2, 1),
    # without run time, at the instant at which the whole pool changes hands
    Drawn(70, 120, 0, 10, 8, 0, 1, 1, 1),
    Drawn(80, 220, 5, 5, 8, 0, 1, 1, 1),
)


class Right(NamedTuple):
    """The machine, the jobs and their schedule."""

    machine: Machine
    jobs: tuple[Drawn, ...]
    segments: Segments | None = None
    end: tuple[tuple[int, float], ...] = ()

    def rules(self) -> set[str]:
        """Return the rules that are broken."""
        return {each.rule for each in self.violations()}

    def violations(self) -> list[Violation]:
        submit, start, run, request, size, gpus, partition, user, account = map(
            np.array, zip(*self.jobs, strict=True)
        )
        columns = {
            "submit": submit,
            "run": run,
            "requested_time": request,
            "processors": size,
            "partition": partition,
            "user": user,
            "account": account,
            "tres/gres/gpu": np.where(gpus > 0, gpus, -1),
        }
        end = (start + run).astype(float)
        for job, other in self.end:
            end[job] = other
        workload = Workload.from_columns(header=HEADER, **columns)
        backfilled = np.zeros(len(end), np.bool_)
        schedule = Schedule(start.astype(float), end, backfilled, 16, "", 0, segments=self.segments)
        return violations(self.machine, workload, schedule)

    def job(self, number: int, **changes: object) -> Right:
        """Return the same with a job changed."""
        jobs = list(self.jobs)
        jobs[number] = jobs[number]._replace(**changes)
        return self._replace(jobs=tuple(jobs))

    def limit(self, number: int, **most: int) -> Right:
        """Return the same with a limit changed."""
        limits = list(self.machine.limits)
        limits[number] = replace(limits[number], most=most)
        return self._replace(machine=replace(self.machine, limits=tuple(limits)))

    def window(self, number: int, **changes: object) -> Right:
        """Return the same with a window changed."""
        windows = list(self.machine.windows)
        windows[number] = replace(windows[number], **changes)
        return self._replace(machine=replace(self.machine, windows=tuple(windows)))

    def pool(self, number: int, **changes: object) -> Right:
        """Return the same with a pool changed."""
        pools = list(self.machine.pools)
        pools[number] = replace(pools[number], **changes)
        return self._replace(machine=replace(self.machine, pools=tuple(pools)))


RIGHT = Right(MACHINE, JOBS)

MUTANTS: dict[str, tuple[str, Callable[[], Right]]] = {
    "before submission": ("submission", lambda: RIGHT.job(4, submit=61)),
    "ends too early": ("run time", lambda: RIGHT._replace(end=((7, 125.0),))),
    "runs on": ("run time", lambda: RIGHT._replace(end=((11, 300.0),))),
    "partition of no pool": ("pool", lambda: RIGHT.pool(1, partitions=("another",))),
    "a processor too many": ("capacity", lambda: RIGHT.job(4, size=7)),
    "wider than its pool": ("capacity", lambda: RIGHT.job(11, size=9)),
    "processors of a small pool": (
        "capacity",
        lambda: RIGHT.pool(1, capacity={"processors": 3, "gpu": 4}),
    ),
    "gpus of a small pool": (
        "capacity",
        lambda: RIGHT.window(1, taken={"gpu": 0}).pool(1, capacity={"processors": 8, "gpu": 2}),
    ),
    "nodes are not rounded": ("capacity", lambda: RIGHT.job(0, size=5)),
    "in the other pool": ("capacity", lambda: RIGHT.job(6, partition=1)),
    "no room without run time": ("capacity", lambda: RIGHT.job(10, start=130)),
    "starts before room is made": ("capacity", lambda: RIGHT.job(3, start=39)),
    "processors of a partition": ("limit", lambda: RIGHT.job(0, partition=2)),
    "processors by one": ("limit", lambda: RIGHT.limit(0, processors=3)),
    "jobs of a user in an account": ("limit", lambda: RIGHT.limit(1, jobs=1)),
    "gpus of all": ("limit", lambda: RIGHT.limit(3, gpu=2)),
    "more submitted": ("submitted", lambda: RIGHT.limit(2, submitted=1)),
    "known earlier": ("window", lambda: RIGHT.window(0, known=40)),
    "known always": ("window", lambda: RIGHT.window(0, known=None)),
    "asks for a second more": ("window", lambda: RIGHT.job(4, request=41)),
    "the window is longer": ("window", lambda: RIGHT.window(0, end=121)),
    "another account": ("window", lambda: RIGHT.job(8, account=2)),
    "a reservation for nobody": ("window", lambda: RIGHT.window(1, for_jobs_of={})),
    "all is taken": ("requeue", lambda: RIGHT.window(2, taken={})),
    "more is taken": ("requeue", lambda: RIGHT.window(2, taken={"processors": 5})),
}


def test_the_right_schedule_breaks_no_rule() -> None:
    assert RIGHT.violations() == []


@pytest.mark.parametrize("name", MUTANTS)
def test_mutants_break_their_rule_and_no_other(name: str) -> None:
    rule, mutant = MUTANTS[name]

    assert mutant().rules() == {rule}


def test_every_rule_has_a_mutant_that_no_other_rule_finds() -> None:
    assert {rule for rule, _ in MUTANTS.values()} == set(RULES)


def test_a_violation_says_when_who_and_what() -> None:
    assert RIGHT.limit(3, gpu=2).violations() == [
        ("limit", 0.0, 6, "brings all jobs to 3 gpu, the limit is 2"),
        ("limit", 100.0, 8, "brings all jobs to 3 gpu, the limit is 2"),
    ]


def test_jobs_that_were_stopped_are_checked_by_their_segments() -> None:
    right = stopped(kept=(20.0, 0.0, 20.0))

    assert right.rules() == set()
    assert stopped(kept=(20.0, 0.0, 10.0)).rules() == {"run time"}
    assert stopped(second=30.0).rules() == {"submission"}
    # 20 s of the request of 60 s are done when it starts again at 60
    window = Window("evening", 100, 200)
    assert right._replace(machine=replace(right.machine, windows=(window,))).rules() == set()
    earlier = replace(window, begin=99.0)
    assert right._replace(machine=replace(right.machine, windows=(earlier,))).rules() == {"window"}


def stopped(kept: tuple[float, ...] = (20.0, 0.0, 20.0), second: float = 40.0) -> Right:
    """Return a job that is never stopped, and one of 40 s that fails twice and is done by 80 s."""
    start, end = np.array([0.0, 0.0, second, 60.0]), np.array([40.0, 40.0, second + 10, 80.0])
    work = np.array([40.0, *kept])
    why = np.array([Stop.COMPLETED, Stop.FAILED, Stop.FAILED, Stop.COMPLETED])
    none, number = np.full(4, -1), np.array([0, 1, 1, 1])
    segments = Segments(number, start, end, np.zeros(4), work, end - start - work, why, none)
    job = Drawn(0, 0, 40, 60, 4, 0, 1, 1, 1)
    machine = Machine((Pool("all", {"processors": 12}),))
    return Right(machine, (job, job), segments, ((1, 80.0),))


def test_a_window_of_several_resources_lets_start_who_needs_nothing_of_what_is_taken() -> None:
    machine = Machine((Pool("all", {"processors": 4, "gpu": 4}),))
    window = Window("gpus", 50, 60, taken={"gpu": 4})
    jobs = (Drawn(0, 0, 90, 90, 1, 2, 1, 1, 1), Drawn(0, 10, 90, 90, 1, 0, 1, 1, 1))
    known_late = replace(window, known=5.0)

    assert Right(replace(machine, windows=(known_late,)), jobs).rules() == set()
    assert Right(replace(machine, windows=(window,)), jobs).rules() == {"window"}


def test_an_account_has_the_jobs_of_all_below_it() -> None:
    limit = Limit("account", {"processors": 3})
    shares = (Share(1, "biology", parent="science"), Share(1, "physics", parent="science"))
    machine = Machine((Pool("all", {"processors": 8}),), limits=(limit,))
    jobs = (Drawn(0, 0, 9, 9, 2, 0, 1, 1, 1), Drawn(0, 0, 9, 9, 2, 0, 1, 2, 2))

    assert Right(machine, jobs).rules() == set()
    assert Right(replace(machine, shares=shares), jobs).rules() == {"limit"}
    within = replace(limit, of="all", within={"account": "science"})
    named = replace(limit, name="science")
    for other in (within, named):
        limited = replace(machine, limits=(other,))
        assert Right(limited, jobs).rules() == set()
        assert Right(replace(limited, shares=shares), jobs).rules() == {"limit"}


def test_who_runs_on_in_a_window_breaks_its_rule_as_it_begins() -> None:
    [violation] = RIGHT.window(2, taken={}).violations()

    assert violation[:3] == ("requeue", 200.0, 9)


def test_number_0_is_a_user() -> None:
    machine = Machine((Pool("all", {"processors": 8}),), limits=(Limit("user", {"jobs": 1}),))
    job = Drawn(0, 0, 9, 9, 2, 0, 1, 0, 1)

    assert Right(machine, (job, job)).rules() == {"limit"}


def test_jobs_whose_user_is_unknown_count_for_nobody() -> None:
    machine = Machine(
        (Pool("all", {"processors": 8}),), limits=(Limit("user", {"jobs": 1, "submitted": 1}),)
    )
    jobs = (Drawn(0, 0, 9, 9, 2, 0, 1, -1, 1), Drawn(0, 0, 9, 9, 2, 0, 1, -1, 2))

    assert Right(machine, jobs).rules() == set()


def test_pools_take_partitions_by_pattern_the_first_that_has_them() -> None:
    jobs = Workload.from_columns(
        submit=[0, 0, 0], run=[1, 1, 1], processors=[1, 1, 1], partition=[2, 3, -1], header=HEADER
    )
    machine = Machine((Pool("a", {"processors": 9}, ("g*",)), Pool("b", {"processors": 9}, ("*",))))

    assert pools_of(machine, jobs).tolist() == [1, 0, 1]
    assert pools_of(replace(machine, pools=machine.pools[:1]), jobs).tolist() == [-1, 0, -1]


def test_amounts_are_read_from_the_columns_of_resources() -> None:
    jobs = Workload.from_columns(
        submit=[0, 0, 0],
        run=[1, 1, 1],
        processors=[3, 2, 4],
        **{"requested_memory": [2048, 2048, -1], "tres/mem": [-1, 9.5, -1]},
        **{"tres/gres/gpu:a100": [1, -1, 2], "tres/gres/gpu:v100": [1, -1, -1]},
        **{"tres/license/matlab": [-1, 3, -1]},
    )
    machine = Machine((Pool("all", {"processors": 9}),), nodes=3)

    assert [amount_of(name, machine, jobs).tolist() for name in AMOUNTS] == [*AMOUNTS.values()]


AMOUNTS = {
    "processors": [3, 3, 6],
    "memory": [6, 10, 0],
    "gpu": [2, 0, 2],
    "matlab": [0, 3, 0],
    "power": [0, 0, 0],
}


def test_admissions_wait_for_all_limits_and_pass_those_who_wait() -> None:
    # one job of each user, two of all: user 0's second job is passed by user 1's
    submitted, end = np.array([0.0, 1.0, 2.0, 3.0]), np.array([10.0, 30.0, 20.0, 40.0])
    counters = [[(0, 0), (1, 0)], [(0, 0), (1, 0)], [(0, 1), (1, 0)], [(0, 2), (1, 0)]]

    assert admissions(submitted, end, counters, [1, 2]).tolist() == [0.0, 10.0, 2.0, 20.0]


def test_a_job_without_run_time_makes_room_as_it_is_admitted() -> None:
    submitted, end = np.array([0.0, 0.0, 5.0]), np.array([0.0, 9.0, 9.0])

    assert admissions(submitted, end, [[(0, 0)]] * 3, [1]).tolist() == [0.0, 0.0, 9.0]


def test_who_ends_without_being_admitted_never_was() -> None:
    submitted, end = np.array([0.0, 1.0, 2.0]), np.array([10.0, 5.0, 12.0])

    assert admissions(submitted, end, [[(0, 0)]] * 3, [1]).tolist() == [0.0, np.inf, 10.0]
