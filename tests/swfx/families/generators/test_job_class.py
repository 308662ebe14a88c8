from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from swfx import InputError
from swfx.families.generators import BATCH, INTERACTIVE, TYPELESS, JobClass

CLASSES = {"batch": BATCH, "interactive": INTERACTIVE, "typeless": TYPELESS}
GRID = np.linspace(0, 12, 12_001)


def gamma_cdf(shape: float, scale: float) -> np.ndarray:
    """Gamma CDF at the points of GRID, by quadrature of the density between them."""
    nodes, weights = np.polynomial.legendre.leggauss(8)
    step = GRID[1]
    x = GRID[:-1, None] + step * (nodes + 1) / 2
    log_density = (shape - 1) * np.log(x / scale) - x / scale - math.lgamma(shape)
    return np.concatenate([[0], np.cumsum(np.exp(log_density) @ weights) * step / 2 / scale])


def run_time_law(job_class: JobClass, size: int) -> Callable[[np.ndarray], np.ndarray]:
    """P(run time <= r | size) = H(ln(r+1)) / H(12), H the mixture of two gammas."""
    p = min(max(job_class.p_a * size + job_class.p_b, 0), 1)
    first = gamma_cdf(job_class.a1, job_class.b1)
    mixture = p * first + (1 - p) * gamma_cdf(job_class.a2, job_class.b2)
    return lambda r: np.interp(np.log(r + 1), GRID, mixture) / mixture[-1]


def size_law(job_class: JobClass, processors: int) -> np.ndarray:
    """P(size = n), n = 0 .. processors, from the three kinds of A.2."""
    settled = job_class.on_machine(processors)
    points = [settled.u_low, settled.u_med, settled.u_hi]

    def cdf(x: np.ndarray) -> np.ndarray:
        return np.interp(x, points, [0, settled.u_prob, 1])

    n = np.arange(1, processors + 1)
    other = cdf(np.log2(n + 0.5)) - cdf(np.log2(n - 0.5))
    law = np.concatenate([[0], (1 - settled.serial - settled.power_of_two) * other])
    for k in range(int(math.log2(processors)) + 1):
        law[2**k] += settled.power_of_two * float(cdf(np.array(k + 0.5)) - cdf(np.array(k - 0.5)))
    law[1] += settled.serial
    return law


@pytest.mark.parametrize("processors", [128, 256, 1024])
@pytest.mark.parametrize("name", CLASSES)
def test_sizes_follow_the_closed_form(name: str, processors: int) -> None:
    jobs = 200_000
    expected = jobs * size_law(CLASSES[name], processors)
    assert expected.sum() == pytest.approx(jobs)

    sizes = CLASSES[name].on_machine(processors).draw_sizes(jobs, np.random.default_rng(1))

    observed = np.bincount(sizes, minlength=processors + 1)
    assert observed.size == processors + 1
    assert not observed[expected == 0].any()
    rare = expected < 5
    observed = np.append(observed[~rare], observed[rare].sum())
    expected = np.append(expected[~rare], expected[rare].sum() or 1)
    chi_square = float(((observed - expected) ** 2 / expected).sum())
    freedom = observed.size - 1
    assert chi_square < freedom + 4 * math.sqrt(2 * freedom)


@pytest.mark.parametrize("size", [1, 32, 100, 500])
@pytest.mark.parametrize("name", CLASSES)
def test_run_times_follow_the_closed_form(name: str, size: int) -> None:
    jobs = 100_000
    law = run_time_law(CLASSES[name], size)

    runs = CLASSES[name].draw_run_times(np.full(jobs, size), np.random.default_rng(size))

    values, counts = np.unique(runs, return_counts=True)
    above = np.cumsum(counts) / jobs - law(values)
    below = (np.cumsum(counts) - counts) / jobs - law(values - 1)
    assert max(abs(above).max(), abs(below).max()) < 1.95 / math.sqrt(jobs)


def test_run_times_stay_in_range() -> None:
    runs = BATCH.draw_run_times(np.full(300_000, 500), np.random.default_rng(3))

    assert runs.min() >= 1
    assert runs.max() <= 162754
    assert (runs == np.floor(runs)).all()


# mean of exp(g) given g <= 13, from the reference's analytic expectations
@pytest.mark.parametrize(("name", "mean"), [("interactive", 619.30), ("typeless", 911.29)])
def test_mean_gap(name: str, mean: float) -> None:
    gaps = CLASSES[name].draw_gaps(4_000_000, np.random.default_rng(5))

    assert gaps.mean() == pytest.approx(mean, rel=0.02)
    assert gaps.max() <= math.exp(13)


def test_size_limits_follow_the_machine_unless_given() -> None:
    assert (BATCH.on_machine(256).u_med, BATCH.on_machine(256).u_hi) == (5.5, 8.0)
    given = replace(INTERACTIVE, u_med=3.0, u_hi=5.5)
    assert (given.on_machine(256).u_med, given.on_machine(256).u_hi) == (3.0, 5.5)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"serial": 1.5}, "lublin: field serial: 1.5 is out of bounds; give 0 to 1"),
        ({"serial": 0.5}, "lublin: field serial + power_of_two: 1.1686 is out of bounds"),
        ({"u_prob": math.nan}, "lublin: field u_prob: nan is out of bounds; give 0 to 1"),
        ({"b1": 0.0}, "lublin: field b1: 0 is out of bounds; give 1e-06 to 1e+06"),
        ({"a2": 1000.0}, "lublin: field a2 * b2: 15.6 is out of bounds; give 0 to 12"),
        (
            {"b_arr": 3.0},
            "field a_arr * rush_ratio * b_arr: 19.0652 is out of bounds; give 0 to 13",
        ),
        ({"u_low": 1e6}, "lublin: field u_low: 1e+06 is out of bounds; give 0 to 40"),
        ({"a_num": math.inf}, "lublin: field a_num: inf is out of bounds"),
        ({"p_b": math.inf}, "lublin: field p_b: inf is out of bounds"),
    ],
)
def test_refuses_parameters_out_of_bounds(changes: dict[str, float], message: str) -> None:
    with pytest.raises(InputError) as error:
        replace(BATCH, **changes)

    assert message in str(error.value)


def test_refuses_a_machine_too_small_for_the_size_limits() -> None:
    with pytest.raises(InputError) as error:
        BATCH.on_machine(8)

    assert str(error.value) == (
        "lublin: field u_med on 8 processors: 0 <= u_low 1.2 <= u_med 0.5 <= u_hi 3 does not hold;"
        " take at least 13 processors, or give u_low and u_med"
    )
    BATCH.on_machine(13)


def test_refuses_sizes_above_the_machine() -> None:
    with pytest.raises(InputError, match="u_hi on 64 processors: 7 is out of bounds; give 0 to 6"):
        replace(BATCH, u_hi=7.0).on_machine(64)


def test_sizes_need_settled_limits() -> None:
    with pytest.raises(AssertionError, match="on_machine"):
        BATCH.draw_sizes(1, np.random.default_rng(0))
