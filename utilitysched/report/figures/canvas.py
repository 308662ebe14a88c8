"""Figures on paper: made without a display, saved as the same bytes each time."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from swfx import InputError
from swfx.base.atomic import write_whole
from swfx.base.options import nearest
from utilitysched.report.figures.style import STYLE

if TYPE_CHECKING:
    from matplotlib import axes, axis, figure

    Axes: TypeAlias = axes.Axes
    Axis: TypeAlias = axis.Axis
    Figure: TypeAlias = figure.Figure
else:  # an extra: annotations do without it
    Axes = Axis = Figure = Any

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
    if find_spec("matplotlib") is None:
        raise InputError(
            "figures need matplotlib, which is not installed",
            remedy="install utilitysched[plot]",
        )


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
    """Make a figure so wide, with panels in rows each so high (inches); return it and these."""
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
    """Return how many inches the legend of some labels takes."""
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
