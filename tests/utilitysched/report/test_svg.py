"""Column charts."""

from __future__ import annotations

from xml.etree import ElementTree as ET

import pytest

from utilitysched.analysis.documents import ColumnChart
from utilitysched.report.svg import drawing, tick_step
from utilitysched.report.templating import render


def drawn(labels: list[str], values: list[float]) -> ET.Element:
    chart = ColumnChart("key", "Jobs <&> more", "", "%", labels, values)
    return ET.fromstring(render("chart.svg", drawn=drawing(chart)))


def heights(svg: ET.Element) -> list[float]:
    return [float(rect.get("height", "nan")) for rect in svg.iter("rect")]


def test_columns_are_as_high_as_their_values() -> None:
    high, half, none = heights(drawn(["a", "b", "c"], [10, 5, 0]))

    assert (high, none) == (180, 0)
    assert half == 90


def test_columns_stand_beside_each_other_within_the_scale() -> None:
    columns = [
        (float(r.get("x", "")), float(r.get("width", "")))
        for r in drawn(list("abcd"), [1] * 4).iter("rect")
    ]

    assert columns[0] == (66.8, 122.4)
    assert [x for x, _ in columns] == [66.8, 210.8, 354.8, 498.8]


def test_each_column_says_its_figure() -> None:
    titles = [title.text for title in drawn(["Mon", "<Tue>"], [12.5, 0.25]).iter("title")]

    assert titles == ["Mon: 12.5 %", "<Tue>: 0.250 %"]


def test_scales() -> None:
    texts = [text.text for text in drawn([f"{i:02d}" for i in range(24)], [9.7] * 24).iter("text")]

    assert texts == ["0", "2", "4", "6", "8", "10", *(f"{i:02d}" for i in range(0, 24, 2))]


def test_long_labels_are_fewer() -> None:
    texts = [text.text for text in drawn(["2000-01-01"] * 100, [1.0] * 100).iter("text")]

    assert texts.count("2000-01-01") == 6


def test_it_says_what_it_is() -> None:
    assert drawn(["a"], [1]).get("aria-label") == "Jobs <&> more (%)"


def test_nothing_at_all_is_drawn_flat() -> None:
    assert heights(drawn(["a", "b"], [0, 0])) == [0, 0]


@pytest.mark.parametrize(
    ("peak", "step"), [(0, 1), (1, 0.2), (4, 1), (9.7, 2), (100, 20), (4_321, 1_000), (0.03, 0.01)]
)
def test_steps_are_round(peak: float, step: float) -> None:
    assert tick_step(peak) == step
