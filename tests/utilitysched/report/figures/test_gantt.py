"""Gantt charts."""

from __future__ import annotations

import numpy as np
import pytest
from matplotlib.collections import PolyCollection
from matplotlib.colors import to_rgba
from matplotlib.text import Text

from swfx import InputError
from tests.utilitysched.preempted import preempted_schedule, preempted_workload
from tests.utilitysched.report.figures.conftest import market, run_of
from utilitysched.analysis.series import rectangles
from utilitysched.report.figures import gantt
from utilitysched.report.figures.canvas import COLUMN, styled
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


def test_a_stretch_that_was_stopped_has_a_colour_of_its_own() -> None:
    run = run_of("easy", paid=False)
    jobs, schedule = preempted_workload(), preempted_schedule()
    stopped = run._replace(workload=jobs, schedule=schedule)

    with styled():
        (axes,) = gantt.draw(stopped, COLUMN).axes
    orange = to_rgba(gantt.LOST)
    (stretches,) = (
        each.get_paths()
        for each in axes.collections
        if isinstance(each, PolyCollection) and np.array_equal(each.get_facecolor(), [orange])
    )

    assert [stretch.get_extents().ymax for stretch in stretches] == [4.0]  # job 11, from 0 to 50
    assert "stopped" not in [text.get_text() for text in _legend(run)]
    assert "stopped" in [text.get_text() for text in _legend(stopped)]


def _legend(run: RunResults) -> list[Text]:
    with styled():
        (legend,) = gantt.draw(run, COLUMN).legends
    return legend.get_texts()


def test_jobs_that_took_no_time_make_no_chart() -> None:
    jobs = market()

    with pytest.raises(InputError, match="no job took any time"):
        gantt.draw(run_of("easy", jobs.replace(run=np.zeros(len(jobs)))), COLUMN)
