"""Weeks."""

from __future__ import annotations

import numpy as np
import pytest

from swfx import InputError
from tests.utilitysched.report.figures.conftest import Drawn, market, run_of
from tests.utilitysched.small import JOBS, plain_workload
from utilitysched.report.figures import over_time
from utilitysched.report.figures.canvas import COLUMN
from utilitysched.runs import RunResults


def test_every_figure_has_a_panel(runs: list[RunResults], drawn: Drawn) -> None:
    figure = drawn(lambda: over_time.draw_weekly(runs, COLUMN))

    jobs, *_, worth = figure.axes
    for line, run in zip(worth.lines, runs, strict=True):
        total = np.nansum(np.asarray(line.get_ydata()))
        assert total == pytest.approx(run.summary["aggregate_utility"])
    assert np.asarray(jobs.lines[0].get_ydata()).sum() == JOBS
    assert worth.get_xlabel().startswith("weeks since 2000-04-01")


def test_without_utility_functions_there_is_no_panel_of_them(drawn: Drawn) -> None:
    plain = plain_workload().replace(submit=market().submit)

    figure = drawn(lambda: over_time.draw_weekly([run_of("easy", plain)], COLUMN))
    assert len(figure.axes) == 4


def test_one_week_is_no_series() -> None:
    with pytest.raises(InputError, match="all jobs were submitted in one week"):
        over_time.draw_weekly([run_of("easy", plain_workload())], COLUMN)
