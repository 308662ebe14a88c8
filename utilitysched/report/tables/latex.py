"""Tables in LaTeX, for papers; they need the package booktabs."""

import re
from collections.abc import Sequence

from utilitysched.analysis.documents import ResultTable

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
        *(rf"\par\footnotesize {_escaped(note)}" for note in table.notes),
        r"\end{table}",
    ]
    return "\n".join(lines) + "\n"


def _caption(text: str) -> list[str]:
    label = _APART.sub("-", text.lower()).strip("-")
    return [rf"\caption{{{_escaped(text)}}}", rf"\label{{tab:{label}}}"]


def _row(texts: Sequence[str]) -> str:
    cells = " & ".join(_escaped(text) for text in texts)
    guard = "{}" if cells.startswith(("[", "*")) else ""  # an option of the line break before
    return rf"{guard}{cells} \\"


def _escaped(text: str) -> str:
    """Escape what LaTeX reads as its own; a hyphen before a number is a minus."""
    plain = _MARKS.sub(lambda mark: _SPECIAL[mark[0]], " ".join(text.splitlines()))
    return _DASHES.sub("-{}", _MINUS.sub("$-$", plain))
