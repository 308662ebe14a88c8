from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from swfx import InputError, UtilityFunction, Workload
from swfx.families.generators import MissingWaits, UtilitySpec, attach_utilities, needs_waits
from swfx.families.generators.utilities import draw_start_values
from tests.scale import many

JOBS = 60_000
SECONDS = st.integers(0, 10**7).map(float)


def log(jobs: int = JOBS, **columns: Any) -> Workload:
    """Jobs of 2 processors that asked for an hour, waited 300 s and ran 700 s; queues 1, 2, 3."""
    everything = {
        "submit": np.arange(jobs),
        "wait": np.full(jobs, 300.0),
        "run": np.full(jobs, 700.0),
        "processors": np.full(jobs, 2),
        "requested_time": np.full(jobs, 3600.0),
        "queue": 1 + np.arange(jobs) % 3,
    } | columns
    return Workload.from_columns(**everything)


def curves(text: str, points: int, seed: int = 1) -> tuple[np.ndarray, np.ndarray]:
    """Times and values of curves that all have this many points, shape (n, points)."""
    table = attach_utilities(log(), UtilitySpec.from_text(text), seed).utility
    return table.times.reshape(-1, points), table.values.reshape(-1, points)


@st.composite
def logs(draw: st.DrawFn) -> Workload:
    rows = draw(
        st.lists(
            st.tuples(SECONDS, SECONDS, SECONDS, st.integers(1, 10**5), st.integers(-1, 40)),
            min_size=1,
            max_size=30,
        )
    )
    wait, run, request, size, queue = (list(column) for column in zip(*rows, strict=True))
    return Workload.from_columns(
        submit=np.arange(len(rows)),
        wait=wait,
        run=run,
        requested_time=request,
        processors=size,
        queue=queue,
    )


SPECS = st.builds(
    UtilitySpec,
    factor=st.floats(1e-3, 1e3),
    base=st.sampled_from(["wait", "turnaround", "request"]),
    linear=st.floats(0, 1),
    exponential=st.floats(0, 1),
    step=st.floats(0.1, 1),
    points=st.integers(0, 40),
    globmax=st.floats(1e-6, 1e3),
    deviation=st.none() | st.floats(0, 1e3),
    epsilon=st.floats(1e-9, 1),
)


@settings(max_examples=many(200))
@given(logs(), SPECS, st.integers(0, 2**40))
def test_every_curve_is_valid_and_ends_in_nothing(
    w: Workload, spec: UtilitySpec, seed: int
) -> None:
    made = attach_utilities(w, spec, seed)

    beside = {"wait": 0 * w.run, "turnaround": w.run, "request": w.request}
    base = w.wait + beside[spec.base]
    for job in range(len(w)):
        curve = made.utility[job]
        assert isinstance(curve, UtilityFunction)
        assert curve.times[0] == 0
        assert (np.diff(curve.times) > 0).all()
        assert (np.diff(curve.values) <= 0).all()
        assert (curve.values >= 0).all()
        assert curve.deadline == max(spec.factor * base[job], 10.0)
        assert curve(curve.deadline) == 0
        assert curve(np.nextafter(curve.deadline, math.inf)) == 0
        assert (curve.start_value > 0) == (w.request[job] > 0)


@given(logs(), st.integers(0, 2**40))
def test_same_seed_same_workload(w: Workload, seed: int) -> None:
    assert attach_utilities(w, seed=seed) == attach_utilities(w, seed=seed)
    assert attach_utilities(w, seed=seed).digest() == attach_utilities(w, seed=seed).digest()


def test_numbers_of_numpy_are_numbers() -> None:
    spec = UtilitySpec(points=np.int64(4))

    assert attach_utilities(log(5), spec, seed=np.int64(3)) == attach_utilities(log(5), seed=3)


def test_another_seed_is_another_draw() -> None:
    first = attach_utilities(log(10), seed=1).utility

    assert first != attach_utilities(log(10), seed=2).utility


def test_beliefs_are_run_times_with_noise_up_to_the_request() -> None:
    table = attach_utilities(log(), UtilitySpec.from_text("base=belief,sigma=1"), seed=1).utility
    believed = table.times[table.offsets[1:] - 1] / 2 - 300

    assert believed.max() == 3600  # 700 s times exp(1.64), the request: beyond it lie 5%
    assert np.mean(believed == 3600) == pytest.approx(0.051, abs=4 * 0.22 / math.sqrt(JOBS))
    below = [np.mean(believed < 700 * math.exp(z)) for z in (-1, 0, 1)]
    assert below == pytest.approx([0.159, 0.5, 0.841], abs=4 * 0.5 / math.sqrt(JOBS))


