"""Gantt chart: jobs on processors, painted anew by the page's script for every view."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np
from bokeh.models import BasicTicker, ColumnDataSource, Range1d
from bokeh.models.renderers import GlyphRenderer
from bokeh.plotting import figure

from swfx import InputError
from swfx.base.numbers import plural
from swfx.labels import field_labels
from utilitysched.analysis.series import Rectangles, rectangles
from utilitysched.engine.failure_record import FailureRecord
from utilitysched.engine.segments_log import NOBODY
from utilitysched.model.segments import Stop
from utilitysched.report.html.canvas import ReportSection, ask_script, over_time, without_fading
from utilitysched.report.html.columns import compact, single, stored
from utilitysched.report.html.palette import GREY, WAITS
from utilitysched.report.html.shown import Shown
from utilitysched.runs import RunResults

if TYPE_CHECKING:
    from checkpoint.failures import Outages

HEIGHT = 460
MOST_RECTANGLES = 3_000_000
"""Of all runs together: a page that holds more would be slow to open."""

SIDES = ("left", "right", "bottom", "top")
LEAST_PROCESSORS = 4
"""That can be zoomed to."""


def picture(shown: Shown, shared: Range1d) -> ReportSection:
    """Return the chart, with the columns of as many runs as a page can hold."""
    columns, held = [_jobs(shown), *_names(shown)], 0
    labels: list[str] = []
    for place, (label, run) in enumerate(shown):
        found = rectangles(run.workload, run.schedule, run.allocations)
        held += len(found.job)
        if place and held > MOST_RECTANGLES:
            break
        columns += [_run(place, run, shown), _rectangles(place, found)]
        columns += _stopped(place, run, shown, found)
        columns += _outages(place, run, shown.scale.origin)
        labels.append(label)
    drawn = _chart(shown, shared)
    down = any((each.name or "").startswith("outages ") for each in columns)
    return ReportSection(
        "gantt",
        "Jobs on the processors",
        _caption(shown, labels, down=down),
        drawn,
        columns,
        choices=labels,
        colours=_colours(down=down),
        wide=True,
    )


def _chart(shown: Shown, shared: Range1d) -> figure:
    size = shown.runs[0].schedule.machine_size
    least = min(LEAST_PROCESSORS, size)
    vertical = Range1d(start=0, end=size, bounds=(0, size), min_interval=least, name="processors")
    drawn = over_time(
        shown.scale, shared, "processor number", height=HEIGHT, y_range=vertical, by_wheel=True
    )
    drawn.name = "gantt"
    drawn.yaxis.ticker = BasicTicker(min_interval=1)
    drawn.grid.visible = False
    place = {"x": [shown.scale.first], "y": [0], "dw": [1], "dh": [1]}
    empty = ColumnDataSource(data={"image": [np.zeros((1, 1), np.uint32)], **place}, name="painted")
    painted = drawn.image_rgba("image", "x", "y", "dw", "dh", source=empty)
    without_fading(painted)
    _quads(
        drawn,
        "down",
        line_color=GREY,
        fill_color=GREY,
        fill_alpha=0.25,
        hatch_pattern="x",
        hatch_color=GREY,
    )
    outlined = _quads(drawn, "outlined", fill_alpha=0, line_width=2)
    outlined.glyph.name = "ink-6"
    ask_script(drawn, painted, "job(special_vars)")
    return drawn


def _quads(drawn: figure, name: str, **look: Any) -> GlyphRenderer[Any]:
    """Add rectangles, of which the page's script gives the corners."""
    corners = ColumnDataSource(data={side: [] for side in SIDES}, name=name)
    found = drawn.quad(*SIDES, source=corners, **look)
    without_fading(found)
    return found


def _jobs(shown: Shown) -> ColumnDataSource:
    """Return what holds for a job whatever the run."""
    jobs = shown.workload
    known = {
        "number": jobs.job_id,
        "user": jobs.user,
        "queue": jobs.queue,
        "size": jobs.size,
        "request": jobs.request,
        "worth": jobs.utility.start_values,
    }
    return stored("jobs", **{name: single(column) for name, column in known.items()})


def _names(shown: Shown) -> Iterator[ColumnDataSource]:
    """Yield what the log calls its users and queues, where it does."""
    for field in ("user", "queue"):
        known = field_labels(shown.workload, field)
        present = np.unique(known.numbers[known.numbers >= 0]).tolist()
        if known.names:
            called = {"number": present, "name": [known.name(number) for number in present]}
            data = {**called, "kind": [known.words] * len(present)}
            yield ColumnDataSource(data=data, name=f"names of {field}")


