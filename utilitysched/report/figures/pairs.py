"""Speeds of applications beside one another, in colour."""

import numpy as np

from swfx.heatmap import Heatmap
from utilitysched.report.figures.canvas import Figure, panels
from utilitysched.report.figures.style import INK

NAME = 0.14
"""Inches that the name of an application takes."""


def draw(heatmap: Heatmap, width: float) -> Figure:
    """Draw a square a pair: the row's application beside the column's, compact = white.

    Pairs that nobody measured are blank; a synthetic one has a dot.
    """
    from matplotlib.colors import TwoSlopeNorm  # noqa: PLC0415 - an extra

    count = len(heatmap.names)
    figure, (axes,) = panels(width, max(width, NAME * count))
    furthest = float(np.nanmax(np.abs(heatmap.speed - 1.0), initial=0.01))
    shades = TwoSlopeNorm(1.0, 1.0 - furthest, 1.0 + furthest)
    squares = axes.imshow(heatmap.speed, cmap="RdBu", norm=shades)
    axes.grid(visible=False)
    row, column = np.nonzero(heatmap.synthetic)
    axes.plot(column, row, ".", color=INK, markersize=1)
    axes.set_xticks(range(count), heatmap.names, rotation=90)
    axes.set_yticks(range(count), heatmap.names)
    axes.set_xlabel("beside")
    axes.set_ylabel("speed of")
    figure.colorbar(squares, ax=axes, shrink=0.5, label="compact run time / run time beside")
    return figure
