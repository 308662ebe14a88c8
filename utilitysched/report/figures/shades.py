"""Values in colour, as pictures to stand inside a page."""

import math
from base64 import b64encode
from io import BytesIO

import numpy as np
from matplotlib import colormaps
from matplotlib.image import imsave
from numpy.typing import NDArray


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
