"""Charts of the browser, drawn anew by matplotlib."""

from __future__ import annotations

from typing import Any

from bokeh.models import FixedTicker, HBar, Line, LogScale, Range1d, Scatter, Segment
from bokeh.plotting import figure

from utilitysched.report.figures.canvas import Axes, Figure, panels
from utilitysched.report.figures.style import PAGE

DOTS_PER_INCH = 100


def redrawn(chart: figure) -> Figure:
    """Return a chart as matplotlib draws it: its lines, marks and bars, scales and labels."""
    drawn, [axes] = panels(PAGE, (chart.height or 400) / DOTS_PER_INCH)
    for each in chart.renderers:
        _draw(axes, each)
    for name, axis in (("x", chart.xaxis[0]), ("y", chart.yaxis[0])):
        scale, span = getattr(chart, f"{name}_scale"), getattr(chart, f"{name}_range")
        axes.set(**{f"{name}label": axis.axis_label})
        if isinstance(scale, LogScale):
            axes.set(**{f"{name}scale": "log"})
        if isinstance(axis.ticker, FixedTicker):
            ticks = list(axis.ticker.ticks)
            texts = [axis.major_label_overrides.get(tick, f"{tick:g}") for tick in ticks]
            axes.set(**{f"{name}ticks": ticks, f"{name}ticklabels": texts})
            getattr(axes, f"{name}axis").minorticks_off()
        if isinstance(span, Range1d):
            axes.set(**{f"{name}lim": (span.start, span.end)})
        elif getattr(span, "start", None) == 0:
            axes.set(**{f"{name}lim": (0, None)})
    return drawn


def _draw(axes: Axes, each: Any) -> None:
    glyph: Any = each.glyph
    data = each.data_source.data
    kind = type(glyph)
    if kind is Line:
        axes.plot(data[glyph.x], data[glyph.y], color=glyph.line_color)
    elif kind is Scatter:
        look = {"color": glyph.fill_color, "alpha": glyph.fill_alpha}
        axes.plot(data[glyph.x], data[glyph.y], linestyle="", marker="o", **look)
    elif kind is HBar:
        axes.barh(data[glyph.y], data[glyph.right], glyph.height, color=glyph.fill_color)
    elif kind is Segment:
        axes.hlines(data[glyph.y0], data[glyph.x0], data[glyph.x1], color=glyph.line_color)
    else:
        raise TypeError(f"not drawn on paper: {kind.__name__}")
