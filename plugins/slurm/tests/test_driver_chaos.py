"""A driver and a cluster of our making, of which anything may die at any moment.

Whatever happens, every job completes, none is started twice at once, none is left held, and the
store says what the cluster says.
"""

from __future__ import annotations

import gc
import os
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any, Self

import numpy as np
import pytest

from plugins.slurm.tests.clusters import Cells
from plugins.slurm.tests.fake import BEGAN, FakeSlurm
from tests.scale import many
from utilitysched.model.scheduler import Scheduler
from utilitysched.model.state import Decision, QueueState
from utilitysched.schedulers.registry import make_scheduler
from utilitysched_slurm.commands import Action, SlurmError
from utilitysched_slurm.driver import Driver, DriverTerms
from utilitysched_slurm.money import Treasury
from utilitysched_slurm.queue import REMEMBERED, KnownJob, Run
from utilitysched_slurm.reading import SlurmJob
from utilitysched_slurm.worth import worth_by

NODES = {"n1": 2, "n2": 2, "n3": 2, "n4": 2}
EVERY = 5
"""s between two cycles, at most."""

CYCLES = 60
"""During which jobs come and things go wrong."""

ENOUGH = 400
"""Cycles in which all must have ended after that."""


PREEMPTS = 15
KEPT = (SlurmJob, KnownJob, Run)


class KilledError(BaseException):
    """Ends a driver where nothing of it can prevent that, as kill -9 does."""


class Whim(Scheduler):
    """Starts what fits in any order, and stops whom it likes, now and then."""

    preempts = True

    def __init__(self, seed: int, most: int) -> None:
        self._random, self.left = Random(seed), most

    def decide(self, state: QueueState) -> Decision:
        assert state.preemption is not None
        may = [job for job in state.running.tolist() if state.known.size[job] < 100]
        may = [job for job in may if state.preemption.interval[job] >= 0]
        stopped: list[int] = []
        if self.left and may and self._random.random() < 0.3:
            stopped = [self._random.choice(may)]
            self.left -= 1
        free = state.free + int(state.known.size[stopped].sum())
        queued = state.queued.tolist()
        self._random.shuffle(queued)
        starts = []
        for job in queued:
            if state.known.size[job] <= free:
                free -= int(state.known.size[job])
                starts.append(job)
        return Decision(starts, preempts=np.array(stopped, np.int64))


class Fragile(FakeSlurm):
    """A cluster upon which the driver is killed after so many calls or orders."""

    lives: int | None = None

    def _dies(self) -> None:
        if self.lives is not None:
            self.lives -= 1
            if self.lives < 0:
                self.lives = None
                raise KilledError

    def queue(self) -> list[Cells]:
        self._dies()
        return super().queue()

    def apply(self, actions: Sequence[Action]) -> dict[str, str]:  # type: ignore[override]
        refused: dict[str, str] = {}
        for each in actions:
            self._dies()
            refused |= super().apply([each])
        self._dies()
        return refused


