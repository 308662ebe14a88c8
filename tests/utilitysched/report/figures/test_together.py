"""Windows of time."""

from __future__ import annotations

import numpy as np
import pytest

from swfx import InputError
from tests.utilitysched.report.figures.conftest import Drawn
from utilitysched.analysis.series import utilisation
from utilitysched.report.figures.canvas import COLUMN
from utilitysched.report.figures.catalogue import OVER_TIME, pictures
from utilitysched.report.figures.scales import TimeWindow, shared_timeline
from utilitysched.runs import RunResults

WEEK = TimeWindow(604_800.0, 2 * 604_800.0)


@pytest.mark.parametrize("name", OVER_TIME)
def test_figures_over_time_show_the_window(name: str, runs: list[RunResults], drawn: Drawn) -> None:
    (picture,) = pictures(runs[:1], [name], width=COLUMN, window=WEEK)

    axes = drawn(picture.draw).axes[0]
    assert axes.get_xlim() == pytest.approx((0, 7), abs=0.1)
    assert axes.get_xlabel() == "days since 2000-04-08 00:00 (UTC)"


def test_means_are_those_of_the_window(runs: list[RunResults], drawn: Drawn) -> None:
    (picture,) = pictures(runs[:1], ["utilisation"], window=WEEK)

    means = np.asarray(drawn(picture.draw).axes[0].lines[0].get_ydata())[:-1]
    steps = utilisation(runs[0].workload, runs[0].schedule)
    assert means.mean() == pytest.approx(100 * steps.means(np.array(WEEK))[0])


def test_a_window_ends_where_the_runs_do(runs: list[RunResults]) -> None:
    whole, open_end = shared_timeline(runs), shared_timeline(runs, TimeWindow(begin=100.0))

    assert (whole.begin, open_end.begin) == (0, 100)
    assert open_end.end == whole.end == max(run.schedule.end.max() for run in runs)


def test_a_window_without_anything_is_refused(runs: list[RunResults]) -> None:
    with pytest.raises(InputError, match=r"nothing happens between .*; the runs last from 0 to"):
        shared_timeline(runs, TimeWindow(begin=1e12))
