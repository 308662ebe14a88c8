from __future__ import annotations

import pytest

from tests.utilitysched.report.tables.small import TABLE
from utilitysched.report.tables import Column, Table, print_table

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
    print_table(Table((Column("x"),), [(12,)]))

    assert capsys.readouterr().out.split() == ["x", "──", "12"]


def test_without_rows(capsys: pytest.CaptureFixture[str]) -> None:
    print_table(Table((Column("mean wait", "s"),), []))

    assert capsys.readouterr().out.split()[:3] == ["mean", "wait", "(s)"]


def test_wide_tables_are_not_cut_and_notes_are_broken(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    print_table(Table((Column("x"),), [("y" * 150,)], notes=["a note of several words " * 10]))

    lines = capsys.readouterr().out.splitlines()
    assert "y" * 150 in lines
    assert max(map(len, lines[-3:])) <= 100
    assert not any(line.endswith(" ") for line in lines)
