"""Schedulers beside a baseline, and all runs of an experiment."""

from __future__ import annotations

import re
from collections.abc import Hashable, Sequence
from dataclasses import replace
from itertools import groupby
from operator import itemgetter

import numpy as np
import pytest

from swfx import InputError
from swfx.heatmap import Heatmap
from tests.utilitysched.report.charts.conftest import market, run_of
from tests.utilitysched.report.charts.drawn import rows, texts
from utilitysched.analysis.statistics import compare_all, correlations
from utilitysched.report.charts import experiments
from utilitysched.report.charts.comparison import METRICS, compared, comparison, ratios
from utilitysched.report.charts.picture import Picture, _svg
from utilitysched.runs import RunResults

BETTER = {"mean wait": "lower", "utilisation": "higher"}


def beside(values: Sequence[float]) -> Picture:
    """One run beside another, in two metrics."""
    columns = {
        "metric": list(BETTER),
        "run": ["saf", "saf"],
        "ratio": values,
        "text": [f"{value:g}" for value in values],
    }
    return comparison(columns, ["easy", "saf"], "easy", BETTER)


def test_the_scale_goes_little_further_than_the_ratios() -> None:
    written = texts(beside([0.7, 20.0]))

    ticks = [float(text) for text in written if re.fullmatch(r"[0-9.]+", text)]
    assert {1.0, 2.0, 5.0, 10.0} <= set(ticks)
    assert 0.5 <= min(ticks) <= 0.7
    assert max(ticks) == 20
    assert "ratio to easy" in written


def test_ratios_near_each_other_have_a_scale_of_their_own() -> None:
    ticks = [text for text in texts(beside([0.97, 1.02])) if re.fullmatch(r"[0-9.]+", text)]

    assert {"0.98", "0.99", "1", "1.01"} <= set(ticks)


def test_the_better_side_is_that_of_the_metric() -> None:
    sides = [layer["data"]["values"] for layer in beside([0.7, 2.0]).on_page()["layer"][:2]]

    below, above = ({row["metric"]: row["side"] for row in rows} for rows in sides)
    assert below == {"mean wait": "better", "utilisation": "worse"}
    assert above == {"mean wait": "worse", "utilisation": "better"}


def test_a_ratio_below_0_has_a_linear_scale() -> None:
    assert "\N{MINUS SIGN}1" in texts(beside([-1.0, 2.0]))


def test_marks_are_ratios_to_the_first(runs: list[RunResults]) -> None:
    picture = compared(runs)

    easy, saf = (run.summary for run in runs)
    for row, metric in zip(rows(picture, 3), METRICS, strict=True):
        assert row["ratio"] == pytest.approx(saf[metric] / easy[metric])
        assert "low" not in row
    assert "ratio to easy" in texts(picture)


def test_several_workloads_give_intervals() -> None:
    markets = [market(seed) for seed in range(5)]
    runs = [run_of(name, jobs) for jobs in markets for name in ("fcfs", "easy", "saf")]

    picture = compared(runs, "easy")
    by_metric = {name: list(each) for name, each in groupby(rows(picture, 3), itemgetter("metric"))}
    utility, *waits = by_metric.values()
    assert all(row["low"] < row["ratio"] < row["high"] for row in utility)
    # draws of values alone: pairs of waits never differ, and have no interval
    assert not any("low" in row for panel in waits for row in panel)
    for panel in (utility, *waits):
        assert [row["run"] for row in panel] == ["fcfs", "saf"]
    assert "ratio to easy, 95% intervals" in texts(picture)


