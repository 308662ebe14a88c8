"""Gantt chart: jobs on processors, painted anew by the page's script for every view."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from bokeh.models import AdaptiveTicker, BasicTicker, ColumnDataSource, Range1d
from bokeh.models.renderers import GlyphRenderer
from bokeh.plotting import figure

from swfx import InputError
from swfx.base.numbers import plural
from utilitysched.analysis.series import Rectangles, rectangles
from utilitysched.engine.conditions import FailureRecord
from utilitysched.engine.segments_log import NOBODY
from utilitysched.model.segments import Stop
from utilitysched.report.html.canvas import (
    JobControls,
    ReportSection,
    ask_script,
    over_time,
    without_fading,
)
from utilitysched.report.html.columns import StoredColumns, compact, single
from utilitysched.report.html.jobs import colourings
from utilitysched.report.html.shown import GREY, Shown
from utilitysched.runs import RunResults

if TYPE_CHECKING:
    from checkpoint.failures import Outages

HEIGHT = 460
MOST_RECTANGLES = 3_000_000
"""Of all runs together: a page that holds more would be slow to open."""

SIDES = ("left", "right", "bottom", "top")
ENDS = ("x0", "y0", "x1", "y1")
LEAST_PROCESSORS = 4
"""That can be zoomed to."""


def picture(shown: Shown, shared: Range1d) -> ReportSection:
    """Return the chart, with the columns of as many runs as a page can hold."""
    columns: list[StoredColumns] = []
    held, labels = 0, list[str]()
    for place, (label, run) in enumerate(shown):
        shapes = rectangles(run.workload, run.schedule, run.allocations)
        held += len(shapes.job)
        if place and held > MOST_RECTANGLES:
            break
        columns += [_rectangles(place, shapes), *_kills(place, run, shown)]
        columns += _outages(place, run, shown.scale.origin)
        labels.append(label)
    colours = list(colourings(shown))
    columns += [column for each in colours for column in each.columns]
    down = any(each.name.startswith("outages ") for each in columns)
    return ReportSection(
        "gantt",
        "Jobs on the processors",
        _caption(shown, labels, down=down),
        _chart(shown, shared),
        columns,
        controls=JobControls(labels, colours, GREY if down else ""),
        wide=True,
    )


def _chart(shown: Shown, shared: Range1d) -> figure:
    size = shown.runs[0].schedule.machine_size
    least = min(LEAST_PROCESSORS, size)
    vertical = Range1d(start=0, end=size, bounds=(0, size), min_interval=least, name="processors")
    drawn = over_time(shown.scale, shared, "processor number", height=HEIGHT, y_range=vertical)
    drawn.name = "gantt"
    drawn.yaxis.ticker = _ticks(_cores_of_nodes(shown))
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
    for name, dash in (("joined", "dashed"), ("stopped", "solid")):
        _segments(drawn, name, dash)
    ask_script(drawn, painted, "job(special_vars)")
    return drawn


def _cores_of_nodes(shown: Shown) -> int | None:
    """Return the cores of a node, None unless jobs shared nodes."""
    for run in shown.runs:
        shared = run.schedule.provenance.get("shared")
        if isinstance(shared, Mapping):
            return run.schedule.machine_size // int(shared["nodes"])
    return None


def _ticks(cores: int | None) -> AdaptiveTicker:
    """Return ticks at round numbers of processors; at the first cores of nodes where they count.

    A multiple of a node's cores has the digits of 1, 2 or 5 times it.
    """
    if cores is None:
        return BasicTicker(min_interval=1)
    leading = {cores * times / 10.0 ** int(math.log10(cores * times)) for times in (1, 2, 5)}
    return AdaptiveTicker(mantissas=sorted(leading), min_interval=cores)


def _quads(drawn: figure, name: str, **look: Any) -> GlyphRenderer[Any]:
    """Add rectangles, of which the page's script gives the corners."""
    corners = ColumnDataSource(data={side: [] for side in SIDES}, name=name)
    quads = drawn.quad(*SIDES, source=corners, **look)
    without_fading(quads)
    return quads


def _segments(drawn: figure, name: str, dash: str) -> None:
    """Add lines, of which the page's script gives the ends."""
    ends = ColumnDataSource(data={end: [] for end in ENDS}, name=name)
    segments = drawn.segment(*ENDS, source=ends, line_width=2, line_dash=dash)
    segments.glyph.name = "ink-6"
    without_fading(segments)


def _rectangles(place: int, rectangles: Rectangles) -> StoredColumns:
    columns = {
        "span": rectangles.span,
        "low": rectangles.low,
        "width": rectangles.high - rectangles.low,
    }
    return StoredColumns(
        f"rectangles {place}", {name: compact(column) for name, column in columns.items()}
    )


def _kills(place: int, run: RunResults, shown: Shown) -> Iterator[StoredColumns]:
    """Yield the columns of stopped jobs: preemptor and lost work."""
    pieces = run.schedule.segments
    if pieces is None:
        return
    killed = np.flatnonzero((pieces.stop == Stop.PREEMPTED) & (pieces.cause != NOBODY))
    lost = np.zeros(len(pieces)) if pieces.value_lost is None else pieces.value_lost
    kills = {
        "job": compact(pieces.job[killed]),
        "until": compact(pieces.end[killed] - shown.scale.origin),
        "cause": compact(pieces.cause[killed]),
        "lost": single(pieces.lost[killed]),
        "cost": single(lost[killed]),
    }
    yield StoredColumns(f"kills {place}", kills)


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
    outages = failures.between(float(begin), float(end)).before(float(end))
    return outages if outages.digest == record.digest else None


def _outages(place: int, run: RunResults, origin: float) -> list[StoredColumns]:
    """Return columns for the page's script: seconds since `origin`, and ranges of processors."""
    outages = outages_of(run)
    if outages is None:
        return []
    columns = {
        "from": compact(outages.start - origin),
        "until": compact(np.minimum(outages.end, np.max(run.schedule.end)) - origin),
        "low": compact(outages.low),
        "high": compact(outages.high),
        "cause": compact(outages.cause),
    }
    names = StoredColumns(f"causes {place}", {"name": list(outages.causes)})
    return [StoredColumns(f"outages {place}", columns), names]


def _caption(shown: Shown, labels: list[str], *, down: bool) -> str:
    size = shown.runs[0].schedule.machine_size
    text = (
        f"{plural(len(shown.workload), 'job')} on {plural(size, 'processor')}. Where jobs are "
        "smaller than a pixel, it has the colour of the class that has most of it, the fainter the "
        "more of it is idle. Draw a box to zoom, or turn the wheel with Ctrl held down; point at a "
        "job for its figures. With the keyboard: arrows move, + and - zoom, 0 shows all."
    )
    if any(run.schedule.segments is not None for run in shown.runs):
        text += (
            " A bar ends each stretch after which a job was stopped and went on later; point at it "
            "to see all its stretches, joined by lines."
        )
    cores = _cores_of_nodes(shown)
    if cores is not None:
        text += (
            f" Every {plural(cores, 'processor')} are a node, socket after socket. Jobs that share "
            "a node have half of each of its sockets: draw a box over a few nodes to see it."
        )
    if down:
        text += " Hatched: processors that are down."
    if len(labels) < len(shown):
        left = ", ".join(shown.labels[len(labels) :])
        text += f" Left out, for the size of the page: {left}."
    return text
