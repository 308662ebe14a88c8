"""The queue of a Slurm cluster as a server shows it: read again and again beside the pages."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property

from utilitysched.runs.snapshot import Snapshot
from utilitysched.runs.stored import StoredRun
from utilitysched_slurm.commands import SlurmError
from utilitysched_slurm.moment import user_number
from utilitysched_slurm.submission import market_moment
from utilitysched_slurm.watch import ClusterView
from utilitysched_slurm.worth import NONE, worth_by
from utilitysched_web.moments import SiteMoment

EVERY = 5.0
"""s between two readings."""


@dataclass(frozen=True, eq=False)
class LiveMoment(SiteMoment):
    """A moment of a cluster, with a run that tells what jobs were like before.

    Parameters
    ----------
    given : Snapshot
        What is known now.
    """

    given: Snapshot = field(kw_only=True)

    @cached_property
    def snapshot(self) -> Snapshot:
        """Snapshot of the cluster's queue."""
        return self.given

    @property
    def when(self) -> str:
        """Date and time for people."""
        clock = self.given.clock
        return "" if clock is None else f" on {clock.date(self.given.now):%Y-%m-%d at %H:%M}"

    def number_of(self, user: str) -> int | None:
        """Return the number of a user in the snapshot."""
        return user_number(user)


@dataclass(eq=False)
class LiveView:
    """A cluster that is looked at while a server runs.

    Parameters
    ----------
    cluster : ClusterView
        Tells of queue and nodes.
    scheduler : str
        Who decides there.
    clock : callable
        Unix time (s).

    Attributes
    ----------
    last : Snapshot
        As it was when it answered last.
    """

    cluster: ClusterView
    scheduler: str
    clock: Callable[[], float] = time.time
    last: Snapshot = field(init=False)
    _shown: LiveMoment | None = None

    def __post_init__(self) -> None:
        self.read()

    def read(self) -> None:
        """Look again.

        Raises
        ------
        SlurmError
            The cluster does not answer.
        """
        self.last = market_moment(self.cluster, self.clock(), worth_by(NONE, 0), self.scheduler)

    def moment(self, run: StoredRun) -> LiveMoment:
        """Return the moment of the last look, beside a run of the same cluster, as it was made."""
        last = self.last
        if self._shown is None or self._shown.given is not last:
            self._shown = LiveMoment(run, last.now, given=last)
        return self._shown

    @contextmanager
    def kept_fresh(self) -> Iterator[None]:
        """Look again and again until the block ends; what does not answer is asked again."""
        stop = threading.Event()

        def look() -> None:
            while not stop.wait(EVERY):
                try:
                    self.read()
                except SlurmError:
                    continue  # pages say of when the moment is that they show

        thread = threading.Thread(target=look, daemon=True)
        thread.start()
        try:
            yield
        finally:
            stop.set()
            thread.join()
