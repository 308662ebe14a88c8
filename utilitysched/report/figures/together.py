"""Runs that share a figure."""

from collections.abc import Sequence

import numpy as np

from swfx import InputError
from utilitysched.report.figures.scales import Timeline, timeline
from utilitysched.report.figures.style import MOST_LINES
from utilitysched.runs import RunResults


def check_together(runs: Sequence[RunResults]) -> None:
    """Refuse runs that cannot share the axes of one figure.

    Raises
    ------
    InputError
        They are of different workloads, or too many to be told apart.
    """
    if len({run.workload.digest() for run in runs}) > 1:
        raise InputError(
            "the runs are of different workloads", remedy="name those of one results directory"
        )
    if len(runs) > MOST_LINES:
        raise InputError(
            f"{len(runs)} runs cannot be told apart in one figure",
            remedy=f"name at most {MOST_LINES}",
        )


def check_valued(runs: Sequence[RunResults]) -> None:
    """Refuse runs whose jobs have no utility functions, or only ones that begin at 0.

    Raises
    ------
    InputError
        No job has one.
    """
    if not np.any(runs[0].workload.utility.start_values > 0):
        raise InputError(
            "no job has a utility function with a start value",
            remedy="simulate with --utilities default",
        )


def shared_timeline(runs: Sequence[RunResults]) -> Timeline:
    """Return a time scale from the first submission to the last end in any of the runs."""
    begin = min(float(np.min(run.workload.submit)) for run in runs)
    end = max(float(np.max(run.schedule.end)) for run in runs)
    return timeline(runs[0].workload, begin, max(end, begin + 1.0))
