"""Legends that hide nothing."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from matplotlib.axes import Axes

LINE = 0.14
"""Inches of a line of a legend."""


def height(labels: Iterable[str]) -> float:
    """Return how many inches the legend of some labels takes."""
    return LINE * sum(label.count("\n") + 1 for label in labels)


def legend_above(axes: Axes) -> None:
    """Put a panel's legend above it."""
    axes.legend(loc="lower left", bbox_to_anchor=(0, 1), borderaxespad=0)
