"""Tables as files: CSV for programs, Markdown, and LaTeX for papers."""

import re
from collections.abc import Iterator, Sequence
from typing import Any

from swfx.base.csv_rows import csv_text as rows_text
from utilitysched.analysis.documents import Column, ResultTable

_MARKDOWN_MARKS = re.compile(r"[\\`*_<>|~&]|\](?=\()")

_SPECIAL = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    **{mark: f"\\{mark}" for mark in "&%$#_{}"},
}
_APART = re.compile(r"[^a-z0-9]+")
_MARKS = re.compile("|".join(map(re.escape, _SPECIAL)))
_MINUS = re.compile(r"(?<![\w-])-(?=\d)")
_DASHES = re.compile(r"-(?=-)")


def csv_text(table: ResultTable) -> str:
    """Return a header and a line per row, numbers to full precision, nothing where not known.

    Caption and notes are left out. A column's name is its heading in lower case with underscores,
    its unit behind it: ``mean_SU``.
    """
    header = (name for column in table.columns for name in _names(column))
    return rows_text(header, (_values(table.columns, row) for row in table.rows))


def _names(column: Column) -> tuple[str, ...]:
    if column.fields:
        return column.fields
    name = column.name.lower().replace(" ", "_")
    return (f"{name}_{column.unit.replace(' ', '_')}" if column.unit else name,)


def _values(columns: Sequence[Column], row: Sequence[Any]) -> Iterator[Any]:
    for column, cell in zip(columns, row, strict=True):
        if not column.fields:
            yield cell
        elif cell is None:
            yield from (None for _ in column.fields)
        else:
            yield from cell


def markdown(table: ResultTable) -> str:
    """Return the caption in bold, the table, and the notes as a list."""
    parts = [
        f"**{_in_markdown(table.caption)}**\n" if table.caption else "",
        "".join(_line(cells) for cells in _cells(table)),
        "".join(f"- {_in_markdown(note)}\n" for note in table.notes),
    ]
    return "\n".join(part for part in parts if part)


def _cells(table: ResultTable) -> list[list[str]]:
    return [
        [_in_markdown(column.heading) for column in table.columns],
        [":---" if column.left else "---:" for column in table.columns],
        *([_in_markdown(text) for text in row] for row in table.texts()),
    ]


def _line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |\n"


def _in_markdown(text: str) -> str:
    return _MARKDOWN_MARKS.sub(r"\\\g<0>", " ".join(text.splitlines()))


def latex(table: ResultTable) -> str:
    r"""Return a floating ``table``: caption above, notes below in small print.

    With a caption it can be referred to: ``tab:`` and the caption's words, hyphens between them.
    """
    alignment = "".join("l" if column.left else "r" for column in table.columns)
    lines = [
        r"\begin{table}",
        r"\centering",
        *(_caption(table.caption) if table.caption else []),
        rf"\begin{{tabular}}{{{alignment}}}",
        r"\toprule",
        _row([column.heading for column in table.columns]),
        r"\midrule",
        *(_row(row) for row in table.texts()),
        r"\bottomrule",
        r"\end{tabular}",
        *(rf"\par\footnotesize {_in_latex(note)}" for note in table.notes),
        r"\end{table}",
    ]
    return "\n".join(lines) + "\n"


def _caption(text: str) -> list[str]:
    label = _APART.sub("-", text.lower()).strip("-")
    return [rf"\caption{{{_in_latex(text)}}}", rf"\label{{tab:{label}}}"]


def _row(texts: Sequence[str]) -> str:
    cells = " & ".join(_in_latex(text) for text in texts)
    guard = "{}" if cells.startswith(("[", "*")) else ""  # an option of the line break before
    return rf"{guard}{cells} \\"


def _in_latex(text: str) -> str:
    """Escape what LaTeX reads as its own; a hyphen before a number is a minus."""
    plain = _MARKS.sub(lambda mark: _SPECIAL[mark[0]], " ".join(text.splitlines()))
    return _DASHES.sub("-{}", _MINUS.sub("$-$", plain))
