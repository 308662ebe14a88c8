"""Sources of events beside arrivals by the log: releases, stops, outages and repairs."""

from typing import Any, NamedTuple

import numpy as np

from utilitysched.kernels.compiling import inlined, leaf, leaf_kernel
from utilitysched.kernels.progress import ARRIVED, FREE, QUEUED, RUNNING, Progress
from utilitysched.kernels.releases import add_ending, add_release, remove_ending, remove_release
from utilitysched.kernels.reservations import plan_anew
from utilitysched.kernels.stops import (
    FAILED,
    SegmentRows,
    StopColumns,
    begin,
    conclude,
    interrupt,
)
from utilitysched.model.scheduling_pass import Plan, Releases
from utilitysched.model.state import Floats, Integers, JobTable


class Dependents(NamedTuple):
    """Jobs that are still to come, and who waits for whom; jobs by place in arrival order.

    Attributes
    ----------
    submit : (n,) float64
        Submit times in the log (s).
    time, place : (n,)
        Releases (s) that are known and still to come, which come first, and the jobs; the next one
        last.
    offsets : (n+1,) int64
        Who waits for job i: ``waiting[offsets[i]:offsets[i+1]]``, for as long after its end as
        ``think_time`` says there (s).
    waiting, think_time : (w,)
        See `offsets`.
    number : (n,) int64
        How many came before each job, of those that have come: ties go by it.
    came : (n,) int64
        The jobs by number.
    begin : (1,) float64
        When the first one came (s).
    """

    submit: Floats
    time: Floats
    place: Integers
    offsets: Integers
    waiting: Integers
    think_time: Floats
    number: Integers
    came: Integers
    begin: Floats

    @classmethod
    def of(cls, submit: Floats, waits_for: Integers, think_time: Floats) -> "Dependents":
        """Return the releases before the first event.

        Parameters
        ----------
        submit : (n,) float64
            Submit times in arrival order (s).
        waits_for : (n,) int64
            The job that each waits for, negative for none.
        think_time : (n,) float64
            For how long after its end (s).
        """
        jobs = len(submit)
        free = np.flatnonzero(waits_for < 0)[::-1]
        time, place = np.empty(jobs), np.empty(jobs, np.int64)
        time[: len(free)], place[: len(free)] = submit[free], free
        waiting = np.argsort(waits_for, kind="stable")[len(free) :]
        offsets = np.searchsorted(waits_for[waiting], np.arange(jobs + 1))
        number, came = np.empty(jobs, np.int64), np.empty(jobs, np.int64)
        order = offsets.astype(np.int64), waiting, think_time[waiting]
        return cls(submit, time, place, *order, number, came, np.zeros(1))


@inlined
def release_waiting(dependents: Dependents, pending: int, job: int, now: float) -> int:
    """Let come, in due time, who waits for a job that ends now; return how many are pending."""
    offsets, waiting = dependents.offsets, dependents.waiting
    for k in range(offsets[job], offsets[job + 1]):
        who = waiting[k]
        release = max(dependents.submit[who], now + dependents.think_time[k])
        add_ending(dependents.time, dependents.place, pending, release, who)
        pending += 1
    return pending


NOBODY, BROKEN = -1, -2


class DownProcessors(NamedTuple):
    """Outages, and who holds which of p processors, none where nothing fails.

    Attributes
    ----------
    start, end : (d,) float64
        When each outage begins, in this order, and when it is repaired (s).
    low, high : (d,) int64
        Its processors: from `low` on, below `high`.
    repair_end, repairing : (p,)
        Repairs (s) of the outages under way, which come first, and the outages; the next one last.
    owner : (p,) int64
        The job on each processor, by place in arrival order, or `NOBODY`, or `BROKEN`.
    failed : (n,) int64
        How often each job failed.
    most : int
        Failures of a job after which it is taken never to end; or outages while nobody runs,
        after which jobs are taken never to start.
    """

    start: Floats
    end: Floats
    low: Integers
    high: Integers
    repair_end: Floats
    repairing: Integers
    owner: Integers
    failed: Integers
    most: int


@leaf
def take(owner: Integers, job: int, count: int, low: Integers, high: Integers) -> int:
    """Hand out the lowest free processors as ascending ranges; return the number of ranges."""
    ranges, processor = 0, 0
    while count > 0:
        if owner[processor] == NOBODY:
            owner[processor] = job
            count -= 1
            if ranges > 0 and high[ranges - 1] == processor:
                high[ranges - 1] += 1
            else:
                low[ranges], high[ranges] = processor, processor + 1
                ranges += 1
        processor += 1
    return ranges


