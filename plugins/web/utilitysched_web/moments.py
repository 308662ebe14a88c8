"""The moment of a queue that a server shows, and what people may ask about it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, time
from functools import cached_property
from typing import NamedTuple

import numpy as np

from pricing.disclosure import band
from swfx import InputError, UtilityFunction
from swfx.base.columns import Ints
from swfx.base.numbers import money, span
from swfx.base.options import as_seconds
from swfx.clock import calendar_of, next_time
from utilitysched.market.queue_plan import QueuePlan
from utilitysched.market.quote import WORTHLESS, QuotedJob
from utilitysched.runs import RunResults
from utilitysched.runs.snapshot import Snapshot
from utilitysched.runs.snapshot.document import to_text
from utilitysched.runs.snapshot.stored import snapshot_of
from utilitysched.runs.stored import StoredRun
from utilitysched.schedulers.recorded import FAMILY as RECORDED
from utilitysched_slurm.comments import LONGEST, read_bid
from utilitysched_web.quoting import QuoteQuestion

BUSY = 0.9
"""Share of the submissions at which no more jobs waited than at the moment shown."""

MARKETS_OWN = "ga"
"""Who is taken to decide where a log does not say."""

LARGE = 3
"""Quarters of the jobs of a user that are smaller than the one that a page begins with."""

HOUR = 3600.0
TONIGHT, MORNING = time(20), time(8)


class QuoteForm(NamedTuple):
    """Entries of the form for a quote.

    Attributes
    ----------
    processors : int
        Of the job.
    request : str
        Requested time: ``4h``, ``30min``, seconds.
    curve : str
        What it is worth, as in the comment of a job.
    """

    processors: int
    request: str
    curve: str


@dataclass(frozen=True, eq=False)
class SiteMoment:
    """A moment of a run.

    Parameters
    ----------
    run : StoredRun
        All of it; what came later is not shown.
    at : float
        When (s on the log's clock).
    """

    run: StoredRun
    at: float

    @classmethod
    def of(cls, results: RunResults) -> SiteMoment:
        """Return a busy moment of a run: the last submission at which as many jobs waited."""
        schedule = results.schedule
        run = StoredRun(
            results.workload, schedule.start, schedule.end, results.record, schedule.segments
        )
        return cls(run, busy_moment(run))

    @cached_property
    def snapshot(self) -> Snapshot:
        """Snapshot of the queue."""
        return snapshot_of(self.run, self.at, np.unique(self.run.workload.user).tolist())

    @property
    def when(self) -> str:
        """Date and time for people; empty where the log has no calendar."""
        clock = calendar_of(self.run.workload.header)
        return "" if clock is None else f" on {clock.date(self.at):%Y-%m-%d at %H:%M}"

    def number_of(self, user: str) -> int | None:
        """Return the number of a user in the snapshot; None if no job is theirs."""
        return self._numbers.get(user)

    @cached_property
    def _numbers(self) -> dict[str, int]:
        names = self.run.workload.labels.in_field("user")
        return {names.name(each): each for each in np.unique(self.run.workload.user).tolist()}

    @cached_property
    def text(self) -> str:
        """JSON of the snapshot."""
        return to_text(self.snapshot)

    @property
    def scheduler(self) -> str:
        """Scheduler that is taken to decide."""
        decides = self.snapshot.scheduler
        return MARKETS_OWN if decides.partition(":")[0] in {"", RECORDED} else decides

    @cached_property
    def plan(self) -> QueuePlan:
        """The scheduler's plan of the queue."""
        return QueuePlan(self.snapshot, self.scheduler)

    @property
    def later(self) -> Mapping[str, float]:
        """Other times of submission (s), by name."""
        clock, now = self.snapshot.clock, self.snapshot.now
        if clock is None:
            return {"in 12 hours": now + 12 * HOUR, "in a day": now + 24 * HOUR}
        times = {"at 20:00": TONIGHT, "at 08:00": MORNING}
        return {name: next_time(clock, now, at) for name, at in times.items()}

    def typical(self, user: int, budget: float | None = None) -> QuoteForm:
        """Return a job to begin with: larger than most of the user's, worth a usual bid.

        That is the median of all bids of the queue per processor-hour, for twice the requested
        time, and nothing after six times that, or after a day if that is later.
        """
        workload = self.run.workload
        before = workload.submit < self.at
        own = np.flatnonzero(before & (workload.user == user))
        rows = own if len(own) else np.flatnonzero(before)
        size = workload.size[rows] * workload.request[rows]
        row = rows[np.argsort(size, kind="stable")[LARGE * len(rows) // 4]] if len(rows) else None
        processors = 1 if row is None else int(workload.size[row])
        seconds = HOUR if row is None else max(60.0, float(workload.request[row]) // 60 * 60)
        worth = self._usual_bid * processors * seconds / HOUR
        worth = float(f"{worth if budget is None else min(worth, budget):.2g}")
        last = max(12 * seconds, 24 * HOUR)
        curve = f"0:{worth:g},{2 * seconds:g}:{worth:g},{last:g}:0"
        return QuoteForm(processors, _time_text(seconds), curve)

    @property
    def _usual_bid(self) -> float:
        """Median of what queued jobs are worth at once, SU per processor-hour; 1 if none is.

        In bands, for it may be the bid of a single rival.
        """
        bids = [
            job.utility.start_value / (job.processors * job.request / HOUR)
            for job in self.snapshot.queued
            if job.utility is not None and job.request > 0
        ]
        return band(float(np.median(bids))) if bids else 1.0

    @cached_property
    def longest(self) -> float:
        """Longest time that a job may request (s): as one does, an hour at least.

        Neither snapshots nor logs say what the limit of a partition is.
        """
        requests = [job.request for job in self.snapshot.queued]
        return max(HOUR, *requests, float(self.run.workload.request.max(initial=0.0)))

    def question(self, form: QuoteForm, user: int, budget: float | None = None) -> QuoteQuestion:
        """Return the question of a form.

        Raises
        ------
        InputError
            A text cannot be read, is out of bounds, or the account could not submit such a job.
        """
        machine = self.snapshot.machine_size
        if not 1 <= form.processors <= machine:
            raise InputError(f"{form.processors} is not from 1 to {machine}", field="processors")
        seconds = as_seconds(form.request, "", "request")
        if not 0 < seconds <= min(self.longest, LONGEST):
            raise InputError(
                f"{form.request!r} is not above 0 and at most {span(self.longest)}, the longest"
                " request here",
                field="request",
            )
        curve = self._curve(form.curve)
        require_payable(float(curve.values.max()), budget)
        job = QuotedJob(form.processors, seconds, user, curves={form.curve: curve})
        return QuoteQuestion(self.text, job, self.later, budget)

    def _curve(self, text: str) -> UtilityFunction:
        clock = self.snapshot.clock
        since, zone = (0.0, UTC) if clock is None else (clock.start, clock.zone)
        bid = read_bid(text, since + self.at, zone)
        if bid.problem or bid.said.utility is None:
            raise InputError(
                bid.problem or f"{text!r} is no curve",
                field="curve",
                remedy="write 0:40,4h:40,8h:0",
            )
        return bid.said.utility

    def past(self, row: int) -> QuoteQuestion:
        """Return the question of a job of the run at its submission.

        Neither the moment nor the job says anything that was not known then.
        """
        workload = self.run.workload
        user, number = int(workload.user[row]), int(workload.job_id[row])
        moment = snapshot_of(self.run, float(workload.submit[row]), [user])
        job = QuotedJob(
            int(workload.size[row]),
            float(workload.request[row]),
            user,
            int(workload.queue[row]),
            next(job.priority for job in moment.queued if job.id == number),
            {"": workload.utility[row] or WORTHLESS},
        )
        return QuoteQuestion(to_text(moment.without([number])), job, {})

    def ended(self) -> Ints:
        """Return the rows of finished jobs in the order of submission."""
        workload = self.run.workload
        done = (self.run.start < self.at) & (self.run.end <= self.at)
        rows = np.flatnonzero(done)
        return rows[np.argsort(workload.submit[rows], kind="stable")]


def require_payable(value: float, budget: float | None) -> None:
    """Refuse a bid that the account could not pay.

    Parameters
    ----------
    value : float
        Most that the job is worth (SU).
    budget : float or None
        What the account has, with its credit (SU); None for any.

    Raises
    ------
    InputError
        It is less than the value.
    """
    if budget is not None and value > budget:
        raise InputError(
            f"{money(value)} SU is more than the account can pay: {money(budget)} SU", field="curve"
        )


def busy_moment(run: StoredRun) -> float:
    """Return when the last job came that found more waiting than nine in ten others (s)."""
    submit, start = run.workload.submit, run.start
    if not len(submit):
        return 0.0
    came = np.searchsorted(np.sort(submit), submit, side="right")
    begun = np.searchsorted(np.sort(start), submit, side="left")
    waiting = came - begun
    return float(submit[waiting >= np.quantile(waiting, BUSY)].max())


def _time_text(seconds: float) -> str:
    """Return a time with its unit."""
    for unit, length in (("h", HOUR), ("min", 60.0)):
        if seconds % length == 0:
            return f"{seconds / length:g}{unit}"
    return f"{seconds:g}"
