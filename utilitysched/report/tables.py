"""Tables as files: Markdown, and LaTeX for papers; and texts of their cells."""

import math
import re
from collections.abc import Sequence
from typing import NamedTuple

from swfx.base.numbers import UNKNOWN, most_decimals, significant
from utilitysched.analysis.documents import Estimate, ResultTable

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
    """Return text escaped for LaTeX; a hyphen before a number is a minus."""
    plain = _MARKS.sub(lambda mark: _SPECIAL[mark[0]], " ".join(text.splitlines()))
    return _DASHES.sub("-{}", _MINUS.sub("$-$", plain))


FIGURES = 4
"""Significant digits of what has no interval."""

WIDTH_FIGURES = 2
"""Significant digits of an interval's width: more of a value than its interval is noise."""

FINEST = 6
"""Decimals at most."""


class Significance(NamedTuple):
    """What a test of pairs said.

    Attributes
    ----------
    p : float or None
        As tested; None if it was not.
    corrected : float or None
        For all tests made together: the one that is shown.
    pairs : int
        How many unequal pairs there were.
    """

    p: float | None
    corrected: float | None
    pairs: int


def number_text(value: float | None) -> str:
    """Return a number that has no interval, to four significant digits."""
    return significant(value, FIGURES)


def estimate_text(estimate: Estimate) -> str:
    """Return a value and its interval, to as many decimals as two digits of the width have.

    Examples
    --------
    >>> estimate_text(Estimate(1.163821, 1.10213, 1.23021))
    '1.16 [1.10, 1.23]'
    >>> estimate_text(Estimate(1.163821, 1.16291, 1.16522))
    '1.1638 [1.1629, 1.1652]'
    >>> estimate_text(Estimate(1.163821))
    '1.164'
    """
    value, low, high = estimate
    if value is None or low is None or high is None:
        return number_text(value)
    decimals = _decimals(high - low)
    middle, left, right = (_rounded(number, decimals) for number in estimate if number is not None)
    return f"{middle} [{left}, {right}]"


def significance_text(significance: Significance | None) -> str:
    """Return the corrected p, or how many pairs were too few for one.

    Examples
    --------
    >>> significance_text(Significance(0.002, 0.006, 12))
    '0.006'
    >>> significance_text(Significance(None, None, 4))
    'n/a (n=4)'
    """
    if significance is None:
        return UNKNOWN
    if significance.corrected is None:
        return f"n/a (n={significance.pairs})"
    if significance.corrected < 0.001:
        return "<0.001"
    return f"{significance.corrected:.{3 if significance.corrected < 0.1 else 2}f}"


def change_text(percent: float | None) -> str:
    """Return a difference in percent with its sign.

    Examples
    --------
    >>> change_text(4.96), change_text(-0.04), change_text(None)
    ('+5.0', '-0.0', '-')
    """
    return UNKNOWN if percent is None else f"{percent:+.1f}"


def effect_text(effect: float | None) -> str:
    """Return an effect size between -1 and 1, two decimals and the sign.

    Examples
    --------
    >>> effect_text(1.0), effect_text(-0.333)
    ('+1.00', '-0.33')
    """
    return UNKNOWN if effect is None else f"{effect:+.2f}"


def _decimals(width: float) -> int:
    """Return decimals, below 0 for tens and hundreds; an interval of no width has three.

    In a table of the terminal, decimals beyond its own are those that tell the ends apart.
    """
    most = most_decimals()
    finest = FINEST if most is None else most
    if width < 10.0**-FINEST:
        return min(FIGURES - 1, finest)
    rounded = float(f"{width:.{WIDTH_FIGURES - 1}e}")  # 1.2 - 1.1 is a little less than 0.1
    first = -math.floor(math.log10(rounded))
    return min(WIDTH_FIGURES - 1 + first, FINEST, max(finest, first))


def _rounded(value: float, decimals: int) -> str:
    return f"{round(value, decimals):,.{max(decimals, 0)}f}"
