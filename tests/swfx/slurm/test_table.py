from __future__ import annotations

import pytest

from swfx.slurm.table import read_table

NAMES = "JobID|JobName|Submit|Comment"
JOB = "1|cfd|2024-03-01T08:00:00|"


@pytest.mark.parametrize("separator", ["|", ";", ",", "\t", "~~", "^"])
def test_any_separator(separator: str) -> None:
    data = f"{NAMES}\n{JOB}\n".replace("|", separator).encode()

    table = read_table(data, "log")

    assert table.columns.names == ("JobID", "JobName", "Submit", "Comment")
    assert [row.cells for row in table.rows] == [["1", "cfd", "2024-03-01T08:00:00", ""]]


def test_names_of_columns_may_come_again() -> None:
    table = read_table(f"{NAMES}\n{JOB}\n\n{NAMES}\n{JOB}\n".encode(), "log")

    assert [row.line for row in table.rows] == [2, 5]
    assert (table.listing.lines, table.listing.records, table.listing.comment_lines) == (5, 2, 3)


@pytest.mark.parametrize(
    ("line", "cells"),
    [
        ("1|a|b|2024-03-01T08:00:00|", ["1", "a|b", "2024-03-01T08:00:00", ""]),
        (r"1|a\|b|2024-03-01T08:00:00|", ["1", "a|b", "2024-03-01T08:00:00", ""]),
        ("1|a|2024-03-01T08:00:00|x|y|", ["1", "a", "2024-03-01T08:00:00", "x|y|"]),
    ],
)
def test_a_text_with_the_separator(line: str, cells: list[str]) -> None:
    table = read_table(f"{NAMES}\n{line}\n".encode(), "log")

    assert [row.cells for row in table.rows] == [cells]
    assert table.listing.report(kept=1).lines_of("separator-in-text").tolist() == [2]
