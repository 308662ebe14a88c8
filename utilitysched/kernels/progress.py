"""Progress of a compiled event loop."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from utilitysched.model.state import Floats, Integers, JobTable

ALL_PASSES = 2**62
"""Of a loop that is to come to its end: more than there can be."""

ARRIVED, QUEUED, RUNNING, FREE, PASSES = range(5)


class Progress(NamedTuple):
    """Mutable state of an event loop, enough to stop and resume.

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
    def blank(cls, jobs: int, machine_size: int, outages: bool = False) -> "Progress":
        """Return the state before the first event, with room for outages if there are any."""
        room = machine_size if outages else min(jobs, machine_size)
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

    @classmethod
    def resumed(
        cls, known: JobTable, now: float, queued: Integers, running: tuple[Integers, Floats, Floats]
    ) -> "Progress":
        """Return an event loop that has come to some time, without a job before it to learn from.

        Its next event is a pass at that time; of jobs that are submitted later, all are to come.

        Parameters
        ----------
        known : JobTable
            All n jobs, those submitted until `now` first.
        now : float
            The time (s).
        queued : (k,) int64
            The jobs that wait, ascending.
        running : tuple of (m,) int64, (m,) float64 and (m,) float64
            The jobs that run, since when their requested time counts, and when they end (s).
        """
        job, start, end = running
        progress = cls.blank(len(known.submit), known.machine_size)
        progress.start[job], progress.end[job] = start, end
        release = start + known.request[job]
        # the next one last, at equal ends by number
        last_first = np.lexsort((job, end))[::-1]
        next_first = np.lexsort((job, release))
        count = len(job)
        progress.queue[: len(queued)] = queued
        progress.ends[:count], progress.ending[:count] = end[last_first], job[last_first]
        progress.release_end[:count] = release[next_first]
        progress.release_job[:count] = job[next_first]
        progress.wake_up[0] = now
        arrived = np.searchsorted(known.submit, now, side="right")
        progress.counts[:FREE] = arrived, len(queued), count
        progress.counts[FREE] -= known.size[job].sum()
        return progress
