"""Runs beside each other, and comparisons with a baseline."""

from __future__ import annotations

import numpy as np
import pytest

from utilitysched.analysis.documents import ResultTable
from utilitysched.analysis.metrics import LEE_LEVELS
from utilitysched.analysis.statistics import (
    Comparison,
    Interval,
    Pairs,
    UnpairedRuns,
    compare,
    correct,
)
from utilitysched.model.schedule import Schedule
from utilitysched.report.comparison import (
    ComparedRun,
    ComparisonSetting,
    comparison_table,
    effort,
    print_comparison,
    print_effort,
)
from utilitysched.report.decision import some_generations
from utilitysched.report.terminal import print_table

LEE_4_1 = {
    "easy": ((0, 0, 5372, 59067, 116552), (1, 1, 1.55, 28, 131), 76, 1.16e9),
    "ga": ((0, 0, 822, 62758, 1355885), (1, 1, 1.12, 34, 2261), 148, 1.35e9),
}
EARNED = (0.904, 0.408, 0.00055, 0.0, 0.0)


def line(scheduler: str) -> ComparedRun:
    waits, factors, slowdown, utility = LEE_4_1[scheduler]
    summary: dict[str, object] = {
        "scheduler": scheduler,
        "bounded_slowdown_mean": float(slowdown),
        "aggregate_utility": utility,
        "utilisation": 0.703,
    }
    for name, values in (
        ("wait", waits),
        ("expansion_factor", factors),
        ("requested_expansion_factor", factors),
        ("start_value_share", EARNED),
    ):
        summary |= {f"{name}_p{level}": v for level, v in zip(LEE_LEVELS, values, strict=True)}
    return ComparedRun(summary, 43.21)


TABLE = """\
ga earns the most, 1,350,000,000.00 SU: 16.4% more than easy.
SDSC-Blue

                        wait (s)                bounded        utility         used  time
scheduler  25%  50%    75%     98%       100%  slowdown           (SU)  ratio   (%)   (s)
─────────  ──────────────────────────────────  ──────────────────────────────────────────
easy         0    0  5,372  59,067    116,552      76.0  1,160,000,000   1.00  70.3    43
ga           0    0    822  62,758  1,355,885       148  1,350,000,000   1.16  70.3    43

                 expansion factor           % of start value earned
scheduler   25%   50%   75%   98%   100%   25%   50%   75%  98%  100%
─────────  ─────────────────────────────  ───────────────────────────
easy       1.00  1.00  1.55  28.0    131  90.4  40.8  0.06    0     0
ga         1.00  1.00  1.12  34.0  2,261  90.4  40.8  0.06    0     0

"""


def test_the_table_of_lee(capsys: pytest.CaptureFixture[str]) -> None:
    print_comparison(["SDSC-Blue"], [line("easy"), line("ga")])

    printed, _, notes = capsys.readouterr().out.partition("x%: ")
    assert printed == TABLE
    assert "expansion factor: (wait + p) / p" in notes


def test_no_ratio_to_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    worthless = ComparedRun({**line("easy").summary, "aggregate_utility": 0.0}, 0.1)
    print_comparison([], [worthless, line("ga")])

    verdict, *rows = map(str.split, capsys.readouterr().out.splitlines())
    assert " ".join(verdict) == "ga earns the most, 1,350,000,000.00 SU."
    assert [row[8] for row in rows if row[:1] in (["easy"], ["ga"])][:2] == ["-", "-"]


LABEL = "ga:" + ",".join(f"option{i}={i}" for i in range(10))


def labelled() -> ComparedRun:
    return ComparedRun({**line("ga").summary, "scheduler": LABEL}, 1.0)


def test_a_long_label_is_never_cut(capsys: pytest.CaptureFixture[str]) -> None:
    print_comparison([], [labelled()])

    assert capsys.readouterr().out.count(LABEL) == 3  # in the verdict, the table, and below it