def test_the_base_of_deadlines_leaves_all_other_draws_alone() -> None:
    first, second = (
        attach_utilities(log(), UtilitySpec.from_text(f"base={base}"), seed=1).utility
        for base in ("turnaround", "belief,sigma=2")
    )
    owner = np.repeat(np.arange(JOBS), first.points)
    ends = [table.times[table.offsets[1:] - 1][owner] for table in (first, second)]

    assert first.values.tolist() == second.values.tolist()
    smooth = first.points[owner] == 6
    assert (first.times / ends[0])[smooth] == pytest.approx((second.times / ends[1])[smooth])


def test_decay_types_come_in_their_shares() -> None:
    table = attach_utilities(
        log(), UtilitySpec.from_text("linear=1,exponential=1,step=2,points=1")
    ).utility

    steps = np.mean(table.points == 5)

    assert steps == pytest.approx(0.5, abs=4 * 0.5 / math.sqrt(JOBS))


def test_a_third_of_each_type_by_default() -> None:
    table = attach_utilities(log()).utility

    assert np.mean(table.points == 5) == pytest.approx(1 / 3, abs=0.008)


@pytest.mark.parametrize(
    ("text", "deadline"),
    [
        ("factor=2", 2000.0),
        ("factor=3,base=turnaround", 3000.0),
        ("factor=2,base=wait", 600.0),
        ("factor=0.001,base=wait", 10.0),
        ("factor=2,base=request", 7800.0),
        ("factor=2,base=belief,sigma=0", 2000.0),
    ],
)
def test_deadline_is_a_multiple_of_its_base(text: str, deadline: float) -> None:
    table = attach_utilities(log(50), UtilitySpec.from_text(text)).utility

    assert table.times[table.offsets[1:] - 1].tolist() == [deadline] * 50


def test_given_waits_replace_logged_ones() -> None:
    table = attach_utilities(log(2), waits=[0, 800]).utility

    assert table.times[table.offsets[1:] - 1].tolist() == [1400, 3000]


def test_start_values_are_normal_about_the_centre_of_the_bin() -> None:
    start = attach_utilities(log(), UtilitySpec(globmax=0.6)).utility.start_values
    per_minute = start / (2 * 60)

    urgent, middle, low = (per_minute[queue::3] for queue in range(3))

    # bins of 0.2, standard deviation 0.1; the lowest is cut at 0, one deviation below its mean
    error = 4 * 0.1 / math.sqrt(JOBS / 3)
    assert urgent.mean() == pytest.approx(0.5, abs=error)
    assert middle.mean() == pytest.approx(0.3, abs=error + 0.001)
    density, share = math.exp(-0.5) / math.sqrt(2 * math.pi), 0.5 * (1 + math.erf(math.sqrt(0.5)))
    assert low.mean() == pytest.approx(0.1 + 0.1 * density / share, abs=error)
    assert urgent.std() == pytest.approx(0.1, rel=0.03)
    assert low.min() > 0


def test_deviation_zero_gives_the_centre_of_the_bin() -> None:
    made = attach_utilities(log(3), UtilitySpec(globmax=0.6, deviation=0.0))

    assert made.utility.start_values == pytest.approx([60, 36, 12])


def test_priorities_are_ranked_over_the_classes_that_occur() -> None:
    w = log(3, queue=[5, 0, 5])

    made = attach_utilities(w, UtilitySpec(globmax=0.6, deviation=0.0))

    assert made.utility.start_values == pytest.approx([18, 54, 18])


def test_given_number_of_classes_takes_them_as_they_are() -> None:
    w = log(3, queue=[5, 0, 5])

    made = attach_utilities(w, UtilitySpec(globmax=0.6, deviation=0.0, classes=6))

    assert made.utility.start_values == pytest.approx([6, 66, 6])


def test_queues_get_the_classes_given() -> None:
    w = log(2, queue=[1, 2])

    made = attach_utilities(w, UtilitySpec(globmax=0.6, deviation=0.0), classes={1: 2, 2: 1})

    assert made.utility.start_values == pytest.approx([18, 54])


def test_linear_curves_follow_their_law() -> None:
    times, values = curves("linear=1,points=3", points=5)

    start = values[:, :1]
    assert (times / 2000).mean(axis=0) == pytest.approx([0, 0.25, 0.5, 0.75, 1], abs=0.004)
    assert (values / start).mean(axis=0) == pytest.approx([1, 0.75, 0.5, 0.25, 0], abs=0.004)


def test_exponential_curves_follow_their_law() -> None:
    times, values = curves("exponential=1,points=3", points=5)

    shares = values / values[:, :1]
    assert (times / 2000).mean(axis=0) == pytest.approx([0, 0.25, 0.5, 0.75, 1], abs=0.004)
    assert shares.mean(axis=0) == pytest.approx([1, 0.5, 0.25, 0.125, 0], abs=0.005)
    assert (shares[:, 2] / shares[:, 1]).std() == pytest.approx(math.sqrt(1 / 12), abs=0.003)


