"""Gantt charts."""

from __future__ import annotations

import numpy as np
import pytest
from matplotlib.collections import PolyCollection

from swfx import InputError
from tests.utilitysched.report.figures.conftest import market, run_of
from utilitysched.analysis.series import rectangles
from utilitysched.report.figures import gantt
from utilitysched.report.figures.canvas import styled
from utilitysched.report.figures.style import COLUMN
from utilitysched.runs import RunResults


def drawn_rectangles(run: RunResults) -> tuple[int, int]:
    """How many rectangles are drawn, and how many pictures below them."""
    with styled():
        (axes,) = gantt.draw(run, COLUMN).axes
    groups = [each for each in axes.collections if isinstance(each, PolyCollection)]
    return sum(len(group.get_paths()) for group in groups), len(axes.images)


def test_every_rectangle_is_drawn() -> None:
    run = run_of("easy")

    assert drawn_rectangles(run) == (len(rectangles(run.workload, run.schedule).job), 0)


def test_of_many_the_largest_are_drawn_over_a_picture_of_all(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(gantt, "MOST", 20)

    assert drawn_rectangles(run_of("easy")) == (20, 1)


def test_jobs_that_took_no_time_make_no_chart() -> None:
    jobs = market()

    with pytest.raises(InputError, match="no job took any time"):
        gantt.draw(run_of("easy", jobs.replace(run=np.zeros(len(jobs)))), COLUMN)
