"""Pairs that nobody measured."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from swfx.heatmap import FASTEST, Heatmap, find_heatmap
from utilitysched.schedulers.coscheduling.completion import completed


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


def test_completions_have_the_mean_and_spread_of_what_is_known() -> None:
    # by conditioning: two log speeds have in common the gain of an application, that of its kernel,
    # and both pressures, each of variance s^2; measurements have s^2 on top; the mean is unknown
    draw = np.random.default_rng(1)
    names = ("k.1", "k.2", "k.3", "m.1", "m.2")
    log_speed = draw.normal(0.05, 0.1, (5, 5))
    log_speed[2], log_speed[:, 4] = np.nan, np.nan
    heatmap = replace(Heatmap.alike(names), speed=np.exp(log_speed))
    same = np.eye(5) + np.equal.outer([name[0] for name in names], [name[0] for name in names])
    shared = (same[:, None, :, None] + same[None, :, None, :]).reshape(25, 25) + 1e6
    known = ~np.isnan(log_speed.ravel())
    value = log_speed.ravel()[known]
    inverse = np.linalg.inv(shared[np.ix_(known, known)] + np.eye(len(value)))
    mean = shared[~known][:, known] @ inverse @ value
    variance = value @ inverse @ value / len(value)
    left = shared[~known][:, known] @ inverse @ shared[known][:, ~known]
    spread = np.sqrt(variance * np.diag(shared[np.ix_(~known, ~known)] - left))

    drawn = [np.log(completed(heatmap, seed).speed).ravel()[~known] for seed in range(1000)]

    np.testing.assert_allclose(np.mean(drawn, axis=0), mean, atol=5 * spread.max() / 1000**0.5)
    np.testing.assert_allclose(np.std(drawn, axis=0), spread, rtol=0.1)


def test_a_heatmap_without_pairs_is_as_fast_as_compact() -> None:
    blank = Heatmap.alike(["a", "b"], np.nan)

    assert completed(blank, 1).speed.tolist() == [[1.0, 1.0], [1.0, 1.0]]


ARIS = find_heatmap("aris")
LARGE = ARIS.processes == 1024
SMALL = ARIS.processes < 1024
ACROSS = np.outer(LARGE, SMALL) | np.outer(SMALL, LARGE)
OTHERS = np.array(ARIS.names) != "bt.D.256"


@pytest.mark.parametrize(
    ("hidden", "pairs", "errors", "correlations", "slowed"),
    [
        (ACROSS, 230, (0.070, 0.088), (0.88, 0.93), (15, 23)),
        (np.outer(OTHERS, OTHERS), 754, (0.108, 0.142), (0.74, 0.83), (10, 42)),
    ],
)
def test_the_error_is_as_stated(
    hidden: NDArray[np.bool_],
    pairs: int,
    errors: tuple[float, float],
    correlations: tuple[float, float],
    slowed: tuple[int, int],
) -> None:
    hidden = hidden & ARIS.measured
    true = ARIS.speed[hidden]
    known = replace(ARIS, speed=np.where(hidden, np.nan, ARIS.speed))

    made = [completed(known, seed).speed[hidden] for seed in range(20)]

    assert len(true) == pairs
    error = [np.sqrt(np.mean((speed - true) ** 2)) for speed in made]
    assert (min(error), max(error)) == pytest.approx(errors, abs=0.001)
    correlation = [np.corrcoef(speed, true)[0, 1] for speed in made]
    assert (min(correlation), max(correlation)) == pytest.approx(correlations, abs=0.01)
    slow = [100 * np.mean(speed < 1) for speed in made]
    assert (min(slow), max(slow)) == pytest.approx(slowed, abs=1)
