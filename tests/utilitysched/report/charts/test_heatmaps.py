"""Heatmaps drawn."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from swfx.heatmap import Heatmap
from tests.utilitysched.report.charts.drawn import rows
from utilitysched.report.charts.experiments import speeds


def test_a_square_a_pair_and_a_mark_on_those_that_are_made_up() -> None:
    plain = Heatmap.alike(["a", "b"])
    speed = np.array([[1.0, 1.5], [np.nan, 0.8]])
    made_up = np.array([[False, True], [False, False]])

    picture = speeds(replace(plain, speed=speed, synthetic=made_up))

    assert [tuple(row.values()) for row in rows(picture, 0)] == [
        ("a", "a", 1.0, False),
        ("a", "b", 1.5, True),
        ("b", "b", 0.8, False),
    ]
    # as far to either side of compact, whose colour is the middle one
    colour = picture.on_page()["layer"][0]["encoding"]["color"]
    assert colour["scale"]["domain"] == [0.5, 1.5]