@leaf
def first_holder(owner: Integers, low: int, high: int, number: Integers) -> int:
    """Return the job with the least number on processors from `low` on, below `high`, or nobody."""
    first = NOBODY
    for processor in range(low, high):
        job = owner[processor]
        if job >= 0 and (first == NOBODY or number[job] < number[first]):
            first = job
    return first


COUNTS = 9
PENDING, DOWN, BEGUN, ROWS, RANGES, DISRUPTED, IN_VAIN, TROUBLE, WHOSE = range(COUNTS)
ENDLESS, WAITING = 1, 2


class EventSources(NamedTuple):
    """All sources of events but the log, and what they change.

    Attributes
    ----------
    dependents : Dependents
        Who comes when.
    stops : StopColumns
        What is left of jobs that were stopped.
    rows : SegmentRows
        The segments in which jobs ran.
    downtime : DownProcessors
        Outages.
    counts : (9,) int64
        Releases known; outages under way and begun; segments and ranges; whether what was planned
        may not be possible any more; outages while jobs waited and nobody ran; what went wrong, 0
        if nothing did, and for whom.
    """

    dependents: Dependents
    stops: StopColumns
    rows: SegmentRows
    downtime: DownProcessors
    counts: Integers


@inlined
def next_instant(
    counts: Integers, dependents: Dependents, downtime: DownProcessors, time: float, present: int
) -> float:
    """Return when something comes of a source, or `time` (s) if that is earlier; jobs present."""
    pending, down, begun = counts[PENDING], counts[DOWN], counts[BEGUN]
    if pending > 0:
        time = min(time, dependents.time[pending - 1])
    elif present == 0:
        return np.inf
    if down > 0:
        time = min(time, downtime.repair_end[down - 1])
    elif time == np.inf:
        return np.inf
    if begun < len(downtime.start):
        time = min(time, downtime.start[begun])
    return time


@leaf_kernel
def is_full(counts: Integers, rows: SegmentRows, machine_size: int) -> bool:
    """Return whether the starts of one pass might not find room."""
    return min(len(rows.job) - counts[ROWS], len(rows.low) - counts[RANGES]) < machine_size


@inlined
def fails_now(counts: Integers, downtime: DownProcessors, now: float) -> bool:
    """Return whether something fails or is repaired now."""
    down, begun = counts[DOWN], counts[BEGUN]
    if down > 0 and downtime.repair_end[down - 1] == now:
        return True
    return begun < len(downtime.start) and downtime.start[begun] == now


@inlined
def end_job(
    counts: Integers,
    dependents: Dependents,
    stops: StopColumns,
    rows: SegmentRows,
    owner: Integers,
    request: Floats,
    job: int,
    now: float,
) -> float:
    """Note the end of a job, and let who waits for it come; return what was not done (s)."""
    _give_back(rows, owner, stops.row[job])
    counts[DISRUPTED] |= stops.stopped[job]
    counts[PENDING] = release_waiting(dependents, counts[PENDING], job, now)
    return conclude(stops, rows, job, now, request)


@inlined
def come(
    counts: Integers,
    dependents: Dependents,
    done: Integers,
    queue: Integers,
    submit: Floats,
    arrival: Floats,
    now: float,
) -> None:
    """Let the jobs come that are released now: each has the next number, and is in the queue."""
    while counts[PENDING] > 0 and dependents.time[counts[PENDING] - 1] == now:
        counts[PENDING] -= 1
        job = dependents.place[counts[PENDING]]
        if done[ARRIVED] == 0:
            dependents.begin[0] = now
        submit[job] = now
        arrival[job] = now - dependents.begin[0]
        dependents.number[job] = done[ARRIVED]
        dependents.came[done[ARRIVED]] = job
        queue[done[QUEUED]] = job
        done[ARRIVED] += 1
        done[QUEUED] += 1


@inlined
def start_job(
    counts: Integers,
    stops: StopColumns,
    rows: SegmentRows,
    downtime: DownProcessors,
    job: int,
    size: int,
    request: float,
    now: float,
) -> float:
    """Open a segment, and hand processors out; return how long it lasts if nobody stops it (s)."""
    row, ranges = counts[ROWS], counts[RANGES]
    rows.first[row] = ranges
    if len(downtime.owner) > 0:
        low, high = rows.low[ranges:], rows.high[ranges:]
        ranges += take(downtime.owner, job, size, low, high)
    rows.last[row] = ranges
    counts[ROWS], counts[RANGES] = row + 1, ranges
    return begin(stops, rows, row, job, now, request)


