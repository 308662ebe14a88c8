"""Lines of runs in a chart."""

from bokeh.models import ColumnDataSource
from bokeh.plotting import figure

from utilitysched.report.html.palette import COLOURS, DASHES, MARKERS, ink

SIZE = 9
"""Of markers (pixels)."""


def draw_line(
    drawn: figure, place: int, source: ColumnDataSource, *, marked: bool = False
) -> None:
    """Draw columns x and y of a run, told apart by colour and dashes, and by markers if wanted."""
    line = drawn.line(
        "x",
        "y",
        source=source,
        line_color=COLOURS[place][0],
        line_dash=list(DASHES[place]),
        line_width=2,
        line_join="round",
    )
    line.glyph.name = ink(place)
    without_fading(line)
    if marked:
        draw_points(drawn, place, source)


def draw_points(drawn: figure, place: int, source: ColumnDataSource) -> None:
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
    points.glyph.name = ink(place)
    without_fading(points)


def without_fading(renderer: object) -> None:
    """Draw what is not chosen or pointed at as everything else: nothing can be chosen here."""
    renderer.nonselection_glyph = None  # type: ignore[attr-defined]
    renderer.selection_glyph = None  # type: ignore[attr-defined]
    renderer.muted_glyph = None  # type: ignore[attr-defined]
