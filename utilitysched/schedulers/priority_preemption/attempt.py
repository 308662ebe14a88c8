"""A pass in the making: who has been preempted and started so far."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from utilitysched.kernels.releases import shadow
from utilitysched.model.state import Floats, Integers, QueueState


@dataclass(frozen=True)
class Attempt:
    """The instant of a pass, with some running jobs preempted and some queued ones started.

    Attributes
    ----------
    state : QueueState
        As the pass found it.
    preempted, started : tuple of int
        The jobs, in the order in which it was decided.
    """

    state: QueueState
    preempted: tuple[int, ...] = ()
    started: tuple[int, ...] = ()

    @property
    def free(self) -> int:
        """Processors in use by nobody."""
        size = self.state.known.size
        freed: int = size[list(self.preempted)].sum() - size[list(self.started)].sum()
        return self.state.free + int(freed)

    def then(self, job: int, victims: tuple[int, ...]) -> "Attempt":
        """Return the attempt in which a job is started, too, with others preempted for it."""
        return replace(self, preempted=self.preempted + victims, started=(*self.started, job))

    def shadow_time(self, head: int) -> float:
        """Return when a job can start at the latest if nobody else does (s)."""
        state, stay = self.state, self._not_preempted
        known = state.known
        time, _ = shadow(
            state.now,
            self.free,
            state.expected_end[stay],
            state.running[stay],
            known.request,
            known.size,
            np.array(self.started, dtype=np.int64),
            known.size.item(head),
        )
        return time

    def rest(self) -> QueueState:
        """Return the state in which the other queued jobs are placed."""
        state, stay = self.state, self._not_preempted
        begun = np.array(self.started, dtype=np.int64)
        running = np.concatenate((state.running[stay], begun))
        end = np.concatenate((state.expected_end[stay], state.now + state.known.request[begun]))
        queued = state.queued[~np.isin(state.queued, begun)]
        return _by_end(replace(state, free=self.free, queued=queued), running, end)

    @property
    def _not_preempted(self) -> Integers:
        """Places of the running jobs that are not preempted."""
        preempted = np.array(self.preempted, dtype=np.int64)
        return np.flatnonzero(~np.isin(self.state.running, preempted))


def released_by(state: QueueState, jobs: Sequence[int]) -> QueueState:
    """Return the state as one for whom some running jobs can be preempted at any time sees it."""
    soon = np.isin(state.running, jobs)
    return _by_end(state, state.running, np.where(soon, state.now, state.expected_end))


def _by_end(state: QueueState, running: Integers, end: Floats) -> QueueState:
    """Return the state with these running jobs, put in order."""
    order = np.lexsort((running, end))
    return replace(state, running=running[order], expected_end=end[order])
