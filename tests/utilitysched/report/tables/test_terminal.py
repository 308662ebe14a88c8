from __future__ import annotations

import pytest

from tests.utilitysched.report.tables.small import TABLE
from utilitysched.analysis.documents import Column, ResultTable, plain_table
from utilitysched.report.terminal import print_table

PRINTED = """\
Jobs & 5% of {them}

              mean
              wait
candidate      (s)  share        ratio [95%]
────────────────────────────────────────────
easy         5,372   33.3              1.000
ga:a_b=-1|x   -822      -  1.16 [1.10, 1.23]
none             -   50.0                  -

p < 0.05
a_b: -1 is off
"""


def test_headings_break_where_cells_are_narrow(capsys: pytest.CaptureFixture[str]) -> None:
    print_table(TABLE)

    assert capsys.readouterr().out == PRINTED


def test_neither_caption_nor_notes(capsys: pytest.CaptureFixture[str]) -> None:
    print_table(ResultTable((Column("x"),), [(12,)]))

    assert capsys.readouterr().out.split() == ["x", "──", "12"]


def test_without_rows(capsys: pytest.CaptureFixture[str]) -> None:
    print_table(ResultTable((Column("mean wait", "s"),), []))

    assert capsys.readouterr().out.split()[:3] == ["mean", "wait", "(s)"]


def test_wide_tables_are_not_cut_in_a_file_and_notes_are_broken(
    capsys: pytest.CaptureFixture[str],
) -> None:
    print_table(
        ResultTable((Column("x"),), [("y" * 150,)], notes=["a note of several words " * 10])
    )

    lines = capsys.readouterr().out.splitlines()
    assert "y" * 150 in lines
    assert max(map(len, lines[-3:])) <= 100
    assert not any(line.endswith(" ") for line in lines)


def test_a_terminal_that_is_too_narrow_has_the_columns_one_below_the_other(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "24")
    table = plain_table(
        ["name", "first", "second", "third column"],
        [("one", "1", "1.5", "12345"), ("two", "2", "2.5", "67890")],
        total=[("all", "3", "4.0", "80235")],
    )
    print_table(table)

    assert capsys.readouterr().out.splitlines() == [
        "name  first  second",
        "───────────────────",
        "one       1     1.5",
        "two       2     2.5",
        "",
        "all       3     4.0",
        "",
        "       third",
        "name  column",
        "────────────",
        "one    12345",
        "two    67890",
        "",
        "all    80235",
    ]


def test_texts_are_folded_where_that_is_enough(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "25")
    columns = (Column("rule", left=True), Column("meaning", left=True, fold=True), Column("lines"))
    print_table(ResultTable(columns, [("odd", "more words than fit here", "1")], broken=False))

    assert capsys.readouterr().out.splitlines() == [
        "rule  meaning       lines",
        "─────────────────────────",
        "odd   more words        1",
        "      than fit",
        "      here",
    ]