class Centre:
    """A cluster and its drivers, one after the other."""

    def __init__(self, folder: Path, slurm: Fragile, seed: int) -> None:
        self.slurm, self._folder, self._seed = slurm, folder, seed
        self.random = Random(seed)
        self.started = 0
        self.whim = Whim(seed, PREEMPTS)
        self._driver: Driver | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.kill()

    def purse(self) -> Treasury | None:
        """Who pays: nobody."""
        return None

    @property
    def driver(self) -> Driver:
        """Who drives now."""
        if self._driver is None:
            terms = DriverTerms(grace=4.0, clock=self.slurm.clock, sleep=self.slurm.sleep)
            worth = worth_by("none", 0)
            self._driver = Driver(self._folder, self.slurm, self.whim, worth, terms, self.purse())
            self._driver.store.file.connection.execute("PRAGMA synchronous = OFF")
            self.started += 1
        return self._driver

    def kill(self) -> None:
        """Kill the driver."""
        if self._driver is not None:
            self._driver.__exit__()
            self._driver = None

    def cycle(self) -> None:
        """Let the driver do its round, or die of it, and wait for the next."""
        try:
            with suppress(SlurmError):
                self.driver.cycle()
        except KilledError:
            self.kill()
        self.slurm.advance(self.random.randint(1, EVERY))

    def trouble(self) -> None:
        """Do harm."""
        random, slurm = self.random, self.slurm
        match random.choice(("driver", "midway", "midway", "controller", "silence", "node")):
            case "driver":
                self.kill()
            case "midway":
                slurm.lives = random.randrange(12)
            case "controller":
                slurm.crash(random.randrange(12))
            case "silence":
                slurm.silence(random.randrange(1, 20))
            case "node":
                name = random.choice(list(NODES))
                (slurm.up if name in slurm.broken else slurm.down)(name)

    def submit(self) -> None:
        """Submit a job of any kind."""
        random, work = self.random, self.random.randrange(5, 120)
        more: dict[str, Any] = {"work": work, "cpus": random.randrange(1, 5)}
        more["minutes"] = work // 60 + random.randrange(3, 6)
        more["user"] = random.choice(("alice", "bob"))
        if random.random() < 0.6:
            more |= {"traps": True, "comment": "deadline=1h,value=40,checkpoint=1min"}
        match random.randrange(8):
            case 0:
                more |= {"tasks": range(random.randrange(1, 5)), "cpus": 1}
            case 1 if self.slurm.jobs:
                more["after"] = random.choice(list(self.slurm.jobs))
            case 2:
                more["begin"] = self.slurm.now + random.randrange(90)
        with suppress(SlurmError):
            self.slurm.submit(**more)

    def attack(self) -> None:
        """Try what a user may try with a job."""
        key = self.random.choice(list(self.slurm.jobs) or ["1"])
        verb = self.random.choice(("release", "comment", "nice", "hold", "cancel"))
        value = "deadline=1h,value=1e9" if verb == "comment" else "9"
        self.slurm.by_user(verb, key, value)


def unended(slurm: FakeSlurm) -> dict[str, tuple[str, str]]:
    """Jobs that have not ended: state, and who holds them."""
    return {
        job.key: (job.state, job.hold)
        for job in slurm.jobs.values()
        if job.state in {"PENDING", "RUNNING", "COMPLETING"}
    }


@pytest.fixture(autouse=True)
def _no_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "fsync", lambda _: None)


def in_trouble(centre: Centre) -> None:
    """Have jobs come, be attacked and be troubled, and then wait until all have ended."""
    slurm = centre.slurm
    for _ in range(CYCLES):
        for what, often in ((centre.submit, 0.6), (centre.trouble, 0.3), (centre.attack, 0.2)):
            if centre.random.random() < often:
                what()
        centre.cycle()
    slurm.lives = None
    for name in NODES:
        slurm.up(name)
    for _ in range(ENOUGH):
        for job in slurm.jobs.values():
            if not job.admin_comment:
                slurm.by_user("release", job.key)
        centre.cycle()
        if not unended(slurm):
            break
    centre.cycle()


@pytest.mark.parametrize("seed", range(many(4, 2)))
def test_all_jobs_complete_whatever_is_killed_when(tmp_path: Path, seed: int) -> None:
    slurm = Fragile(NODES, holds_new=seed % 2 == 0)
    with Centre(tmp_path, slurm, seed) as centre:
        in_trouble(centre)
        assert centre.driver.store.active == {}

    assert unended(slurm) == {}
    assert sum(slurm.free.values()) == sum(NODES.values())
    runs = Counter((run.job.number, run.job.user, run.state) for run in slurm.runs if run.start)
    completed = {job: count for job, count in runs.items() if job[2] == "COMPLETED"}
    assert set(completed.values()) == {1}
    assert {state for _, _, state in runs} <= {"COMPLETED", "REQUEUED", "NODE_FAIL", "CANCELLED"}
    assert centre.started > 2
    assert centre.whim.left < PREEMPTS / 2


