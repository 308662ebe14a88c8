"""Utility functions drawn."""

from __future__ import annotations

import numpy as np
import pytest

from swfx import InputError
from tests.utilitysched.report.figures.conftest import Drawn
from tests.utilitysched.three_jobs import three_jobs
from utilitysched.report.figures.canvas import COLUMN
from utilitysched.report.figures.curves import draw_classes, draw_jobs


def test_curves_of_jobs_end_at_nothing(drawn: Drawn) -> None:
    figure = drawn(lambda: draw_jobs(three_jobs(), [0, 1], COLUMN))

    first, run, second, *_ = figure.axes[0].lines
    assert first.get_label() == "job 1"
    assert np.asarray(first.get_xydata()).tolist() == [[0, 20], [20, 0], [20, 0]]
    assert np.asarray(run.get_xydata()).tolist() == [[10, 10]]
    assert np.asarray(second.get_xydata()).tolist() == [[0, 8], [40, 0], [40, 0]]
    assert figure.axes[0].get_xlabel() == "turnaround (seconds)"


def test_classes_have_a_panel_each(drawn: Drawn) -> None:
    classes = {"narrow": np.array([0, 2]), "wide": np.array([1])}

    figure = drawn(lambda: draw_classes(three_jobs(), classes, COLUMN))
    titles = [axes.get_title(loc="left") for axes in figure.axes]
    assert titles == ["narrow\n1 job", "wide\n1 job"]


def test_an_odd_number_of_classes_leaves_a_place_empty(drawn: Drawn) -> None:
    classes = {name: np.array([0, 1]) for name in "abc"}

    figure = drawn(lambda: draw_classes(three_jobs(), classes, COLUMN))
    assert [axes.get_visible() for axes in figure.axes] == [True, True, True, False]


def test_what_has_no_curve_is_refused() -> None:
    with pytest.raises(InputError, match="job 3 has no utility function; draw some with"):
        draw_jobs(three_jobs(), [2], COLUMN)
    with pytest.raises(InputError, match="field narrow: no job has a utility function"):
        draw_classes(three_jobs(), {"narrow": np.array([2])}, COLUMN)


def test_too_many_are_refused() -> None:
    with pytest.raises(InputError, match="8 curves cannot be told apart; name at most 7"):
        draw_jobs(three_jobs(), [0] * 8, COLUMN)
    with pytest.raises(InputError, match="7 classes do not fit in one figure; at most 6"):
        draw_classes(three_jobs(), {name: np.array([0]) for name in "abcdefg"}, COLUMN)
