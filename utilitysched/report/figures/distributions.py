"""Distributions over the jobs and the users, a line per run; and charges by user and queue."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from swfx import InputError
from swfx.labels import LabelNames
from utilitysched.analysis.metrics import realised_utility
from utilitysched.analysis.series import (
    Bill,
    Distribution,
    Totals,
    charges_by,
    fairness,
    start_value_share_distribution,
    users,
    wait_distribution,
)
from utilitysched.model.state import Floats
from utilitysched.report.figures.canvas import (
    COLOURS,
    FAINT,
    INK,
    Axes,
    Figure,
    legend_above,
    legend_height,
    line,
    panels,
)
from utilitysched.report.figures.scales import (
    check_together,
    check_valued,
    scale_durations,
    scale_large,
    scale_log,
)
from utilitysched.runs import RunResults

PANEL, ROW = 2.2, 1.5
"""Inches without the legend: of a figure of one panel, and of one of several."""


def draw_waits(runs: Sequence[RunResults], width: float) -> Figure:
    """Draw which share of the jobs waited at most how long."""
    check_together(runs)
    by_run = {run.label: wait_distribution(run.workload, run.schedule) for run in runs}
    figure, (axes,) = panels(width, PANEL + legend_height(by_run))
    _draw_steps(axes, by_run, "jobs")
    scale_durations(axes, max(float(waits.value[-1]) for waits in by_run.values()))
    axes.set_xlabel("wait, at most")
    return figure


def draw_shares(runs: Sequence[RunResults], width: float) -> Figure:
    """Draw which share of the jobs earned at most a share of its start value."""
    check_together(runs)
    check_valued(runs)
    shares = {
        run.label: start_value_share_distribution(run.workload, run.schedule).scaled(100)
        for run in runs
    }
    figure, (axes,) = panels(width, PANEL + legend_height(shares))
    _draw_steps(axes, shares, "jobs")
    axes.set_xlim(0, 100)
    axes.set_xlabel("share of its start value earned, at most (%)")
    return figure


def draw_fairness(runs: Sequence[RunResults], width: float) -> Figure:
    """Draw distributions over the users: of mean wait, bounded slowdown, share of start value."""
    check_together(runs)
    by_run = {run.label: users(run.workload, run.schedule, run.tau) for run in runs}
    first = by_run[runs[0].label]
    if len(first.user) < 2:
        raise InputError("the log tells fewer than two users apart")
    valued = not np.isnan(first.start_value_share).all()
    height = ROW + legend_height(f"{label}\nfairness" for label in by_run)
    figure, axes = panels(width, height, rows=3 if valued else 2)
    waits = {label: each.wait for label, each in by_run.items()}
    _draw_users(axes[0], waits)
    scale_durations(axes[0], max(float(each.max()) for each in waits.values()))
    axes[0].set_xlabel("mean wait, at most")
    _draw_users(axes[1], {label: each.bounded_slowdown for label, each in by_run.items()})
    axes[1].set_xscale("log")
    scale_log(axes[1].xaxis)
    axes[1].set_xlabel("mean bounded slowdown, at most")
    if valued:
        shares = {label: each.start_value_share for label, each in by_run.items()}
        _draw_users(axes[2], shares, 100.0)
        axes[2].set_xlim(0, 100)
        axes[2].set_xlabel("mean share of start value earned, at most (%)")
    return figure


def _draw_users(axes: Axes, metric: Mapping[str, Floats], factor: float = 1.0) -> None:
    by_run = {
        f"{label}\n{_fairness(each)}": Distribution.of(each * factor)
        for label, each in metric.items()
    }
    _draw_steps(axes, by_run, "users")


def _fairness(metric: Floats) -> str:
    gini, jain = fairness(metric)
    return f"Gini {gini:.2f}, Jain {jain:.2f}"


def _draw_steps(axes: Axes, distributions: Mapping[str, Distribution], of: str) -> None:
    """Draw distributions by label; each rises from 0 at its least value to 100% of something."""
    for place, (label, distribution) in enumerate(distributions.items()):
        drawn = distribution.thinned()
        value = np.concatenate([drawn.value[:1], drawn.value])
        share = np.concatenate([[0.0], 100 * drawn.share])
        axes.step(value, share, where="post", label=label, **line(place))
    axes.set_ylim(0, 102)
    axes.set_ylabel(f"{of} (%)")
    legend_above(axes)


HEIGHT = 2.6
MOST = 8


def draw_charges(run: RunResults, width: float) -> Figure:
    """Draw the charges of the users and the queues that pay most, beside what they earned."""
    bill = _bill(run)
    utility = realised_utility(run.workload, run.schedule)
    figure, (left, right) = panels(width, HEIGHT, columns=2)
    for axes, field in ((left, "user"), (right, "queue")):
        names = run.workload.labels.in_field(field)
        _bars(axes, charges_by(bill, names.numbers, utility), names)
    handles, labels = left.get_legend_handles_labels()
    figure.legend(handles[::-1], labels[::-1], loc="outside lower center", ncols=2)
    figure.suptitle(f"{run.label}, {bill.mechanism}", x=0.02, ha="left", fontsize=8)
    return figure


def _bill(run: RunResults) -> Bill:
    if run.bill is None:
        raise InputError(
            "holds no bill",
            source=str(run.directory),
            remedy=f"make one with: utilitysched bill {run.directory}",
        )
    if np.isnan(run.bill.charge).all():
        raise InputError("no job is charged", source=str(run.directory))
    return run.bill


def _bars(axes: Axes, totals: Totals, labels: LabelNames) -> None:
    shown = min(len(totals.key), MOST)
    names = [labels.name(key) for key in totals.key[:shown].tolist()]
    charge, utility = totals.charge[:shown], totals.utility[:shown]
    rest = len(totals.key) - shown
    if rest:
        names.append(f"{rest:,} others")
        charge = np.append(charge, totals.charge[shown:].sum())
        utility = np.append(utility, totals.utility[shown:].sum())
    place = np.arange(len(names))
    colours = [COLOURS[0]] * shown + [FAINT] * bool(rest)
    axes.barh(place, charge, color=colours, edgecolor=INK, linewidth=0.4, label="charge")
    axes.plot(utility, place, "|", color=COLOURS[1], markersize=9, mew=2, label="utility earned")
    axes.set_yticks(place, names)
    axes.invert_yaxis()
    axes.grid(visible=False, axis="y")
    axes.set_xlim(0, None)
    axes.locator_params(axis="x", nbins=4)
    scale_large(axes.xaxis, float(max(charge.max(), utility.max())))
    axes.set_title(f"by {labels.words}")
    axes.set_xlabel("SU")
