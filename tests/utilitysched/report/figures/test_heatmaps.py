"""Heatmaps drawn."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from swfx.heatmap import Heatmap
from utilitysched.report.figures.heatmaps import draw_heatmap


def test_a_square_a_pair_and_a_dot_on_those_that_are_made_up() -> None:
    plain = Heatmap.alike(["a", "b"])
    speed = np.array([[1.0, 1.5], [np.nan, 0.8]])
    made_up = np.array([[False, True], [False, False]])

    figure = draw_heatmap(replace(plain, speed=speed, synthetic=made_up), width=3.5)

    axes, scale = figure.axes
    (squares,) = axes.images
    np.testing.assert_array_equal(squares.get_array().filled(np.nan), speed)
    (dots,) = axes.lines
    assert (dots.get_xdata().tolist(), dots.get_ydata().tolist()) == ([1], [0])
    assert [label.get_text() for label in axes.get_yticklabels()] == ["a", "b"]
    # as far to either side of compact, whose colour is the middle one
    assert scale.get_ylim() == (0.5, 1.5)