@leaf
def reserve_anew(
    now: float, free: int, releases: Releases, jobs: Integers, known: JobTable, plan: Plan
) -> None:
    """Make all reservations of a placement anew, in this order of the jobs."""
    time, available, steps = plan.profile.time, plan.profile.free, plan.profile.steps
    request, size, reserved = known.request, known.size, plan.reserved
    plan_anew(now, free, releases, jobs, request, size, reserved, time, available, steps)


@leaf
def repair_and_fail(sources: EventSources, known: JobTable, progress: Progress, now: float) -> None:
    """Repair what is to be repaired now; then let fail what fails now.

    An outage under way is among the releases, as a row of the job table behind all jobs: that of
    its first processor. It takes its processors by force: whatever job has one of them loses all.
    """
    downtime, counts, done = sources.downtime, sources.counts, progress.counts
    owner, jobs = downtime.owner, len(progress.start)
    release_end, release_job = progress.release_end, progress.release_job
    # repairs first: what is repaired may fail again at this instant
    while counts[DOWN] > 0 and downtime.repair_end[counts[DOWN] - 1] == now:
        which = downtime.repairing[counts[DOWN] - 1]
        low, high = downtime.low[which], downtime.high[which]
        owner[low:high] = NOBODY
        held = done[RUNNING] + counts[DOWN]
        remove_release(release_end, release_job, held, now, jobs + low)
        counts[DOWN] -= 1
        done[FREE] += high - low
    while counts[BEGUN] < len(downtime.start) and downtime.start[counts[BEGUN]] == now:
        which = counts[BEGUN]
        low, high = downtime.low[which], downtime.high[which]
        # outages in vain are counted, or jobs would wait for ever
        if done[QUEUED] > 0 and done[RUNNING] == 0:
            counts[IN_VAIN] += 1
        else:
            counts[IN_VAIN] = 0
        if counts[IN_VAIN] > downtime.most:
            counts[TROUBLE], counts[WHOSE] = WAITING, progress.queue[0]
            return
        # whoever holds one of its processors is stopped, in order of number
        job = first_holder(owner, low, high, sources.dependents.number)
        while job != NOBODY:
            downtime.failed[job] += 1
            if downtime.failed[job] > downtime.most:
                counts[TROUBLE], counts[WHOSE] = ENDLESS, job
                return
            take_off(sources, known, progress, job)
            interval = sources.stops.periodic[job]
            why: Any = np.int64(FAILED)  # numba would compile the function anew for a literal
            put_back(sources, known, progress, job, why, interval, now)
            job = first_holder(owner, low, high, sources.dependents.number)
        # the outage holds its processors as a running job would, until the repair
        owner[low:high] = BROKEN
        known.size[jobs + low] = high - low
        known.request[jobs + low] = downtime.end[which] - now
        held = done[RUNNING] + counts[DOWN]
        add_release(release_end, release_job, held, downtime.end[which], jobs + low)
        add_ending(
            downtime.repair_end, downtime.repairing, counts[DOWN], downtime.end[which], which
        )
        done[FREE] -= high - low
        counts[BEGUN] += 1
        counts[DOWN] += 1
        counts[DISRUPTED] = 1


@leaf
def take_off(sources: EventSources, known: JobTable, progress: Progress, job: int) -> None:
    """Give the processors of a running job back."""
    number, done = sources.dependents.number, progress.counts
    held = done[RUNNING] + sources.counts[DOWN]
    expected = progress.start[job] + known.request[job]
    remove_release(progress.release_end, progress.release_job, held, expected, job)
    remove_ending(progress.ends, progress.ending, done[RUNNING], number[job])
    done[RUNNING] -= 1
    done[FREE] += known.size[job]
    _give_back(sources.rows, sources.downtime.owner, sources.stops.row[job])


@leaf
def put_back(
    sources: EventSources,
    known: JobTable,
    progress: Progress,
    job: int,
    why: int,
    interval: float,
    now: float,
) -> None:
    """Put a job that was taken off into the queue at its place by number; see `interrupt`."""
    number, done = sources.dependents.number, progress.counts
    interrupt(sources.stops, sources.rows, job, why, interval, now, known.request)
    progress.start[job] = progress.end[job] = np.nan
    queue, k = progress.queue, done[QUEUED]
    while k > 0 and number[queue[k - 1]] > number[job]:
        queue[k] = queue[k - 1]
        k -= 1
    queue[k] = job
    done[QUEUED] += 1


@inlined
def _give_back(rows: SegmentRows, owner: Integers, row: int) -> None:
    """Take the processors of a segment back."""
    for k in range(rows.first[row], rows.last[row]):
        owner[rows.low[k] : rows.high[k]] = NOBODY
