from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import swfx
from swfx import InputError, Workload
from swfx.families.generators import BATCH, INTERACTIVE, TYPELESS, LublinModel

LEVELS = (1, 5, 10, 25, 50, 75, 90, 95, 99)
JOBS = 200_000
# the published size limits, which the statistics for 128 processors use
PUBLISHED = {
    "batch": replace(BATCH, u_med=5.0, u_hi=7.0),
    "interactive": replace(INTERACTIVE, u_med=3.0, u_hi=5.5),
    "typeless": replace(TYPELESS, u_med=4.5, u_hi=7.0),
}
CONFIGURATIONS = [
    f"{mode}_{processors}"
    for mode in ("batch", "interactive", "mixed", "typeless")
    for processors in (128, 256, 1024)
]


def make(configuration: str, **options: Any) -> Workload:
    mode, processors = configuration.split("_")
    classes = PUBLISHED if processors == "128" else {}
    model = LublinModel(machine_size=int(processors), mode=mode, **classes, **options)
    return model.generate(JOBS, seed=1).workload


def quantiles(values: np.ndarray) -> np.ndarray:
    return np.quantile(values, np.array(LEVELS) / 100, method="inverted_cdf")


def size_statistics(w: Workload) -> dict[str, Any]:
    size, log_size, log_run = w.processors, np.log2(w.processors), np.log(w.run)
    is_power = (size & (size - 1)) == 0
    return {
        "fraction_serial": np.mean(size == 1),
        "fraction_power_of_two_including_serial": np.mean(is_power),
        "fraction_interactive": np.mean(w.queue == 0),
        "size_mean": size.mean(),
        "size_quantiles": quantiles(size),
        "log2_size_mean": log_size.mean(),
        "runtime_mean": w.run.mean(),
        "runtime_quantiles": quantiles(w.run),
        "ln_runtime_mean": log_run.mean(),
        "ln_runtime_sd": log_run.std(ddof=1),
        "pearson_log2size_lnruntime": np.corrcoef(log_size, log_run)[0, 1],
    }


def arrival_statistics(w: Workload) -> dict[str, Any]:
    """Means of heavy-tailed gaps and of the load: their spread over 20 runs is itself unsure."""
    gaps = np.diff(w.submit)
    return {
        "interarrival_mean": gaps.mean(),
        "jobs_per_day": len(w) / (w.submit[-1] / 86400),
        "offered_load": np.sum(w.processors * w.run) / (w.machine_size * w.submit[-1]),
    }


def distance(a: np.ndarray, b: np.ndarray) -> float:
    """Kolmogorov-Smirnov distance of two samples."""
    at = np.union1d(a, b)
    below_a = np.searchsorted(np.sort(a), at, side="right") / len(a)
    below_b = np.searchsorted(np.sort(b), at, side="right") / len(b)
    return float(abs(below_a - below_b).max())