def test_published_ratios_stand_beside_ours() -> None:
    values: dict[str, dict[Hashable, list[float | None]]] = {
        "easy": {"a": [1.0], "b": [2.0]},
        "saf": {"a": [2.0], "b": [3.0]},
        "fcfs": {"a": [1.0], "b": [1.0]},
    }
    published = {"saf": 1.5, "easy": 1.0}

    picture = ratios(compare_all(values, "easy"), "easy", "wait_mean", published, "A place")
    saf, fcfs = rows(picture, 3)
    assert (saf["ratio"], fcfs["ratio"]) == (pytest.approx(5 / 3), pytest.approx(2 / 3))
    assert (saf["published"], "published" in fcfs) == (1.5, False)
    assert {"A place", "mean wait"} <= set(texts(picture))
    assert any(text.startswith("ratio to easy, diamonds: published") for text in texts(picture))


@pytest.mark.parametrize(
    ("count", "baseline", "message"),
    [
        (2, "eassy", r"no run is of 'eassy'; did you mean 'easy'\?"),
        (1, None, "a comparison needs runs of two schedulers"),
    ],
)
def test_what_cannot_be_compared_is_refused(
    count: int, baseline: str | None, message: str, runs: list[RunResults]
) -> None:
    with pytest.raises(InputError, match=message):
        compared(runs[:count], baseline)


def test_nobody_is_better_than_the_front_in_both() -> None:
    points = np.random.default_rng(1).integers(0, 6, (30, 2)).astype(np.float64)

    front = experiments.pareto(points)
    for place, mine in enumerate(points):
        better = (points >= mine).all(axis=1) & (points > mine).any(axis=1)
        twin = any((points[other] == mine).all() for other in front)
        assert twin == (not better.any())
        assert place not in front or not better.any()


def test_correlations_are_of_each_two_figures_that_vary() -> None:
    rises, falls = np.array([1.0, 2.0, 3.0, 10.0]), np.array([8.0, 6.0, 4.0, 2.0])

    found = correlations([rises, falls, np.ones(4)])
    assert list(found) == ["Pearson", "Kendall", "Spearman"]
    assert found["Kendall"][0].tolist() == pytest.approx([1.0, -1.0, np.nan], nan_ok=True)
    assert found["Spearman"][1, 0] == pytest.approx(-1.0)
    assert found["Pearson"][0, 1] == pytest.approx(np.corrcoef(rises, falls)[0, 1])
    written = _svg(experiments.correlations(["wait", "slowdown", "load"], found)._sized(252, 7, 1))
    assert written.count(">1.00<") == 6
    assert "NaN" not in written


def test_boxes_and_fronts_are_named() -> None:
    values = {"easy": np.array([1.0, 2.0, 3.0]), "saf": np.array([2.0, 4.0, 60.0])}
    points = {"easy": (1.0, 2.0), "saf": (2.0, 1.0), "fcfs": (0.5, 3.0)}

    boxes = experiments.boxes(values, "wait", {"saf": 5.0})
    front = experiments.fronts(points, ("speedup", "slowdown"), (True, False))
    assert {"easy", "saf", "wait (diamonds: published)"} <= set(texts(boxes))
    assert boxes.on_page()["layer"][1]["data"]["values"] == [{"run": "saf", "value": 5.0}]
    sides = {row["run"]: row["side"] for row in rows(front, 0)}
    assert sides == {
        "easy": "another one is",
        "saf": "no other is better in both",
        "fcfs": "another one is",
    }
    assert "1\xa0easy; 2\xa0saf; 3\xa0fcfs" in texts(front)


def test_a_square_a_pair_and_a_mark_on_those_that_are_made_up() -> None:
    plain = Heatmap.alike(["a", "b"])
    speed = np.array([[1.0, 1.5], [np.nan, 0.8]])
    made_up = np.array([[False, True], [False, False]])

    picture = experiments.speeds(replace(plain, speed=speed, synthetic=made_up))

    assert [tuple(row.values()) for row in rows(picture, 0)] == [
        ("a", "a", 1.0, False),
        ("a", "b", 1.5, True),
        ("b", "b", 0.8, False),
    ]
    # as far to either side of compact, whose colour is the middle one
    colour = picture.on_page()["layer"][0]["encoding"]["color"]
    assert colour["scale"]["domain"] == [0.5, 1.5]
    assert colour["title"].endswith("blank: not measured")
