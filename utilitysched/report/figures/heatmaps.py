"""Values in colour: speeds of applications beside one another, and pictures within a page."""

import math
from base64 import b64encode
from io import BytesIO

import numpy as np
from matplotlib import colormaps
from matplotlib.image import imsave
from numpy.typing import NDArray

from swfx.heatmap import Heatmap
from utilitysched.report.figures.canvas import INK, Figure, panels

NAME = 0.14
"""Inches that the name of an application takes."""


def draw_heatmap(heatmap: Heatmap, width: float) -> Figure:
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


def shaded(values: NDArray[np.float64], least: float, most: float) -> str:
    """Return the address of a picture that holds values, the least darkest, by logarithms.

    What is not a number is transparent.
    """
    span = math.log(most / least) or 1.0
    shades = np.ma.masked_invalid(np.log(values / least) / span)
    stream = BytesIO()
    imsave(stream, colormaps["viridis"](shades), format="png")
    return f"data:image/png;base64,{b64encode(stream.getvalue()).decode()}"


def scale(steps: int = 100) -> str:
    """Return the address of a picture of all colours, the darkest first."""
    return shaded(np.geomspace(1.0, 2.0, steps)[np.newaxis], 1.0, 2.0)
