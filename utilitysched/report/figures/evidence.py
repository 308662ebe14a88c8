"""Graph around a job: who lost because of it, and because of whom it lost itself."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

from pricing.evidence import Loss
from swfx import InputError
from swfx.base.numbers import plural, significant
from utilitysched.counterfactual.explanation import Explanation
from utilitysched.report.figures.canvas import COLOURS, GREY, INK, Axes, Figure, panels
from utilitysched.report.sentences import billed, later, why

MOST = 8
"""Jobs on a side that are drawn one by one."""

ROW = 0.36
"""Inches between jobs below each other."""

MARGIN = 0.75
"""Inches for the title and the legend."""

LEAST, WIDEST = 0.6, 9.0
"""Width of the thinnest and the widest edge (points)."""

HEAD = 3.5
"""By how much the head of an arrow is wider than the arrow (points)."""

LOST, GAINED = COLOURS[1], COLOURS[2]

BOX = 0.44
"""Half the width of the job in the middle (inches)."""

TEXT = 0.3
"""Room for what is beside the outer columns, as a share of their distance."""


class GraphColumns(NamedTuple):
    """Horizontal places (0 to 1) of causes, the job and losers; an empty side takes no room."""

    left: float
    job: float
    right: float

    @classmethod
    def of(cls, box: float, *, left: bool, right: bool) -> GraphColumns:
        """Return the places around a job `box` wide, with or without causes and losers."""
        return cls(0.0, 0.5 if left and right else 1.0 - box if left else box, 1.0)


class Edge(NamedTuple):
    """Labels of an edge: the job, and the loss (SU)."""

    name: str
    note: str
    loss: float


def draw(explained: Explanation, width: float) -> Figure:
    """Return the graph around a job: losers on the right, causes of own losses on the left."""
    right, left = (_edges(explained, some) for some in (explained.losers, explained.causes))
    if not right and not left:
        raise InputError(
            f"job {explained.job_name} cost no other job anything, nor others it: nothing to draw"
        )
    rows = max(len(left), len(right), 2)
    figure, (axes,) = panels(width, MARGIN + ROW * rows)
    axes.set_axis_off()
    begin, end = -TEXT if left else 0.0, 1.0 + TEXT if right else 1.0
    axes.set_xlim(begin, end)
    inch = (end - begin) / width
    box, point = BOX * inch, inch / 72
    axes.set_ylim(rows - 0.3, -1.1)
    middle = (rows - 1) / 2
    columns = GraphColumns.of(box, left=bool(left), right=bool(right))
    largest = max(abs(edge.loss) for edge in (*left, *right))
    for edge, place in zip(left, _places(len(left), rows), strict=True):
        here = (columns.left, place), (columns.job - box, middle)
        _draw_edge(axes, *here, edge.loss / largest, point)
        _draw_end(axes, edge, (columns.left - 0.015, place), "right")
    for edge, place in zip(right, _places(len(right), rows), strict=True):
        here = (columns.job + box, middle), (columns.right, place)
        _draw_edge(axes, *here, edge.loss / largest, point)
        _draw_end(axes, edge, (columns.right + 0.02, place), "left")
    _draw_job(axes, explained, (columns.job, middle))
    _draw_heads(axes, columns, left=bool(left), right=bool(right))
    axes.set_title(f"Job {explained.job_name} by {explained.charges.mechanism}, {why(explained)}")
    return figure


def _edges(explained: Explanation, losses: Sequence[Loss]) -> list[Edge]:
    jobs = explained.run.workload
    user = jobs.labels.in_field("user")
    shown = losses if len(losses) <= MOST + 1 else losses[:MOST]
    edges = [
        Edge(
            f"job {jobs.job_name(lost.job)}, {user.title(jobs.user.item(lost.job))}",
            ", ".join(filter(None, (_amount(lost.loss), later(lost)))),
            lost.loss,
        )
        for lost in shown
    ]
    rest = losses[len(shown) :]
    if rest:
        lost = math.fsum(each.loss for each in rest)
        edges.append(Edge(plural(len(rest), "other"), _amount(lost), lost))
    return edges


def _amount(loss: float) -> str:
    return f"{significant(loss)} SU" if loss >= 0 else f"gains {significant(-loss)} SU"


def _places(count: int, rows: int) -> list[float]:
    """Heights of so many ends, in the middle of all rows."""
    return [(rows - count) / 2 + place for place in range(count)]


def _draw_edge(
    axes: Axes,
    begin: tuple[float, float],
    end: tuple[float, float],
    share: float,
    point: float,
) -> None:
    """Draw an arrow as wide as the share of the largest loss, broken for a gain.

    A point of paper is so long on the horizontal scale.
    """
    from matplotlib.patches import PathPatch  # noqa: PLC0415 - an extra
    from matplotlib.path import Path  # noqa: PLC0415

    colour = LOST if share >= 0 else GAINED
    width = max(LEAST, WIDEST * abs(share))
    head = (width + HEAD) * point
    tip, end = end[0], (end[0] - head, end[1])
    half = (begin[0] + end[0]) / 2
    points = [begin, (half, begin[1]), (half, end[1]), end]
    curve = Path(points, [Path.MOVETO, Path.CURVE4, Path.CURVE4, Path.CURVE4])
    axes.add_patch(
        PathPatch(
            curve,
            facecolor="none",
            edgecolor=colour,
            linestyle="-" if share >= 0 else (0, (2, 1)),
            linewidth=width,
            alpha=0.7,
            capstyle="butt",
        )
    )
    axes.plot(tip - head / 2, end[1], ">", color=colour, markersize=width + HEAD, markeredgewidth=0)


def _draw_end(axes: Axes, edge: Edge, place: tuple[float, float], align: str) -> None:
    beside, height = place
    axes.text(beside, height - 0.04, edge.name, ha=align, va="bottom", fontsize=7, color=INK)
    axes.text(beside, height + 0.04, edge.note, ha=align, va="top", fontsize=7, color=GREY)


def _draw_job(axes: Axes, explained: Explanation, place: tuple[float, float]) -> None:
    paid = (
        f"pays {significant(float(billed(explained)))} SU" if billed(explained) else "pays nothing"
    )
    user = explained.run.workload.labels.in_field("user")
    owner = user.title(explained.run.workload.user.item(explained.job))
    axes.text(
        *place,
        f"job {explained.job_name}\n{owner}\n{paid}",
        ha="center",
        va="center",
        fontsize=8,
        color=INK,
        bbox={"boxstyle": "round,pad=0.5", "facecolor": "white", "edgecolor": INK, "lw": 0.8},
    )


def _draw_heads(axes: Axes, columns: GraphColumns, *, left: bool, right: bool) -> None:
    bold: dict[str, Any] = {"va": "center", "fontsize": 8, "weight": "bold"}
    if left:
        axes.text(columns.left - 0.015, -0.8, "it lost by", ha="right", **bold)
    if right:
        axes.text(columns.right + 0.02, -0.8, "lost by it", ha="left", **bold)