def test_step_curves_follow_their_law() -> None:
    times, values = curves("step=1,epsilon=0.5", points=5)

    assert (times[:, 1] / 2000).mean() == pytest.approx(0.5, abs=0.005)
    assert (values[:, 2] / values[:, 0]).mean() == pytest.approx(0.5, abs=0.005)
    assert (times[:, 2] - times[:, 1]) == pytest.approx(np.full(JOBS, 0.5))
    assert (times[:, 4] - times[:, 3]) == pytest.approx(np.full(JOBS, 0.5))
    assert (values[:, 1] == values[:, 0]).all()
    assert (values[:, 3] == values[:, 2]).all()


def test_purposes_have_streams_of_their_own() -> None:
    plain = attach_utilities(log(500), UtilitySpec(), seed=3).utility
    other = attach_utilities(log(500), UtilitySpec(factor=5, points=2, step=4), seed=3).utility

    assert other.start_values.tolist() == plain.start_values.tolist()
    assert other != plain


def test_start_values_are_drawn_alone_too() -> None:
    spec = UtilitySpec(globmax=0.7, deviation=0.2, classes=6)

    alone = draw_start_values(log(500), spec, 3, {1: 5})

    attached = attach_utilities(log(500), spec, 3, classes={1: 5}).utility
    assert alone.tolist() == attached.start_values.tolist()


def test_header_says_how_the_curves_were_made() -> None:
    w = log(4, wait=[300, -1, -1, 5])

    made = attach_utilities(w, UtilitySpec(factor=3), seed=11)

    assert made.header.get("UtilityModel") == (
        "LEE 2.6: factor=3,base=turnaround,linear=1,exponential=1,step=1,points=4,"
        "globmax=0.03333333333333333,epsilon=0.001; seed 11; waits logged (2 missing, counted as 0)"
    )
    given = attach_utilities(w, waits=[1, 2, 3, 4])
    assert str(given.header.get("UtilityModel")).endswith("; seed 0; waits given")


def test_a_missing_wait_among_known_ones_counts_as_none() -> None:
    table = attach_utilities(log(2, wait=[300, -1])).utility

    assert table.times[table.offsets[1:] - 1].tolist() == [2000, 1400]


def test_utilities_are_replaced() -> None:
    once = attach_utilities(log(5), seed=1)

    assert attach_utilities(once, seed=2).utility == attach_utilities(log(5), seed=2).utility
    assert len(attach_utilities(once, seed=2).header.all("UtilityModel")) == 1


def test_an_empty_workload_stays_empty() -> None:
    empty = log(3)[:0]

    assert not needs_waits(empty)
    assert len(attach_utilities(empty).utility) == 0


def test_a_log_without_waits_needs_them() -> None:
    w = log(3, wait=[-1, -1, -1])

    assert needs_waits(w)
    assert not needs_waits(log(3, wait=[-1, 0, -1]))
    with pytest.raises(MissingWaits) as error:
        attach_utilities(w)
    assert str(error.value) == (
        "field wait: none of the 3 jobs has a logged wait;"
        " simulate the workload once and give the waits of that schedule"
    )
    assert attach_utilities(w, waits=[1, 2, 3]).has_utilities


@pytest.mark.parametrize(
    ("columns", "options", "message"),
    [
        ({}, {"waits": [1.0]}, "field waits: has shape (1,) for 3 jobs"),
        ({}, {"waits": [1.0, math.nan, 2.0]}, "field waits: nan at position 1 is no wait; give"),
        ({}, {"waits": [1.0, 2.0, -1.0]}, "field waits: -1.0 at position 2 is no wait; give"),
        ({}, {"seed": -1}, "utilities: field seed: -1 is out of bounds; give 0 to"),
        ({}, {"seed": 1.5}, "utilities: field seed: 1.5 is not a whole number"),
        (
            {"processors": [1, -1, 1]},
            {},
            "field processors: job at position 1 has no processors; read the log with standard",
        ),
        (
            {"queue": [1, 2, 5]},
            {"spec": UtilitySpec(classes=5)},
            "field classes: 5 classes are 0 to 4, but a job has class 5; give classes=6 or more",
        ),
        (
            {"processors": [2**40, 1, 1]},
            {"spec": UtilitySpec(globmax=1e9)},
            "SU is beyond the limit of 2^53 = 9007199254740992; give a smaller globmax",
        ),
        (
            {"run": [2.0**50, 1, 1]},
            {"spec": UtilitySpec(factor=1e6)},
            "s is beyond the limit of 2^53 = 9007199254740992; give a smaller factor",
        ),
    ],
)
def test_refusals(columns: dict[str, Any], options: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError) as error:
        attach_utilities(log(3, **columns), **options)

    assert message in str(error.value)