def test_a_number_that_is_used_again_is_admitted_anew(tmp_path: Path) -> None:
    slurm = Fragile({"n1": 1})
    with Centre(tmp_path, slurm, 0) as centre:
        slurm.submit(work=100)
        slurm.advance(20)
        forgotten = slurm.submit(user="alice")
        centre.driver.cycle()
        slurm.crash()
        slurm.advance(2)
        assert slurm.submit(user="bob") == forgotten

        centre.driver.cycle()

        entry = centre.driver.store.active[forgotten]
        assert (entry.user, entry.submit) == ("bob", slurm.now)


def of_jobs() -> int:
    """Objects of jobs that are alive in this process."""
    return sum(type(each) in KEPT for each in gc.get_objects())


def test_a_driver_remembers_no_more_than_is_there_and_ended_last(tmp_path: Path) -> None:
    slurm = FakeSlurm({"n1": 200}, holds_new=True, remembers=30)
    terms, alive = DriverTerms(clock=slurm.clock, sleep=slurm.sleep), []
    gc.collect()
    before = of_jobs()
    with Driver(tmp_path, slurm, make_scheduler("easy"), worth_by("none", 0), terms) as driver:
        driver.store.file.connection.execute("PRAGMA synchronous = OFF")
        for number in range(25):
            for _ in range(200):
                slurm.submit(work=5)
            driver.cycle()
            slurm.advance(20)
            if number % 4 == 0:  # to look through all objects takes longer than a cycle
                alive.append(of_jobs() - before)
    assert len(driver.shadow.journal) > 4 * REMEMBERED
    assert max(alive) <= len(KEPT) * 2 * (2 * 200 + REMEMBERED)


class Fickle(Scheduler):
    """Preempts running jobs for queued ones, but would start the earliest job first."""

    label = "fickle"
    preempts = True

    def decide(self, state: QueueState) -> Decision:
        """Return the earliest job, and preempt what runs for it."""
        first = state.queued[:1]
        sized = state.known.size[first].sum() <= state.free
        return Decision(first, preempts=state.running[: 0 if sized else 1])


@pytest.mark.parametrize("grace", [0.0, 3.0])
def test_nobody_is_preempted_in_vain(tmp_path: Path, grace: float) -> None:
    slurm = FakeSlurm({"n1": 2})
    terms = DriverTerms(grace=grace, clock=slurm.clock, sleep=slurm.sleep)
    curve = '{"utility": [[0, 1], [36000, 0]], "checkpoint": 1}'
    with Driver(tmp_path, slurm, Fickle(), worth_by("none", 0), terms) as driver:
        long = slurm.submit(cpus=2, work=3000, comment=curve, traps=True)
        driver.cycle()
        slurm.advance(1)
        urgent = slurm.submit(cpus=2, work=5)
        while slurm.now < BEGAN + 60 and slurm.jobs[urgent].state == "PENDING":
            driver.cycle()
            slurm.advance(1)

    assert slurm.jobs[urgent].state == "RUNNING"
    assert slurm.jobs[long].restarts == 1


def test_room_is_promised_only_to_who_is_still_chosen(tmp_path: Path) -> None:
    slurm = FakeSlurm({"n1": 2})
    terms = DriverTerms(grace=0.0, clock=slurm.clock, sleep=slurm.sleep)
    with Driver(tmp_path, slurm, Fickle(), worth_by("none", 0), terms) as driver:
        long = slurm.submit(cpus=2, work=3000)
        driver.cycle()
        slurm.advance(1)
        urgent = slurm.submit(cpus=2, work=5)
        driver.cycle()
        assert slurm.by_user("cancel", urgent)
        for _ in range(20):
            driver.cycle()
            slurm.advance(1)

    assert slurm.jobs[long].state == "RUNNING"
