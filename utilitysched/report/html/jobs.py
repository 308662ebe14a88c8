"""Jobs and runs in columns: what the page's script draws every chart from, of all jobs or some."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import numpy as np

from swfx import priority_classes
from utilitysched.analysis.metrics.summary import measured
from utilitysched.model.segments import Segments, Stop
from utilitysched.model.state import Floats, Integers
from utilitysched.report.html.columns import StoredColumns, compact, single
from utilitysched.report.html.shown import Shown
from utilitysched.runs import RunResults


class JobFilter(NamedTuple):
    """Jobs of one user, queue or class: its field, what it is called, and numbers with names."""

    field: str
    title: str
    choices: Sequence[tuple[int, str]]


def filters(shown: Shown) -> Iterator[JobFilter]:
    """Yield what jobs can be chosen by, where there is more than one of it; most used first."""
    jobs = shown.workload
    user, queue = (jobs.labels.in_field(field) for field in ("user", "queue"))
    classes = priority_classes(jobs, shown.runs[0].classes)
    yield from _choices("user", user.kind, user.numbers, user.name, shown)
    yield from _choices("queue", queue.kind, queue.numbers, queue.name, shown)
    yield from _choices("class", "class", classes, str, shown)


def _choices(
    field: str, title: str, numbers: Integers, name: Callable[[int], str], shown: Shown
) -> Iterator[JobFilter]:
    present, member = np.unique(numbers, return_inverse=True)
    used = np.bincount(member, shown.runs[0].schedule.used(shown.workload))
    chosen = present[np.argsort(-used, kind="stable")].tolist()
    if len(present) > 1:
        yield JobFilter(field, title, [(number, name(number)) for number in chosen])


def columns(shown: Shown) -> Iterator[StoredColumns]:
    """Yield the columns of the jobs, the names of users and queues, and the columns of each run."""
    yield _jobs(shown)
    yield from _names(shown)
    for place, run in enumerate(shown.runs):
        yield _run(place, run, shown)
        if run.schedule.segments is not None:
            yield _spans(place, run, shown)
            yield _stops(place, run)


def _jobs(shown: Shown) -> StoredColumns:
    """Return what holds for a job whatever the run."""
    jobs, first = shown.workload, shown.runs[0]
    run = jobs.effective_run
    known = {
        "number": jobs.job_id,
        "user": jobs.user,
        "queue": jobs.queue,
        "size": jobs.size,
        "request": jobs.request,
        "class": priority_classes(jobs, first.classes),
        "worth": jobs.utility.start_values,
        "at_best": jobs.utility.evaluate(run),
    }
    found = {name: single(column) for name, column in known.items()}
    counted = measured(jobs, first.summary.get("trim", 0.0))
    if not counted.all():
        found["measured"] = counted.astype(np.uint8)
    submit = first.schedule.submitted(jobs) - shown.scale.origin
    return StoredColumns("jobs", {**found, "submit": compact(submit), "run": compact(run)})


def _names(shown: Shown) -> Iterator[StoredColumns]:
    """Yield the columns of the names of users and queues that the log has."""
    for field in ("user", "queue"):
        known = shown.workload.labels.in_field(field)
        present = np.unique(known.numbers[known.numbers >= 0])
        if known.names:
            called = [known.name(number) for number in present.tolist()]
            texts = {"name": called, "kind": [known.words]}
            yield StoredColumns(f"names of {field}", {"number": compact(present), **texts})


def _run(place: int, run: RunResults, shown: Shown) -> StoredColumns:
    """Return the starts, what was earned and paid, and times that are not those of all runs."""
    origin, jobs, schedule = shown.scale.origin, run.workload, run.schedule
    submit, length = schedule.submitted(jobs), schedule.end - schedule.start
    own: dict[str, Floats] = {}
    if not np.array_equal(submit, shown.runs[0].schedule.submitted(shown.workload)):
        own["submit"] = submit - origin
    if not np.array_equal(length, shown.workload.effective_run):
        own["length"] = length
    utility = jobs.utility.evaluate(schedule.turnaround(jobs))
    found = {name: compact(each) for name, each in own.items()}
    found |= {"start": compact(schedule.start - origin), "earned": single(utility)}
    if run.bill is not None:
        found["charge"] = single(run.bill.charge)
    return StoredColumns(f"run {place}", found)


def _segments(run: RunResults) -> Segments:
    assert run.schedule.segments is not None
    return run.schedule.segments


def _spans(place: int, run: RunResults, shown: Shown) -> StoredColumns:
    """Return when jobs that were stopped and went on later came into the queue, and ran."""
    pieces, origin = _segments(run), shown.scale.origin
    entered = pieces.entered(run.schedule.submitted(run.workload))
    times = {"from": pieces.start, "until": pieces.end, "entered": entered}
    found = {name: compact(time - origin) for name, time in times.items()}
    return StoredColumns(f"spans {place}", {"job": compact(pieces.job), **found})


def _stops(place: int, run: RunResults) -> StoredColumns:
    pieces = _segments(run)
    found = {"ran": compact(run.schedule.running_time)}
    for name, stop in (("preemptions", Stop.PREEMPTED), ("failures", Stop.FAILED)):
        count = np.bincount(pieces.job[pieces.stop == stop], minlength=len(run.schedule))
        found[name] = compact(count)
    return StoredColumns(f"stops {place}", found)
