"""Charts of documents: what is drawn, and in which words."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.utilitysched.report.charts.drawn import rows, texts
from utilitysched.analysis.documents import (
    ColumnChart,
    IntervalChart,
    IntervalRow,
    Landscape,
    LandscapePart,
    Line,
    LineChart,
    Point,
    ReferenceLine,
)
from utilitysched.report.charts.panels import picture
from utilitysched.report.templating import specification

GENETIC = "ga:generations=100,population=20,moves=swap+insert,seed=12"


def scale(chart: IntervalChart) -> dict[str, Any]:
    """Scale of the values of intervals."""
    across: dict[str, Any] = picture(chart).on_page()["layer"][2]["encoding"]["x"]["scale"]
    return across


def test_columns_of_equal_names_stay_apart() -> None:
    chart = ColumnChart("key", "Jobs <&> more", "By hour.", "%", ["0.1", "0.1"], [10, 5])

    assert [row["value"] for row in rows(picture(chart), 0)] == [10, 5]
    assert texts(picture(chart)).count("0.1") == 1  # each text once
    assert {"%", "0", "10"} <= set(texts(picture(chart)))


def test_of_many_columns_zeros_are_seen_as_a_line() -> None:
    few, many = (
        picture(ColumnChart("key", "Prices", "", "SU", ["d"] * n, [0.0] * n)) for n in (60, 61)
    )

    assert [len(each.on_page()["layer"]) for each in (few, many)] == [1, 2]


def test_intervals_are_written_whole_and_fill_the_scale() -> None:
    each = [IntervalRow("fcfs", 1.16, 1.10, 1.23), IntervalRow(GENETIC, 0.7)]
    chart = IntervalChart("key", "Waits", "", "ratio", each, 1.0)

    written = texts(picture(chart))
    assert "fcfs: 1.16 [1.10, 1.23]" in written
    assert f"{GENETIC}: 0.7000" in "".join(written)
    assert scale(chart)["domain"] == [0.7, 1.23]
    assert [(row["low"], row["high"]) for row in rows(picture(chart), 2)] == [
        (1.10, 1.23),
        (0.7, 0.7),
    ]


@pytest.mark.parametrize(
    ("least", "most", "kind"), [(0.7, 20.0, "log"), (0.7, 2.0, None), (-0.1, 20.0, None)]
)
def test_ratios_far_apart_have_a_scale_of_ratios_that_ends_with_them(
    least: float, most: float, kind: str | None
) -> None:
    each = [IntervalRow("a", most), IntervalRow("b", least)]
    drawn = scale(IntervalChart("key", "Waits", "", "ratio", each, 1.0))

    assert drawn.get("type") == kind
    assert drawn["domain"] == [least, most]
    assert not drawn["nice"]


def test_lines_have_their_limits_and_their_level() -> None:
    lines = [Line("ga", [1.0, 0.9], [0.8, 0.7], [1.2, 1.1]), Line("saf", [1.0])]
    chart = LineChart("key", "Waits", "", "ratio", "week", lines, [ReferenceLine("equal", 1.0)])

    limits, line, level, *_ = picture(chart).on_page()["layer"]
    assert (limits["mark"]["type"], line["mark"]["type"]) == ("area", "line")
    assert [(row["place"], row["low"], row["high"]) for row in rows(picture(chart), 0)] == [
        (1, 0.8, 1.2),
        (2, 0.7, 1.1),
        (1, 1.0, 1.0),
    ]
    assert level["data"]["values"] == [{"name": "equal", "value": 1.0}]
    assert {"ga", "saf", "week", "equal"} <= set(texts(picture(chart)))


def test_a_single_line_over_a_quantity_has_a_named_place_and_no_legend() -> None:
    line = Line("all jobs", [8.0, 2.0, 5.0])
    best = Point("best: 6 min", 0.1, 2.0)
    chart = LineChart("key", "Cost", "", "%", "hours", [line], at=[0.01, 0.1, 1], points=[best])

    assert picture(chart).on_page()["layer"][0]["encoding"]["x"]["scale"]["type"] == "log"
    assert [row["place"] for row in rows(picture(chart), 0)] == [0.01, 0.1, 1]
    assert "best: 6 min" in texts(picture(chart))
    assert "all jobs" not in texts(picture(chart))


def test_maps_lie_beside_each_other_with_the_first_row_above() -> None:
    values = np.array([[1.0, np.nan], [2.0, 4.0]])
    parts = [LandscapePart("size below 0", values), LandscapePart("size above 0", values)]
    chart = Landscape("all", "All", "", "wait", "wait's weight", "request", 1.0, 4.0, parts)

    squares = rows(picture(chart), 0)
    assert len(squares) == 6
    assert squares[0] == {"left": -1.0, "right": 0.0, "low": 0.0, "high": 1.0, "value": 1.0}
    assert squares[3]["left"] == 1.5
    assert {"size below 0", "size above 0", "wait's weight", "request"} <= set(
        texts(picture(chart))
    )


def test_who_cannot_see_it_is_told() -> None:
    chart = ColumnChart("key", "Jobs", "By hour.", "%", ["00"], [1.0])

    assert picture(chart).on_page()["description"] == "Jobs. By hour."
    assert picture(chart).element().startswith('<img alt="Jobs. By hour." ')


def test_texts_end_no_script() -> None:
    chart = ColumnChart("key", "</script><b>", "", "%", ["</script>"], [1.0])

    assert "<" not in specification(picture(chart))
