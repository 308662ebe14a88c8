"""Descriptions in the terminal."""

from __future__ import annotations

import pytest

from tests.utilitysched.report.test_page import DESCRIPTION
from utilitysched.analysis.documents import ColumnChart, Description
from utilitysched.report.terminal import bar, print_description


def test_this_is_how_it_looks(capsys: pytest.CaptureFixture[str]) -> None:
    print_description(DESCRIPTION)

    assert capsys.readouterr().out.splitlines() == [
        "<log> & co",
        "",
        "jobs  two",
        "",
        "SIZES",
        "class   jobs  % of jobs",
        "─────────────────────────────────────────────",
        "x<y    1,200       75.0  ████████████████████",
        "z          -       25.0  ██████▋",
        "In <b>.",
        "",
        "RULES",
        "None.",
        "",
        "HOURS",
        "█" * 35 + "▃" * 35,
        "00" + " " * 66 + "01",
        "peak: 3.00 % (00)",
        "By hour.",
    ]


def test_long_series_are_means_of_neighbours(capsys: pytest.CaptureFixture[str]) -> None:
    weeks = ColumnChart("w", "Weeks", "", "jobs", [f"w{i}" for i in range(140)], [0.0, 8.0] * 70)
    print_description(Description("log", [weeks]))

    assert capsys.readouterr().out.splitlines()[3:] == [
        "█" * 70,
        "w0" + " " * 64 + "w139",
        "peak: 8.00 jobs (w1), each column the mean of 2",
    ]


def test_nothing_is_blank_and_little_is_seen(capsys: pytest.CaptureFixture[str]) -> None:
    print_description(
        Description("log", [ColumnChart("c", "C", "", "%", list("abc"), [0, 0.001, 9])])
    )

    line = capsys.readouterr().out.splitlines()[3]
    assert (line[0], line[23], line[-1]) == (" ", "▁", "█")


def test_a_series_of_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    print_description(Description("log", [ColumnChart("c", "C", "", "%", ["a", "b"], [0, 0])]))

    assert "peak: 0 % (a)" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("share", "blocks"), [(0, ""), (0.5, "█" * 10), (1, "█" * 20), (0.01, "▎")]
)
def test_bars(share: float, blocks: str) -> None:
    assert bar(share) == blocks
