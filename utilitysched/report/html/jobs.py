"""Jobs and runs in columns for the page's script: to draw from, to choose by, to colour by."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from swfx import priority_classes
from swfx.base.numbers import significant
from swfx.labels import JobLabels
from utilitysched.analysis.metrics.summary import measured
from utilitysched.model.segments import Segments, Stop
from utilitysched.model.state import Floats, Integers
from utilitysched.report.charts.look import COLOURS
from utilitysched.report.html.columns import StoredColumns, compact, single
from utilitysched.report.html.shown import Shown
from utilitysched.runs import RunResults


class JobFilter(NamedTuple):
    """A filter of jobs: field, title, numbers with names, the heaviest first, and each job's."""

    field: str
    title: str
    choices: Sequence[tuple[int, str]]
    numbers: Integers


def filters(shown: Shown) -> Iterator[JobFilter]:
    """Yield filters by user, queue and class with more than one choice."""
    jobs = shown.workload
    classes = priority_classes(jobs, shown.runs[0].classes)
    user, queue = (jobs.labels.in_field(field) for field in ("user", "queue"))
    fields = (
        ("user", user.kind, user.numbers, user.name),
        ("queue", queue.kind, queue.numbers, queue.name),
        ("class", "class", classes, str),
    )
    for field, title, numbers, name in fields:
        present, member = np.unique(numbers, return_inverse=True)
        used = np.bincount(member, shown.runs[0].schedule.used(jobs))
        order = present[np.argsort(-used, kind="stable")].tolist()
        if len(present) > 1:
            choices = [(number, name(number)) for number in order]
            yield JobFilter(field, title, choices, numbers)


def columns(shown: Shown) -> Iterator[StoredColumns]:
    """Yield the columns of the jobs, of names that the log has, and of each run."""
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
        "user": jobs.user,
        "queue": jobs.queue,
        "size": jobs.size,
        "request": jobs.request,
        "class": priority_classes(jobs, first.classes),
        "at_best": jobs.utility.evaluate(run),
    }
    columns = {"number": compact(jobs.job_id)}
    columns |= {name: single(column) for name, column in known.items()}
    columns["worth"] = compact(jobs.utility.start_values)
    counted = measured(jobs, first.summary.get("trim", 0.0))
    if not counted.all():
        columns["measured"] = counted.astype(np.uint8)
    submit = first.schedule.submitted(jobs) - shown.scale.origin
    return StoredColumns("jobs", {**columns, "submit": compact(submit), "run": compact(run)})


def _names(shown: Shown) -> Iterator[StoredColumns]:
    """Yield the columns of the names of users, queues and jobs that the log has."""
    labels = shown.workload.labels
    known: JobLabels
    for field in ("user", "queue", "job"):
        known = shown.workload.job_names if field == "job" else labels.in_field(field)
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
    columns = {name: compact(each) for name, each in own.items()}
    columns["start"] = compact(schedule.start - origin)
    columns["earned"] = compact(schedule.utility(jobs))
    if schedule.backfilled.any():
        columns["backfilled"] = schedule.backfilled.astype(np.uint8)
    if any(each.schedule.cut_short(each.workload).any() for each in shown.runs):
        columns["cut"] = schedule.cut_short(jobs).astype(np.uint8)
    if run.bill is not None:
        columns["charge"] = compact(run.bill.charge)
    return StoredColumns(f"run {place}", columns)


def _segments(run: RunResults) -> Segments:
    assert run.schedule.segments is not None
    return run.schedule.segments


def _spans(place: int, run: RunResults, shown: Shown) -> StoredColumns:
    """Return when jobs that were stopped and went on later came into the queue, and ran."""
    pieces, origin = _segments(run), shown.scale.origin
    entered = pieces.entered(run.schedule.submitted(run.workload))
    times = {"from": pieces.start, "until": pieces.end, "entered": entered}
    columns = {name: compact(time - origin) for name, time in times.items()}
    return StoredColumns(f"spans {place}", {"job": compact(pieces.job), **columns})


