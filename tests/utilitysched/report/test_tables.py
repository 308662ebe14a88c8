"""Tables as text, Markdown, LaTeX, and in the terminal."""

from __future__ import annotations

import re
import string

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from swfx.base.numbers import percent, table_digits, whole
from utilitysched.analysis.documents import Column, Estimate, ResultTable, plain_table
from utilitysched.report.tables import (
    Significance,
    change_text,
    effect_text,
    estimate_text,
    latex,
    markdown,
    number_text,
    significance_text,
)
from utilitysched.report.terminal import print_table

TABLE = ResultTable(
    columns=(
        Column("candidate", left=True),
        Column("mean wait", "s", whole),
        Column("share", write=percent),
        Column("ratio [95%]", write=estimate_text),
    ),
    rows=(
        ("easy", 5372.25, 1 / 3, Estimate(1.0)),
        ("ga:a_b=-1|x", -822.0, None, Estimate(1.163821, 1.10213, 1.23021)),
        ("none", None, 0.5, Estimate(None)),
    ),
    caption="Jobs & 5% of {them}",
    notes=("p < 0.05", "a_b: -1 is off"),
)


def test_a_row_has_a_cell_per_column() -> None:
    with pytest.raises(ValueError, match=r"2 cells in a row of 1 columns: \(1, 2\)"):
        ResultTable((Column("one"),), [(1, 2)])


@pytest.mark.parametrize(
    ("estimate", "text"),
    [
        # a width of 0.128 is 0.13: two decimals
        ((1.163821, 1.10213, 1.23021), "1.16 [1.10, 1.23]"),
        ((1.163821, 1.16291, 1.16522), "1.1638 [1.1629, 1.1652]"),
        ((12.3456, 3.21, 45.6), "12 [3, 46]"),
        # a width of 9.6 is 9.6: one decimal; one of 9.96 is 10: none
        ((50.0, 45.0, 54.6), "50.0 [45.0, 54.6]"),
        ((50.0, 45.0, 54.96), "50 [45, 55]"),
        # 1.2 - 1.1 is 0.09999999999999987
        ((1.15, 1.1, 1.2), "1.15 [1.10, 1.20]"),
        (
            (1163821000.0, 1102130000.0, 1230210000.0),
            "1,160,000,000 [1,100,000,000, 1,230,000,000]",
        ),
        ((2.0, 2.0, 2.0), "2.000 [2.000, 2.000]"),
        ((2.0, 2.0, 2.0 + 1e-15), "2.000 [2.000, 2.000]"),
        ((1.5, None, None), "1.500"),
        ((None, None, None), "-"),
    ],
)
def test_the_width_of_the_interval_decides_digits(
    estimate: tuple[float | None, float | None, float | None], text: str
) -> None:
    assert estimate_text(Estimate(*estimate)) == text


@pytest.mark.parametrize(
    ("p", "text"),
    [(0.0004, "<0.001"), (0.00149, "0.001"), (0.0234, "0.023"), (0.0996, "0.100"), (0.5, "0.50")],
)
def test_p(p: float, text: str) -> None:
    assert significance_text(Significance(p, p, 9)) == text


def test_the_corrected_p_is_shown() -> None:
    assert significance_text(Significance(0.01, 0.04, 9)) == "0.040"


def test_no_p() -> None:
    assert significance_text(Significance(None, None, 4)) == "n/a (n=4)"
    assert significance_text(None) == "-"


def test_signs() -> None:
    assert [change_text(v) for v in (1.06, -23.25, 0.0, None)] == ["+1.1", "-23.2", "+0.0", "-"]
    assert [effect_text(v) for v in (1.0, -1 / 3, 0.0, None)] == ["+1.00", "-0.33", "+0.00", "-"]


def test_numbers_without_interval() -> None:
    assert [number_text(v) for v in (1.16379, 75.96, 0.0, None)] == ["1.164", "75.96", "0", "-"]


PARSER = MarkdownIt("commonmark").enable(["table", "strikethrough"])


def read(text: str) -> list[str]:
    """The texts of cells, paragraphs and items, if they have no markup but bold."""
    inline = [token for token in PARSER.parse(text) if token.type == "inline"]
    kinds = {child.type for token in inline for child in token.children or ()}
    assert kinds <= {"text", "text_special", "strong_open", "strong_close"}
    return ["".join(child.content for child in token.children or ()) for token in inline]


def test_all_of_it() -> None:
    assert markdown(TABLE) == (
        "**Jobs \\& 5% of {them}**\n"
        "\n"
        "| candidate | mean wait (s) | share | ratio [95%] |\n"
        "| :--- | ---: | ---: | ---: |\n"
        "| easy | 5,372 | 33.3 | 1.000 |\n"
        "| ga:a\\_b=-1\\|x | -822 | - | 1.16 [1.10, 1.23] |\n"
        "| none | - | 50.0 | - |\n"
        "\n"
        "- p \\< 0.05\n"
        "- a\\_b: -1 is off\n"
    )


@given(st.text(string.ascii_letters + string.punctuation, min_size=1))
def test_another_reader_finds_any_name(name: str) -> None:
    table = ResultTable((Column("x", left=True),), [(name,)])

    assert read(markdown(table)) == ["x", name]


def test_a_name_stays_on_its_line() -> None:
    assert read(markdown(ResultTable((Column("x"),), [("a\nb",)]))) == ["x", "a b"]


MARK = re.compile(r"\\([&%$#_{}])|\\(text\w+)\{\}|(\$-\$)|(-)\{\}(?=-)|([^\\&%$#_{}~^<>|])")
"""What may stand in a cell: an escaped mark, a named mark, a minus, one of two hyphens, plain."""
NAMED = {
    "textbackslash": "\\",
    "textasciitilde": "~",
    "textasciicircum": "^",
    "textless": "<",
    "textgreater": ">",
    "textbar": "|",
}


