"""Pairs that nobody measured."""

from __future__ import annotations

import math

import numpy as np
import pytest

from swfx.heatmap import FASTEST, Heatmap, find_heatmap
from utilitysched.schedulers.coscheduling.completion import completed


def of_log_speeds(names: str, rows: list[list[float]]) -> Heatmap:
    blank = Heatmap.alike(names.split())
    speed = np.exp(np.array(rows))
    return Heatmap(blank.names, blank.processes, blank.compact, speed, blank.synthetic)


def test_measured_pairs_stay_and_the_others_are_marked() -> None:
    aris = find_heatmap("aris")

    found = completed(aris, 1)

    assert found.speed[aris.measured].tolist() == aris.speed[aris.measured].tolist()
    assert (found.synthetic == ~aris.measured).all()
    assert found.findings() == ("140 of 561 pairs are synthetic: made by a model, not measured",)
    assert found.speed.min() > 0
    assert found.speed.max() <= FASTEST
    assert (completed(aris, 1).speed == found.speed).all()
    assert (completed(aris, 2).speed != found.speed).any()


def test_a_pair_is_one_gain_less_the_others_pressure_less_what_both_want() -> None:
    # a is the reference: beside its own 0. b gains 0.3 beside a, presses on it by 0.1, so that b
    # beside b would have 0.3 - 0.1 = 0.2, which the draw of kappa takes away in whole or in part
    missing = math.nan
    found = [
        math.log(completed(of_log_speeds("a b", [[0.0, -0.1], [0.3, missing]]), seed).speed[1, 1])
        for seed in range(200)
    ]

    assert max(found) <= 0.2
    assert min(found) >= 0.0
    assert np.mean(found) == pytest.approx(0.1, abs=0.02)


def test_one_that_nobody_measured_is_like_its_kernel() -> None:
    missing = math.nan
    rows = [
        [0.0, -0.1, -0.1, missing],
        [0.3, missing, missing, missing],
        [0.3, missing, missing, missing],
        [missing] * 4,
    ]

    found = completed(of_log_speeds("a k.1 k.2 k.3", rows), 1)

    # both that are known of the kernel are the same, and so there is no spread
    assert np.log(found.speed[3, 0]) == pytest.approx(0.3)
    assert np.log(found.speed[0, 3]) == pytest.approx(-0.1)
