"""Gantt chart: which processors each job held, and when."""

from __future__ import annotations

import numpy as np

from swfx import InputError
from utilitysched.analysis.series import Rectangles, largest, occupancy, rectangles
from utilitysched.model.state import Floats
from utilitysched.report.figures.canvas import Axes, Figure, panels
from utilitysched.report.figures.scales import ALWAYS, Timeline, TimeWindow, shared_timeline
from utilitysched.runs import RunResults

HEIGHT = 2.8
MOST = 3000
"""Rectangles that are drawn one by one; about what a column of a paper has room for."""

EDGE = 0.2
"""Points."""

LEAST = 0.005
"""Share of the width or height below which an edge would cover what it surrounds."""

DARKER, LIGHTER, LOST = "#2d6a9f", "#b7d3ea", "#e08a3c"
PIXELS = (400, 1000)
"""At most, for the rest: rows and columns."""


def draw(run: RunResults, width: float, window: TimeWindow = ALWAYS) -> Figure:
    """Draw a rectangle for each job and range of processors; the smallest of many as shades."""
    from matplotlib.patches import Patch  # noqa: PLC0415 - an extra

    shapes = rectangles(run.workload, run.schedule, run.allocations)
    if len(shapes.job) == 0:
        raise InputError("no job took any time")
    scale = shared_timeline([run], window)
    shapes = _inside(shapes, scale)
    figure, (axes,) = panels(width, HEIGHT)
    single = largest(shapes, MOST)
    ahead = run.schedule.backfilled[single.job]
    stopped = single.end < np.minimum(run.schedule.end[single.job], scale.end)
    colours = [("in turn", LIGHTER, ~ahead & ~stopped), ("backfilled", DARKER, ahead & ~stopped)]
    if run.schedule.segments is not None:
        colours.append(("stopped", LOST, stopped))
    labels = [
        Patch(facecolor=colour, edgecolor="black", linewidth=0.3, label=name)
        for name, colour, _ in colours
    ]
    if len(shapes.job) > MOST:
        _draw_shades(axes, scale, shapes, run.schedule.machine_size)
        labels.append(Patch(facecolor="#909090", label=f"beyond the {MOST:,} largest"))
    least = (LEAST * (scale.end - scale.begin), LEAST * run.schedule.machine_size)
    for _, colour, which in colours:
        _draw_rectangles(axes, scale, single.take(which), colour, least)
    axes.grid(visible=False)
    axes.set_xlim(0, scale.length)
    axes.set_ylim(0, run.schedule.machine_size)
    axes.set_xlabel(scale.label)
    axes.set_ylabel("processor")
    axes.set_title(run.label)
    figure.legend(handles=labels, loc="outside lower center", ncols=4, handlelength=1.2)
    return figure


def _inside(rectangles: Rectangles, scale: Timeline) -> Rectangles:
    """Cut rectangles off at the ends of the scale."""
    cut = rectangles._replace(
        start=np.maximum(rectangles.start, scale.begin), end=np.minimum(rectangles.end, scale.end)
    )
    return cut.take(cut.end > cut.start)


def _draw_rectangles(
    axes: Axes, scale: Timeline, rectangles: Rectangles, colour: str, least: tuple[float, float]
) -> None:
    """Draw rectangles, with an edge those of at least so many seconds and processors."""
    from matplotlib.collections import PolyCollection  # noqa: PLC0415 - an extra

    left, right = scale.place(rectangles.start), scale.place(rectangles.end)
    corners: Floats = np.stack(
        [
            np.stack([left, rectangles.low], axis=1),
            np.stack([right, rectangles.low], axis=1),
            np.stack([right, rectangles.high], axis=1),
            np.stack([left, rectangles.high], axis=1),
        ],
        axis=1,
    )
    edges = EDGE * (
        (rectangles.end - rectangles.start >= least[0])
        & (rectangles.high - rectangles.low >= least[1])
    )
    axes.add_collection(
        PolyCollection(list(corners), facecolor=colour, edgecolor="white", linewidths=edges)
    )


def _draw_shades(axes: Axes, scale: Timeline, rectangles: Rectangles, machine_size: int) -> None:
    rows = min(PIXELS[0], machine_size)
    shares = occupancy(rectangles, machine_size, (rows, PIXELS[1]), (scale.begin, scale.end))
    axes.imshow(
        shares,
        cmap="Greys",
        vmin=0,
        vmax=1.8,  # a full cell is grey, not black: rectangles stand out
        origin="lower",
        aspect="auto",
        extent=(0, scale.length, 0, machine_size),
    )
