"""Charges by user."""

from __future__ import annotations

import numpy as np

from swfx import InputError
from swfx.labels import LabelNames
from utilitysched.analysis.metrics import realised_utility
from utilitysched.analysis.series import Bill, Totals, charges_by
from utilitysched.report.figures.canvas import Axes, Figure, panels
from utilitysched.report.figures.scales import scale_large
from utilitysched.report.figures.style import COLOURS, FAINT, INK
from utilitysched.runs import RunResults

HEIGHT = 2.6
MOST = 8


def draw(run: RunResults, width: float) -> Figure:
    """Draw the charges of the users and the queues that pay most, beside what they earned."""
    bill = _bill(run)
    utility = realised_utility(run.workload, run.schedule)
    figure, (left, right) = panels(width, HEIGHT, columns=2)
    for axes, field in ((left, "user"), (right, "queue")):
        found = run.workload.labels.in_field(field)
        _bars(axes, charges_by(bill, found.numbers, utility), found)
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


def _bars(axes: Axes, totals: Totals, whose: LabelNames) -> None:
    shown = min(len(totals.key), MOST)
    names = [whose.name(key) for key in totals.key[:shown].tolist()]
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
    axes.set_title(f"by {whose.words}")
    axes.set_xlabel("SU")
