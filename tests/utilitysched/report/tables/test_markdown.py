from __future__ import annotations

import string

from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from tests.utilitysched.report.tables.small import TABLE
from utilitysched.analysis.documents import Column, ResultTable
from utilitysched.report.tables import markdown

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


def test_another_reader_finds_the_same_figures() -> None:
    headings = [column.heading for column in TABLE.columns]
    cells = [text for row in TABLE.texts() for text in row]

    assert read(markdown(TABLE)) == [TABLE.caption, *headings, *cells, *TABLE.notes]


@given(st.text(string.ascii_letters + string.punctuation, min_size=1))
def test_another_reader_finds_any_name(name: str) -> None:
    table = ResultTable((Column("x", left=True),), [(name,)])

    assert read(markdown(table)) == ["x", name]


def test_a_name_stays_on_its_line() -> None:
    assert read(markdown(ResultTable((Column("x"),), [("a\nb",)]))) == ["x", "a b"]
