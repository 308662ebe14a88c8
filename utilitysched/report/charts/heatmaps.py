"""Speeds of applications beside one another."""

from __future__ import annotations

import altair as alt
import numpy as np

from swfx.heatmap import Heatmap
from utilitysched.report.charts import look
from utilitysched.report.charts.picture import Picture, data

NAME = 14
"""Height of an application's row (pixels)."""


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
    chart = alt.Chart(data("pairs", pairs), height=NAME * len(names)).encode(
        alt.X("beside:N", sort=list(names), axis=alt.Axis(labelAngle=-90)),
        alt.Y("application:N", sort=list(names), title="speed of"),
    )
    squares = chart.mark_rect().encode(
        alt.Color("speed:Q", scale=ends, title=label, legend=alt.Legend(orient="bottom")),
        tooltip=["application:N", "beside:N", alt.Tooltip("speed:Q", format=".3f")],
    )
    dots = chart.transform_filter("datum.made").mark_circle(size=6, color=look.INK, opacity=1)
    return Picture("speeds", "Speeds of applications beside one another", squares + dots)
