"""Charts of documents of results: columns, intervals, lines and maps."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import singledispatch
from typing import Any

import altair as alt
import numpy as np

from swfx.base.numbers import significant
from utilitysched.analysis.documents import (
    ColumnChart,
    Estimate,
    IntervalChart,
    Landscape,
    LineChart,
    ValueChart,
)
from utilitysched.report.charts import look
from utilitysched.report.charts.channels import folded
from utilitysched.report.charts.picture import Columns, Picture, columns_of, data
from utilitysched.report.tables import estimate_text

HEIGHT = 200
"""Of columns and lines (pixels)."""

SINGLE = 60
"""Columns that are told apart; of more, the outline is drawn, too, so that zeros are seen."""

LETTERS = 46
"""Characters of a line above an interval, which a phone has room for."""

LEVELS = ((4, 3), (1, 3), (8, 3))
"""Dashes of what lines are beside."""

LINE, ROW = 16, 22
"""Heights of a line of letters, and of an interval below it (pixels)."""

WIDE = 8.0
"""Ratio of the largest value to the least from which ratios have a logarithmic scale."""

APART = 2.5
"""Distance of the origins of maps beside each other, each of which goes from -1 to 1."""

SIDE = 260
"""Height of maps (pixels)."""


def picture(chart: ValueChart) -> Picture:
    """Return the picture of a chart of a document."""
    return Picture(chart.key, chart.title, alt.layer(*_layers(chart)), chart.caption)


@singledispatch
def _layers(chart: ValueChart) -> Sequence[alt.Chart]:
    raise TypeError(f"there is no picture of {type(chart).__name__}")


@_layers.register
def _columns(chart: ColumnChart) -> Sequence[alt.Chart]:
    count = len(chart.values)
    columns: Columns = {"place": range(count), "name": chart.labels, "value": chart.values}
    across = alt.X(
        "place:O",
        title=None,
        axis=alt.Axis(
            labelAngle=0,
            labelBound=6,
            labelExpr=f"{json.dumps(list(chart.labels))}[datum.value]",
            labelOverlap="greedy",
            labelSeparation=8,
            ticks=False,
        ),
        scale=alt.Scale(paddingInner=0.15 if count <= SINGLE else 0.0, paddingOuter=0.0),
    )
    base = alt.Chart(data("columns", columns), height=HEIGHT).encode(
        across, alt.Y("value:Q", title=chart.unit)
    )
    tooltip = [alt.Tooltip("name:N", title=" "), _rounded("value", chart.unit)]
    layers = [base.mark_bar(color=look.colour(0)).encode(tooltip=tooltip)]
    if count > SINGLE:
        outline = base.mark_line(interpolate="step", color=look.colour(0), strokeWidth=1)
        layers.append(outline)
    return layers


@_layers.register
def _intervals(chart: IntervalChart) -> Sequence[alt.Chart]:
    texts = [estimate_text(Estimate(*row[1:])) for row in chart.rows]
    names = [
        folded(f"{row.name}: {text}", LETTERS) for row, text in zip(chart.rows, texts, strict=True)
    ]
    letters = LINE * max((name.count("\n") + 1 for name in names), default=1)
    limits = [[row.value if end is None else end for end in row[1:]] for row in chart.rows]
    rows = [
        (place, row.name, name, *ends, text)
        for place, (row, name, ends, text) in enumerate(
            zip(chart.rows, names, limits, texts, strict=True)
        )
    ]
    columns = columns_of("place name letters value low high interval", rows)
    scale = _fitted([chart.reference, *(end for row in limits for end in row)])
    axis = alt.Axis(tickCount=5, grid=False)
    across = alt.X("value:Q", scale=scale, title=chart.unit, axis=axis)
    step = letters + ROW
    base = alt.Chart(data("intervals", columns), height=step * len(texts)).encode(
        alt.Y("place:O", axis=None, scale=alt.Scale(padding=0))
    )
    # the letters begin at the top of a row, what is drawn lies below them
    below = letters / 2
    drawn = base.mark_point(color=look.colour(0), filled=True, opacity=1, size=70, yOffset=below)
    tooltip = [alt.Tooltip("name:N", title=" "), alt.Tooltip("interval:N", title=chart.unit)]
    layers = [
        base.mark_tick(color=look.QUIET, orient="vertical", size=ROW, yOffset=below).encode(
            x=alt.XDatum(chart.reference, scale=scale)
        ),
        base.mark_rule(color=look.colour(0), strokeWidth=2, yOffset=below).encode(
            alt.X("low:Q", scale=scale), alt.X2("high:Q")
        ),
        drawn.encode(across, tooltip=tooltip),
    ]
    place = {"align": "left", "baseline": "top", "lineBreak": "\n", "yOffset": 4 - step / 2}
    layers += _letters(base.encode(x=alt.value(2)), "letters", **place)
    return layers


@_layers.register
def _lines(chart: LineChart) -> Sequence[alt.Chart]:
    names = [line.name for line in chart.lines]
    steps = max((len(line.values) for line in chart.lines), default=0)
    rows = [
        (place, line.name, *values)
        for line in chart.lines
        for place, *values in zip(
            chart.at or range(1, steps + 1),
            *(line.values, line.low or line.values, line.high or line.values),
            strict=False,
        )
    ]
    base = alt.Chart(
        data("lines", columns_of("place name value low high", rows)), height=HEIGHT
    ).encode(
        alt.X(
            "place:Q",
            title=chart.step,
            axis=alt.Axis(grid=False, tickMinStep=0 if chart.at else 1),
            scale=alt.Scale(nice=False, **({"type": "log"} if chart.at else {"zero": False})),
        )
    )
    up = alt.Scale(zero=bool(chart.at) or not chart.levels)
    named = [*names, *(level.name for level in chart.levels)]
    shown = [name for name in named if name]
    legend = alt.Legend(columns=1, offset=24, symbolOpacity=1, symbolType="stroke", values=shown)
    colours = [look.colour(i) for i in range(len(names))] + [look.QUIET] * len(chart.levels)
    dashes = [*look.DASHES[: len(names)], *LEVELS[: len(chart.levels)]]
    value = alt.Y("value:Q", title=chart.unit, scale=up)
    colour, dash = (
        channel(
            "name:N",
            scale=alt.Scale(domain=named, range=[*each]),
            legend=legend if len(shown) > 1 else None,
        )
        for channel, each in ((alt.Color, colours), (alt.StrokeDash, dashes))
    )
    drawn = base.encode(value, colour)
    tooltip = [
        alt.Tooltip("name:N", title=" "),
        _rounded("place", chart.step),
        _rounded("value", chart.unit),
    ]
    layers = [drawn.mark_line().encode(dash)]
    if any(line.low for line in chart.lines):
        limits = drawn.encode(alt.Y("low:Q", scale=up, title=chart.unit), alt.Y2("high:Q"))
        layers.insert(0, limits.mark_area(opacity=0.18))
    if chart.levels:
        levels = alt.Chart(data("levels", columns_of("name value", chart.levels)))
        layers.append(levels.mark_rule().encode(value, colour, dash))
    layers.append(drawn.mark_point(opacity=0, size=100).encode(tooltip=tooltip))
    return [*layers, *_points(chart)]


def _points(chart: LineChart) -> list[alt.Chart]:
    if not chart.points:
        return []
    rows = columns_of("name place value", chart.points)
    base = alt.Chart(data("points", rows)).encode(alt.X("place:Q"), alt.Y("value:Q"))
    point = base.mark_point(filled=True, opacity=1, size=80, color=look.INK)
    return [point, *_letters(base, "name", baseline="bottom", dy=-9)]


def _letters(base: alt.Chart, field: str, **place: Any) -> list[alt.Chart]:
    """Return letters over a halo in the colour of the panel: lines do not strike them through."""
    lettered = base.encode(text=f"{field}:N")
    around = lettered.mark_text(stroke=look.PANEL, strokeWidth=4, strokeJoin="round", **place)
    return [around, lettered.mark_text(**place)]


@_layers.register
def _landscape(chart: Landscape) -> Sequence[alt.Chart]:
    values = np.stack([part.values for part in chart.parts])
    part, row, column = np.nonzero(np.isfinite(values))
    edges = np.round(np.linspace(-1, 1, values.shape[1] + 1), 4)
    shift = APART * part
    columns: Columns = {
        "left": np.round(edges[column] + shift, 4).tolist(),
        "right": np.round(edges[column + 1] + shift, 4).tolist(),
        "low": edges[::-1][row + 1].tolist(),
        "high": edges[::-1][row].tolist(),
        "value": [
            float(significant(value, 5).replace(",", "")) for value in values[part, row, column]
        ],
    }
    ticks = [place + APART * i for i in range(len(chart.parts)) for place in (-1, 0, 1)]
    across = alt.Axis(
        values=ticks,
        grid=False,
        labelExpr=f"format(datum.value - {APART} * floor((datum.value + 1.1) / {APART}), '.0f')",
    )
    names: Columns = {
        "name": [each.name for each in chart.parts],
        "place": [APART * i for i in range(len(chart.parts))],
    }
    ends = alt.Scale(domain=[-1, ticks[-1]], nice=False)
    shade = alt.Color(
        "value:Q",
        title=chart.unit,
        legend=alt.Legend(orient="bottom", format="~s"),
        scale=alt.Scale(type="log", scheme="viridis", domain=[chart.least, chart.most], nice=False),
    )
    height = alt.Y(
        "low:Q",
        title=chart.down,
        scale=alt.Scale(domain=[-1, 1], nice=False),
        axis=alt.Axis(values=[-1, 0, 1], format=".0f", grid=False, titleY=-20),
    )
    squares = alt.Chart(data("maps", columns), height=SIDE).mark_rect()
    heads = alt.Chart(data("names of maps", names)).mark_text(baseline="bottom", dy=-4)
    return [
        squares.encode(
            alt.X("left:Q", title=chart.across, scale=ends, axis=across),
            alt.X2("right:Q"),
            height,
            alt.Y2("high:Q"),
            shade,
            tooltip=[_rounded("value", chart.unit)],
        ),
        heads.encode(alt.X("place:Q", scale=ends), y=alt.value(0), text="name:N"),
    ]


def _rounded(field: str, title: str) -> alt.Tooltip:
    return alt.Tooltip(f"{field}:Q", title=title, format=",.4~g")


def _fitted(values: Sequence[float]) -> alt.Scale:
    """Return the scale that fits values: by ratios where these are many times apart."""
    least, most = min(values), max(values)
    kind: dict[str, Any] = {"zero": False}
    if least > 0 and most / least > WIDE:
        kind = {"type": "log"}
    return alt.Scale(domain=[least, most], nice=False, padding=8, **kind)
