"""Charts of workloads: what jobs ask for."""

from __future__ import annotations

import altair as alt
import numpy as np

from swfx import Workload
from utilitysched.report.charts.channels import tips
from utilitysched.report.charts.look import colour
from utilitysched.report.charts.picture import Columns, Picture, data
from utilitysched.report.charts.scales import duration_text, durations, numbers

HEIGHT = 260
"""Of the plot (pixels)."""

STEPS = 4
"""Of requested times, within a factor of 10."""

LARGEST = 700
"""Area of the largest mark (square pixels)."""


def requests(columns: Columns) -> Picture:
    """Return how many jobs ask for how many processors and for how long.

    Parameters
    ----------
    columns : mapping of str to array_like
        processors: at least 1; request: s; jobs: that ask for about as much.
    """
    request = "requested time"
    marks = alt.Chart(data("requests", columns), height=HEIGHT).mark_circle(
        color=colour(0), opacity=0.7, stroke=None
    )
    marks = marks.transform_calculate(text=duration_text("request")).encode(
        x=durations(alt.X, "request", request),
        y=numbers(alt.Y, "processors", "processors", type="log", base=2, padding=12),
        size=alt.Size("jobs:Q", title="jobs", scale=alt.Scale(range=[4, LARGEST])),
        tooltip=tips(processors="processors", text=request, jobs="jobs"),
    )
    caption = "The larger a mark, the more jobs ask for about so much time on so many processors."
    return Picture("requests", "What jobs ask for", marks, caption)


def requests_columns(workload: Workload) -> Columns:
    """Return the columns of `requests`; numbers of processors are rounded to powers of 2."""
    size = 2.0 ** np.round(np.log2(np.maximum(workload.size, 1)))
    step = np.round(STEPS * np.log10(np.maximum(workload.request, 1)))
    (sizes, steps), jobs = np.unique(np.stack([size, step]), axis=1, return_counts=True)
    return {"processors": sizes, "request": 10 ** (steps / STEPS), "jobs": jobs}
