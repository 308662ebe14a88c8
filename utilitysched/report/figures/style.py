"""Style of figures: small enough for a column of a paper, and told apart without colours."""

from typing import Any

COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00", "#000000")
"""Told apart by readers who see few colours.

References
----------
Okabe, Ito 2008: Color universal design. The palette's yellow is too faint for lines on white.
"""

DASHES: tuple[str | tuple[int, tuple[float, ...]], ...] = (
    "-",
    (0, (5, 1.5)),
    (0, (1, 1.2)),
    (0, (5, 1.5, 1, 1.5)),
    (0, (8, 2)),
    (0, (3, 1.2, 1, 1.2, 1, 1.2)),
    (0, (2, 2)),
)
MARKERS = ("o", "s", "^", "D", "v", "X", "P")
MOST_LINES = len(COLOURS)
"""More candidates than this cannot be told apart in one figure."""

FAINT, GREY, INK = "#d0d0d0", "#707070", "#202020"

COLUMN = 3.5
"""Width of one column of a paper (inches)."""

PAGE = 7.16
"""Width of both columns (inches)."""

STYLE: dict[Any, Any] = {
    "axes.axisbelow": True,
    "axes.edgecolor": GREY,
    "axes.grid": True,
    "axes.labelcolor": INK,
    "axes.labelsize": 8,
    "axes.linewidth": 0.6,
    "axes.spines.right": False,
    "axes.spines.top": False,
    "axes.titlelocation": "left",
    "axes.titlepad": 4,
    "axes.titlesize": 8,
    "figure.constrained_layout.h_pad": 0.03,
    "figure.constrained_layout.use": True,
    "figure.constrained_layout.w_pad": 0.03,
    "figure.dpi": 100,
    "font.family": "DejaVu Sans",  # comes with matplotlib: the same letters everywhere
    "font.size": 8,
    "grid.color": "#e4e4e4",
    "grid.linewidth": 0.5,
    "image.interpolation": "nearest",
    "legend.fontsize": 7,
    "legend.edgecolor": "none",
    "legend.fancybox": False,
    "legend.framealpha": 0.85,
    "legend.handlelength": 2.6,
    "lines.linewidth": 1.3,
    "lines.markersize": 3.5,
    "path.simplify": False,  # points have been thinned with care
    "pdf.fonttype": 42,  # whole fonts, which publishers ask for
    "ps.fonttype": 42,
    "savefig.dpi": 300,
    "svg.fonttype": "path",  # letters as shapes: no font is needed to read the file
    "svg.hashsalt": "utilitysched",  # names of parts within the file, the same each time
    "xtick.color": GREY,
    "xtick.labelcolor": INK,
    "xtick.labelsize": 7,
    "xtick.major.size": 2.5,
    "xtick.major.width": 0.6,
    "ytick.color": GREY,
    "ytick.labelcolor": INK,
    "ytick.labelsize": 7,
    "ytick.major.size": 2.5,
    "ytick.major.width": 0.6,
}


def line(place: int) -> dict[str, Any]:
    """Return colour and dashes of the line at a place, from 0."""
    return {"color": COLOURS[place], "linestyle": DASHES[place]}


def marked(place: int) -> dict[str, Any]:
    """Return colour, dashes and marker of the line at a place, for lines through few points."""
    return {**line(place), "marker": MARKERS[place]}