def _run(place: int, run: RunResults, shown: Shown) -> ColumnDataSource:
    origin = shown.scale.origin
    utility = run.workload.utility.evaluate(run.schedule.turnaround(run.workload))
    return stored(
        f"run {place}",
        submit=compact(run.schedule.submitted(run.workload) - origin),
        start=compact(run.schedule.start - origin),
        end=compact(run.schedule.end - origin),
        earned=single(utility),
    )


def _stopped(
    place: int, run: RunResults, shown: Shown, found: Rectangles
) -> list[ColumnDataSource]:
    """Return what only jobs that were stopped and went on later need."""
    pieces, origin = run.schedule.segments, shown.scale.origin
    if pieces is None:
        return []
    times = {"from": compact(found.start - origin), "until": compact(found.end - origin)}
    stops = {"ran": compact(run.schedule.running_time)}
    for name, stop in (("preemptions", Stop.PREEMPTED), ("failures", Stop.FAILED)):
        count = np.bincount(pieces.job[pieces.stop == stop], minlength=len(run.schedule))
        stops[name] = compact(count)
    killed = np.flatnonzero((pieces.stop == Stop.PREEMPTED) & (pieces.cause != NOBODY))
    lost = np.zeros(len(pieces)) if pieces.value_lost is None else pieces.value_lost
    kills = {
        "job": compact(pieces.job[killed]),
        "until": compact(pieces.end[killed] - origin),
        "cause": compact(pieces.cause[killed]),
        "lost": single(pieces.lost[killed]),
        "cost": single(lost[killed]),
    }
    return [
        stored(f"pieces {place}", **times),
        stored(f"stops {place}", **stops),
        stored(f"kills {place}", **kills),
    ]


def _rectangles(place: int, found: Rectangles) -> ColumnDataSource:
    return stored(
        f"rectangles {place}",
        job=compact(found.job),
        low=compact(found.low),
        high=compact(found.high),
    )


def outages_of(run: RunResults) -> Outages | None:
    """Return the outages of a run until its last job ended.

    A run directory does not keep them: they are drawn again, by what it says of them. None if
    nothing could fail, or if they cannot be had any more as they were.
    """
    record = FailureRecord.of(run.schedule.provenance)
    if record is None:
        return None
    try:
        failures = record.again(run.schedule.machine_size)
    except InputError:
        return None
    begin, end = np.min(run.workload.submit, initial=np.inf), np.max(run.schedule.end, initial=0)
    if begin > end:
        return None
    found = failures.between(float(begin), float(end)).before(float(end))
    return found if found.digest == record.digest else None


def _outages(place: int, run: RunResults, origin: float) -> list[ColumnDataSource]:
    """Return columns for the page's script: seconds since `origin`, and ranges of processors."""
    found = outages_of(run)
    if found is None:
        return []
    columns = {
        "from": compact(found.start - origin),
        "until": compact(np.minimum(found.end, np.max(run.schedule.end)) - origin),
        "low": compact(found.low),
        "high": compact(found.high),
        "cause": compact(found.cause),
    }
    names = ColumnDataSource(data={"name": list(found.causes)}, name=f"causes {place}")
    return [stored(f"outages {place}", **columns), names]


def _colours(*, down: bool) -> dict[str, str]:
    names = {f"var(--wait-{i})": name for i, (name, *_) in enumerate(WAITS)}
    return names | ({GREY: "down"} if down else {})


def _caption(shown: Shown, labels: list[str], *, down: bool) -> str:
    size = shown.runs[0].schedule.machine_size
    text = (
        f"{plural(len(shown.workload), 'job')} on {plural(size, 'processor')}, coloured by how "
        "long they waited. Where jobs are smaller than a pixel, it has the colour of the class "
        "that has most of it, the fainter the more of it is idle. Turn the wheel or draw a box to "
        "zoom, point at a job for its figures; with the keyboard: arrows move, + and - zoom, 0 "
        "shows all."
    )
    if down:
        text += " Hatched: processors that are down."
    if len(labels) < len(shown):
        left = ", ".join(shown.labels[len(labels) :])
        text += f" Left out, for the size of the page: {left}."
    return text
