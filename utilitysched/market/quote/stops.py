"""Stops of the jobs of a scenario: what preempting each means, and what came of it before."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np

from checkpoint import PreemptionRules
from swfx import Workload
from utilitysched.engine.conditions import StopTerms
from utilitysched.engine.tables import Left
from utilitysched.model.state import Floats, Integers, Preemption
from utilitysched.runs.snapshot import PreemptionRecord, QueuedJob, RunningJob

_ENDED = PreemptionRecord(0.0, -1.0)


@dataclass(frozen=True, eq=False)
class KnownStops:
    """What is known of n jobs that can be preempted.

    Attributes
    ----------
    terms : StopTerms
        What preempting each means.
    seen : Preemption
        What schedulers see of it at the moment.
    done : (n,) float64
        Work that was kept of earlier starts (s).
    stopped : (k,) int64
        Jobs that were stopped.
    """

    terms: StopTerms
    seen: Preemption
    done: Floats
    stopped: Integers

    @classmethod
    def of(cls, jobs: Sequence[QueuedJob | RunningJob | None], preemption: str) -> Self:
        """Return what jobs say of themselves, or the rules of others; None for one that ended."""
        rules = PreemptionRules.from_text(preemption)
        told = [_told(job, rules) for job in jobs]
        interval = _column(np.inf if each.interval is None else each.interval for each in told)
        periodic = [each.periodic for each in told]
        filled = zip(periodic, interval.tolist(), strict=True)
        overhead = _column(each.overhead for each in told)
        starts = (_last_start(*pair) for pair in zip(jobs, told, strict=True))
        return cls(
            StopTerms(
                interval,
                overhead,
                _column(every if mine is None else mine for mine, every in filled),
                rules.actual,
                rules.overrun == "kill",
            ),
            Preemption(
                interval,
                overhead,
                np.array([each.preemptions for each in told], dtype=np.int64),
                _column(starts),
                _column(each.paid for each in told),
            ),
            _column(each.done for each in told),
            np.flatnonzero([each.stops for each in told]),
        )

    def useful(self, begun: Floats, running: Integers, now: float) -> Floats:
        """Return what each of some running jobs has done of its work at a time (s)."""
        overhead = self.terms.actual * self.seen.paid[running]
        found: Floats = self.done[running] + np.maximum(now - begun - overhead, 0.0)
        return found

    def left(self, run: Floats, request: Floats, limit: Floats) -> dict[int, Left]:
        """Return what is left of each job that was stopped.

        Parameters
        ----------
        run, request : (n,) float64
            Run time and requested time in all (s).
        limit : (n,) float64
            Requested time of the present or next start (s).
        """
        work, asked = run - self.done, request - self.done
        return {
            job: Left(work.item(job), asked.item(job), limit.item(job))
            for job in self.stopped.tolist()
        }

    def lasts(self, jobs: Integers, run: Floats, limit: Floats) -> Floats:
        """Return how long the present start of some jobs takes if nobody stops them (s)."""
        needed = self.terms.actual * self.seen.paid[jobs] + run[jobs] - self.done[jobs]
        found: Floats = np.minimum(needed, limit[jobs]) if self.terms.kills else needed
        return found


def _told(job: QueuedJob | RunningJob | None, rules: PreemptionRules) -> PreemptionRecord:
    if job is None:
        return _ENDED
    if job.checkpoints is not None:
        return job.checkpoints
    return record_of(job.processors, rules)


def record_of(
    processors: int, rules: PreemptionRules, *, rerunnable: bool = False
) -> PreemptionRecord:
    """Return what stopping a job means that takes no checkpoints and has yet to start."""
    mark = int(rerunnable)
    alone = Workload.from_columns(submit=[0], run=[0], processors=[processors], rerunnable=[mark])
    interval = rules.intervals(alone).item()
    every = None if interval == np.inf else interval
    return PreemptionRecord(rules.overheads(alone).item(), every, periodic=-1.0)


def _last_start(job: QueuedJob | RunningJob | None, told: PreemptionRecord) -> float:
    start = job.start if isinstance(job, RunningJob) else told.last_start
    return np.nan if start is None else start


def _column(values: object) -> Floats:
    return np.array(list(values), dtype=np.float64)  # type: ignore[call-overload]
