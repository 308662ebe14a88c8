"""Planned queues as one user sees them: own jobs by name, those of others as classes."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from pricing.disclosure import OTHERS, Rival, band, rival, shown_classes
from swfx import Workload
from swfx.base.numbers import money, plural, significant, span
from utilitysched.analysis.documents import (
    Column,
    ColumnChart,
    Description,
    Panel,
    column,
    panel,
)
from utilitysched.analysis.series.gantt import Rectangles, rectangles
from utilitysched.market.queue_plan import HOUR, QueuePlan
from utilitysched.model.schedule import Schedule
from utilitysched.runs.snapshot import QueuedJob, RunningJob

DAY = 24 * HOUR
WIDTH, HEIGHT, LEFT, BELOW = 960, 320, 44, 24
"""Of the drawing, with the room for its scales."""

EVERY = 3
"""Hours from one mark of the scale to the next."""

PRICE_SAID = (
    "About what the cheapest of the waiting jobs that are to run in an hour bids per requested"
    " processor-hour: who bids more can have its place. Nothing where the plan leaves a processor"
    " idle for the whole hour."
)


class GanttBar(NamedTuple):
    """A rectangle of the drawing, in its units."""

    kind: str
    said: str
    x: str
    y: str
    width: str
    height: str


class GanttPicture(NamedTuple):
    """A drawing: bars, and marks with x or y and text."""

    bars: list[GanttBar]
    hours: list[tuple[str, str]]
    processors: list[tuple[str, str]]
    width: int = WIDTH
    height: int = HEIGHT
    left: int = LEFT
    below: int = HEIGHT - BELOW


@dataclass(frozen=True)
class QueueView:
    """A plan from one user's point of view.

    Parameters
    ----------
    plan : QueuePlan
        All of it.
    user : int or None
        Whose jobs have their names; None for everybody's.
    """

    plan: QueuePlan
    user: int | None

    def document(self, *more: Panel) -> Description:
        """Return the queue with further panels behind what is the user's own."""
        snapshot = self.plan.snapshot
        waiting = (
            f"{plural(len(snapshot.queued), 'job')} waiting, {len(snapshot.running):,} running"
        )
        lead = (
            f"{waiting}; {snapshot.free:,} of {snapshot.machine_size:,} processors are free.",
            f"The plan of {self.plan.scheduler}, if nobody else comes and all run as requested.",
        )
        panels = [self._own_jobs(), *more, self._prices(), self._classes()]
        return Description("The queue", panels, lead)

    def is_mine(self, job: QueuedJob | RunningJob) -> bool:
        """Return whether a job is shown by its name."""
        return self.user is None or job.user == self.user

    def class_of(self, job: QueuedJob | RunningJob) -> str:
        """Return the class by which other users see a job; ``others`` where rivals are few."""
        return self._shown[_queue_of(job)]

    def _classes_of(self, jobs: Iterable[QueuedJob | RunningJob]) -> dict[str, str]:
        """Return the name under which the queue of each job of others is shown."""
        rivals: dict[str, set[Rival]] = defaultdict(set)
        for job in jobs:
            if not self.is_mine(job):
                rivals[_queue_of(job)].add(rival(job.user, job.id))
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

    def picture(self) -> GanttPicture:
        """Draw the jobs over processors and the next day; processors are handed out anew."""
        snapshot = self.plan.snapshot
        jobs: list[RunningJob | QueuedJob] = [*snapshot.running, *snapshot.queued]
        rectangles = _rectangles(self.plan)
        across = (WIDTH - LEFT) / DAY
        up = (HEIGHT - BELOW) / snapshot.machine_size
        bars = [
            GanttBar(
                self._kind(jobs[job]),
                self._said(jobs[job], start, end),
                f"{LEFT + (start - snapshot.now) * across:.1f}",
                f"{HEIGHT - BELOW - high * up:.1f}",
                f"{max((min(end, snapshot.now + DAY) - start) * across, 0.5):.1f}",
                f"{max((high - low) * up, 0.5):.1f}",
            )
            for job, start, end, low, high in _rows(rectangles)
            if start < snapshot.now + DAY
        ]
        hours = [
            (f"{LEFT + hour * HOUR * across:.1f}", self._clock(hour))
            for hour in range(0, 24, EVERY)
        ]
        quarters = [round(snapshot.machine_size * part / 4) for part in range(5)]
        marks = [(f"{HEIGHT - BELOW - each * up:.1f}", f"{each:,}") for each in quarters]
        return GanttPicture(bars, hours, marks)

    def changed(self, job: int, factor: float) -> Panel:
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
                name = shown[_queue_of(each)]
                others[f"{name}, {'later' if moved > 0 else 'earlier'}"].append(moved)
        title = f"job {before.snapshot.queued[before.place_of(job)].job_name}"
        rows.sort(key=lambda row: (row[0] != title, row[0]))
        rows += [(name, len(by), None, None, float(np.mean(by))) for name, by in others.items()]
        columns = [
            Column("", left=True, key="who"),
            column("jobs", "count", "jobs"),
            Column("starts", write=_after, key="starts"),
            Column("would start", write=_after, key="would_start"),
            Column("moves (mean)", write=_moves, key="moves"),
        ]
        return panel("changed", f"If {title} bid {factor:g} times as much", "", columns, rows)

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
            for place, job in enumerate(plan.snapshot.queued)
            if self.is_mine(job)
        ]
        columns = [
            Column("job", key="job"),
            column("processors", "count", "processors"),
            Column("for at most", write=span, key="request"),
            Column("has waited", write=span, key="waited"),
            Column("starts", write=_after, key="starts_in"),
            Column("earns", "SU", write=money, key="worth"),
            Column("SU per proc-h", write=significant, key="density"),
            Column("why it waits", left=True, key="why", fold=True),
        ]
        note = "" if rows else "None of your jobs waits."
        return panel("mine", "My jobs that wait", note, columns, rows)

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
        sentence = (
            f"{PRICE_SAID} Jobs that run already have all in the hours from {', '.join(taken)}."
        )
        title = "Price of a processor-hour over the next day"
        shown = [price or 0.0 for price in prices]
        return ColumnChart("prices", title, sentence if taken else PRICE_SAID, "SU", hours, shown)

    def _clock(self, hour: int) -> str:
        snapshot = self.plan.snapshot
        if snapshot.clock is None:
            return f"+{hour} h"
        return f"{snapshot.clock.date(snapshot.now + hour * HOUR):%H:%M}"

    def _kind(self, job: QueuedJob | RunningJob) -> str:
        what = "waits" if isinstance(job, QueuedJob) else "runs"
        return f"{what} mine" if self.is_mine(job) else what

    def _said(self, job: QueuedJob | RunningJob, start: float, end: float) -> str:
        named = f"job {job.job_name}" if self.is_mine(job) else self.class_of(job)
        now = self.plan.snapshot.now
        since = "runs" if start <= now else f"starts in {span(start - now)}"
        processors = plural(job.processors, "processor")
        return f"{named}: {processors}, {since}, until in {span(end - now)}"


def _queue_of(job: QueuedJob | RunningJob) -> str:
    return OTHERS if job.queue is None or job.queue < 0 else f"{OTHERS}, queue {job.queue}"


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


def _rows(rectangles: Rectangles) -> Iterator[tuple[int, float, float, int, int]]:
    columns = (rectangles.job, rectangles.start, rectangles.end, rectangles.low, rectangles.high)
    return zip(*(each.tolist() for each in columns), strict=True)


def _after(seconds: float | None) -> str:
    if seconds is None:
        return "-"
    return "now" if seconds <= 0 else f"in {span(seconds)}"


def _moves(seconds: float) -> str:
    if not seconds:
        return "not at all"
    return f"{span(abs(seconds))} {'later' if seconds > 0 else 'earlier'}"
