from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from swfx.accounting.table import Columns
from swfx.slurm.alignment import MOST_SEPARATORS, Alignment

NAMES = [
    "JobID",
    "JobIDRaw",
    "User",
    "JobName",
    "Submit",
    "Elapsed",
    "State",
    "Comment",
    "SubmitLine",
]
ALIGNMENT = Alignment(Columns(NAMES), "|")
TIMES = "2026-11-22T04:33:07|00:00:02|COMPLETED"


def in_one_line(cells: list[str]) -> list[str]:
    """Return cells as they are read: up to line breaks, but for the command behind the others."""
    return [*(cell.partition("\n")[0] for cell in cells[:-1]), cells[-1]]


@pytest.mark.parametrize("begins", ["17|behind|it", "2026", "17 it"])
def test_what_stands_behind_a_break_in_a_name_begins_no_record(begins: str) -> None:
    alignment = Alignment(Columns(NAMES), "\x1f")
    rest = "\x1f".join([*TIMES.split("|"), "", "sbatch x"])

    assert not alignment.begins(f"{begins}\x1f{rest}")


@pytest.mark.parametrize(
    ("name", "comment", "command"),
    [
        ("a", "", "sbatch x"),
        ("a|b|c", "", "sbatch -J a|b|c"),
        ("5|COMPLETED|3", "", "sbatch -J 5|COMPLETED|3"),
        ("a", "first|x\nsecond", "sbatch --comment first|x\nsecond"),
        ("a", '{"utility": [[0, 1]], "who": "a|b"}', "/usr/bin/sbatch x"),
        ("|", "|", "srun |"),
    ],
)
def test_texts_keep_their_separators(name: str, comment: str, command: str) -> None:
    cells = ["7", "7", "ann", name, *TIMES.split("|"), comment, command]

    choices = ALIGNMENT.choices("|".join(cells))
    assert all(cell in choice for cell, choice in zip(in_one_line(cells), choices, strict=True))


@given(st.text("a|: \n", max_size=6), st.text("a|: \n", max_size=6), st.text("a: \n", max_size=6))
def test_any_texts(name: str, comment: str, rest: str) -> None:
    cells = ["7", "7", "ann", name, *TIMES.split("|"), comment, f"sbatch {rest}"]

    choices = ALIGNMENT.choices("|".join(cells))
    assert choices == [{cell} for cell in in_one_line(cells)]


@pytest.mark.parametrize(
    ("line", "begins"),
    [
        (f"7|7|ann|a|{TIMES}||sbatch", True),
        (f"7|7|ann|a|b|{TIMES}|see ticket", True),
        ("7|7|ann|first line of a name", True),
        ("7|7|an", True),
        ("4711", False),
        ("4711|sbatch --comment see ticket", False),
        ("ls | wc -l", False),
        (f"a name|{TIMES}||sbatch", False),
    ],
)
def test_lines_that_begin_a_record(line: str, begins: bool) -> None:
    assert ALIGNMENT.begins(line) is begins


def test_a_text_of_very_many_separators_is_not_taken_apart() -> None:
    record = f"7|7|ann|{'|' * MOST_SEPARATORS}|{TIMES}|{{}}|sbatch"

    assert ALIGNMENT.choices(record.format(""))
    assert not ALIGNMENT.choices(record.format("|"))


def test_whatever_stands_in_other_columns_is_taken_as_it_is() -> None:
    alignment = Alignment(Columns(["JobID", "NodeList", "Start"]), "|")

    assert alignment.choices("7|n1|03/01-10:22") == [{"7"}, {"n1"}, {"03/01-10:22"}]
    assert not alignment.choices("7|n1|Ystday")
    assert alignment.begins("7|n1|Ystday")
