"""Empty charts that look alike."""

from collections.abc import Sequence
from typing import Any

from bokeh.models import (
    BoxZoomTool,
    DataRange1d,
    DatetimeAxis,
    DatetimeTickFormatter,
    FixedTicker,
    NumeralTickFormatter,
    PanTool,
    Range1d,
    ResetTool,
    SaveTool,
    WheelZoomTool,
)
from bokeh.plotting import figure

from utilitysched.report.html.time_scale import TimeScale

HEIGHT = 280
SHORTEST = 10.0
"""Least time that can be zoomed to (s)."""

POINTED = '<div style="white-space: pre">$x{custom}</div>'
"""What a chart says that the page's script has found out."""

DURATIONS = (
    (10.0, "≤ 10 s"),
    (60.0, "1 min"),
    (600.0, "10 min"),
    (3600.0, "1 h"),
    (36_000.0, "10 h"),
    (345_600.0, "4 d"),
    (3_456_000.0, "40 d"),
)
"""Marks of a scale of durations (s). Shorter ones than the first are drawn at it."""

LEAST_DURATION = DURATIONS[0][0]


def blank(
    x_label: str, y_label: str, *, height: int = HEIGHT, by_wheel: bool = False, **options: Any
) -> figure:
    """Return a chart as wide as its place, with labels on its scales.

    It is zoomed with a box; with the wheel only if asked, which then does not scroll the page.
    """
    wheel, box = WheelZoomTool(), BoxZoomTool()
    drawn = figure(
        height=height,
        sizing_mode="stretch_width",
        tools=[PanTool(), wheel, box, SaveTool(), ResetTool()],
        toolbar_location="above",
        active_scroll=wheel if by_wheel else None,
        active_drag=box,
        x_axis_label=x_label,
        y_axis_label=y_label,
        **options,
    )
    drawn.toolbar.logo = None
    drawn.axis.axis_label_text_font_style = "normal"
    drawn.min_border_right = 24
    for axis in drawn.axis:
        if not isinstance(axis, DatetimeAxis):
            axis.formatter = NumeralTickFormatter(format="0,0.[0000]")
    return drawn


def over_time(
    scale: TimeScale, shared: Range1d, y_label: str, *, height: int = HEIGHT, **options: Any
) -> figure:
    """Return a chart over time whose horizontal scale moves with those of all others."""
    drawn = blank(
        scale.label,
        y_label,
        height=height,
        x_range=shared,
        x_axis_type="datetime" if scale.dates else "linear",
        **options,
    )
    if scale.dates:
        drawn.xaxis.formatter = _dates()
    return drawn


def shared_range(scale: TimeScale) -> Range1d:
    """Return the range of all charts over time."""
    return Range1d(
        start=scale.first,
        end=scale.last,
        bounds=(scale.first, scale.last),
        min_interval=min(SHORTEST, scale.length) * scale.per_second,
        name="time",
    )


def _dates() -> DatetimeTickFormatter:
    return DatetimeTickFormatter(
        seconds="%H:%M:%S",
        minsec="%H:%M:%S",
        minutes="%H:%M",
        hourmin="%H:%M",
        hours="%H:%M",
        days="%d %b",
        months="%b %Y",
        years="%Y",
        strip_leading_zeros=False,
        context=DatetimeTickFormatter(
            seconds="%d %b %Y",
            minsec="%d %b %Y",
            minutes="%d %b %Y",
            hourmin="%d %b %Y",
            hours="%d %b %Y",
            days="%Y",
            months="",
            years="",
        ),
        context_which="start",
    )


def scale_durations(drawn: figure, axis: str = "x") -> None:
    """Mark a logarithmic scale of durations (s) in units that people think in."""
    for each in getattr(drawn, f"{axis}axis"):
        each.ticker = FixedTicker(ticks=[seconds for seconds, _ in DURATIONS])
        each.major_label_overrides = dict(DURATIONS)


def from_zero() -> DataRange1d:
    """Return a range from 0 to the largest value in view."""
    return DataRange1d(start=0)


def name_rows(drawn: figure, names: Sequence[str]) -> None:
    """Write names beside a vertical scale, the first uppermost."""
    drawn.yaxis.ticker = FixedTicker(ticks=list(range(len(names))))
    drawn.yaxis.major_label_overrides = dict(enumerate(names))
    drawn.y_range = Range1d(start=len(names) - 0.5, end=-0.5)
