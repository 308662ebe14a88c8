"""Loads of known applications."""

from __future__ import annotations

import numpy as np
import pytest

from swfx import InputError, open_workload
from swfx.families.generators import ApplicationsModel
from swfx.heatmap import find_heatmap


def test_jobs_have_the_size_and_compact_time_of_their_application() -> None:
    aris = find_heatmap("aris")

    workload = open_workload("model:applications,jobs=300,seed=5").workload

    rows = workload.executable - 1
    assert workload.size.tolist() == aris.processes[rows].tolist()
    assert workload.run.tolist() == aris.compact[rows].tolist()
    assert workload.requested_time.tolist() == np.round(1.4 * workload.run, 3).tolist()
    assert workload.header.names("Executable")[3] == "bt.D.64"
    assert workload.submit.tolist() == [0.0] * 300
    assert len(np.unique(rows)) == 33


def test_frequencies_are_those_asked_for() -> None:
    model = ApplicationsModel(frequency=(("bt.D.64", 3.0), ("ep.E.256", 1.0)))

    drawn = model.generate(20_000, seed=1).workload.executable

    assert set(drawn.tolist()) == {3, 11}
    assert np.mean(drawn == 3) == pytest.approx(0.75, abs=0.01)


def test_requests_are_so_many_times_as_long_as_jobs() -> None:
    exact, twice = (
        open_workload(f"model:applications,jobs=9,request={request}").workload for request in (1, 2)
    )

    assert exact.requested_time.tolist() == exact.run.tolist()
    assert twice.requested_time.tolist() == (2 * twice.run).tolist()


def test_programs_can_have_their_names_in_the_table() -> None:
    model = ApplicationsModel(frequency=(("bt.D.512", 1.0),))

    assert model.generate(3, seed=1).workload.size.tolist() == [484] * 3


def test_a_list_is_taken_in_turn() -> None:
    found = open_workload("model:applications,jobs=5,list=bt.D.64,ep.E.256").workload

    assert found.executable.tolist() == [3, 11, 3, 11, 3]


@pytest.mark.parametrize(
    ("arrivals", "deviation"),
    # of gaps of mean 10: uniform up to 20 has 20 / sqrt(12), exponential 10, Weibull of shape 2
    # 10 sqrt(gamma(2) / gamma(1.5)^2 - 1)
    [("constant", 0.0), ("uniform", 5.774), ("poisson", 10.0), ("weibull", 5.227)],
)
def test_gaps_have_the_mean_and_spread_of_their_law(arrivals: str, deviation: float) -> None:
    model = ApplicationsModel(arrivals=arrivals, shape=2.0)

    gaps = np.diff(model.generate(40_000, seed=2).workload.submit)

    assert gaps.mean() == pytest.approx(10.0, abs=0.15)
    assert gaps.std() == pytest.approx(deviation, abs=0.25)


def test_texts_make_the_same_model() -> None:
    model = ApplicationsModel(
        machine_size=9000,
        frequency=(("bt.D.64", 2.0),),
        list=("bt.D.64", "ep.E.256"),
        arrivals="weibull",
        gap=5.0,
        shape=0.5,
        request=2.0,
    )

    assert ApplicationsModel.from_options(model.to_options()) == model
    assert set(model.to_options()) == set(model.option_names())


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("list=bt.D.65", "no application is named 'bt.D.65'"),
        ("frequency=bt.D.64", "'bt.D.64' has no frequency"),
        ("frequency=bt.D.64:0", "all frequencies are 0"),
        ("machine_size=1000", "has more than 1000 processes"),
        ("gap=60", "gap: jobs that come at once have no gaps; add arrivals=poisson"),
        ("frequency=bt.D.64:-1", "frequency of bt.D.64"),
        ("request=0.5", "request: 0.5 is out of bounds; give 1 to 1000"),
    ],
)
def test_what_cannot_be_is_refused(text: str, message: str) -> None:
    with pytest.raises(InputError) as refused:
        open_workload(f"model:applications,{text}")

    assert message in str(refused.value)
