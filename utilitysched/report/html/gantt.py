"""Gantt chart: jobs on processors, painted anew by the page's script for every view."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import altair as alt
import numpy as np

from swfx.base.numbers import plural
from utilitysched.analysis.series import rectangles
from utilitysched.engine.segments_log import NOBODY
from utilitysched.model.segments import Stop
from utilitysched.report.charts.gantt import outages_of
from utilitysched.report.charts.look import BOUND, INK
from utilitysched.report.charts.picture import Picture, data
from utilitysched.report.html.columns import StoredColumns, compact, single
from utilitysched.report.html.jobs import Colouring, colourings
from utilitysched.report.html.shown import Shown
from utilitysched.runs import RunResults

HEIGHT = 330
MOST_RECTANGLES = 3_000_000
"""Of all runs together: a page that holds more would be slow to open."""

HATCHING = "url(#hatching)"
"""Pattern that the page defines."""

NODES = 8
"""First cores of nodes that are named, about."""


class Painting(NamedTuple):
    """What the page's script paints: columns, of which runs (one at a time), and colourings."""

    columns: Sequence[StoredColumns]
    labels: Sequence[str]
    colourings: Sequence[Colouring]


def painting(shown: Shown) -> Painting:
    """Return the columns of as many runs as a page can hold."""
    columns: list[StoredColumns] = []
    held, labels = 0, list[str]()
    for place, (label, run) in enumerate(shown):
        shapes = rectangles(run.workload, run.schedule, run.allocations)
        held += len(shapes.job)
        if place and held > MOST_RECTANGLES:
            break
        across = {"span": shapes.span, "low": shapes.low, "width": shapes.high - shapes.low}
        packed = {name: compact(column) for name, column in across.items()}
        columns += [StoredColumns(f"rectangles {place}", packed), *_kills(place, run, shown)]
        columns += _outages(place, run, shown.scale.origin)
        labels.append(label)
    colours = list(colourings(shown))
    columns += [column for each in colours for column in each.columns]
    return Painting(columns, labels, colours)


def frame(shown: Shown, painting: Painting) -> Picture:
    """Return what lies over the painting: scales, outages, ends of stretches, and one job."""
    size = shown.runs[0].schedule.machine_size
    bounds: dict[str, Any] = {"domainMin": alt.ExprRef("low"), "domainMax": alt.ExprRef("high")}
    y = alt.Y(
        "low:Q",
        scale=alt.Scale(nice=False, zero=False, **bounds),
        axis=alt.Axis(grid=False, **_ticks(_cores_of_nodes(shown))),
        title="processor number",
    )
    corners: dict[str, Any] = {
        "x": shown.scale.axis("from"),
        "x2": "until:Q",
        "y": y,
        "y2": "high:Q",
    }

    def layer(name: str) -> alt.Chart:
        return alt.Chart(data(name, {}), height=HEIGHT)

    line: dict[str, Any] = {"clip": True, "stroke": INK, "strokeWidth": 2, "aria": False}
    layers = (
        layer("down").mark_rect(
            clip=True, aria=False, fill=HATCHING, stroke=BOUND, strokeWidth=0.5
        ),
        layer("stopped").mark_rule(clip=True, color=INK, strokeWidth=2),
        layer("outlined").mark_rect(fillOpacity=0, **line),
        layer("joined").mark_rule(clip=True, color=INK, strokeWidth=2, strokeDash=[4, 2]),
    )
    signals = [alt.param(name="low", value=0), alt.param(name="high", value=size)]
    chart = (
        alt.layer(*(each.encode(**corners) for each in layers))
        .add_params(*shown.scale.parameters(), *signals)
        .properties(background="transparent")  # the painting is below
    )
    caption = _caption(shown, painting.labels)
    return Picture("gantt", "Jobs on the processors", chart, caption)


def _cores_of_nodes(shown: Shown) -> int | None:
    """Return the cores of a node, None unless jobs shared nodes."""
    for run in shown.runs:
        shared = run.schedule.provenance.get("shared")
        if isinstance(shared, Mapping):
            return run.schedule.machine_size // int(shared["nodes"])
    return None


def _ticks(cores: int | None) -> dict[str, Any]:
    """Return ticks at round numbers of processors; at the first cores of nodes where they count."""
    if cores is None:
        return {"tickMinStep": 1, "tickCount": NODES}
    step = f"{cores} * ceil((high - low) / {cores * NODES})"
    return {"values": alt.ExprRef(f"sequence(ceil(low / ({step})) * {step}, high, {step})")}


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


def _caption(shown: Shown, labels: Sequence[str]) -> str:
    size = shown.runs[0].schedule.machine_size
    text = (
        f"{plural(len(shown.workload), 'job')} on {plural(size, 'processor')}. Where jobs are "
        "smaller than a pixel, it has the colour of the class that has most of it, the fainter the "
        "more of it is idle. Point at a job for its figures. Draw a box to zoom, turn the wheel "
        "with Ctrl held down, or spread two fingers; with the keyboard, arrows move, + and - zoom, "
        "0 shows all."
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
            "a node have a part of each of its sockets: draw a box over a few nodes to see it."
        )
    if len(labels) < len(shown):
        left = ", ".join(shown.labels[len(labels) :])
        text += f" Left out, for the size of the page: {left}."
    return text
