from __future__ import annotations

import re
import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.utilitysched.report.tables.small import TABLE
from utilitysched.analysis.documents import Column, ResultTable
from utilitysched.report.tables import latex

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


def test_all_of_it() -> None:
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
