"""What is paired with what."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from tests.utilitysched.experiments.small import SMALL, small
from utilitysched.experiments.cell import CellResult
from utilitysched.experiments.comparisons import Compared, compared, described
from utilitysched.experiments.figure_names import FIGURES
from utilitysched.experiments.grid import Entry
from utilitysched.experiments.results import Finished
from utilitysched.experiments.specification import Experiment

GA = "ga:population=4,generations=2"


def rows(entries: list[Entry], utility: Mapping[str, float], wait: float = 5.0) -> list[Finished]:
    """Results by hand: utility by scheduler, more by draw and repeat; the wait knows no draw."""
    found = []
    for entry in entries:
        where = entry.circumstances
        earned = utility[entry.scheduler] * where.utility_seed + entry.seed
        figures = dict.fromkeys(FIGURES, 0.0)
        figures |= {"aggregate_utility": earned, "wait_mean": wait + int(where.jobs == "0:20")}
        found.append(Finished(entry, CellResult(figures)))
    return found


def by_figure(found: list[Compared]) -> dict[str, Compared]:
    return {one.figure: one for one in found}


@pytest.fixture
def experiment(tmp_path: Path) -> tuple[Experiment, list[Entry]]:
    return small(tmp_path)


def test_repeats_are_averaged_within_a_draw(experiment: tuple[Experiment, list[Entry]]) -> None:
    wanted, entries = experiment
    found = by_figure(compared(wanted, rows(entries, {"easy": 10, "fcfs": 5, GA: 20})))

    ga = found["aggregate_utility"].by_scheduler[GA]

    # 2 slices x 2 draws: 20 and 40, each with repeats 0 and 1 more, over 10 and 20
    assert ga.pairs == 4
    assert ga.mean == (20.5 + 40.5) / 2
    assert ga.ratio == (20.5 + 40.5) / (10 + 20)
    assert list(found["wait_mean"].by_scheduler) == ["easy", "fcfs", GA]


def test_draws_that_change_nothing_are_one_pair(
    experiment: tuple[Experiment, list[Entry]],
) -> None:
    wanted, entries = experiment
    found = by_figure(compared(wanted, rows(entries, {"easy": 10, "fcfs": 5, GA: 20})))

    assert found["aggregate_utility"].by_scheduler["fcfs"].pairs == 4
    assert found["wait_mean"].by_scheduler["fcfs"].pairs == 2
    assert found["wait_mean"].by_scheduler["fcfs"].mean == 5.5


def test_a_candidate_that_the_draws_change_keeps_its_pairs(
    experiment: tuple[Experiment, list[Entry]],
) -> None:
    wanted, entries = experiment
    made = rows(entries, {"easy": 10, "fcfs": 5, GA: 20})
    moved = [
        replace(result, figures={**result.figures, "wait_mean": float(i)})
        if entry.scheduler == GA
        else result
        for i, (entry, result) in enumerate(made)
    ]
    found = by_figure(
        compared(wanted, [Finished(e, r) for e, r in zip(entries, moved, strict=True)])
    )

    assert found["wait_mean"].by_scheduler[GA].pairs == 4
    assert found["wait_mean"].by_scheduler["fcfs"].pairs == 2


def test_what_is_separate_has_comparisons_of_its_own(tmp_path: Path) -> None:
    text = SMALL.replace("[report]", '[report]\nseparate = ["jobs"]')
    wanted, entries = small(tmp_path, text)

    found = compared(wanted, rows(entries, {"easy": 10, "fcfs": 5, GA: 20}))

    assert [(described(one.group), one.figure) for one in found] == [
        ("jobs 0:20", "aggregate_utility"),
        ("jobs 0:20", "wait_mean"),
        ("jobs 20:40", "aggregate_utility"),
        ("jobs 20:40", "wait_mean"),
    ]
    assert found[1].by_scheduler["easy"].mean == 6.0
    assert found[3].by_scheduler["easy"].mean == 5.0


def test_what_is_missing_is_left_out_and_told(
    experiment: tuple[Experiment, list[Entry]],
) -> None:
    wanted, entries = experiment
    made = rows(entries, {"easy": 10, "fcfs": 5, GA: 20})
    some = [row for row in made if row.entry.scheduler != "fcfs"][:-2]

    fcfs = by_figure(compared(wanted, some))["aggregate_utility"].by_scheduler["fcfs"]
    ga = by_figure(compared(wanted, some))["aggregate_utility"].by_scheduler[GA]

    assert (fcfs.pairs, fcfs.ratio) == (0, None)
    assert (ga.pairs, [each.reason for each in ga.left_out]) == (3, ["not run"])


def test_only_what_is_compared_has_a_p(tmp_path: Path) -> None:
    text = SMALL.replace("[report]", '[report]\ncompare = ["aggregate_utility"]').replace(
        "[1, 2]", "[1, 2, 3, 4]"
    )
    wanted, entries = small(tmp_path, text)
    made = rows(entries, {"easy": 10, "fcfs": 5, GA: 20})

    found = by_figure(compared(wanted, made))

    tested = found["aggregate_utility"].by_scheduler["fcfs"]
    assert (tested.p, tested.tests) == (pytest.approx(2 / 2**8), 2)
    assert found["aggregate_utility"].is_tested
    assert not found["wait_mean"].is_tested
    assert found["wait_mean"].by_scheduler["fcfs"].p is None
