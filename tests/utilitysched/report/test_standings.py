"""Verdicts of experiments: who wins, what is not certain, and one table of ratios."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import pytest

from tests.utilitysched.experiments.small import small
from utilitysched.analysis.metrics.catalogue import METRICS
from utilitysched.analysis.statistics import pairs_needed
from utilitysched.experiments.cell import CellResult
from utilitysched.experiments.grid import FinishedCell
from utilitysched.experiments.results import ExperimentResult, experiment_result
from utilitysched.report.experiment import experiment_page
from utilitysched.report.experiment_tables import experiment_tables
from utilitysched.report.standings import lead_sentences, overview_tables
from utilitysched.report.templating import page

TEXT = """\
name = "races"
[[workload]]
source = "model:lublin,jobs=40,machine_size=64,seed=3"
[utilities]
seeds = [1, 2, 3, 4, 5, 6]
[schedulers]
names = ["easy", "saf", "spf"]
[report]
metrics = ["aggregate_utility"]
"""
TWO = TEXT.replace("[utilities]", 'apply = [[], ["accurate"]]\n[utilities]')
EASY = np.array([100.0, 110.0, 120.0, 90.0, 105.0, 95.0])
NOISE = np.array([1.0, -1.0, 2.0, -2.0, 0.5, 0.0])
LITTLE = np.array([0.0, 0.3, -0.2, 0.1, -0.1, 0.2])


def measured(
    folder: Path,
    values: Mapping[str, Sequence[float]],
    text: str = TEXT,
    there: Mapping[str, Sequence[float]] | None = None,
) -> ExperimentResult:
    """A metric by scheduler and draw, the same for all; other values where requests are exact.

    No job is killed.
    """
    experiment, entries = small(folder, text)
    cells = []
    for entry in entries:
        by_scheduler = there if there and entry.circumstances.apply else values
        value = float(by_scheduler[entry.scheduler][entry.circumstances.utility_seed - 1])
        metrics = dict.fromkeys(METRICS, value) | {"jobs_cut_short": 0.0}
        cells.append(FinishedCell(entry, CellResult(metrics)))
    return experiment_result(experiment, cells, wanted=len(cells))


def test_a_winner_is_named_with_its_interval(tmp_path: Path) -> None:
    result = measured(
        tmp_path, {"easy": EASY, "saf": 1.3 * EASY + LITTLE, "spf": 1.1 * EASY + LITTLE}
    )

    first, second = lead_sentences(result)

    assert first == "Aggregate utility: saf wins with 30.0% more than easy [+29.8%, +30.3%]."
    assert second == "All differences from the leader are more than chance."


def test_what_is_not_certain_has_a_number_of_draws(tmp_path: Path) -> None:
    values = {"easy": EASY, "saf": 1.30 * EASY + NOISE, "spf": 1.295 * EASY - NOISE}
    result = measured(tmp_path, values)
    rival = result.places[0].metrics[0].rivals["spf"]

    first, second = lead_sentences(result)

    assert first.startswith("Aggregate utility: no certain winner; saf leads with 30.1% more than")
    assert second == (
        f"Not certain: whether saf is ahead of spf (about {pairs_needed(rival)} draws would settle "
        "it); 6 draws were run."
    )


def test_the_baseline_wins_over_the_next(tmp_path: Path) -> None:
    values = {"easy": EASY, "saf": 0.8 * EASY + LITTLE, "spf": 0.5 * EASY + LITTLE}

    first, _ = lead_sentences(measured(tmp_path, values))

    assert first.startswith("Aggregate utility: easy wins with 24.9% more than the next, saf [+24.")


def test_the_lowest_wins_where_lower_is_better(tmp_path: Path) -> None:
    values = {"easy": EASY, "saf": 0.8 * EASY + LITTLE, "spf": 0.5 * EASY + LITTLE}
    result = measured(tmp_path, values, TEXT.replace("aggregate_utility", "wait_mean"))

    first, _ = lead_sentences(result)

    assert first.startswith("Mean wait: spf wins with 50.0% less than easy [-50.")


def test_equals_have_no_winner(tmp_path: Path) -> None:
    result = measured(tmp_path, {"easy": EASY, "saf": EASY, "spf": 0.5 * EASY + LITTLE})

    assert lead_sentences(result) == [
        "Aggregate utility: no winner; easy and saf are equal in all 6 draws.",
        "Not certain: whether easy is ahead of saf (equal in all 6 draws); 6 draws were run.",
    ]


def test_where_even_ten_thousand_draws_would_not_do_the_largest_difference_is_named(
    tmp_path: Path,
) -> None:
    tiny = EASY + np.array([1.0, -1.0, 1.0, -1.0, 1.0, -0.9999])
    result = measured(tmp_path, {"easy": EASY, "saf": 0.5 * EASY + LITTLE, "spf": tiny})

    _, second = lead_sentences(result)

    assert re.search(r"easy \(over 10,000 draws; they differ by at most 1[.]\d%\)", second)


def test_draws_that_change_nothing_leave_no_doubt(tmp_path: Path) -> None:
    same = {"easy": [10.0] * 6, "saf": [5.0] * 6, "spf": [8.0] * 6}
    result = measured(tmp_path, same, TEXT.replace("aggregate_utility", "wait_mean"))

    assert lead_sentences(result) == [
        "Mean wait: saf wins with 50.0% less than easy, the same in all 6 draws.",
        "All differences from the leader are more than chance.",
    ]
    (table,) = overview_tables(result)
    assert [row[1] for row in table.texts()] == ["1 (10.00 s)", "**= 0.5000", "= 0.8000"]
    assert "?" not in table.notes[1]


def test_two_draws_test_nothing(tmp_path: Path) -> None:
    values = {"easy": EASY, "saf": 1.3 * EASY, "spf": 1.1 * EASY}
    result = measured(tmp_path, values, TEXT.replace(", 3, 4, 5, 6", ""))

    assert lead_sentences(result) == [
        (
            "Aggregate utility: no certain winner; saf leads with 30.0% more than easy (2 draws, "
            "no test)."
        ),
        "Not certain: any difference from saf; a test needs at least 3 draws: 2 here.",
    ]
    (table,) = overview_tables(result)
    assert "bracket" not in " ".join(table.notes)


def test_who_earns_less_than_nothing_can_be_beaten(tmp_path: Path) -> None:
    """No ratio to spf is defined: saf is tested against it by the difference."""
    values = {"easy": EASY, "saf": 1.3 * EASY + LITTLE, "spf": -0.2 * EASY + LITTLE}
    result = measured(tmp_path, values)

    first, second = lead_sentences(result)

    assert first.startswith("Aggregate utility: saf wins with 30.0% more than easy")
    assert second == "All differences from the leader are more than chance."
    (table,) = overview_tables(result)
    assert table.texts()[2][1].startswith("-0.1995 [")


def test_the_leader_beside_the_baseline_reads_the_same_in_sentence_and_table(
    tmp_path: Path,
) -> None:
    generator = np.random.default_rng(1)
    for _ in range(8):
        values = {
            "easy": EASY,
            "saf": EASY * generator.normal(1.05, 0.03, 6),
            "spf": EASY * 0.9,  # in all the same: one test fewer beside easy than beside saf
        }
        (one,) = measured(tmp_path, values).places[0].metrics
        if one.leader == "saf":
            here, there = one.by_scheduler["saf"], one.rivals["easy"]
            assert here.tests == there.tests
            assert here.interval == pytest.approx(there.interval)
            assert here.is_certain == there.is_certain


def test_winners_are_counted_where_there_are_several_settings(tmp_path: Path) -> None:
    here = {"easy": EASY, "saf": 1.3 * EASY + LITTLE, "spf": 1.1 * EASY + LITTLE}
    there = {"easy": EASY, "saf": EASY + NOISE, "spf": EASY - NOISE}
    result = measured(tmp_path, here, TWO, there)

    first, second = lead_sentences(result)

    assert first.startswith(
        "Aggregate utility: saf wins in 1 of 2 settings (no apply), +30.0% [+29."
    )
    assert first.endswith("beside easy; no certain winner in 1.")
    assert second.startswith("Not certain: 2 of 4 differences from the leader; ")
    (table,) = overview_tables(result)
    assert [text.split(" ")[0] for text in table.texts()[1][1:]] == ["**", "*?"]


def test_the_table_marks_what_is_best_and_what_could_be_chance(tmp_path: Path) -> None:
    values = {"easy": EASY, "saf": 1.3 * EASY + LITTLE, "spf": EASY + NOISE}

    (table,) = overview_tables(measured(tmp_path, values))

    easy, saf, spf = table.texts()
    assert easy == ["easy", "1 (103.3 SU)"]
    assert saf[1].startswith("** 1.300")
    assert spf[1].startswith("? 1.00")
    column = table.columns[1]
    assert [column.style(row[1]) for row in table.rows] == ["", "best", "chance"]


def test_the_table_has_the_fewer_of_schedulers_and_settings_across(tmp_path: Path) -> None:
    values = {"easy": EASY, "saf": 1.3 * EASY + LITTLE, "spf": EASY + NOISE}
    loads = '["accurate"], ["scale-load:load=0.8"], ["scale-load:load=0.9"]'
    text = TWO.replace('["accurate"]', loads)

    (few,) = overview_tables(measured(tmp_path, values, TWO))
    (many,) = overview_tables(measured(tmp_path, values, text))

    assert [column.name for column in few.columns] == ["scheduler", "no apply", "apply accurate"]
    assert [column.name for column in many.columns] == ["setting", "easy", "saf", "spf"]
    assert len(many.rows) == 4


def test_interval_and_mark_never_contradict_each_other(tmp_path: Path) -> None:
    """The texts, rounded, include 1 exactly where a difference could be chance."""
    generator = np.random.default_rng(0)
    for _ in range(8):
        values = {
            "easy": EASY,
            "saf": EASY * generator.normal(1.01, 0.01, 6),
            "spf": EASY * generator.normal(1.03, 0.02, 6),
        }
        (table,) = overview_tables(measured(tmp_path, values))
        for text in (row[1] for row in table.texts()[1:]):
            low, high = map(float, text[text.index("[") + 1 : -1].split(", "))
            assert ("?" in text) == (low <= 1 <= high)


def test_a_page_shows_verdict_table_and_chart_and_folds_the_rest(tmp_path: Path) -> None:
    values = {"easy": EASY, "saf": 1.3 * EASY + LITTLE, "spf": EASY + NOISE}
    result = measured(tmp_path, values)

    description = experiment_page(result, experiment_tables(result))
    text = page(description)

    assert [panel.key for panel in description.panels] == ["table-1", "intervals-aggregate_utility"]
    shown, details = text[: text.index("<details")], text[text.index("<details") :]
    assert shown.count("<table") == 1
    assert details.count("<details") == len(description.folded) == 3
    assert re.search('<td class="best"[^>]*>[*][*] 1.300', shown)
    assert re.search('<td class="chance"[^>]*>[?] 1.00', shown)


def test_no_verdict_where_nothing_is_compared(tmp_path: Path) -> None:
    values = {"easy": EASY, "saf": EASY, "spf": EASY}
    result = measured(tmp_path, values, TEXT + "compare = []\n")

    assert lead_sentences(result) == overview_tables(result) == []
    assert [p.key for p in experiment_page(result, experiment_tables(result)).panels] == ["table-1"]
