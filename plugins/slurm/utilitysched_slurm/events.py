"""Events of a driver: JSON objects for machines that collect logs."""

import json
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from utilitysched_slurm.commands import Action
from utilitysched_slurm.listings import Row

if TYPE_CHECKING:
    from utilitysched_slurm.driver import CommandedCluster, CycleReport


class EventLog:
    """Log of events, one JSON object a line with time, cycle and kind.

    Parameters
    ----------
    write : callable
        Takes a line without its end.
    clock : callable
        Unix time (s).
    """

    def __init__(
        self, write: Callable[[str], None], clock: Callable[[], float] = time.time
    ) -> None:
        self._write, self._clock, self._cycle = write, clock, 1

    def note(self, message: str) -> None:
        """Write what is otherwise said to people."""
        self._event("note", message=message)

    def cycle(self, report: "CycleReport") -> None:
        """Write what a cycle did; what follows belongs to the next."""
        fields = report._asdict()
        del fields["now"]
        self._event("cycle", **fields)
        self._cycle += 1

    def action(self, action: Action, refused: str | None) -> None:
        """Log an order to Slurm about a job, with the reason of a refusal."""
        reason = {} if refused is None else {"refused": refused}
        value = {"value": action.value} if action.value else {}
        self._event(action.verb, job=action.key, **value, **reason)

    def _event(self, event: str, **more: Any) -> None:
        now = datetime.fromtimestamp(self._clock(), UTC).isoformat(timespec="milliseconds")
        self._write(json.dumps({"time": now, "cycle": self._cycle, "event": event, **more}))


class LoggedCluster:
    """A cluster whose orders are all logged.

    Parameters
    ----------
    cluster : CommandedCluster
        The cluster.
    log : EventLog
        Where.
    """

    def __init__(self, cluster: "CommandedCluster", log: EventLog) -> None:
        self._cluster, self._log = cluster, log

    def queue(self) -> Sequence[Row]:
        """Return squeue's rows of all jobs."""
        return self._cluster.queue()

    def nodes(self) -> Sequence[Row]:
        """Return sinfo's rows of all nodes."""
        return self._cluster.nodes()

    def waits(self, keys: Sequence[str]) -> Collection[str]:
        """Return the jobs among `keys` that wait."""
        return self._cluster.waits(keys)

    def apply(self, actions: Sequence[Action]) -> Mapping[str, str]:
        """Carry out actions, and return the refusals by job."""
        refused = self._cluster.apply(actions)
        for action in actions:
            self._log.action(action, refused.get(action.key))
        return refused
