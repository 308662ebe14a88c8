"""Distributions of waits and shares."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from tests.utilitysched.report.figures.conftest import Drawn
from utilitysched import metrics
from utilitysched.report.figures import distributions
from utilitysched.report.figures.canvas import COLUMN
from utilitysched.runs import RunResults

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def ends(figure: Figure) -> list[tuple[float, float]]:
    """Where the lines end, after they have risen from 0."""
    lines = [np.asarray(line.get_xydata()) for line in figure.axes[0].lines]
    for line in lines:
        assert line[0, 1] == 0
        assert np.all(np.diff(line, axis=0) >= 0)
    return [tuple(line[-1]) for line in lines]


def test_all_jobs_waited_at_most_the_longest_wait(runs: list[RunResults], drawn: Drawn) -> None:
    figure = drawn(lambda: distributions.draw_waits(runs, COLUMN))

    assert ends(figure) == [(run.summary["wait_p100"], 100) for run in runs]


def test_all_jobs_earned_at_most_the_largest_share(runs: list[RunResults], drawn: Drawn) -> None:
    figure = drawn(lambda: distributions.draw_shares(runs, COLUMN))

    largest = [
        100 * np.nanmax(metrics.start_value_share(run.workload, run.schedule)) for run in runs
    ]
    assert ends(figure) == [(share, 100) for share in largest]


def test_lines_differ_in_more_than_colour(runs: list[RunResults], drawn: Drawn) -> None:
    figure = drawn(lambda: distributions.draw_waits(runs, COLUMN))

    first, second = figure.axes[0].lines
    assert first.get_color() != second.get_color()
    assert first.get_linestyle() == "-"
    assert second.is_dashed()
