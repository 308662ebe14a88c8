"""The next day of a queue as a chart: who has processors, and who is to have them."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

import altair as alt

from utilitysched.report.charts import look
from utilitysched.report.charts.picture import Picture, data

HEIGHT = 300
"""Of the plot (pixels)."""

EVERY = 3
"""Hours from one mark of the scale to the next."""

MOST = 1000
"""Rectangles that are drawn, the largest: more cannot be told apart, and take longer to send."""

KINDS = {
    "mine, running": look.colour(1),
    "mine, waiting": look.shade(2),
    "others', running": look.OTHER,
    "others', waiting": look.shade(0),
    "running": look.OTHER,
    "waiting": look.shade(0),
}
"""Colours of jobs: as a user sees them, and as an operator does."""

CAPTION = (
    "Jobs are drawn on the lowest processors that are free, which need not be those they run on."
)


def day_picture(
    columns: Mapping[str, Sequence[Any]], hours: Sequence[str], zone: str, processors: int
) -> Picture:
    """Return the jobs of the next day on their processors.

    Parameters
    ----------
    columns : mapping of str to sequence
        start, end: hours from now; low, high: first processor, and the first beyond; kind: one of
        `KINDS`; job, size, starts, ends: texts for who points at a job.
    hours : sequence of str
        What the clock shows at the whole hours from now on.
    zone : str
        Time zone of the clock; empty where there is none.
    processors : int
        Of the machine.
    """
    kinds = [kind for kind in KINDS if kind in columns["kind"]]
    marks = alt.Axis(
        values=list(range(0, 24, EVERY)),
        labelExpr=f"{json.dumps(list(hours))}[datum.value]",
        labelFlush=True,
        grid=False,
    )
    across = alt.X(
        "start:Q",
        axis=marks,
        scale=alt.Scale(domain=[0, 24], nice=False),
        title=f"time ({zone})" if zone else "time from now on",
    )
    up = alt.Y(
        "low:Q",
        axis=alt.Axis(tickCount=5),
        scale=alt.Scale(domain=[0, processors], nice=False),
        title="processors",
    )
    colours = alt.Scale(domain=kinds, range=[KINDS[kind] for kind in kinds])
    named = {"job": " ", "size": "processors", "kind": "whose", "starts": "starts", "ends": "ends"}
    chart = (
        alt.Chart(data("day", columns), height=HEIGHT)
        .mark_rect(stroke=look.PANEL, strokeWidth=0.5)
        .encode(
            x=across,
            x2="end",
            y=up,
            y2="high",
            color=alt.Color("kind:N", legend=alt.Legend(columns=2, offset=24), scale=colours),
            tooltip=[alt.Tooltip(f"{key}:N", title=title) for key, title in named.items()],
        )
    )
    return Picture("day", "Who has processors over the next day", chart, CAPTION)
