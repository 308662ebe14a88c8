"""The event loop in which processors fail."""

import math

import numpy as np

from swfx import InputError
from utilitysched.engine.preemptive.failures import Failures
from utilitysched.engine.preemptive.log import Entry
from utilitysched.engine.preemptive.processors import Processors
from utilitysched.engine.preemptive.rows import Rows
from utilitysched.engine.preemptive.simulation import PreemptiveSimulation
from utilitysched.engine.preemptive.terms import Terms
from utilitysched.model.arrivals import Arrivals
from utilitysched.model.outcome import Outcome
from utilitysched.model.scheduler import Decider
from utilitysched.model.segments import Stop

MOST_FAILURES = 10_000
"""Of one job, after which it is taken never to end; or while nobody runs, never to start."""

DAY = 86_400.0


class FailingSimulation(PreemptiveSimulation):
    """An event loop in which processors fail; jobs and outages are numbered as they come.

    An outage takes its processors by force. Whatever job has one of them loses all of its
    processors, keeps the work of its last checkpoint, and is in the queue again. To schedulers an
    outage is one more running job, expected to end with the repair. At one instant, jobs end and
    processors are repaired, then processors fail, jobs are submitted, and the scheduler is asked.

    Raises `InputError` if a job fails again and again, longer than it is worth to wait for its end.

    Parameters
    ----------
    arrivals, scheduler, terms
        See `PreemptiveSimulation`.
    failures : Failures
        What fails.

    Attributes
    ----------
    outage : (n,) int64
        Which outage each row is, -1 for a job.
    processors : Processors
        Who holds which.
    left : int
        Jobs that have not ended.
    in_vain : int
        Outages since a job last ran while others waited.

    References
    ----------
    Lee (2009), section 7.2.3.
    """

    _CHANGING = (*PreemptiveSimulation._CHANGING, "processors", "failed", "where")

    def __init__(
        self, arrivals: Arrivals, scheduler: Decider, terms: Terms, failures: Failures
    ) -> None:
        submit = arrivals.known.submit
        self.jobs = arrivals, terms
        self.failures = failures
        self.begin = float(submit[0]) if len(submit) else 0.0
        self.horizon = float(submit[-1]) + DAY if len(submit) else 0.0
        self.outages = failures.between(self.begin, self.horizon)
        rows = Rows.of(arrivals, terms, self.outages)
        super().__init__(rows.arrivals, scheduler, rows.terms)
        self.outage = rows.outage
        self.processors = Processors(self.known.machine_size, failures.rate)
        self.failed = [0] * len(submit)
        self.where: dict[int, str] = {}
        self.left = len(submit)
        self.in_vain = 0
        self.rows = rows.of_jobs
        self.last_job = int(self.rows.max(initial=-1))

    def outcome(self) -> Outcome:
        """Return the result: the first start and the last end of each job, and all segments."""
        found, job = super().outcome(), self.rows
        columns = (found.start[job], found.end[job], found.backfilled[job])
        outages = self.outages.before(float(columns[1].max(initial=-math.inf)))
        return Outcome(*columns, found.passes, segments=found.segments, outages=outages)

    def progress(self) -> object:
        """Return that of the jobs, and whom outages to come can hit."""
        return super().progress(), self._whereabouts()

    def _whereabouts(self) -> list[tuple[int, bytes]]:
        """Return how many processors of each stretch that fails as one each running job has.

        Which of a stretch it has makes no difference: the lowest are handed out first.
        """
        bounds = self.failures.bounds(self.now)
        running = sorted(job for _, job in self.running if self.outage[job] < 0)
        return [(job, self.processors.between(job, bounds)) for job in running]

    def next_time(self) -> float:
        """Return the time of the next event (s), infinite if nothing can change any more."""
        if self.left == 0 or self._is_stuck():
            return math.inf
        time = super().next_time()
        while time >= self.horizon and not self.failures.all_known:
            self._look_further()
            time = super().next_time()
        return time

    def _is_stuck(self) -> bool:
        """Whether nobody runs or comes or wants to be woken, and no repair is waited for."""
        idle = not self.running and self.wake_up == math.inf
        return idle and self.arrived > self.last_job

    def _look_further(self) -> None:
        """Draw the outages of as much time again: they come after all that are known."""
        self.horizon += self.horizon - self.begin
        self.outages = self.failures.between(self.begin, self.horizon)
        self._expect_rows(Rows.of(*self.jobs, self.outages))

    def leave_out(self, job: int) -> None:
        """Let a job, one of those that come at the next instant, never come."""
        super().leave_out(self.rows.item(job))
        self.left -= 1

    def end_arrivals(self, count: int) -> None:
        """Let no jobs come but the first `count`, which those that have come are among."""
        arrivals, terms = self.jobs
        dropped = len(arrivals.run) - count
        if dropped <= 0:
            return
        self.left -= dropped
        self.jobs = arrivals.first(count), terms.first(count)
        self._expect_rows(Rows.of(*self.jobs, self.outages))

    def _expect_rows(self, rows: Rows) -> None:
        """Let other rows come from now on; those that have come must be the same."""
        come = self.arrived
        other = PreemptiveSimulation(rows.arrivals, self.scheduler, rows.terms)
        other.known.request[:come] = self.known.request[:come]
        for name in ("start", "end", "backfilled", "first_start"):
            getattr(other, name)[:come] = getattr(self, name)[:come]
            setattr(self, name, getattr(other, name))
        for mine, column in zip(self.preemption, other.preemption, strict=True):
            column[:come] = mine[:come]
        for name in ("submit", "size", "request", "requested", "asked", "run", "work"):
            setattr(self, name, getattr(self, name)[:come] + getattr(other, name)[come:])
        for name in ("known", "preemption", "terms", "order", "job_id"):
            setattr(self, name, getattr(other, name))
        self.outage, self.rows = rows.outage, rows.of_jobs
        self.last_job = int(self.rows.max(initial=-1))

    def _arrive(self, now: float) -> None:
        while self._next_submit() == now:
            row = self.arrived
            self.arrived += 1
            if self.outage[row] < 0:
                self.queue.append(row)
            else:
                self._fail(row, now)

    def _fail(self, row: int, now: float) -> None:
        """Let an outage take its processors."""
        self._count_waiting(now)
        which = self.outage.item(row)
        low, high = self.outages.low.item(which), self.outages.high.item(which)
        for job in self.processors.holders(low, high):
            self._count_failure(job, now)
            self._take_off(job)
            self._put_back(job, now, Stop.FAILED)
        super()._begin(row, now)
        self.processors.take_these(row, np.arange(low, high))

    def _count_failure(self, job: int, now: float) -> None:
        place = self.order.item(job)
        self.failed[place] += 1
        if self.failed[place] > MOST_FAILURES:
            raise InputError(
                f"{self._name(job)} failed {MOST_FAILURES:,} times until {now:g} s",
                source="failures",
                remedy="give it checkpoints, or processors that fail less often",
            )

    def _count_waiting(self, now: float) -> None:
        """Refuse outages among which those that wait never find enough processors."""
        runs = any(self.outage[job] < 0 for _, job in self.running)
        self.in_vain = 0 if runs or not self.queue else self.in_vain + 1
        if self.in_vain > MOST_FAILURES:
            first = self.queue[0]
            raise InputError(
                f"{self._name(first)} waits for {self.size[first]:,} of "
                f"{self.known.machine_size:,} processors at {now:g} s, and nobody has run for "
                f"{MOST_FAILURES:,} outages",
                source="failures",
                remedy="give processors that fail less often, or shorter repairs",
            )

    def _begin(self, job: int, now: float) -> None:
        super()._begin(job, now)
        self.processors.take(job, self.size[job])
        self.where[job] = self.processors.text(job)

    def _take_off(self, job: int) -> None:
        super()._take_off(job)
        self.processors.give_back(job)

    def _conclude(self, job: int, now: float) -> None:
        self.processors.give_back(job)
        if self.outage[job] >= 0:
            self.finished.remove(job)  # nobody is told: it was no job
            return
        self.left -= 1
        super()._conclude(job, now)

    def _complete_entry(self, entry: Entry) -> Entry:
        return entry._replace(processors=self.where[entry.job])
