"""Figures of each week."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from swfx import InputError
from utilitysched.analysis.metrics.weekly import WEEK
from utilitysched.analysis.series import Weeks, weeks
from utilitysched.model.state import Floats
from utilitysched.report.figures.canvas import Figure, panels
from utilitysched.report.figures.scales import HOUR, scale_large, timeline
from utilitysched.report.figures.style import line, marked
from utilitysched.report.figures.together import check_together
from utilitysched.runs import RunResults

ROW = 1.1
FEW_WEEKS = 30
UTILITY = "utility\n(SU)"


def draw(runs: Sequence[RunResults], width: float) -> Figure:
    """Draw jobs, mean wait, mean bounded slowdown, utilisation and utility by week."""
    check_together(runs)
    found = [weeks(run.workload, run.schedule, run.tau) for run in runs]
    if np.count_nonzero(found[0].jobs) < 2:
        raise InputError("all jobs were submitted in one week")
    longest = max(len(each.start) for each in found)
    begin = float(found[0].start[0])
    scale = timeline(runs[0].workload, begin, begin + longest * WEEK, ("weeks", WEEK))
    kinds = list(_figures(found[0]))
    if not runs[0].workload.has_utilities:
        kinds.remove(UTILITY)
    figure, rows = panels(width, ROW, rows=len(kinds), sharex=True)
    way = marked if longest <= FEW_WEEKS else line
    for axes, kind in zip(rows, kinds, strict=True):
        for place, (run, each) in enumerate(zip(runs, found, strict=True)):
            number = np.arange(len(each.start)) + 0.5
            axes.plot(number, _figures(each)[kind], label=run.label, **way(place))
        axes.set_ylabel(kind)
        axes.margins(y=0.1)
        axes.set_ylim(0, None)
    if UTILITY in kinds:
        scale_large(rows[-1].yaxis, max(float(each.utility.max()) for each in found))
    rows[0].set_xlim(0, scale.length)
    rows[-1].set_xlabel(scale.label)
    figure.align_ylabels(rows)
    figure.legend(*rows[0].get_legend_handles_labels(), loc="outside upper center", ncols=2)
    return figure


def _figures(found: Weeks) -> dict[str, Floats]:
    return {
        "jobs\nsubmitted": found.jobs.astype(np.float64),
        "mean wait\n(h)": found.wait / HOUR,
        "mean bounded\nslowdown": found.bounded_slowdown,
        "processors\nin use (%)": 100 * found.utilisation,
        UTILITY: found.utility,
    }
