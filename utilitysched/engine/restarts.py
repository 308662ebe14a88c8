"""Jobs that are stopped and go on later: what is left of each, and what became of each start."""

from collections.abc import Mapping
from copy import copy
from typing import Self

from checkpoint import saved
from utilitysched.engine.conditions import StopTerms
from utilitysched.engine.segments_log import NOBODY, SegmentEntry
from utilitysched.engine.tables import Left, LogTable
from utilitysched.model.segments import Stop
from utilitysched.model.state import Floats, Preemption


class Restarts:
    """Work left of stopped jobs: checkpointed work is kept (semantics, section 7).

    When a job starts again, a restart overhead comes first.

    Parameters
    ----------
    table : OwnTable
        The jobs, and what schedulers see of them: kept up to date here.
    terms : StopTerms
        What stopping means for each job, in arrival order.

    Attributes
    ----------
    left : dict of int to Left
        Of each job that was stopped.
    entries : list of SegmentEntry
        Stretches in which jobs ran, in the order in which they ended.

    References
    ----------
    Lee (2009), section 6.7.1.
    """

    def __init__(self, table: LogTable, terms: StopTerms) -> None:
        self.table = table
        self.terms = terms
        self.left: dict[int, Left] = {}
        self.entries: list[SegmentEntry] = []

    def fork(self, table: LogTable) -> Self:
        """Return the same, to go on separately."""
        other = copy(self)
        other.table = table
        other.left, other.entries = self.left.copy(), self.entries.copy()
        return other

    def go_on_from(self, left: Mapping[int, Left], seen: Preemption) -> None:
        """Come to what is left of jobs that were stopped, and what is seen of stops."""
        self.left.update(left)
        for job, row in left.items():
            self.table.known.request[job] = row.limit
        for mine, column in zip(self.table.preemption, seen, strict=True):
            mine[: len(column)] = column

    def limit(self, job: int) -> float:
        """Return the requested time of the present or next start of a job (s)."""
        left = self.left.get(job)
        return self.table.request[job] if left is None else left.limit

    def begin(self, job: int, now: float) -> float:
        """Note a start; return how long it lasts if nobody stops the job (s)."""
        seen = self.table.preemption
        seen.paid[job] = seen.overhead[job] if job in self.left else 0.0
        seen.last_start[job] = now
        return self.lasts(job)

    def lasts(self, job: int) -> float:
        """Return how long the present start of a job takes if nobody stops it (s)."""
        return self._within_limit(job, self._overhead(job))

    def needs(self, job: int) -> float:
        """Return for how long a job that waits would run if it started (s)."""
        expected = self.table.preemption.overhead.item(job) if job in self.left else 0.0
        return self._within_limit(job, self.terms.actual * expected)

    def conclude(self, job: int, start: float, now: float, processors: str) -> float:
        """Note how a job ended, and return what was done of its work (s)."""
        # the last segment: overhead first, then all the work that its limit allows
        lasted = self.lasts(job)
        overhead = min(self._overhead(job), lasted)
        work = self._work(job)
        done = min(work, lasted - overhead)
        times = overhead, done, 0.0
        self.entries.append(
            SegmentEntry(job, start, now, *times, Stop.COMPLETED, NOBODY, processors)
        )
        self.table.known.request[job] = self.table.request[job]  # what can be learnt from
        return self.table.run[job] - (work - done)

    def stop(
        self,
        job: int,
        place: int,
        span: tuple[float, float],
        why: Stop,
        cause: tuple[int, str, float],
    ) -> None:
        """Note what became of a start that is cut short, and what is left of the job.

        Parameters
        ----------
        job, place : int
            Which, by number and in arrival order.
        span : (float, float)
            When it started, and is stopped (s).
        why : Stop
            Why.
        cause : (int, str, float)
            For whose sake, on which processors it ran, and what this is taken to cost it (SU).
        """
        # what this start did: overhead comes first and is no work
        seen, left = self.table.preemption, self.left.get(job)
        elapsed = span[1] - span[0]
        overhead = min(self._overhead(job), elapsed)
        done, work = elapsed - overhead, self._work(job)
        # only preemptions wait for a checkpoint on demand
        interval = seen.interval[job] if why == Stop.PREEMPTED else self.terms.periodic[place]
        kept = min(saved(done, float(interval)), work)
        # the segment that ends here
        times = *span, overhead, kept, done - kept
        self.entries.append(SegmentEntry(job, *times, why, *cause))
        seen.preemptions[job] += why == Stop.PREEMPTED
        # what the next start needs: work kept is off the request, the overhead on it
        requested = (self.table.request[job] if left is None else left.asked) - kept
        limit = requested + seen.overhead.item(job)
        self.left[job] = Left(work - kept, requested, limit)
        self.table.known.request[job] = limit

    def first_starts(self, start: Floats) -> Floats:
        """Return when each job started first (s), given when each started last."""
        first = start.copy()
        for entry in reversed(self.entries):
            first[entry.job] = entry.start
        return first

    def progress(self, jobs: list[int]) -> list[tuple[float, ...]]:
        """Return the work done by those of `jobs` that were stopped before."""
        seen = self.table.preemption
        return sorted(
            (job, *self.left[job][:2], seen.preemptions.item(job), seen.paid.item(job))
            for job in jobs
            if job in self.left
        )

    def _work(self, job: int) -> float:
        """Return the work that was left of a job at its last start (s)."""
        left = self.left.get(job)
        return self.table.run[job] if left is None else left.work

    def _within_limit(self, job: int, overhead: float) -> float:
        """Return how long a start with this overhead takes, cut at the limit if that kills (s)."""
        needed = overhead + self._work(job)
        return min(needed, self.limit(job)) if self.terms.kills else needed

    def _overhead(self, job: int) -> float:
        """Return what the present start of a job really costs (s)."""
        expected: float = self.table.preemption.paid.item(job)
        return self.terms.actual * expected
