"""Lines of runs in a chart."""

from __future__ import annotations

from typing import Any

from bokeh.models import ColumnDataSource
from bokeh.models.renderers import GlyphRenderer
from bokeh.plotting import figure

from utilitysched.report.html.palette import COLOURS, DASHES, MARKERS, ink

SIZE = 9
"""Of markers (pixels)."""


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
    line.glyph.name = ink(place)
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
    points.glyph.name = ink(place)
    without_fading(points)
    return points


def without_fading(renderer: GlyphRenderer[Any]) -> None:
    """Draw what is not chosen or pointed at as everything else: nothing can be chosen here."""
    renderer.nonselection_glyph = None
    renderer.selection_glyph = None
    renderer.muted_glyph = None
