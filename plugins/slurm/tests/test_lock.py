"""Lock of a cluster: never two markets at once, and a dead one is taken over."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations
from pathlib import Path
from threading import Semaphore, Thread

import pytest

from plugins.slurm.tests.fake import BEGAN, FakeSlurm
from utilitysched.schedulers.registry import make_scheduler
from utilitysched_slurm.commands import Action, Reservation, SlurmError
from utilitysched_slurm.comments import NEW
from utilitysched_slurm.driver import HEARTBEAT, Driver, DriverTerms
from utilitysched_slurm.lock import (
    AHEAD,
    LEASE,
    MARGIN,
    PREFIX,
    RENEWS,
    ClusterLock,
    LockedCluster,
    LockedError,
)
from utilitysched_slurm.market import serving
from utilitysched_slurm.worth import worth_by


class Reservations:
    """Reservations of a controller."""

    def __init__(self) -> None:
        self.now = float(BEGAN)
        self.there: dict[str, Reservation] = {}
        self.written = 0

    def clock(self) -> float:
        return self.now

    def reservations(self, prefix: str) -> list[Reservation]:
        return [each for each in self.there.values() if each.name.startswith(prefix)]

    def reserve(self, reservation: Reservation, *, there: bool) -> None:
        if there != (reservation.name in self.there):
            raise SlurmError("Duplicate reservation name")
        self.written += 1
        self.there[reservation.name] = reservation

    def unreserve(self, name: str) -> None:
        if self.there.pop(name, None) is None:
            raise SlurmError("Requested reservation is invalid")


@pytest.fixture
def slurm() -> Reservations:
    return Reservations()


def lock_of(slurm: Reservations, folder: str) -> ClusterLock:
    return ClusterLock(Path(folder), slurm, slurm.clock)


def taken(lock: ClusterLock, how: Callable[[ClusterLock], None] = ClusterLock.take) -> bool:
    try:
        how(lock)
    except (LockedError, SlurmError):  # the latter tries again in its next cycle
        return False
    return True


def in_force(slurm: Reservations) -> list[str]:
    return [each.name for each in slurm.there.values() if each.end - AHEAD > slurm.now]


def test_the_second_hears_whose_it_is_since_when_and_what_to_do(slurm: Reservations) -> None:
    slurm.there["maintenance"] = Reservation("maintenance", slurm.now, slurm.now + 60)
    with lock_of(slurm, "/var/a") as first:
        slurm.now += 130
        first.keep()
        with pytest.raises(LockedError) as refused:
            lock_of(slurm, "/var/b").take()
        assert in_force(slurm) == [first.name]

    where = first.name.removeprefix(PREFIX)
    assert where.endswith(":/var/a")
    assert str(refused.value) == (
        f"scontrol show reservation: the market of {where} commands this cluster since 2026-11-23"
        " 20:00 UTC, and was alive at 2026-11-23 20:02 UTC; stop it there: systemctl stop"
        " utilitysched-slurm; if it is dead, this one may start from 2026-11-23 20:08 UTC on"
    )
    assert slurm.there.keys() == {"maintenance"}
    assert taken(lock_of(slurm, "/var/b"))


def test_markets_of_two_partitions_command_side_by_side(slurm: Reservations) -> None:
    cpu, gpu, again = (
        ClusterLock(Path(f"/var/{folder}"), slurm, slurm.clock, partition)
        for folder, partition in (("a", "cpu"), ("b", "gpu"), ("c", "gpu"))
    )
    assert (taken(cpu), taken(gpu), taken(again)) == (True, True, False)
    assert not taken(lock_of(slurm, "/var/d"))
    slurm.now += LEASE + 1
    assert taken(again)
    assert slurm.there.keys() == {cpu.name, again.name}


def test_a_lock_is_renewed_now_and_then_and_lies_ahead(slurm: Reservations) -> None:
    lock = lock_of(slurm, "/var/a")
    lock.take()
    for slurm.now in range(BEGAN, BEGAN + 1000, 5):
        lock.keep()
        [own] = slurm.there.values()
        assert own.start == BEGAN + AHEAD
        assert LEASE - RENEWS < own.end - AHEAD - slurm.now <= LEASE

    assert slurm.written <= 1 + 1000 / RENEWS


def test_a_dead_market_is_taken_over_and_gives_no_orders_any_more(slurm: Reservations) -> None:
    first, second = lock_of(slurm, "/var/a"), lock_of(slurm, "/var/b")
    first.take()
    slurm.now += LEASE - MARGIN
    first.require()
    slurm.now += 1
    with pytest.raises(SlurmError, match="renewed first"):
        first.require()
    slurm.now += MARGIN - 2
    assert not taken(second)
    slurm.now += 1
    assert taken(second)
    assert slurm.there.keys() == {second.name}

    assert not taken(first, ClusterLock.keep)
    with pytest.raises(SlurmError, match="renewed first"):
        first.require()
    assert slurm.there.keys() == {second.name}


def test_a_market_that_awakes_beside_another_draws_back(slurm: Reservations) -> None:
    # the other has looked, and not yet cleared the old lock away
    first = lock_of(slurm, "/var/a")
    first.take()
    slurm.now += LEASE + 1
    new = Reservation(f"{PREFIX}b:/var/b", slurm.now + AHEAD, slurm.now + LEASE + AHEAD)
    slurm.there[new.name] = new

    assert not taken(first, ClusterLock.keep)


def test_the_same_market_goes_on_at_once_after_it_was_killed(slurm: Reservations) -> None:
    lock_of(slurm, "/var/a").take()
    slurm.now += 30

    assert taken(lock_of(slurm, "/var/a"))
    [own] = slurm.there.values()
    assert own == (own.name, slurm.now + AHEAD, slurm.now + LEASE + AHEAD)


def test_a_lock_that_the_controller_forgot_is_taken_anew_or_lost(slurm: Reservations) -> None:
    first, second = lock_of(slurm, "/var/a"), lock_of(slurm, "/var/b")
    first.take()
    slurm.there.clear()
    first.keep()
    assert slurm.there.keys() == {first.name}

    slurm.there.clear()
    second.take()
    assert not taken(first, ClusterLock.keep)
    assert slurm.there.keys() == {second.name}


class Paced:
    """A market that takes its lock in a thread, one command at each step."""

    def __init__(self, slurm: Reservations, folder: str) -> None:
        self.won: bool | None = None
        self._slurm, self._go, self._waits = slurm, Semaphore(0), Semaphore(0)
        self._lock = ClusterLock(Path(folder), self, slurm.clock)
        self._thread = Thread(target=self._take)
        self._thread.start()
        assert self._waits.acquire(timeout=10)

    def step(self) -> None:
        """Let it do its next command, if it has any."""
        if self._thread.is_alive():
            self._go.release()
            assert self._waits.acquire(timeout=10)
        if self.won is not None:
            self._thread.join()

    def _take(self) -> None:
        self.won = taken(self._lock)
        self._waits.release()

    def _paced(self) -> Reservations:
        self._waits.release()
        self._go.acquire()
        return self._slurm

    def reservations(self, prefix: str) -> list[Reservation]:
        return self._paced().reservations(prefix)

    def reserve(self, reservation: Reservation, *, there: bool) -> None:
        self._paced().reserve(reservation, there=there)

    def unreserve(self, name: str) -> None:
        self._paced().unreserve(name)


MOST_STEPS = 5


@pytest.mark.parametrize("dead", [False, True])
def test_of_two_that_come_at_once_at_most_one_commands(*, dead: bool) -> None:
    outcomes = set()
    for mine in combinations(range(2 * MOST_STEPS), MOST_STEPS):
        slurm = Reservations()
        if dead:  # of the first, which awakes
            lock_of(slurm, "/var/a").take()
            slurm.now += LEASE + 1
        both = Paced(slurm, "/var/a"), Paced(slurm, "/var/b")
        for place in range(2 * MOST_STEPS):
            both[place not in mine].step()
        won = [each.won for each in both]
        assert None not in won
        assert len(in_force(slurm)) == sum(map(bool, won)) <= 1, mine
        outcomes.add(tuple(won))
    assert outcomes == {(True, False), (False, True), (False, False)}


def market(folder: Path, slurm: FakeSlurm, held: Reservations) -> tuple[Driver, ClusterLock]:
    lock = ClusterLock(folder, held, slurm.clock)
    terms = DriverTerms(clock=slurm.clock, sleep=slurm.sleep)
    cluster = LockedCluster(slurm, lock)
    return Driver(folder, cluster, make_scheduler("easy"), worth_by("none", 0), terms), lock


def test_a_market_that_lost_its_lock_touches_nothing(tmp_path: Path) -> None:
    slurm, held = FakeSlurm({"n1": 1}, holds_new=True), Reservations()
    driver, lock = market(tmp_path / "a", slurm, held)
    other, second = market(tmp_path / "b", slurm, held)
    held.clock = slurm.clock  # type: ignore[method-assign]
    with driver, other, lock:
        job = slurm.submit(work=10)
        slurm.advance(int(LEASE) + 1)  # it hung
        second.take()
        with pytest.raises(LockedError), serving(driver, tmp_path / HEARTBEAT) as cycle:
            cycle()
        assert (slurm.jobs[job].admin_comment, slurm.jobs[job].hold) == (NEW, "JobHeldUser")
        other.cycle()
        assert slurm.jobs[job].state == "RUNNING"


def test_orders_of_a_cycle_that_took_too_long_are_not_given(tmp_path: Path) -> None:
    slurm, lock = FakeSlurm({"n1": 1}), Reservations()
    mine = ClusterLock(tmp_path, lock, slurm.clock)
    cluster = LockedCluster(slurm, mine)
    key = slurm.submit(work=10)
    with mine:
        cluster.queue()
        slurm.advance(int(LEASE - MARGIN) + 1)
        with pytest.raises(SlurmError, match="renewed first"):
            cluster.apply([Action("hold", key)])
        cluster.queue()
        assert cluster.apply([Action("hold", key)]) == {key: "Job has already finished"}
