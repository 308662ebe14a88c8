"""What a report says first."""

from __future__ import annotations

from typing import Any

from utilitysched.report.html.shown import Shown
from utilitysched.report.html.summary import headline

EASY = {
    "aggregate_utility": 1000.0,
    "aggregate_share": 0.4,
    "wait_mean": 3600.0,
    "wait_p50": 60.0,
    "wait_p100": 29 * 3600.0,
    "jobs_starved": 0,
}
DENSITY = EASY | {
    "aggregate_utility": 1106.0,
    "wait_mean": 7200.0,
    "wait_p100": 250 * 3600.0,
    "jobs_starved": 41,
}


def said(shown: Shown, *summaries: dict[str, Any]) -> list[str]:
    runs = [run._replace(summary=each) for run, each in zip(shown.runs, summaries, strict=False)]
    labels = ("easy", "value-density", "saf")[: len(runs)]
    return headline(Shown(runs, labels, shown.scale))


def test_a_run_is_told_beside_the_baseline(shown: Shown) -> None:
    [line] = said(shown, EASY, DENSITY)

    assert line == (
        "value-density earns 10.6% more than easy; mean wait 2 h instead of 1 h; longest wait "
        "10 d 10 h instead of 29 h; 41 jobs starved."
    )


def test_who_earns_most_is_first(shown: Shown) -> None:
    both = Shown([*shown.runs, shown.runs[0]], ["easy", "value-density", "saf"], shown.scale)

    lines = said(both, EASY, DENSITY, EASY | {"aggregate_utility": 2500.0})

    assert [line.split()[0] for line in lines] == ["saf", "value-density"]
    assert lines[0].startswith("saf earns 2.5 times as much as easy; mean wait 1 h in both; ")


def test_without_utility_functions_waits_are_told(shown: Shown) -> None:
    plain = [each | {"aggregate_utility": None} for each in (EASY, DENSITY)]

    [line] = said(shown, *plain)

    assert line.startswith("value-density beside easy: mean wait 2 h instead of 1 h; longest wait")


def test_a_single_run_is_told_by_itself(shown: Shown) -> None:
    [line] = said(shown, EASY)

    assert line == (
        "easy: earned 40.0% of what its jobs were worth when they were submitted; half of the "
        "jobs waited at most 1 min; the longest wait was 29 h; no job starved."
    )
