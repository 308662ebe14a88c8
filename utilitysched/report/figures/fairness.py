"""Fairness among users."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from swfx import InputError
from utilitysched.analysis.series import Distribution, Users, fairness, users
from utilitysched.model.state import Floats
from utilitysched.report.figures.canvas import panels
from utilitysched.report.figures.distributions import draw_distributions
from utilitysched.report.figures.legends import height, legend_above
from utilitysched.report.figures.scales import scale_durations, scale_log
from utilitysched.report.figures.together import check_together
from utilitysched.runs import RunResults

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

ROW = 1.5
"""Inches of a panel without its legend."""


def draw(runs: Sequence[RunResults], width: float) -> Figure:
    """Draw distributions over the users: of mean wait, bounded slowdown, share of start value.

    Raises
    ------
    InputError
        Fewer than two users are known, or the runs cannot share a figure.
    """
    check_together(runs)
    found = {
        run.label: users(run.workload, run.schedule, run.record.get("tau", 10.0)) for run in runs
    }
    if len(found[runs[0].label].user) < 2:
        raise InputError("the log tells fewer than two users apart")
    valued = not np.isnan(found[runs[0].label].start_value_share).all()
    rows = 3 if valued else 2
    figure, axes = panels(width, ROW + height(f"{label}\nevenness" for label in found), rows=rows)
    _panel(axes[0], {label: each.wait for label, each in found.items()}, 1.0)
    scale_durations(axes[0], _largest(found, "wait"))
    axes[0].set_xlabel("mean wait, at most")
    _panel(axes[1], {label: each.bounded_slowdown for label, each in found.items()}, 1.0)
    axes[1].set_xscale("log")
    scale_log(axes[1].xaxis)
    axes[1].set_xlabel("mean bounded slowdown, at most")
    if valued:
        _panel(axes[2], {label: each.start_value_share for label, each in found.items()}, 100.0)
        axes[2].set_xlim(0, 100)
        axes[2].set_xlabel("mean share of start value earned, at most (%)")
    return figure


def _panel(axes: Axes, figures: dict[str, Floats], factor: float) -> None:
    labelled = {f"{label}\n{_evenness(each)}": each for label, each in figures.items()}
    draw_distributions(
        axes, {label: Distribution.of(each * factor) for label, each in labelled.items()}, "users"
    )
    legend_above(axes)


def _evenness(figures: Floats) -> str:
    gini, jain = fairness(figures)
    return f"Gini {gini:.2f}, Jain {jain:.2f}"


def _largest(found: dict[str, Users], figure: str) -> float:
    return max(float(getattr(each, figure).max()) for each in found.values())
