"""Planned queues as one user sees them: own jobs by name, those of others as classes."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from pricing.disclosure import OTHERS, Rival, band, rival, shown_classes
from swfx import Workload
from swfx.base.numbers import money, plural, significant, span
from swfx.base.zones import zone_text
from utilitysched.analysis.documents import (
    Column,
    ColumnChart,
    Description,
    Panel,
    column,
    panel,
)
from utilitysched.analysis.series.gantt import Rectangles, largest, rectangles
from utilitysched.market.queue_plan import HOUR, QueuePlan
from utilitysched.model.schedule import Schedule
from utilitysched.report.charts.picture import Picture
from utilitysched.runs.snapshot import QueuedJob, RunningJob
from utilitysched_web.queue_picture import MOST, day_picture

DAY = 24 * HOUR

PRICE_SAID = (
    "Nothing where the plan leaves a processor idle for the whole hour; else about what the"
    " cheapest of the waiting jobs that are to run in it bids per requested processor-hour: who"
    " bids more can have its place."
)


class Change(NamedTuple):
    """What a higher bid would change: in a sentence, and job by job."""

    sentence: str
    table: Panel


@dataclass(frozen=True)
class QueueView:
    """A plan from one user's point of view.

    Parameters
    ----------
    plan : QueuePlan
        All of it.
    user : int or None
        Whose jobs have their names; None for everybody's.
    queue_title : callable
        What people call the queue of a number.
    """

    plan: QueuePlan
    user: int | None
    queue_title: Callable[[int], str] = "queue {}".format

    def document(self, *changes: Change) -> Description:
        """Return the queue; what a higher bid would change comes first."""
        snapshot = self.plan.snapshot
        waiting = plural(len(snapshot.queued), "job")
        free = f"{snapshot.free:,} of {snapshot.machine_size:,} processors are free"
        planned = f"Times are those that the scheduler {self.plan.scheduler} plans"
        lead = [change.sentence for change in changes]
        if self.user is not None:
            lead.append(self._next())
        lead.append(f"{waiting} waiting in all, {len(snapshot.running):,} running; {free}.")
        lead.append(f"{planned} if nothing else is submitted and all run as long as requested.")
        tables = [change.table for change in changes]
        panels = [*tables, self._own_jobs(), self._prices(), self._classes()]
        return Description("The queue", panels, lead)

    def _next(self) -> str:
        """Say how many of the user's jobs wait, and which of them starts next."""
        queued, start = self.plan.snapshot.queued, self.plan.start
        own = [place for place, job in enumerate(queued) if self.is_mine(job)]
        if not own:
            return "None of your jobs waits."
        place = min(own, key=start.__getitem__)
        after = _after(float(start[place]) - self.plan.snapshot.now)
        if len(own) == 1:
            return f"Your job {queued[place].job_name} starts {after}."
        return (
            f"{len(own):,} of your jobs wait; job {queued[place].job_name} is the next to start,"
            f" {after}."
        )

    def is_mine(self, job: QueuedJob | RunningJob) -> bool:
        """Return whether a job is shown by its name."""
        return self.user is None or job.user == self.user

    def class_of(self, job: QueuedJob | RunningJob) -> str:
        """Return the class by which other users see a job; ``others`` where rivals are few."""
        return self._shown[self._queue_of(job)]

    def _classes_of(self, jobs: Iterable[QueuedJob | RunningJob]) -> dict[str, str]:
        """Return the name under which the queue of each job of others is shown."""
        rivals: dict[str, set[Rival]] = defaultdict(set)
        for job in jobs:
            if not self.is_mine(job):
                rivals[self._queue_of(job)].add(rival(job.user, job.id))
        return shown_classes(rivals)

    @cached_property
    def _shown(self) -> dict[str, str]:
        snapshot = self.plan.snapshot
        return self._classes_of([*snapshot.running, *snapshot.queued])

    def why(self, place: int) -> str:
        """Say why the job at a place in the queue does not start now."""
        plan, snapshot = self.plan, self.plan.snapshot
        job, now = snapshot.queued[place], snapshot.now
        if plan.start[place] <= now:
            return "It starts now."
        ahead = plan.ahead_of(place).tolist()
        sentence = f"It needs {plural(job.processors, 'processor')}, {snapshot.free:,} are free"
        if job.processors <= snapshot.free:
            sentence += ", but the plan has others start first that need them"
        if not ahead:
            return f"{sentence}. It is the next to start."
        mine = sum(snapshot.queued[each].user == job.user for each in ahead)
        dearer = int((plan.density[ahead] > plan.density[place]).sum())
        return (
            f"{sentence}. Before it, the plan has {plural(len(ahead), 'job')}, {mine:,} of the same"
            f" user, {dearer:,} worth more per processor-hour."
        )

    def picture(self) -> Picture:
        """Return the chart of the jobs over processors and the next day."""
        clock = self.plan.snapshot.clock
        zone = "" if clock is None else zone_text(clock.zone)
        hours = [self._clock(hour) for hour in range(24)]
        return day_picture(self.day(), hours, zone, self.plan.snapshot.machine_size)

    def day(self) -> dict[str, list[Any]]:
        """Return the jobs of the next day as `day_picture` takes them; processors are made up."""
        snapshot = self.plan.snapshot
        jobs: list[RunningJob | QueuedJob] = [*snapshot.running, *snapshot.queued]
        shapes = _rectangles(self.plan)
        shapes = largest(shapes.take(shapes.start < snapshot.now + DAY), MOST)
        drawn = [jobs[job] for job in shapes.job.tolist()]
        begin, end = shapes.start - snapshot.now, shapes.end - snapshot.now
        return {
            "start": (begin / HOUR).round(4).tolist(),
            "end": (np.minimum(end, DAY) / HOUR).round(4).tolist(),
            "low": shapes.low.tolist(),
            "high": shapes.high.tolist(),
            "kind": list(map(self._kind, drawn)),
            "job": list(map(self._named, drawn)),
            "size": [job.processors for job in drawn],
            "starts": [
                _after(seconds) if isinstance(job, QueuedJob) else "has started"
                for job, seconds in zip(drawn, begin.tolist(), strict=True)
            ],
            "ends": [f"by the plan {_after(seconds)}" for seconds in end.tolist()],
        }

    def changed(self, job: int, factor: float) -> Change:
        """Return the starts that would change if a job multiplied its bid.

        Raises
        ------
        InputError
            As `QueuePlan.bidding`.
        """
        before, after = self.plan, self.plan.bidding(job, factor)
        rows: list[tuple[str, int, float | None, float | None, float]] = []
        moves = zip(before.snapshot.queued, (after.start != before.start).tolist(), strict=True)
        shown = self._classes_of(each for each, is_moved in moves if is_moved)
        others: dict[str, list[float]] = defaultdict(list)
        for place, each in enumerate(before.snapshot.queued):
            moved = float(after.start[place] - before.start[place])
            waits = float(before.start[place]) - before.snapshot.now
            if self.is_mine(each) and (moved or each.id == job):
                rows.append((f"job {each.job_name}", 1, waits, waits + moved, moved))
            elif moved:
                name = shown[self._queue_of(each)]
                others[f"{name}, {'later' if moved > 0 else 'earlier'}"].append(moved)
        place = before.place_of(job)
        title = f"job {before.snapshot.queued[place].job_name}"
        rows.sort(key=lambda row: (row[0] != title, row[0]))
        rows += [(name, len(by), None, None, float(np.mean(by))) for name, by in others.items()]
        columns = [
            Column("who", left=True, key="who"),
            column("jobs", "count", "jobs"),
            Column("starts", write=_after, key="starts"),
            Column("would start", write=_after, key="would_start"),
            Column("moves (mean)", write=_moves, key="moves"),
        ]
        changes = after.start - before.start
        by, starts = float(changes[place]), float(after.start[place]) - before.snapshot.now
        others_moved = int((changes != 0).sum()) - (by != 0)
        bid = f"{title} bid {factor:g} times as much"
        how = f"{_after(starts)}, {_moves(by)}" if by else f"{_after(starts)} as it does now"
        would = f"If {bid}, it would start {how}; {plural(others_moved, 'other job')} would move."
        table = panel("changed", f"If {bid}", "", columns, rows)
        return Change(would, table)

    def _own_jobs(self) -> Panel:
        plan, now = self.plan, self.plan.snapshot.now
        rows = [
            (
                job.name or job.id,
                job.processors,
                job.request,
                now - job.submit,
                float(plan.start[place]) - now,
                float(plan.value[place]),
                float(plan.density[place]),
                self.why(place),
            )
            for place, job in sorted(
                enumerate(plan.snapshot.queued), key=lambda each: float(plan.start[each[0]])
            )
            if self.is_mine(job)
        ]
        columns = [
            Column("job", key="job"),
            column("processors", "count", "processors"),
            Column("for at most", write=span, key="request"),
            Column("has waited", write=span, key="waited"),
            Column("starts", write=_after, key="starts_in"),
            Column("earns", "SU", write=money, key="worth"),
            Column("SU per processor-hour", write=significant, key="density"),
            Column("why it waits", left=True, key="why", fold=True),
        ]
        note = "" if rows else "None of your jobs waits."
        title = "Jobs that wait" if self.user is None else "My jobs that wait"
        return panel("mine", f"{title}, the next to start first", note, columns, rows)

    def _classes(self) -> Panel:
        grouped: dict[tuple[str, str], list[QueuedJob | RunningJob]] = defaultdict(list)
        snapshot = self.plan.snapshot
        for what, jobs in (("run", snapshot.running), ("wait", snapshot.queued)):
            for job in jobs:
                if not self.is_mine(job):
                    grouped[self.class_of(job), what].append(job)
        rows = [
            (name, what, len(jobs), sum(job.processors for job in jobs))
            for (name, what), jobs in sorted(grouped.items())
        ]
        columns = [
            column("class", "text", "class"),
            column("they", "text", "they"),
            column("jobs", "count", "jobs"),
            column("processors", "count", "processors"),
        ]
        return panel("others", "Jobs of others", "", columns, rows)

    def _prices(self) -> ColumnChart:
        prices = self.plan.prices()
        if self.user is not None:  # each is the bid of a single job
            prices = [price and band(price) for price in prices]
        hours = [self._clock(hour) for hour in range(len(prices))]
        taken = [hour for hour, price in zip(hours, prices, strict=True) if price is None]
        title = "Price of a processor-hour over the next day"
        shown = [price or 0.0 for price in prices]
        costs = sum(price > 0 for price in shown)
        first = f"It is nothing in {prices.count(0.0)} of the next {len(shown)} hours"
        first += f", and at most {significant(max(shown))} SU in {costs}." if costs else "."
        sentences = [first, PRICE_SAID]
        if taken:
            at = ", ".join(taken)
            sentences.append(f"Jobs that run already have all processors in the hours from {at}.")
        return ColumnChart("prices", title, " ".join(sentences), "SU", hours, shown)

    def _clock(self, hour: int) -> str:
        snapshot = self.plan.snapshot
        if snapshot.clock is None:
            return f"+{hour} h"
        return f"{snapshot.clock.date(snapshot.now + hour * HOUR):%H:%M}"

    def _kind(self, job: QueuedJob | RunningJob) -> str:
        what = "waiting" if isinstance(job, QueuedJob) else "running"
        if self.user is None:
            return what
        return f"mine, {what}" if self.is_mine(job) else f"others', {what}"

    def _queue_of(self, job: QueuedJob | RunningJob) -> str:
        if job.queue is None or job.queue < 0:
            return OTHERS
        return f"{OTHERS}, {self.queue_title(job.queue)}"

    def _named(self, job: QueuedJob | RunningJob) -> str:
        return f"job {job.job_name}" if self.is_mine(job) else self.class_of(job)


def _rectangles(plan: QueuePlan) -> Rectangles:
    """Return where running and queued jobs are drawn, as if processors were handed out anew."""
    snapshot = plan.snapshot
    jobs: Sequence[RunningJob | QueuedJob] = (*snapshot.running, *snapshot.queued)
    start = np.append([snapshot.now] * len(snapshot.running), plan.start)
    end = np.append([job.expected_end for job in snapshot.running], plan.end)
    workload = Workload.from_columns(
        submit=start, run=end - start, processors=[job.processors for job in jobs]
    )
    waits = np.zeros(len(jobs), np.bool_)
    return rectangles(workload, Schedule(start, end, waits, snapshot.machine_size, "plan", 0))


def _after(seconds: float | None) -> str:
    if seconds is None:
        return "-"
    return "now" if seconds <= 0 else f"in {span(seconds)}"


def _moves(seconds: float) -> str:
    if not seconds:
        return "not at all"
    return f"{span(abs(seconds))} {'later' if seconds > 0 else 'earlier'}"