def typeset(cell: str) -> str:
    """What LaTeX prints for a cell; an error if anything in it is not escaped."""
    position, printed = 0, ""
    while position < len(cell):
        mark = MARK.match(cell, position)
        assert mark, cell[position:]
        escaped, named, minus, hyphen, plain = mark.groups()
        printed += escaped or (NAMED[named] if named else "-" if minus else hyphen or plain)
        position = mark.end()
    return printed


def body(text: str) -> str:
    return text.partition("\\midrule\n")[2].partition("\\bottomrule")[0]


def test_all_of_it_in_latex() -> None:
    assert latex(TABLE) == (
        "\\begin{table}\n"
        "\\centering\n"
        "\\caption{Jobs \\& 5\\% of \\{them\\}}\n"
        "\\label{tab:jobs-5-of-them}\n"
        "\\begin{tabular}{lrrr}\n"
        "\\toprule\n"
        "candidate & mean wait (s) & share & ratio [95\\%] \\\\\n"
        "\\midrule\n"
        "easy & 5,372 & 33.3 & 1.000 \\\\\n"
        "ga:a\\_b=$-$1\\textbar{}x & $-$822 & - & 1.16 [1.10, 1.23] \\\\\n"
        "none & - & 50.0 & - \\\\\n"
        "\\bottomrule\n"
        "\\end{tabular}\n"
        "\\par\\footnotesize p \\textless{} 0.05\n"
        "\\par\\footnotesize a\\_b: $-$1 is off\n"
        "\\end{table}\n"
    )


@pytest.mark.parametrize("first", ["[1, 2]", "*"])
def test_a_cell_is_no_option_of_the_line_break_before(first: str) -> None:
    table = ResultTable((Column("x"),), [("easy",), (first,)])

    assert body(latex(table)) == f"easy \\\\\n{{}}{first} \\\\\n"


@given(st.text(string.ascii_letters + string.digits + string.punctuation, min_size=1))
def test_any_name_is_printed_as_it_is(name: str) -> None:
    row = body(latex(ResultTable((Column("x"),), [(name,)])))

    assert typeset(row.removeprefix("{}").removesuffix(" \\\\\n")) == name


PRINTED = """\
Jobs & 5% of {them}

              mean
              wait
candidate      (s)  share        ratio [95%]
────────────────────────────────────────────
easy         5,372   33.3               1.00
ga:a_b=-1|x   -822      -  1.16 [1.10, 1.23]
none             -   50.0                  -

p < 0.05
a_b: -1 is off
"""


def test_headings_break_where_cells_are_narrow(capsys: pytest.CaptureFixture[str]) -> None:
    print_table(TABLE)

    assert capsys.readouterr().out == PRINTED


def test_headings_break_behind_commas_and_the_name_of_a_scheduler(
    capsys: pytest.CaptureFixture[str],
) -> None:
    print_table(ResultTable((Column("multifactor:age=1000,qos=2"),), [(12,)]))

    assert capsys.readouterr().out.split()[:3] == ["multifactor:", "age=1000,", "qos=2"]


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


NUMBERS = ResultTable(
    (
        Column("name", left=True),
        Column("number", write=number_text),
        Column("share", write=percent),
        Column("ratio", write=estimate_text),
    ),
    [
        ("small", 1.4e-05, 1e-7, Estimate(1.0042, 1.0021, 1.0063)),
        ("large", 1013.7625, 0.33333, Estimate(2.04321, 1.9, 2.2)),
        ("none", None, 0.0, Estimate(-0.0042)),
    ],
)


@pytest.mark.parametrize(
    ("digits", "cells"),
    [
        # an interval keeps as many as tell its ends apart
        (None, ["<0.01 <0.01 1.004 [1.002, 1.006]", "1,014 33.3 2.04 [1.90, 2.20]", "- 0 >-0.01"]),
        (0, ["<1 <1 1.004 [1.002, 1.006]", "1,014 33 2.0 [1.9, 2.2]", "- 0 >-1"]),
        (5, ["0.00001 0.00001 1.0042 [1.0021, 1.0063]", "1,013.763 33.3330 2.04 [1.90, 2.20]"]),
    ],
)
def test_numbers_have_two_decimals_unless_others_are_asked_for(
    digits: int | None, cells: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    with table_digits(digits):
        print_table(NUMBERS)

    rows = [" ".join(line.split()[1:]) for line in capsys.readouterr().out.splitlines()[2:]]
    assert rows[: len(cells)] == cells
    assert NUMBERS.texts()[0][1:] == ["0.000014", "<0.01", "1.0042 [1.0021, 1.0063]"]


@pytest.mark.parametrize("columns", [40, 60])
def test_each_part_of_a_wide_table_has_its_labels_and_the_first_what_matters(
    columns: int, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    others = [Column(f"column {i}") for i in range(8)]
    heads = [Column("name", left=True), *others, Column("charge", main=True)]
    print_table(ResultTable(heads, [("one", *range(8), "12.50"), ("two", *range(8), "7.25")]))

    lines = capsys.readouterr().out.splitlines()
    starts = [place for place, line in enumerate(lines) if set(line) == {"─"}]
    parts = ["\n".join(lines[start - 2 : start + 3]) for start in starts]
    assert len(parts) > 1
    assert all("name" in part and "one" in part and "two" in part for part in parts)
    assert "charge" in parts[0]
    assert "12.50" in parts[0]
    assert "".join(parts).count("charge") == 1