def _stops(place: int, run: RunResults) -> StoredColumns:
    pieces = _segments(run)
    columns = {"ran": compact(run.schedule.running_time)}
    for name, stop in (("preemptions", Stop.PREEMPTED), ("failures", Stop.FAILED)):
        count = np.bincount(pieces.job[pieces.stop == stop], minlength=len(run.schedule))
        columns[name] = compact(count)
    for name in ("kept", "lost", "overhead"):
        columns[name] = single(pieces.per_job(getattr(pieces, name), len(run.schedule)))
    return StoredColumns(f"stops {place}", columns)


MINUTE, HOUR, DAY = 60.0, 3600.0, 86_400.0

MOST_NAMED = len(COLOURS) - 1
"""Users or queues with a colour of their own."""

Kinds = NDArray[np.uint8]


class Colouring(NamedTuple):
    """Classes of jobs, each with a colour; `kinds`: of each job, by run or for all runs alike."""

    key: str
    title: str
    names: Sequence[str]
    colours: Sequence[str]
    kinds: Sequence[Kinds]

    @property
    def columns(self) -> Iterator[StoredColumns]:
        """Columns for the page's script."""
        for place, kind in enumerate(self.kinds):
            suffix = f" {place}" if len(self.kinds) > 1 else ""
            yield StoredColumns(f"colour {self.key}{suffix}", {"kind": kind})


def colourings(shown: Shown) -> Iterator[Colouring]:
    """Yield the colourings of jobs: by wait, by what they can be chosen by, by charge."""
    yield waits(shown)
    yield from map(_grouped, filters(shown))
    yield from _charges(shown)


def waits(shown: Shown) -> Colouring:
    """Return classes of the waits until the first start."""
    bounds = [MINUTE, HOUR, DAY]
    kinds = [_below(run.schedule.wait(run.workload), bounds) for run in shown.runs]
    names = ["at most 1 min", "at most 1 h", "at most 1 d", "longer"]
    return Colouring("wait", "wait", names, _shades(4), kinds)


def _grouped(group: JobFilter) -> Colouring:
    """Return a class for each of the heaviest users, queues or classes, and one of all others."""
    heaviest = group.choices[:MOST_NAMED]
    kind = np.full(len(group.numbers), len(heaviest), np.uint8)
    for place, (number, _) in enumerate(heaviest):
        kind[group.numbers == number] = place
    names = [f"{group.title} {name}" for _, name in heaviest]
    if len(group.choices) > len(heaviest):
        names.append("others")
    colours = [*(f"--ink-{i}" for i in range(len(heaviest))), "--other"]
    return Colouring(group.field, group.title, names, colours, [kind])


def _charges(shown: Shown) -> Iterator[Colouring]:
    """Yield quarters of the charges above 0, and one class of all others, if any job is charged."""
    values = [
        np.zeros(len(run.workload)) if run.bill is None else np.nan_to_num(run.bill.charge)
        for run in shown.runs
    ]
    positive = np.concatenate([each[each > 0] for each in values])
    if not len(positive):
        return
    bounds = sorted(set(np.quantile(positive, [0.25, 0.5, 0.75]).tolist()))
    names = [f"at most {significant(bound)} SU" for bound in bounds] + ["more", "charged nothing"]
    last = len(bounds) + 1
    kinds = [np.where(each > 0, _below(each, bounds), last).astype(np.uint8) for each in values]
    yield Colouring("charge", "charge", names, [*_shades(last), "--other"], kinds)


def _below(values: Floats, bounds: Sequence[float]) -> Kinds:
    """Return how many of the bounds are below each value."""
    return np.searchsorted(np.array(bounds), values, side="left").astype(np.uint8)


def _shades(count: int) -> list[str]:
    return [f"--shade-{i}" for i in range(count)]
