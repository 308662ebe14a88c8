"""Colours, dashes and markers by which runs are told apart, on light and on dark pages."""

COLOURS = (
    ("#0072b2", "#4da6e8"),
    ("#d55e00", "#f58b4c"),
    ("#009e73", "#2fc79b"),
    ("#b5589a", "#e3a1cc"),
    ("#3c9fd6", "#a3d8fa"),
    ("#a87300", "#f2bf4a"),
    ("#000000", "#f2f2f2"),
)
"""Of each run, on light and on dark pages: darker and lighter shades of the palette's.

References
----------
Okabe, Ito 2008: Color universal design. The palette's yellow is too faint for lines on white.
"""

DASHES = ((), (6, 2), (2, 2), (6, 2, 2, 2), (10, 3), (4, 2, 1, 2, 1, 2), (3, 3))
"""Lengths of stroke and gap (pixels); an unbroken line first."""

MARKERS = ("circle", "square", "triangle", "diamond", "inverted_triangle", "x", "plus")
MARKER_PATHS = (
    "M-4,0a4,4 0 1 0 8,0a4,4 0 1 0 -8,0",
    "M-4,-4h8v8h-8z",
    "M0,-4L4,4H-4z",
    "M0,-5L3,0L0,5L-3,0z",
    "M0,4L4,-4H-4z",
    "M-4,-4L4,4M-4,4L4,-4",
    "M-5,0H5M0,-5V5",
)
"""The markers around (0, 0) as paths of SVG."""

GREY = "#707070"
"""Of what runs are compared with; seen on light and on dark pages."""

MOST_LINES = len(COLOURS)
"""More runs than this cannot be told apart in one chart."""

SHADES = (
    ("#a6d3f0", "#2b5f86"),
    ("#3f93c9", "#4da6e8"),
    ("#e69f00", "#e8b23a"),
    ("#c2410c", "#ff7a45"),
)
"""Of classes with an order, from little to much, on light and on dark pages."""

OTHER = ("#b9bec5", "#4a525b")
"""Of what has no class of its own."""

BETTER, WORSE = "#009e73", "#d55e00"
"""Behind what compares well with the baseline, and badly."""


def variables(dark: bool) -> str:
    """Return the colours as custom properties of CSS."""
    inks = [f"--ink-{i}: {pair[dark]};" for i, pair in enumerate(COLOURS)]
    shades = [f"--shade-{i}: {pair[dark]};" for i, pair in enumerate(SHADES)]
    return " ".join([*inks, *shades, f"--other: {OTHER[dark]};"])


def ink(place: int) -> str:
    """Name of the colour of the run at a place, from 0: a glyph so named is given it."""
    return f"ink-{place}"


def run_name(place: int) -> str:
    """Name of what draws the run at a place, from 0: it is hidden and shown by that."""
    return f"run {place}"
