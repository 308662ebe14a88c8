"""Figures of Kellari: boxes, fronts and correlations of metrics, and speeds of applications."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from textwrap import wrap

import altair as alt
import numpy as np

from swfx.heatmap import Heatmap
from utilitysched.model.state import Floats
from utilitysched.report.charts.channels import LETTERS
from utilitysched.report.charts.comparison import ROW, TICKS, in_rows, rows_height, short
from utilitysched.report.charts.look import INK, PANEL, QUIET, RULE, colour
from utilitysched.report.charts.over_time import HEIGHT
from utilitysched.report.charts.picture import Columns, Picture, above, data
from utilitysched.report.charts.scales import NUMBER
from utilitysched.report.comparison import is_wide

DARK = 0.6
"""Coefficient from which letters on its square are white."""

SQUARE = 18
"""Height of a square (pixels)."""


def boxes(values: Mapping[str, Floats], title: str, published: Mapping[str, float]) -> Picture:
    """Return a box for each candidate, from quartile to quartile of its values.

    Whiskers reach the furthest value within 1.5 times the box; circles are beyond. Diamonds are
    what others published.
    """
    names = {name: short(name) for name in values}
    reached = [*np.concatenate(list(values.values())), *published.values()]
    wide = min(reached) > 0 and is_wide(reached)
    scale = alt.Scale(type="log" if wide else "linear", zero=False, nice=False, padding=6)
    beside = " (diamonds: published)" if published else ""
    marks = alt.Axis(labelExpr=NUMBER, values=TICKS) if wide else alt.Axis(labelExpr=NUMBER)
    x = alt.X("value:Q", scale=scale, title=f"{title}{beside}", axis=marks)
    y = in_rows("run", names.values())
    rows: Columns = {
        "run": [names[name] for name, each in values.items() for _ in each],
        "value": np.concatenate(list(values.values())),
    }
    boxes = alt.Chart(data("boxes", rows)).mark_boxplot(
        color=colour(0), median={"color": PANEL}, outliers={"color": QUIET}, size=ROW / 2
    )
    layers = [boxes.encode(x=x, y=y)]
    theirs = [(names[name], value) for name, value in published.items() if name in names]
    if theirs:
        run, value = zip(*theirs, strict=True)
        diamonds = alt.Chart(data("published", {"run": run, "value": value}))
        layers.append(diamonds.mark_point(shape="diamond", color=colour(1)).encode(x=x, y=y))
    chart = alt.layer(*layers, height=rows_height(names.values()))
    caption = "From quartile to quartile, a line at the median; whiskers: within 1.5 times that."
    return Picture("boxes", title, chart, caption)


def pareto(points: Floats) -> list[int]:
    """Return which points no other is better than in both, (n, 2), more is better; by the first.

    Examples
    --------
    >>> pareto(np.array([[1.0, 1.0], [2.0, 0.0], [0.5, 0.5]]))
    [0, 1]
    """
    order = np.lexsort((-points[:, 1], -points[:, 0])).tolist()
    front: list[int] = []
    for place in order:
        if not front or points[place, 1] > points[front[-1], 1]:
            front.append(place)
    return front[::-1]


def fronts(
    points: Mapping[str, tuple[float, float]],
    titles: tuple[str, str],
    more_is_better: tuple[bool, bool],
) -> Picture:
    """Return a numbered point for each candidate, and the front of those that none is better than.

    Parameters
    ----------
    points : mapping of str to (float, float)
        Across and up.
    titles : (str, str)
        Of both.
    more_is_better : (bool, bool)
        Of both.
    """
    values = np.array(list(points.values()))
    front = pareto(values * np.where(more_is_better, 1.0, -1.0))
    numbers = [str(number) for number in range(1, len(values) + 1)]
    named = [f"{number}\xa0{name}" for number, name in zip(numbers, points, strict=True)]
    key = wrap("; ".join(named), LETTERS, break_on_hyphens=False)
    sides = ["no other is better in both", "another one is"]
    columns: Columns = {
        "across": values[:, 0],
        "up": values[:, 1],
        "number": numbers,
        "run": list(points),
        "side": [sides[place not in front] for place in range(len(values))],
    }
    place = {
        "x": _free("across", [titles[0], *key]),
        "y": _free("up", titles[1]),
    }
    base = alt.Chart(data("pareto", columns)).encode(**place)
    marks = alt.Scale(domain=sides, range=["square", "circle"])
    colours = alt.Scale(domain=sides, range=[colour(1), colour(0)])
    line = base.transform_filter(alt.datum.side == sides[0]).mark_line(color=QUIET, strokeWidth=1)
    chart = alt.layer(
        line.encode(order="across:Q"),
        base.mark_point(filled=True, opacity=1).encode(
            color=alt.Color("side:N", scale=colours, title=None),
            shape=alt.Shape("side:N", scale=marks, title=None),
            tooltip=["run:N", "across:Q", "up:Q"],
        ),
        base.mark_text(align="center", dy=-9, color=INK).encode(text="number:N"),
        height=HEIGHT,
    )
    caption = f"Means of {titles[1]} and {titles[0]} over all runs of each scheduler."
    return Picture("pareto", f"{titles[1]} and {titles[0]}", chart, caption)


def _free(column: str, title: str | list[str]) -> dict[str, object]:
    """Return a scale that fits its numbers."""
    return {
        "field": column,
        "type": "quantitative",
        "scale": {"zero": False, "padding": 10},
        "title": title,
        "axis": {"labelExpr": NUMBER, "tickCount": 5},
    }


def correlations(titles: Sequence[str], coefficients: Mapping[str, Floats]) -> Picture:
    """Return a square for each two metrics, blue where they rise together; a panel a coefficient.

    Parameters
    ----------
    titles : sequence of str
        Of the m metrics.
    coefficients : mapping of str to (m, m) ndarray
        By the name of the coefficient; not a number where a metric is always the same.
    """
    numbers = [str(number) for number in range(1, len(titles) + 1)]
    names = [f"{number} {title}" for number, title in zip(numbers, titles, strict=True)]
    colours = alt.Scale(domain=[-1, 1], scheme="redblue")
    panels = []
    for name, values in coefficients.items():
        columns = {
            "row": np.repeat(names, len(titles)),
            "column": np.tile(numbers, len(titles)),
            "value": values.ravel(),
        }
        base = alt.Chart(data(f"correlation-{name}", columns)).transform_filter(
            "isValid(datum.value)"
        )
        base = base.encode(
            x=alt.X("column:N", sort=numbers, title=None, axis=alt.Axis(labelAngle=0)),
            y=in_rows("row", names),
        )
        dark = alt.condition(f"abs(datum.value) > {DARK}", alt.value(PANEL), alt.value(INK))
        chart = alt.layer(
            base.mark_rect(stroke=RULE).encode(
                color=alt.Color("value:Q", scale=colours, legend=None)
            ),
            base.mark_text().encode(text=alt.Text("value:Q", format=".2f"), color=dark),
            height=SQUARE * len(titles),
            title=name,
        )
        panels.append(Picture(name, name, chart))
    return above("correlation", "Correlations of metrics", panels)


def speeds(heatmap: Heatmap) -> Picture:
    """Return a square a pair: the row's application beside the column's.

    The colour of the run time alone is the middle of the scale. Pairs that nobody measured are
    blank; a synthetic one has a dot.
    """
    row, column = np.nonzero(np.isfinite(heatmap.speed))
    names = np.array(heatmap.names)
    speed = heatmap.speed[row, column]
    furthest = float(np.max(np.abs(speed - 1.0), initial=0.01))
    pairs = {
        "application": names[row],
        "beside": names[column],
        "speed": speed,
        "made": heatmap.synthetic[row, column],
    }
    ends = alt.Scale(scheme="redblue", domain=[1 - furthest, 1 + furthest])
    label = "compact run time / run time beside"
    if np.isnan(heatmap.speed).any():
        label += "; blank: not measured"
    chart = alt.Chart(data("pairs", pairs), height=SQUARE * len(names)).encode(
        alt.X("beside:N", sort=list(names), axis=alt.Axis(labelAngle=-90)),
        alt.Y("application:N", sort=list(names), title="speed of"),
    )
    squares = chart.mark_rect().encode(
        alt.Color("speed:Q", scale=ends, title=label, legend=alt.Legend(orient="bottom")),
        tooltip=["application:N", "beside:N", alt.Tooltip("speed:Q", format=".3f")],
    )
    dots = chart.transform_filter("datum.made").mark_circle(size=6, color=INK, opacity=1)
    return Picture("speeds", "Speeds of applications beside one another", squares + dots)
