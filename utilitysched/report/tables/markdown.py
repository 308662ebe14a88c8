"""Tables in Markdown, as GitHub and most others read them."""

import re
from collections.abc import Sequence

from utilitysched.analysis.documents import ResultTable

_MARKS = re.compile(r"[\\`*_<>|~&]|\](?=\()")


def markdown(table: ResultTable) -> str:
    """Return the caption in bold, the table, and the notes as a list."""
    parts = [
        f"**{_escaped(table.caption)}**\n" if table.caption else "",
        "".join(_line(cells) for cells in _cells(table)),
        "".join(f"- {_escaped(note)}\n" for note in table.notes),
    ]
    return "\n".join(part for part in parts if part)


def _cells(table: ResultTable) -> list[list[str]]:
    return [
        [_escaped(column.heading) for column in table.columns],
        [":---" if column.left else "---:" for column in table.columns],
        *([_escaped(text) for text in row] for row in table.texts()),
    ]


def _line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |\n"


def _escaped(text: str) -> str:
    return _MARKS.sub(r"\\\g<0>", " ".join(text.splitlines()))
