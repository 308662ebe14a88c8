from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from swfx import InputError, Workload
from swfx.base.columns import Floats
from swfx.families.estimates.modal import assign, draw_histogram, head_percents, head_times
from swfx.families.estimates.registry import ESTIMATE_MODELS
from swfx.families.estimates.tsafrir import Tsafrir
from swfx.families.generators import BATCH, INTERACTIVE, TYPELESS, LublinModel

HOUR = 3600
LEVELS = np.array([1, 5, 10, 25, 50, 75, 90, 95, 99]) / 100
DISTRIBUTIONS = [
    "n300_max18h",
    "n1000_max100min",
    "n1000_max48h",
    "n10000_max18h",
    "n10000_max48h",
    "n50000_max36h",
    "n200000_max48h",
]
# the authors' size limits for 128 processors
PUBLISHED = {
    "batch": replace(BATCH, u_med=5.0, u_hi=7.0),
    "interactive": replace(INTERACTIVE, u_med=3.0, u_hi=5.5),
    "typeless": replace(TYPELESS, u_med=4.5, u_hi=7.0),
}
LUBLIN = [
    "lublin_mixed_128_n10000_max48h",
    "lublin_typeless_128_n10000_max48h",
    "lublin_typeless_256_n50000_max48h",
    "lublin_batch_128_n10000_max48h",
    "lublin_interactive_128_n10000_max18h",
    "lublin_typeless_256_n10000_max36h",
    "lublin_typeless_256_n10000_max18h",
    "lublin_batch_128_n10000_max18h",
    "lublin_batch_1024_n10000_max48h",
    "lublin_mixed_256_n200000_max48h",
]


def synthetic(jobs: int) -> Workload:
    run = np.floor(np.exp(11 * (np.arange(1, jobs + 1) - 0.5) / jobs))
    return Workload.from_columns(submit=np.arange(jobs), run=run)


def lublin(mode: str, processors: int, jobs: int, seed: int = 1) -> Workload:
    classes: Any = PUBLISHED if processors == 128 else {}
    model = LublinModel(machine_size=processors, mode=mode, **classes)  # type: ignore[arg-type]
    return model.generate(jobs, seed).workload


def statistics(run: Floats, estimate: Floats) -> dict[str, Any]:
    accuracy = run / estimate
    by_run = np.array_split(np.argsort(run, kind="stable"), 10)
    tenths = np.histogram(accuracy, np.linspace(0, 1, 11))[0]
    return {
        "accuracy_quantiles": np.quantile(accuracy, LEVELS, method="inverted_cdf"),
        "accuracy_mean": accuracy.mean(),
        "share_accuracy_above_0.9": np.mean(accuracy > 0.9),
        "share_accuracy_equal_1": np.mean(accuracy == 1),
        "estimate_quantiles": np.quantile(estimate, LEVELS, method="inverted_cdf"),
        "estimate_mean": estimate.mean(),
        "share_at_max_estimate": np.mean(estimate == estimate.max()),
        "mean_estimate_by_runtime_decile": np.array([estimate[d].mean() for d in by_run]),
        "mean_accuracy_by_runtime_decile": np.array([accuracy[d].mean() for d in by_run]),
        "accuracy_histogram_tenths": tenths / run.size,
        "distinct_estimates": np.unique(estimate).size,
    }


def assert_within(measured: dict[str, Any], mean: Any, deviation: Any, runs: int) -> None:
    """4 deviations for one number, 6 for the worst of many; 1e-5 for the rounding of the file."""
    for name, value in measured.items():
        expected, spread = np.asarray(mean[name]), np.asarray(deviation[name])
        width = 4 if expected.ndim == 0 else 6
        allowed = width * spread * math.sqrt(1 + 1 / runs) + 1e-5 * abs(expected) + 1e-9
        assert np.all(abs(value - expected) <= allowed), (name, value, expected, spread)


@pytest.mark.parametrize("name", DISTRIBUTIONS)
def test_what_does_not_depend_on_chance_is_the_reference(
    name: str, estimate_statistics: dict[str, Any]
) -> None:
    expected = estimate_statistics["distributions"][name]
    maximum, jobs = expected["max_estimate"], expected["jobs"]

    histogram = draw_histogram(jobs, maximum, np.random.default_rng(3))

    popular = expected["head_times_position_0_is_max"]
    assert head_times(maximum) == popular
    assert head_percents() == pytest.approx(expected["head_percent_by_popularity_rank"], rel=1e-7)
    assert histogram.time.tolist() == expected["all_estimate_times_ascending"]
    counts = sorted(histogram.jobs.tolist(), reverse=True)
    assert counts == expected["sorted_job_counts_descending"]
    of_head = histogram.jobs[np.isin(histogram.time, popular)].tolist()
    assert sorted(of_head, reverse=True) == expected["head_job_counts_descending"]


@pytest.mark.parametrize("name", DISTRIBUTIONS)
def test_shares_of_popular_times_over_100_draws(
    name: str, estimate_statistics: dict[str, Any]
) -> None:
    expected = estimate_statistics["distributions"][name]
    jobs, rng = expected["jobs"], np.random.default_rng(5)

    draws = [draw_histogram(jobs, expected["max_estimate"], rng) for _ in range(100)]

    for time, mean in expected["head_time_share_mean_over_200_seeds"].items():
        shares = [h.jobs[h.time == int(time)][0] / jobs for h in draws]
        deviation = expected["head_time_share_sd_over_200_seeds"][time]
        assert abs(np.mean(shares) - mean) <= 4 * deviation * math.sqrt(1 / 100 + 1 / 200) + 1e-5


