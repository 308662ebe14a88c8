"""Utility functions drawn."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from swfx import InputError
from tests.utilitysched.report.charts.drawn import rows, texts
from tests.utilitysched.three_jobs import three_jobs
from utilitysched.report.charts.curves import curves_of_classes, curves_of_jobs


def test_curves_of_jobs_end_at_nothing() -> None:
    picture = curves_of_jobs(three_jobs(), [0, 1])

    corners = [(row["run"], row["time"], row["value"]) for row in rows(picture, 0)]
    assert corners == [
        *(("job 1", 0, 20), ("job 1", 20, 0), ("job 1", 20, 0)),
        *(("job 2", 0, 8), ("job 2", 40, 0), ("job 2", 40, 0)),
    ]
    assert (rows(picture, 1)[0]["time"], rows(picture, 1)[0]["value"]) == (10, 10)
    assert {"turnaround (seconds)", "job 1", "job 2"} <= set(texts(picture))


def test_classes_have_a_panel_each(tmp_path: Path) -> None:
    classes = {"narrow": np.array([0, 2]), "wide": np.array([1])}

    picture = curves_of_classes(three_jobs(), classes)
    picture.save(tmp_path / "classes.svg")

    svg = (tmp_path / "classes.svg").read_text("utf-8")
    assert "narrow, 1 job" in svg
    assert "wide, 1 job" in svg


def test_what_has_no_curve_is_refused() -> None:
    with pytest.raises(InputError, match="job 3 has no utility function; draw some with"):
        curves_of_jobs(three_jobs(), [2])
    with pytest.raises(InputError, match="field narrow: no job has a utility function"):
        curves_of_classes(three_jobs(), {"narrow": np.array([2])})


def test_too_many_are_refused() -> None:
    with pytest.raises(InputError, match="8 curves cannot be told apart; name at most 7"):
        curves_of_jobs(three_jobs(), [0] * 8)
    with pytest.raises(InputError, match="7 classes do not fit in one figure; at most 6"):
        curves_of_classes(three_jobs(), {name: np.array([0]) for name in "abcdefg"})
