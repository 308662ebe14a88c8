"""How far an event loop has come."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from utilitysched.model.state import Floats, Integers

ARRIVED, QUEUED, RUNNING, FREE, PASSES = range(5)


class Progress(NamedTuple):
    """Everything an event loop changes, so that it can stop and go on.

    Attributes
    ----------
    start, end : (n,) float64
        Start and completion of each job (s).
    backfilled : (n,) bool
        See `utilitysched.Schedule`.
    queue : (n,) int64
        The queued jobs come first.
    ends, ending : (c,)
        Actual ends (s) of the running jobs, which come first, and the jobs; the next one last.
    release_end, release_job : (c,)
        Expected ends (s) of the running jobs, which come first, and the jobs; the next one first.
    started : (n,) bool
        Scratch of a pass: what the placement marks; false between passes.
    wake_up : (1,) float64
        When the placement wants a pass even without an event (s).
    counts : (5,) int64
        Jobs submitted so far, in the queue and running; free processors; passes made.
    """

    start: Floats
    end: Floats
    backfilled: NDArray[np.bool_]
    queue: Integers
    ends: Floats
    ending: Integers
    release_end: Floats
    release_job: Integers
    started: NDArray[np.bool_]
    wake_up: Floats
    counts: Integers

    @classmethod
    def blank(cls, jobs: int, machine_size: int) -> "Progress":
        """Return the state before the first event."""
        room = min(jobs, machine_size)
        return cls(
            np.full(jobs, np.nan),
            np.full(jobs, np.nan),
            np.zeros(jobs, np.bool_),
            np.empty(jobs, np.int64),
            np.empty(room),
            np.empty(room, np.int64),
            np.empty(room),
            np.empty(room, np.int64),
            np.zeros(jobs, np.bool_),
            np.full(1, np.inf),
            np.array([0, 0, 0, machine_size, 0]),
        )