def slot_shares(w: Workload) -> np.ndarray:
    return np.bincount((w.submit // 1800).astype(int) % 48, minlength=48) / len(w)


def assert_within(
    measured: dict[str, Any], mean: dict[str, Any], deviation: dict[str, Any], width: float
) -> None:
    """Within `width` standard deviations, with the rounding of 6 digits or of whole seconds."""
    for name, value in measured.items():
        expected, spread = np.asarray(mean[name]), np.asarray(deviation[name])
        whole = 1.0 if name.endswith("quantiles") else 0.0
        allowed = width * spread * math.sqrt(1 + 1 / 20) + whole + 1e-5 * abs(expected)
        assert np.all(abs(value - expected) <= allowed), (name, value, expected, spread)


@pytest.mark.parametrize("configuration", CONFIGURATIONS)
def test_sizes_and_run_times_meet_the_reference(
    configuration: str, reference_data: dict[str, Any]
) -> None:
    reference = reference_data["configurations"][configuration]

    measured = size_statistics(make(configuration))

    assert_within(measured, reference["mean_over_runs"], reference["sd_between_runs"], 4)


@pytest.mark.parametrize("configuration", CONFIGURATIONS)
def test_arrivals_meet_the_reference(configuration: str, reference_data: dict[str, Any]) -> None:
    reference = reference_data["configurations"][configuration]["exact_clock_variant"]
    workload = make(configuration)

    mean, deviation = reference["mean_over_runs"], reference["sd_between_runs"]
    gaps = {"interarrival_quantiles": quantiles(np.diff(workload.submit))}
    assert_within(gaps, mean, deviation, 4)
    assert_within(arrival_statistics(workload), mean, deviation, 6)
    shares = {"arrival_share_by_submit_time_slot": slot_shares(workload)}
    assert_within(shares, mean, deviation, 6)


@pytest.mark.parametrize("configuration", ["batch_256", "mixed_256", "typeless_256"])
def test_lagging_clock_meets_the_program_as_published(
    configuration: str, reference_data: dict[str, Any]
) -> None:
    reference = reference_data["configurations"][configuration]

    workload = make(configuration, clock="lagging")

    mean, deviation = reference["mean_over_runs"], reference["sd_between_runs"]
    gaps = {"interarrival_quantiles": quantiles(np.diff(workload.submit))}
    assert_within(gaps, mean, deviation, 4)
    assert_within(arrival_statistics(workload), mean, deviation, 6)


@pytest.mark.parametrize("name", ["batch", "interactive", "typeless"])
def test_slot_shares_approach_the_weights(name: str, reference_data: dict[str, Any]) -> None:
    weights = np.array(reference_data["daily_cycle_weights"][name])
    spread = reference_data["configurations"][f"{name}_256"]["exact_clock_variant"]
    deviation = np.array(spread["sd_between_runs"]["arrival_share_by_submit_time_slot"])

    shares = slot_shares(LublinModel(machine_size=256, mode=name).generate(800_000, 2).workload)

    assert np.all(abs(shares - weights / 48) < 6 * deviation / math.sqrt(4))


def test_typeless_jobs_look_like_the_published_file(traces: Path) -> None:
    """lublin_256 is another run of the authors' program, by other people."""
    theirs = swfx.read(traces / "lublin_256.swf.gz", cleaning="none").workload
    ours = LublinModel(machine_size=256, mode="typeless").generate(100_000, seed=1).workload

    limit = 1.95 * math.sqrt((len(theirs) + len(ours)) / (len(theirs) * len(ours)))
    assert distance(theirs.size, ours.size) < limit
    assert distance(theirs.run, ours.run) < limit
    assert distance(np.diff(theirs.submit), np.diff(ours.submit)) < limit


def test_start_hour_turns_the_cycle() -> None:
    at_noon = LublinModel(start_hour=12, mode="typeless").generate(JOBS, 3).workload
    at_midnight = LublinModel(mode="typeless").generate(JOBS, 3).workload

    turned = np.roll(slot_shares(at_noon), 24)

    assert turned == pytest.approx(slot_shares(at_midnight), abs=0.004)
    assert abs(turned - slot_shares(at_noon)).max() > 0.02


def test_lagging_clock_cuts_every_gap_to_whole_seconds() -> None:
    exact = LublinModel(mode="batch").generate(20_000, 4).workload.submit
    lagging = LublinModel(mode="batch", clock="lagging").generate(20_000, 4).workload.submit

    gap_difference = np.diff(exact) - np.diff(lagging)

    assert set(gap_difference.tolist()) == {0.0, 1.0}
    assert (exact[-1] - lagging[-1]) / 20_000 == pytest.approx(0.5, abs=0.01)


def test_lagging_clock_flattens_the_printed_cycle() -> None:
    exact = LublinModel(mode="typeless").generate(JOBS, 1).workload
    lagging = LublinModel(mode="typeless", clock="lagging").generate(JOBS, 1).workload

    # model specification A.6: peak slot share 2.3 % instead of 3.8 %
    assert slot_shares(exact).max() == pytest.approx(0.038, abs=0.002)
    assert slot_shares(lagging).max() == pytest.approx(0.023, abs=0.002)


def test_output_is_what_the_model_says() -> None:
    workload, notes = LublinModel(machine_size=256).generate(1000, seed=7)

    assert (np.diff(workload.submit) >= 0).all()
    assert (workload.submit == np.floor(workload.submit)).all()
    assert (workload.processors <= 256).all()
    assert set(workload.queue.tolist()) == {0, 1}
    assert (workload.status == 1).all()
    assert (workload.wait == -1).all()
    assert (workload.requested_time == -1).all()
    assert workload.job_id.tolist() == list(range(1, 1001))
    header = workload.header
    assert (header.max_procs, header.max_nodes, header.unix_start_time) == (256, 256, 0)
    assert header.get("MaxJobs") == "1000"
    assert header.get("Note") == (
        "model:lublin,jobs=1000,seed=7,machine_size=256,mode=mixed,start_hour=0,clock=continuous,"
        "gap_scale=1"
    )
    assert notes[0] == "0 jobs cut to the machine's 256 processors"


def test_powers_of_two_above_the_machine_are_cut_and_counted() -> None:
    model = LublinModel(machine_size=100, mode="batch")

    workload, notes = model.generate(20_000, seed=1)

    # P(128 | power kind) = 1 - F(6.5), F two-stage uniform up to log2(100)
    expected = 20_000 * 0.6686 * 0.125 * (math.log2(100) - 6.5) / 2.5
    cut = int(notes[0].split()[0])
    assert cut == pytest.approx(expected, abs=4 * math.sqrt(expected))
    assert workload.processors.max() == 100
    assert np.count_nonzero(workload.processors == 100) >= cut


@pytest.mark.parametrize("mode", ["mixed", "batch", "interactive", "typeless"])
@pytest.mark.parametrize("clock", ["continuous", "lagging"])
def test_the_first_jobs_do_not_depend_on_how_many_follow(mode: str, clock: str) -> None:
    model = LublinModel(mode=mode, clock=clock)

    few = model.generate(500, seed=1).workload
    many = model.generate(50_000, seed=1).workload

    for name in ("submit", "run", "processors", "queue"):
        assert getattr(many, name)[:500].tolist() == getattr(few, name).tolist()


def test_same_seed_same_workload_other_seed_another() -> None:
    model = LublinModel()

    first = model.generate(2000, seed=1).workload
    model.generate(10, seed=9)

    assert model.generate(2000, seed=1).workload == first
    assert model.generate(2000, seed=1).workload.digest() == first.digest()
    assert model.generate(2000, seed=2).workload.submit.tolist() != first.submit.tolist()


def test_mixed_mode_merges_the_streams_of_its_classes() -> None:
    mixed = LublinModel().generate(30_000, seed=5).workload
    batch = LublinModel(mode="batch").generate(30_000, seed=5).workload

    of_batch = mixed[mixed.queue == 1]

    assert of_batch.submit.tolist() == batch.submit[: len(of_batch)].tolist()
    assert of_batch.run.tolist() == batch.run[: len(of_batch)].tolist()


def test_gap_scale_stretches_time_and_keeps_the_jobs() -> None:
    slow = LublinModel(mode="typeless").generate(JOBS, seed=1).workload
    fast = LublinModel(mode="typeless", gap_scale=0.5).generate(JOBS, seed=1).workload

    assert fast.submit[-1] / slow.submit[-1] == pytest.approx(0.5, abs=0.001)
    assert fast.run.tolist() == slow.run.tolist()
    assert slot_shares(fast) == pytest.approx(slot_shares(slow), abs=0.004)


def test_options_make_the_same_model_again() -> None:
    model = LublinModel(machine_size=512, mode="batch", gap_scale=0.1, batch=PUBLISHED["batch"])

    options = model.to_options()

    assert options["batch.u_hi"] == "7"
    assert LublinModel.from_options(options) == model


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"machine_size": 0}, "lublin: field machine_size: 0 is out of bounds; give 1 to"),
        ({"machine_size": 12.5}, "lublin: field machine_size: 12.5 is not a whole number"),
        ({"machine_size": 8}, "take at least 12 processors"),
        ({"start_hour": 24}, "lublin: field start_hour: 24 is out of bounds; give 0 to 23"),
        ({"mode": "typless"}, "field mode: no mode is named 'typless'; did you mean 'typeless'?"),
        ({"clock": "exact"}, "field clock: no clock is named 'exact'; known: continuous, lagging"),
        ({"gap_scale": 0.0}, "field gap_scale: 0 is out of bounds; give 1e-06 to 1e+06"),
    ],
)
def test_refuses_options_out_of_bounds(options: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError) as error:
        LublinModel(**options)

    assert message in str(error.value)


@pytest.mark.parametrize(
    ("jobs", "seed", "message"),
    [
        (0, 1, "lublin: field jobs: 0 is out of bounds; give 1 to"),
        (10**9, 1, "lublin: field jobs: 1e+09 is out of bounds; give 1 to 1e+08"),
        (10, -1, "lublin: field seed: -1 is out of bounds; give 0 to"),
        (2.5, 1, "lublin: field jobs: 2.5 is not a whole number"),
    ],
)
def test_refuses_jobs_and_seeds_out_of_bounds(jobs: int, seed: int, message: str) -> None:
    with pytest.raises(InputError) as error:
        LublinModel().generate(jobs, seed)

    assert message in str(error.value)


def test_changes_of_one_class_are_made_together() -> None:
    options = {"batch.power_of_two": "0.9", "batch.serial": "0.1"}

    changed = LublinModel.from_options(options).batch

    assert (changed.power_of_two, changed.serial) == (0.9, 0.1)