def test_estimates_of_synthetic_run_times(estimate_statistics: dict[str, Any]) -> None:
    reference = estimate_statistics["assignment"]["synthetic_n10000_max18h"]

    w = ESTIMATE_MODELS.make("tsafrir:max=18h").annotate(synthetic(10_000), seed=1).workload

    measured = statistics(w.run, w.requested_time)
    mean, deviation = reference["mean_over_successful_runs"], reference["sd_between_runs"]
    assert_within(measured, mean, deviation, reference["runs"])


def test_the_mean_of_60_runs_is_that_of_the_reference(estimate_statistics: dict[str, Any]) -> None:
    reference = estimate_statistics["assignment"]["synthetic_n10000_max18h"]
    model, jobs = ESTIMATE_MODELS.make("tsafrir:max=18h"), synthetic(10_000)

    runs = [model.annotate(jobs, seed).workload for seed in range(60)]

    measured = [statistics(w.run, w.requested_time) for w in runs]
    means = {name: np.mean([m[name] for m in measured], axis=0) for name in measured[0]}
    deviation = {n: np.array(d) / 60**0.5 for n, d in reference["sd_between_runs"].items()}
    assert_within(means, reference["mean_over_successful_runs"], deviation, 1)


@pytest.mark.parametrize("name", LUBLIN)
def test_estimates_of_lublin_jobs(name: str, estimate_statistics: dict[str, Any]) -> None:
    reference = estimate_statistics["assignment"][name]
    _, mode, processors, jobs, maximum = name.split("_")
    workload = lublin(mode, int(processors), int(jobs.removeprefix("n")))

    model = ESTIMATE_MODELS.make(f"tsafrir:max={maximum.removeprefix('max')}")
    w = model.annotate(workload, seed=2).workload

    measured = statistics(w.run, w.requested_time)
    mean, deviation = reference["mean_over_successful_runs"], reference["sd_between_runs"]
    assert_within(measured, mean, deviation, reference["runs"])


def test_one_distribution_dealt_again_and_again(estimate_statistics: dict[str, Any]) -> None:
    reference = estimate_statistics["fixed_distribution"]
    bins = tuple(map(tuple, reference["bins_time_and_jobs"]))
    estimates = np.repeat(*np.array(bins).T)[::-1]
    run = synthetic(10_000).run

    first, second = (assign(run, estimates, np.random.default_rng(seed)) for seed in (1, 2))

    measured = statistics(run, first)
    assert_within(measured, reference["mean_over_shuffles"], reference["sd_between_shuffles"], 100)
    at = np.sort(np.concatenate([run / first, run / second]))
    below = [
        np.searchsorted(np.sort(run / e), at, side="right") / run.size for e in (first, second)
    ]
    assert (
        abs(below[0] - below[1]).max()
        < 1.3 * reference["ks_accuracy_between_consecutive_shuffles"]["max"]
    )


def test_the_multiset_of_requests_is_the_histogram() -> None:
    jobs = synthetic(5000)

    w, notes = ESTIMATE_MODELS.make("tsafrir").annotate(jobs, seed=3)

    assert np.all(w.requested_time >= w.run)
    assert np.mean(w.requested_time == 36 * HOUR) == pytest.approx(0.2173, abs=1e-3)
    assert np.unique(w.requested_time).size == 59
    assert notes == ("59 distinct estimates up to 129600 s",)
    assert w.header.get("EstimateModel") == "tsafrir; seed 3"


def test_the_longest_estimate_follows_the_longest_run_time() -> None:
    for longest, maximum in ((5.0, 36 * HOUR), (36 * HOUR + 0.5, 37 * HOUR)):
        run = np.where(np.arange(1000) == 0, longest, 5.0)
        w = Tsafrir().annotate(Workload.from_columns(run=run), seed=1).workload
        assert w.requested_time.max() == maximum


def test_longer_jobs_are_cut_and_counted() -> None:
    jobs = synthetic(1000).replace(run=np.where(np.arange(1000) < 3, 80_000, 60))

    w, notes = ESTIMATE_MODELS.make("tsafrir:max=18h").annotate(jobs, seed=1)

    assert w.run[:4].tolist() == [64_800] * 3 + [60]
    assert notes[-1] == "3 run times cut to the longest estimate"


def test_more_long_jobs_than_long_estimates() -> None:
    with pytest.raises(InputError, match=r"field max: .* give a larger max="):
        ESTIMATE_MODELS.make("tsafrir:max=5h").annotate(lublin("batch", 128, 10_000), seed=1)


def test_the_same_seed_the_same_requests() -> None:
    jobs = lublin("mixed", 64, 1000)

    first, again, other = (Tsafrir().annotate(jobs, seed).workload for seed in (1, 1, 2))

    assert first == again
    assert not np.array_equal(first.requested_time, other.requested_time)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("max=5700", "tsafrir: field max: 5700 is out of bounds; give 5701 to"),
        ("max=1.5s", "tsafrir: field max: 1.5 s are not whole seconds"),
        ("longest=5h", "tsafrir: field longest: is not a known key"),
    ],
)
def test_options_out_of_bounds(text: str, message: str) -> None:
    with pytest.raises(InputError) as error:
        ESTIMATE_MODELS.make(f"tsafrir:{text}").annotate(synthetic(200).replace(run=[60] * 200), 1)

    assert str(error.value).startswith(message)


def test_fewer_jobs_than_the_model_knows() -> None:
    with pytest.raises(InputError, match="tsafrir: field jobs: 190 is out of bounds; give 191 to"):
        Tsafrir().annotate(synthetic(190), 1)
