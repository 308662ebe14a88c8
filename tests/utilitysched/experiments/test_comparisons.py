"""What is paired with what."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.utilitysched.experiments.small import SMALL, small
from utilitysched.analysis.metrics.catalogue import METRICS
from utilitysched.experiments.cell import CellResult
from utilitysched.experiments.comparisons import MetricResult
from utilitysched.experiments.grid import FinishedCell, GridEntry
from utilitysched.experiments.results import experiment_result
from utilitysched.experiments.specification import Experiment

GA = "ga:population=4,generations=2"


def rows(
    entries: list[GridEntry], utility: Mapping[str, float], wait: float = 5.0
) -> list[FinishedCell]:
    """Results by hand: utility by scheduler, more by draw and repeat; the wait knows no draw."""
    found = []
    for entry in entries:
        where = entry.circumstances
        earned = utility[entry.scheduler] * where.utility_seed + entry.seed
        figures = dict.fromkeys(METRICS, 0.0)
        figures |= {"aggregate_utility": earned, "wait_mean": wait + int(where.jobs == "0:20")}
        found.append(FinishedCell(entry, CellResult(figures)))
    return found


def compared(wanted: Experiment, cells: list[FinishedCell]) -> dict[str, MetricResult]:
    """Metrics by name, of an experiment that keeps nothing apart."""
    (place,) = experiment_result(wanted, cells).places
    return {one.metric.name: one for one in place.metrics}


@pytest.fixture
def experiment(tmp_path: Path) -> tuple[Experiment, list[GridEntry]]:
    return small(tmp_path)


@pytest.fixture
def one_slice(tmp_path: Path) -> tuple[Experiment, list[GridEntry]]:
    return small(tmp_path, SMALL.replace('["0:20", "20:40"]', '"0:20"'))


def test_draws_on_several_workloads_are_one_pair_each(tmp_path: Path) -> None:
    """Two slices, one at 0.8 and one at 1.6: six draws cannot tell what a third slice is at."""
    wanted, entries = small(tmp_path, SMALL.replace("[1, 2]", "[1, 2, 3]"))
    made = []
    for entry in entries:
        share = {"0:20": 0.8, "20:40": 1.6}[entry.circumstances.jobs]
        earned = 100.0 + entry.circumstances.utility_seed
        figures = dict.fromkeys(METRICS, 0.0)
        figures["aggregate_utility"] = earned * (share if entry.scheduler == "fcfs" else 1.0)
        made.append(FinishedCell(entry, CellResult(figures)))

    found = compared(wanted, made)["aggregate_utility"]

    fcfs = found.by_scheduler["fcfs"]
    assert (fcfs.pairs, fcfs.ratio, fcfs.interval, fcfs.p) == (2, pytest.approx(1.2), None, None)
    assert found.remarks == (
        (
            "pairs: one per workload or slice, draws on it averaged; intervals and p are about "
            "other workloads like these"
        ),
    )


def test_draws_on_one_workload_are_said_to_be_about_it_alone(
    one_slice: tuple[Experiment, list[GridEntry]],
) -> None:
    wanted, entries = one_slice

    found = compared(wanted, rows(entries, {"easy": 10, "fcfs": 5, GA: 20}))

    assert found["aggregate_utility"].by_scheduler["fcfs"].pairs == 2
    assert found["aggregate_utility"].remarks == (
        (
            "pairs: draws on one workload (model:lublin,jobs=40,machine_size=64,seed=3 0:20); "
            "intervals "
            "and p are about other draws on this very workload, not about other workloads"
        ),
    )


def test_repeats_are_averaged_within_a_draw(experiment: tuple[Experiment, list[GridEntry]]) -> None:
    wanted, entries = experiment
    found = compared(wanted, rows(entries, {"easy": 10, "fcfs": 5, GA: 20}))

    ga = found["aggregate_utility"].by_scheduler[GA]

    # in each of 2 slices 2 draws: 20 and 40, each with repeats 0 and 1 more, over 10 and 20
    assert ga.pairs == 2
    assert ga.mean == (20.5 + 40.5) / 2
    assert ga.ratio == (20.5 + 40.5) / (10 + 20)
    assert list(found["wait_mean"].by_scheduler) == ["easy", "fcfs", GA]


def test_draws_that_change_nothing_say_the_same(
    one_slice: tuple[Experiment, list[GridEntry]],
) -> None:
    wanted, entries = one_slice
    found = compared(wanted, rows(entries, {"easy": 10, "fcfs": 5, GA: 20}))

    assert found["aggregate_utility"].by_scheduler["fcfs"].pairs == 2
    fcfs = found["wait_mean"].by_scheduler["fcfs"]
    assert (fcfs.pairs, fcfs.mean, fcfs.interval) == (2, 6.0, None)


def test_what_is_separate_has_comparisons_of_its_own(tmp_path: Path) -> None:
    text = SMALL.replace("[report]", '[report]\nseparate = ["jobs"]')
    wanted, entries = small(tmp_path, text)

    first, second = experiment_result(wanted, rows(entries, {"easy": 10, "fcfs": 5, GA: 20})).places

    assert (first.title, second.title) == ("jobs 0:20", "jobs 20:40")
    assert [one.metric.name for one in first.metrics] == ["aggregate_utility", "wait_mean"]
    assert first.metrics[1].by_scheduler["easy"].mean == 6.0
    assert second.metrics[1].by_scheduler["easy"].mean == 5.0


def test_what_is_missing_is_left_out_and_told(
    experiment: tuple[Experiment, list[GridEntry]],
) -> None:
    wanted, entries = experiment
    made = rows(entries, {"easy": 10, "fcfs": 5, GA: 20})
    some = [row for row in made if row.entry.scheduler != "fcfs"][:-2]

    fcfs = compared(wanted, some)["aggregate_utility"].by_scheduler["fcfs"]
    ga = compared(wanted, some)["aggregate_utility"].by_scheduler[GA]

    assert (fcfs.pairs, fcfs.ratio) == (0, None)
    assert (ga.pairs, [each.reason for each in ga.left_out]) == (2, ["not run"])
    assert str(ga.left_out[0].key) == (
        "model:lublin,jobs=40,machine_size=64,seed=3 20:40, utilities default, draw 2"
    )


def test_only_what_is_compared_has_a_p(tmp_path: Path) -> None:
    text = SMALL.replace("[report]", '[report]\ncompare = ["aggregate_utility"]').replace(
        "[1, 2]", "[1, 2, 3, 4, 5, 6, 7, 8]"
    )
    text = text.replace('["0:20", "20:40"]', '"0:20"')
    wanted, entries = small(tmp_path, text)
    made = rows(entries, {"easy": 10, "fcfs": 5, GA: 20})
    for i, row in enumerate(made):
        row.result.metrics["aggregate_utility"] += i % 3

    found = compared(wanted, made)

    tested = found["aggregate_utility"].by_scheduler["fcfs"]
    assert tested.p is not None
    assert (tested.corrected_p, tested.tests) == (2 * tested.p, 2)
    assert found["aggregate_utility"].is_tested
    assert not found["wait_mean"].is_tested
    assert found["wait_mean"].by_scheduler["fcfs"].p is None
