"""Colours, dashes and letters of all charts, on light and dark pages and on paper."""

from __future__ import annotations

import re
from typing import Any

COLOURS = (
    ("#0072b2", "#4da6e8"),
    ("#c04f00", "#f58b4c"),
    ("#00795a", "#2fc79b"),
    ("#a8478b", "#e3a1cc"),
    ("#2c83b5", "#a3d8fa"),
    ("#946500", "#f2bf4a"),
    ("#000000", "#f2f2f2"),
)
"""Of runs, on light and on dark pages: shades of a palette that colour-blind readers tell apart.

References
----------
Okabe, Ito 2008: Color universal design. The palette's yellow is too faint for lines on white.
"""

DASHES = ((1, 0), (6, 3), (1, 2), (8, 2, 2, 2), (14, 4), (4, 2, 1, 2, 1, 2), (3, 4))
"""Lengths of stroke and gap (pixels); an unbroken line first."""

BOUND_DASHES = ((1, 2), (1, 5))
"""Of references, which are grey."""

SHAPES = ("circle", "square", "triangle-up", "diamond", "triangle-down", "cross", "triangle-right")

MOST_LINES = len(COLOURS)
"""More runs than this cannot be told apart in one chart."""

SHADES = (
    ("#a6d3f0", "#2b5f86"),
    ("#3f93c9", "#4da6e8"),
    ("#e69f00", "#e8b23a"),
    ("#c2410c", "#ff7a45"),
)
"""Of classes with an order, from little to much, on light and on dark pages."""

NAMED = {
    "ink": ("#1d2126", "#e6e8ea"),
    "quiet": ("#5a626c", "#a2abb5"),
    "rule": ("#d9dce0", "#353b42"),
    "panel": ("#ffffff", "#1b1f23"),
    "other": ("#b9bec5", "#4a525b"),
    "bound": ("#707070", "#9a9a9a"),
    "better": ("#bfe7dc", "#204941"),
    "worse": ("#fbefe6", "#312a27"),
}
"""Letters, axis labels, grid, background, what has no class, references, and the sides of 1."""

INK, QUIET, RULE, PANEL, OTHER, BOUND, BETTER, WORSE = (f"var(--{name})" for name in NAMED)

FONT = "Liberation Sans, Arial, Helvetica, sans-serif"
"""Letters of the same widths everywhere; the first comes with the library that saves charts."""


def colour(place: int) -> str:
    """Name of the colour of the run at a place, from 0: a custom property of CSS."""
    return f"var(--ink-{place})"


def shade(place: int) -> str:
    """Name of the colour of the class at a place of `SHADES`: a custom property of CSS."""
    return f"var(--shade-{place})"


def variables(*, dark: bool) -> dict[str, str]:
    """Return the colours by custom property of CSS."""
    numbered = {f"--ink-{i}": pair[dark] for i, pair in enumerate(COLOURS)}
    numbered |= {f"--shade-{i}": pair[dark] for i, pair in enumerate(SHADES)}
    return numbered | {f"--{name}": pair[dark] for name, pair in NAMED.items()}


def with_colours(specification: str) -> str:
    """Return a specification with colours in place of the names of custom properties."""
    light = variables(dark=False)
    return re.sub(r"var\((--[\w-]+)\)", lambda name: light[name[1]], specification)


def configuration(*, letters: float = 12.0, lines: float = 1.0) -> dict[str, Any]:
    """Return what all charts have in common, for letters and lines of some size (pixels).

    The title of the vertical scale lies above it, where it is whole however low the chart.
    """
    return {
        "font": FONT,
        "background": PANEL,
        "lineBreak": "\n",
        "view": {"stroke": None},
        "axis": {
            "domainColor": QUIET,
            "domainWidth": 0.7 * lines,
            "gridColor": RULE,
            "gridWidth": 0.7 * lines,
            "labelColor": INK,
            "labelFontSize": letters,
            "labelLimit": 220,
            "labelOverlap": True,
            "labelSeparation": 4,
            "tickColor": QUIET,
            "tickWidth": 0.7 * lines,
            "titleColor": INK,
            "titleFontSize": letters,
            "titleFontWeight": "normal",
        },
        "axisY": {
            "domain": False,
            "ticks": False,
            "titleAlign": "left",
            "titleAngle": 0,
            "titleAnchor": "start",
            "titleBaseline": "bottom",
            "titleX": 0,
            "titleY": -6,
        },
        "legend": {
            "labelColor": INK,
            "labelFontSize": letters,
            "labelLimit": 400,
            "offset": 2 * letters,  # above the title of the vertical scale
            "orient": "top",
            "symbolSize": 100 * lines,
            "symbolStrokeWidth": 2 * lines,
            "title": None,
            "titleColor": INK,
            "titleFontSize": letters,
            "titleFontWeight": "normal",
        },
        "title": {
            "anchor": "start",
            "color": INK,
            "fontSize": letters,
            "fontWeight": "normal",
            "subtitleColor": QUIET,
            "subtitleFontSize": letters,
            "frame": "group",
        },
        "line": {"strokeWidth": 2 * lines, "strokeJoin": "round"},
        "mark": {"aria": False},  # a chart is read out as a whole, by its description
        "point": {"size": 60 * lines, "strokeWidth": 1.5 * lines},
        "text": {"color": INK, "fontSize": letters},
    }
