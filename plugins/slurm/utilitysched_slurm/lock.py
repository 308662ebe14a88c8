"""Lock of a cluster: one market commands it, or a partition, at a time, from whatever machine.

The lock is a reservation of Slurm, which creates each name once. It lies ten years ahead, where it
keeps no job from any node: from ten years after the market began to ten years after its lease ends.
"""

import socket
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, Self
from urllib.parse import quote

from swfx import InputError
from utilitysched_slurm import commands
from utilitysched_slurm.commands import Action, Reservation, SlurmError
from utilitysched_slurm.listings import Row

if TYPE_CHECKING:
    from utilitysched_slurm.driver import CommandedCluster

PREFIX = "utilitysched:"
"""Beginning of the names of locks; machine, folder and partition of the market follow."""

LONGEST = 150
"""Letters of a folder in a name: Slurm's database keeps 255 of all."""

AHEAD = 3653 * 86_400.0
"""s by which a reservation lies ahead of what it stands for: longer than any job may run."""

LEASE = 300.0
"""s after which a market that does not renew its lock has lost it."""

RENEWS = 60.0
"""s after which a market renews its lock."""

MARGIN = 120.0
"""s before the end of its lease from which a market gives no orders: two commands may take so
long."""


class LockedError(InputError):
    """Another market commands the cluster."""


class ReservingCluster(Protocol):
    """A cluster with reservations: `utilitysched_slurm.commands`, or one of our making."""

    def reservations(self, prefix: str) -> Collection[Reservation]:
        """Return the reservations whose names begin so."""
        ...

    def reserve(self, reservation: Reservation, *, there: bool) -> None:
        """Create a reservation, or move the one that is there."""
        ...

    def unreserve(self, name: str) -> None:
        """Delete a reservation."""
        ...


class ClusterLock:
    """Lock of the market of a folder; whoever has it holds the folder's own lock.

    A market first lays its reservation down and then looks for others: of two that come at once,
    one sees the other at least, and draws back.

    Parameters
    ----------
    folder : Path
        Folder of the market.
    cluster : ReservingCluster
        The cluster.
    clock : callable
        Unix time (s).
    partition : str
        Only partition of the market, if any: markets of other partitions may command beside it.

    Attributes
    ----------
    name : str
        Name of the reservation.
    """

    def __init__(
        self,
        folder: Path,
        cluster: ReservingCluster = commands,
        clock: Callable[[], float] = time.time,
        partition: str = "",
    ) -> None:
        place = quote(str(folder.resolve()))[-LONGEST:]
        own = f"@{quote(partition)}" if partition else ""
        self.name = f"{PREFIX}{socket.gethostname().partition('.')[0]}:{place}{own}"
        self._cluster, self._clock = cluster, clock
        self._since = self._until = 0.0

    def __enter__(self) -> Self:
        self.take()
        return self

    def __exit__(self, *_: object) -> None:
        with suppress(SlurmError):  # the lease ends by itself
            self._cluster.unreserve(self.name)

    def take(self) -> None:
        """Take the lock, or take over one whose lease has ended.

        Raises
        ------
        LockedError
            Another market has it; nothing has changed.
        SlurmError
            The cluster does not answer.
        """
        now = self._since = self._clock()
        there = self._seen_alone(now)
        self._write(now, there=self.name in there)
        try:
            there = self._seen_alone(now)
        except LockedError:
            self.__exit__()
            self._until = 0.0
            raise
        for name in there - {self.name}:
            with suppress(SlurmError):  # somebody else has cleared it away
                self._cluster.unreserve(name)

    def keep(self) -> None:
        """Renew the lock if need be, and take it again if it is gone or its lease has ended.

        Raises
        ------
        LockedError
            Another market has it.
        SlurmError
            The cluster does not answer.
        """
        now = self._clock()
        there = {each.name for each in self._cluster.reservations(PREFIX)}
        if self.name not in there or self._is_ending(now):
            self.take()
        elif now >= self._until - LEASE + RENEWS:
            self._write(now, there=True)

    def require(self) -> None:
        """Refuse to give orders close to the end of the lease.

        Raises
        ------
        SlurmError
            It was not renewed for long.
        """
        if self._is_ending(self._clock()):
            raise SlurmError("the market's lock must be renewed first", source=self.name)

    def _is_ending(self, now: float) -> bool:
        return now > self._until - MARGIN

    def _write(self, now: float, *, there: bool) -> None:
        until = now + LEASE
        lock = Reservation(self.name, self._since + AHEAD, until + AHEAD)
        self._cluster.reserve(lock, there=there)
        self._until = until

    def _seen_alone(self, now: float) -> set[str]:
        """Return the names of all locks in the way of ours, of which no other is in force."""
        there = self._cluster.reservations(PREFIX)
        locks = [each for each in there if _exclude(each.name, self.name)]
        for lock in locks:
            until = lock.end - AHEAD
            if lock.name != self.name and until > now:
                raise LockedError(
                    f"the market of {lock.name.removeprefix(PREFIX)} commands this cluster since"
                    f" {_minute(lock.start - AHEAD)}, and was alive at {_minute(until - LEASE)}",
                    source="scontrol show reservation",
                    remedy=(
                        "stop it there: systemctl stop utilitysched-slurm; if it is dead, this one"
                        f" may start from {_minute(until + 60)} on"
                    ),
                )
        return {lock.name for lock in locks}


class LockedCluster:
    """A cluster that is told nothing without its lock.

    Parameters
    ----------
    cluster : CommandedCluster
        The cluster.
    lock : ClusterLock
        Its lock, which each look at the queue renews.
    """

    def __init__(self, cluster: "CommandedCluster", lock: ClusterLock) -> None:
        self._cluster, self._lock = cluster, lock

    def queue(self) -> Sequence[Row]:
        """Return squeue's rows of all jobs, with the lock renewed."""
        self._lock.keep()
        return self._cluster.queue()

    def nodes(self) -> Sequence[Row]:
        """Return sinfo's rows of all nodes."""
        return self._cluster.nodes()

    def waits(self, keys: Sequence[str]) -> Collection[str]:
        """Return the jobs among `keys` that wait."""
        return self._cluster.waits(keys)

    def apply(self, actions: Sequence[Action]) -> Mapping[str, str]:
        """Carry out actions, and return the refusals by job."""
        self._lock.require()
        return self._cluster.apply(actions)


def _exclude(name: str, other: str) -> bool:
    """Return whether markets whose locks have these names may not command at once."""
    one, two = (each.partition("@")[2] for each in (name, other))
    return not one or not two or one == two


def _minute(time: float) -> str:
    return f"{datetime.fromtimestamp(time, UTC):%Y-%m-%d %H:%M} UTC"
