"""Distribution functions, one line per run."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from utilitysched.analysis.series import Distribution
from utilitysched.report.figures.style import line

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def draw_distributions(axes: Axes, found: Mapping[str, Distribution], of: str) -> None:
    """Draw distributions by label; each rises from 0 at its least value to 100%.

    Parameters
    ----------
    axes : Axes
        To draw on; the horizontal scale is the caller's.
    found : mapping of str to Distribution
        At most `style.MOST_LINES`.
    of : str
        What is counted, for instance jobs.
    """
    for place, (label, distribution) in enumerate(found.items()):
        drawn = distribution.thinned()
        value = np.concatenate([drawn.value[:1], drawn.value])
        share = np.concatenate([[0.0], 100 * drawn.share])
        axes.step(value, share, where="post", label=label, **line(place))
    axes.set_ylim(0, 102)
    axes.set_ylabel(f"{of} (%)")