@pytest.mark.parametrize("columns", [50, 60, 80])
def test_nothing_is_wider_than_the_terminal(
    columns: int, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    print_comparison([], [line("easy"), labelled()])

    verdict, *lines = capsys.readouterr().out.splitlines()
    assert verdict == LABEL  # whole, to be copied
    assert max(map(len, lines)) <= columns
    assert sum(line.startswith("easy") for line in lines) > 2  # once in each part


UTILITY = ComparisonSetting("utility", "SU", "easy")


def found(**changed: object) -> Comparison:
    """A comparison of twelve pairs, with literal figures."""
    figures: dict[str, object] = {
        "pairs": 12,
        "above": 11,
        "below": 1,
        "mean": 1.3e9,
        "baseline_mean": 1.1e9,
        "ratio": 13 / 11,
        "interval": Interval(1.151234, 1.209876),
        "p": 0.001,
        "corrected_p": 0.003,
        "rank_biserial": 0.9,
        "tests": 3,
    }
    return Comparison(**{**figures, **changed})  # type: ignore[arg-type]


EASY = found(
    above=0,
    below=0,
    mean=1.1e9,
    ratio=1.0,
    interval=Interval(1.0, 1.0),
    p=None,
    corrected_p=None,
    rank_biserial=None,
)


def cells(table: ResultTable, column: str) -> list[str]:
    place = [c.name for c in table.columns].index(column)
    return [row[place] for row in table.texts()]


def notes(*others: Comparison, setting: ComparisonSetting = UTILITY) -> str:
    rows = {"easy": EASY} | {f"other{i}": other for i, other in enumerate(others)}
    return "\n".join(comparison_table(rows, setting).notes)


PRINTED = """\
scheduler  pairs   utility (SU)        ratio [95%]      p  effect
─────────────────────────────────────────────────────────────────
easy          12  1,100,000,000               1.00      -       -
ga            12  1,300,000,000  1.18 [1.15, 1.21]  0.003   +0.90

ratio: of means over the pairs, to easy
in brackets: intervals of the paired t test; all 3 together hold the true values in 95% of cases
(Bonferroni's correction)
p: of the same test, below 0.05 exactly where the interval does not include 1; n/a: no test
effect: rank-biserial correlation of the pairs; +1: none is below the baseline, -1: none above
SU: service units
"""


def test_differences_are_called_so() -> None:
    setting = UTILITY._replace(mean="difference")

    assert cells(comparison_table({"easy": EASY, "ga": found()}, setting), "difference [95%]")
    assert "difference: of means over the pairs, to easy" in notes(found(), setting=setting)
    assert "no difference: a value is missing" in notes(found(ratio=None), setting=setting)
    assert "ratio" not in notes(found(), setting=setting)


def test_printed(capsys: pytest.CaptureFixture[str]) -> None:
    print_table(comparison_table({"easy": EASY, "ga": found()}, UTILITY))

    assert capsys.readouterr().out == PRINTED


def test_published_figures_stand_beside_ours() -> None:
    rows = {"easy": EASY, "ga": found(), "fcfs": found()}

    table = comparison_table(rows, UTILITY, published={"easy": 1.0e9, "ga": 1.25e9})

    assert cells(table, "published") == ["1,000,000,000", "1,250,000,000", "-"]
    assert cells(table, "difference") == ["+10.0", "+4.0", "-"]
    assert cells(table, "published ratio") == ["1.000", "1.250", "-"]


def test_a_published_ratio_needs_no_published_figure() -> None:
    table = comparison_table({"easy": EASY, "ga": found()}, UTILITY, published_ratios={"ga": 1.16})

    assert cells(table, "published ratio") == ["-", "1.160"]
    assert "published" not in [column.name for column in table.columns]


def test_no_published_ratio_without_a_published_baseline() -> None:
    table = comparison_table({"easy": EASY, "ga": found()}, UTILITY, published={"ga": 1.25e9})

    assert [c.name for c in table.columns][3:6] == [
        "published",
        "difference",
        "ratio [95%]",
    ]


def test_no_difference_to_a_published_0() -> None:
    table = comparison_table({"easy": EASY}, UTILITY, published={"easy": 0.0})

    assert cells(table, "difference") == ["-"]


def test_too_few_pairs_for_a_p() -> None:
    few = found(pairs=4, above=4, below=0, p=None, corrected_p=None, tests=1)

    assert cells(comparison_table({"easy": EASY, "ga": few}, UTILITY), "p") == ["-", "n/a (n=4)"]


@pytest.mark.parametrize(
    ("other", "note"),
    [
        (found(tests=1), "in brackets: 95% interval of the paired t test"),
        (found(ratio=None, interval=None), "no ratio: the baseline's mean is not above 0"),
        (
            found(interval=None),
            "no interval: fewer than 3 pairs, or the same ratio in all of them",
        ),
    ],
)
def test_notes_that_depend_on_the_figures(other: Comparison, note: str) -> None:
    assert note in notes(other)


def test_what_else_is_to_be_said_is_below_the_table() -> None:
    table = comparison_table({"easy": EASY}, UTILITY, remarks=("pairs: draws",))

    assert table.notes[-1] == "pairs: draws"


def test_notes_name_what_was_asked_for() -> None:
    setting = ComparisonSetting("utility", "SU", "easy", "geometric")

    said = notes(found(ratio=None, interval=None), setting=setting)

    assert "ratio: of geometric means over the pairs, to easy" in said
    assert "values of 0 have no geometric mean" in said


def test_pairs_left_out_are_told() -> None:
    left_out = tuple(UnpairedRuns(("blue", seed), "not defined") for seed in range(5))

    assert notes(found(left_out=left_out)).splitlines()[-1] == (
        "other0: 5 left out: blue 0: not defined; blue 1: not defined; blue 2: not defined; 2 more"
    )


def test_from_pairs_to_the_table() -> None:
    baseline = np.array([1.0, 2.0, 3.0, 4.0, 5.0, 6.0])
    runs = {
        name: Pairs(tuple("abcdef"), k * baseline, baseline) for name, k in (("x", 1), ("y", 2))
    }

    rows = correct({name: compare(pairs) for name, pairs in runs.items()})

    table = comparison_table(rows, ComparisonSetting("wait", "s", "x"))
    assert table.texts() == [
        ["x", "6", "3.500", "1.000", "-", "-"],
        ["y", "6", "7.000", "2.000", "n/a (n=6)", "+1.00"],
    ]


def schedule(label: str, **search: int) -> Schedule:
    none = np.empty(0)
    told = {"search": search} if search else {}
    return Schedule(none, none, np.empty(0, np.bool_), 1, label, 0, told)


def test_generations_decisions_and_plans_are_counted() -> None:
    found = schedule("ga", decisions=1738, generations=16210, plans=358960)

    assert list(effort(found)) == ["ga bred 16,210 generations in 1,738 decisions: 358,960 plans."]


def test_nothing_is_said_of_those_who_breed_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    print_effort([schedule("easy"), schedule("climb", decisions=3, generations=0, plans=60)])

    assert capsys.readouterr().out == ""


@pytest.mark.parametrize(
    ("last", "shown"),
    [(0, [0]), (1, [0, 1]), (2, [0, 1, 2]), (10, [0, 1, 2, 5, 10]), (30, [0, 1, 2, 5, 10, 20, 30])],
)
def test_generations_shown_end_with_the_last(last: int, shown: list[int]) -> None:
    assert some_generations(last) == shown
