"""Charts that look alike, with all that stands around them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from bokeh.models import (
    BoxZoomTool,
    ColumnDataSource,
    CustomJSHover,
    DataRange1d,
    DatetimeAxis,
    DatetimeTickFormatter,
    FixedTicker,
    HoverTool,
    NumeralTickFormatter,
    PanTool,
    Range1d,
    ResetTool,
    SaveTool,
    WheelZoomTool,
)
from bokeh.models.renderers import GlyphRenderer
from bokeh.plotting import figure

from utilitysched.analysis.documents import Kind, ResultTable, column, panel
from utilitysched.model.state import Floats
from utilitysched.report.html.columns import StoredColumns
from utilitysched.report.html.jobs import Colouring
from utilitysched.report.html.shown import COLOURS, DASHES, MARKERS, TimeScale, ink, run_name

HEIGHT = 280
SHORTEST = 10.0
"""Least time that can be zoomed to (s)."""

TIME = "time"
"""Name of the range that all charts over time share."""

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

SIZE = 9
"""Of markers (pixels)."""


class JobControls(NamedTuple):
    """What the picture of the jobs can be made to show.

    Attributes
    ----------
    runs : sequence of str
        Labels, one of which is shown at a time.
    colourings : sequence of Colouring
        One of which is used at a time.
    down : str
        Colour of processors that are down, in CSS; empty if there are none.
    """

    runs: Sequence[str]
    colourings: Sequence[Colouring]
    down: str


@dataclass(frozen=True)
class ReportSection:
    """One section of a report.

    Attributes
    ----------
    key, title : str
        Name in the page, and for people.
    caption : str
        What is seen, in words and figures.
    chart : figure
        Drawn by the browser.
    columns : sequence of StoredColumns
        What the page's script draws from, besides.
    table : ResultTable, optional
        The same in figures, folded away.
    lines : mapping of int to str
        Places and labels of the runs that a key tells apart; there is none for a single run.
    marked : bool
        Draw the runs' markers in the key, too.
    controls : JobControls, optional
        What can be chosen to be shown.
    metrics : mapping of str to str
        Of the rows of a chart that compares runs: names, and what people call them.
    colours : mapping of str to str
        Names of the colours, in CSS, that a key below the chart explains.
    wide : bool
        Over the whole width of the page.
    """

    key: str
    title: str
    caption: str
    chart: figure
    columns: Sequence[StoredColumns] = ()
    table: ResultTable | None = None
    lines: Mapping[int, str] = field(default_factory=dict)
    marked: bool = False
    controls: JobControls | None = None
    metrics: Mapping[str, str] = field(default_factory=dict)
    colours: Mapping[str, str] = field(default_factory=dict)
    wide: bool = False

    @property
    def place(self) -> str:
        """Name of the element that the chart is drawn in."""
        return f"chart-{self.key}"


def blank(x_label: str, y_label: str, *, height: int = HEIGHT, **options: Any) -> figure:
    """Return an empty chart of full width, with labelled scales.

    It is zoomed with a box, or with the wheel while Ctrl is held down: otherwise the wheel scrolls
    the page.
    """
    wheel, box = WheelZoomTool(modifiers="ctrl"), BoxZoomTool()
    drawn = figure(
        height=height,
        sizing_mode="stretch_width",
        tools=[PanTool(), wheel, box, SaveTool(), ResetTool()],
        toolbar_location="above",
        active_scroll=wheel,
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
    """Return a chart on the report's shared scale of time."""
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
        name=TIME,
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


def filled(key: str, place: int, columns: Sequence[str] = ("x", "y")) -> ColumnDataSource:
    """Return columns that the page's script fills, of the jobs that are chosen."""
    return ColumnDataSource(data={name: [] for name in columns}, name=f"drawn {key} {place}")


def from_zero() -> DataRange1d:
    """Return a range from 0 to the largest value in view."""
    return DataRange1d(start=0)


def name_rows(drawn: figure, names: Sequence[str]) -> None:
    """Write names beside a vertical scale, the first uppermost."""
    drawn.yaxis.ticker = FixedTicker(ticks=list(range(len(names))))
    drawn.yaxis.major_label_overrides = dict(enumerate(names))
    drawn.y_range = Range1d(start=len(names) - 0.5, end=-0.5)


def point_at(drawn: figure, tips: Any, **more: Any) -> None:
    """Say something of what the pointer is at."""
    drawn.add_tools(HoverTool(tooltips=tips, visible=False, **more))


def ask_script(
    drawn: figure,
    renderer: GlyphRenderer[Any],
    code: str,
    names: Mapping[str, object] | None = None,
    **more: Any,
) -> None:
    """Say what a function of the page's script, given these names, makes of what is pointed at."""
    say = CustomJSHover(args=dict(names or {}), code=f"return report.{code}")
    more |= {"formatters": {"$x": say}, "point_policy": "follow_mouse"}
    point_at(drawn, POINTED, renderers=[renderer], **more)


def draw_line(
    drawn: figure, place: int, source: ColumnDataSource, *, marked: bool = False
) -> GlyphRenderer[Any]:
    """Draw columns x and y of a run, told apart by colour and dashes, and by markers if wanted.

    Returns what is to be pointed at: the markers, or else the line.
    """
    line = drawn.line(
        "x",
        "y",
        source=source,
        line_color=COLOURS[place][0],
        line_dash=list(DASHES[place]),
        line_width=2,
        line_join="round",
    )
    line.glyph.name, line.name = ink(place), run_name(place)
    without_fading(line)
    return draw_points(drawn, place, source) if marked else line


def draw_points(drawn: figure, place: int, source: ColumnDataSource) -> GlyphRenderer[Any]:
    """Draw columns x and y of a run as markers."""
    points = drawn.scatter(
        "x",
        "y",
        source=source,
        marker=MARKERS[place],
        size=SIZE,
        line_color=COLOURS[place][0],
        fill_color=COLOURS[place][0],
        fill_alpha=0.35,
        line_width=1.5,
    )
    points.glyph.name, points.name = ink(place), run_name(place)
    without_fading(points)
    return points


def without_fading(renderer: GlyphRenderer[Any]) -> None:
    """Draw what is not chosen or pointed at as everything else: nothing can be chosen here."""
    renderer.nonselection_glyph = None
    renderer.selection_glyph = None
    renderer.muted_glyph = None


def table_by_run(
    names: tuple[str, str, str],
    unit: str,
    texts: Sequence[str],
    cells: Mapping[str, Floats],
    kind: Kind = "number",
    note: str = "",
) -> ResultTable:
    """Return what a chart shows as a table: a row per text, a column per run.

    `names` are the table's key, and heading and key of the first column; `unit` is behind each
    run's label.
    """
    key, heading, name = names
    columns = [column(f"{label}{unit}", kind, label) for label in cells]
    rows = [
        (text, *(float(each[i]) if i < len(each) else None for each in cells.values()))
        for i, text in enumerate(texts)
    ]
    return panel(key, "Show as a table", note, [column(heading, "text", name), *columns], rows)
