"""Figures on paper: one style, made without a display, saved as the same bytes each time."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from swfx import InputError
from swfx.base.atomic import write_whole
from swfx.base.missing import importing
from swfx.base.options import nearest

if TYPE_CHECKING:
    from matplotlib import axes, axis, figure

    Axes: TypeAlias = axes.Axes
    Axis: TypeAlias = axis.Axis
    Figure: TypeAlias = figure.Figure
else:  # an extra: annotations do without it
    Axes = Axis = Figure = Any


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


FORMATS: dict[str, dict[str, Any]] = {
    "pdf": {"CreationDate": None, "Producer": None},
    "svg": {"Date": None},
    "png": {"Software": None},
}
"""What is said in a file besides the figure, by format: neither dates nor versions."""

LABEL = 34
"""Characters of a line that a column of a paper has room for beside a legend's mark."""

LINE = 0.14
"""Inches of a line of a legend."""

_AFTER_OPTIONS = re.compile(r"(?<=[:,])")


def require_matplotlib() -> None:
    """Refuse to go on where matplotlib is not installed."""
    with importing("a figure", "matplotlib"):
        import matplotlib as mpl  # noqa: F401, PLC0415


def check_format(name: str) -> str:
    """Return the name of a format in which figures can be saved.

    Raises
    ------
    InputError
        There is no such.
    """
    if name not in FORMATS:
        raise InputError(f"figures are not saved as {name!r}", remedy=nearest(name, FORMATS))
    return name


@contextmanager
def styled() -> Iterator[None]:
    """Draw and save in our style, whatever the user's settings of matplotlib are."""
    import matplotlib as mpl  # noqa: PLC0415 - an extra

    with mpl.rc_context():
        mpl.rcdefaults()
        mpl.rcParams.update(STYLE)
        yield


def panels(
    width: float, heights: float, rows: int = 1, columns: int = 1, **shared: Any
) -> tuple[Figure, list[Axes]]:
    """Return a figure of a width, and its panels of a height (inches), row by row."""
    from matplotlib.figure import Figure  # noqa: PLC0415 - an extra

    figure = Figure(figsize=(width, heights * rows))
    grid = figure.subplots(rows, columns, squeeze=False, **shared)
    return figure, list(grid.flat)


def folded(label: str, most: int = LABEL) -> str:
    """Return a scheduler's label in lines of at most `most` characters, broken between options.

    Examples
    --------
    >>> print(folded("ga:generations=100,population=20", 24))
    ga:generations=100,
    population=20
    """
    lines = [""]
    for part in _AFTER_OPTIONS.split(label):
        if lines[-1] and len(lines[-1]) + len(part) > most:
            lines.append("")
        lines[-1] += part
    return "\n".join(lines)


def legend_height(labels: Iterable[str]) -> float:
    """Return the height of a legend (inches)."""
    return LINE * sum(label.count("\n") + 1 for label in labels)


def legend_above(axes: Axes) -> None:
    """Place the legend of a panel above the panel."""
    axes.legend(loc="lower left", bbox_to_anchor=(0, 1), borderaxespad=0)


def save(draw: Callable[[], Figure], path: Path) -> None:
    """Draw a figure and write it, whole or not at all, in the format that the suffix names.

    Raises
    ------
    InputError
        The format is unknown or the file cannot be written.
    """
    kind = check_format(path.suffix.removeprefix("."))
    content = BytesIO()
    with styled():
        draw().savefig(content, format=kind, metadata=FORMATS[kind])
    write_whole(path, content.getvalue())
