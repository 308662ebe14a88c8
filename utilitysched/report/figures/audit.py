"""Gains by lies, by mechanism."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from utilitysched.market.audit import MEASURES, MeasureRow
from utilitysched.market.audit.summary import ALL
from utilitysched.report.figures.canvas import Figure, folded, panels
from utilitysched.report.figures.style import COLOURS, GREY, MARKERS

HEAD, LINE = 0.9, 0.15
"""Inches for scale and legend, and for each measure of each mechanism."""

MOST = 22
"""Characters of a line beside the panel."""

LINEAR = 1.0
"""Gains (SU) up to which the scale is linear: they differ by orders of magnitude."""


def draw(rows: Sequence[MeasureRow], width: float, title: str = "") -> Figure:
    """Draw the mean gain by each measure with its 95% interval, mechanism below mechanism."""
    shown = [row for row in rows if row.congestion == ALL]
    mechanisms = list(dict.fromkeys(row.mechanism for row in shown))
    height = HEAD + LINE * len(MEASURES) * len(mechanisms)
    figure, (axes,) = panels(width, height)
    axes.axvline(0, color=GREY, linestyle=(0, (4, 2)), linewidth=0.8)
    for number, measure in enumerate(MEASURES):
        found = [row for row in shown if row.measure == measure]
        place = np.arange(len(found)) + (number - (len(MEASURES) - 1) / 2) * 0.8 / len(MEASURES)
        for at, row in zip(place, found, strict=True):
            if row.low is not None and row.high is not None:
                axes.plot([row.low, row.high], [at, at], color=COLOURS[number], linewidth=1.0)
        gains = [row.gain for row in found]
        axes.plot(gains, place, MARKERS[number], color=COLOURS[number], label=measure)
    ends = [abs(end) for row in shown for end in (row.gain, row.low, row.high) if end is not None]
    if max(ends, default=0.0) > 10 * LINEAR:
        axes.set_xscale("symlog", linthresh=LINEAR)
        axes.xaxis.set_major_formatter("{x:,g}")
    axes.set_yticks(np.arange(len(mechanisms)), [folded(name, MOST) for name in mechanisms])
    axes.set_ylim(len(mechanisms) - 0.5, -0.5)
    axes.grid(visible=False, axis="y")
    axes.set_xlabel("gain of a job's user by lying (SU), 95% intervals")
    axes.set_title(title)
    figure.legend(loc="outside lower center", ncols=2)
    return figure
