"""Gantt chart on paper: which processors each job held, and when."""

from __future__ import annotations

import base64
import struct
import zlib
from typing import TYPE_CHECKING

import altair as alt
import numpy as np
from numpy.typing import NDArray

from swfx import InputError
from utilitysched.analysis.series import Rectangles, largest, occupancy, rectangles
from utilitysched.engine.conditions import FailureRecord
from utilitysched.engine.segments_log import NOBODY
from utilitysched.model.state import Floats
from utilitysched.report.charts.look import PANEL
from utilitysched.report.charts.picture import Columns, Picture, data, png_of
from utilitysched.report.charts.scales import TimeScale
from utilitysched.runs import RunResults

if TYPE_CHECKING:
    from checkpoint.failures import Outages

HEIGHT = 200
MOST = 3000
"""Rectangles that are drawn one by one; about what a column of a paper has room for."""

PIXELS = (400, 1000)
"""At most, for the rest: rows and columns."""

DARKEST = 0.55
"""Grey of a full cell: rectangles stand out."""

EDGE = 0.2
"""Width of the white edge of a rectangle (pixels)."""

LEAST = 0.005
"""Share of the width or height below which an edge would cover what it surrounds."""

KINDS = {
    "in turn": "#b7d3ea",
    "backfilled": "#2d6a9f",
    "stopped": "#e08a3c",
    "processors down": "#1d2126",
}
"""Colours of rectangles; their lightness differs, too."""


def gantt(
    columns: Columns, scale: TimeScale, processors: int, title: str = "", rest: str = ""
) -> Picture:
    """Return the rectangles of jobs on their processors.

    Parameters
    ----------
    columns : mapping of str to array_like
        start, end: on the scale; low, high: first processor, and the first beyond; kind: one of
        `KINDS`; edge: width of the white edge (pixels).
    scale : TimeScale
        Of the horizontal axis.
    processors : int
        Of the machine.
    title : str
        Name of the run.
    rest : str
        Address of an image behind the rectangles: smaller ones.
    """
    kinds = [kind for kind in KINDS if kind in np.unique(columns.get("kind", []))]
    y = alt.Y(
        "low:Q",
        scale=alt.Scale(domain=[0, processors], nice=False),
        axis=alt.Axis(grid=False, tickCount=5),
        title="processor",
    )
    colours = alt.Scale(domain=kinds, range=[KINDS[kind] for kind in kinds])
    shapes = alt.Chart(data("gantt", columns)).mark_rect(clip=True, stroke=PANEL)
    shapes = shapes.encode(
        x=scale.axis("start"),
        x2="end",
        y=y,
        y2="high",
        strokeWidth=alt.StrokeWidth("edge:Q", scale=None),
        color=alt.Color("kind:N", scale=colours, legend=alt.Legend(title=None)),
    )
    behind = alt.Chart(alt.InlineData(values=[{"url": rest}] if rest else []))
    shades = behind.mark_image(aspect=False, smooth=False).encode(
        x=alt.value(0),
        x2=alt.value("width"),
        y=alt.value(0),
        y2=alt.value("height"),
        url="url:N",
    )
    chart = alt.layer(shades, shapes, height=HEIGHT, title=title)
    return Picture(
        "gantt", "Jobs on the processors", chart.add_params(*scale.parameters()), _caption(rest)
    )


def _caption(rest: str) -> str:
    beyond = f" Grey, the darker the fuller: jobs beyond the {MOST:,} largest." if rest else ""
    return f"Which processors each job held, and when.{beyond}"


def gantt_columns(run: RunResults, scale: TimeScale) -> tuple[Columns, str]:
    """Return the columns of `gantt` for the largest rectangles, and an image of all of them.

    Raises
    ------
    InputError
        No job took any time.
    """
    shapes = rectangles(run.workload, run.schedule, run.allocations)
    if len(shapes.job) == 0:
        raise InputError("no job took any time")
    shapes = _inside(shapes, scale)
    single = largest(shapes, MOST)
    size = run.schedule.machine_size
    stopped = single.end < np.minimum(run.schedule.end[single.job], scale.end)
    kinds = np.where(run.schedule.backfilled[single.job], "backfilled", "in turn")
    if run.schedule.segments is not None:
        kinds = np.where(stopped, "stopped", kinds)
    edged = (single.end - single.start >= LEAST * scale.length) & (
        single.high - single.low >= LEAST * size
    )
    parts = [_rows(single, scale, kinds, edged)]
    if (down := _down(run)) is not None:
        down = _inside(down, scale)
        parts.append(_rows(down, scale, "processors down", np.zeros(len(down.job), np.bool_)))
    rest = ""
    if len(shapes.job) > MOST:
        rows = min(PIXELS[0], size)
        window = (scale.origin, scale.end)
        rest = image(occupancy(shapes, size, (rows, PIXELS[1]), window))
    columns = {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}
    return columns, rest


def _inside(rectangles: Rectangles, scale: TimeScale) -> Rectangles:
    """Cut rectangles off at the ends of the scale."""
    cut = rectangles._replace(
        start=np.maximum(rectangles.start, scale.origin), end=np.minimum(rectangles.end, scale.end)
    )
    return cut.take(cut.end > cut.start)


def _rows(
    rectangles: Rectangles, scale: TimeScale, kind: NDArray[np.str_] | str, edged: NDArray[np.bool_]
) -> Columns:
    return {
        "start": scale.place(rectangles.start),
        "end": scale.place(rectangles.end),
        "low": rectangles.low,
        "high": rectangles.high,
        "kind": np.broadcast_to(kind, len(rectangles.job)),
        "edge": np.where(edged, EDGE, 0.0),
    }


def _down(run: RunResults) -> Rectangles | None:
    """Return where processors were down; None if nothing could fail."""
    outages = outages_of(run)
    if outages is None:
        return None
    none = np.full(len(outages.start), NOBODY)
    return Rectangles(none, outages.start, outages.end, outages.low, outages.high, none)


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


def image(shares: Floats) -> str:
    """Return a picture of shares from 0 to 1 as the address of a PNG: white to `DARKEST`.

    Parameters
    ----------
    shares : (rows, columns) float64
        The first row is the lowest.
    """
    grey = np.round(255 * (1 - DARKEST * shares[::-1])).astype(np.uint8)
    rows, columns = grey.shape
    lines = np.pad(grey, ((0, 0), (1, 0))).tobytes()  # each line begins with its filter, none
    header = struct.pack(">IIBBBBB", columns, rows, 8, 0, 0, 0, 0)
    content = png_of([(b"IHDR", header), (b"IDAT", zlib.compress(lines, 9)), (b"IEND", b"")])
    return f"data:image/png;base64,{base64.b64encode(content).decode()}"
