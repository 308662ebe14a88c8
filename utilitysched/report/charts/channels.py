"""Rows of several runs, with tooltips, colours and the legend that their charts share."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

import altair as alt
import numpy as np
from numpy.typing import ArrayLike

from utilitysched.report.charts import look
from utilitysched.report.charts.picture import Columns

LETTERS = 62
"""Of a legend's line: what a column of a paper and a telephone have room for."""

MARK = 7
"""Letters that a mark of a legend and the space around it take."""

STROKE, HIGH = 600, 11
"""Size of a line in a legend, 24 pixels long, so that its dashes can be told; pixels of its row."""

_BREAKS = re.compile(r"(?<=[:, ])")


def joined(parts: Mapping[str, Columns]) -> Columns:
    """Return the rows of each run, one run after the other, with the column `run`."""
    names = list(dict.fromkeys(name for part in parts.values() for name in part))
    rows = {label: len(np.asarray(next(iter(part.values())))) for label, part in parts.items()}
    run = [label for label, count in rows.items() for _ in range(count)]
    columns: dict[str, ArrayLike] = {"run": run}
    for name in names:
        columns[name] = np.concatenate(
            [part.get(name, np.full(rows[label], np.nan)) for label, part in parts.items()]
        )
    return columns


TEXTS = ("run", "when", "week", "user", "payer", "metric", "text", "kind", "plan")
"""Columns that tooltips write as they are; others are numbers."""


def tips(**titles: str) -> list[alt.Tooltip]:
    """Return a tooltip of columns, each under its title."""
    return [
        alt.Tooltip(f"{name}:N", title=title)
        if name in TEXTS
        else alt.Tooltip(f"{name}:Q", title=title, format=",.4~r")
        for name, title in titles.items()
    ]


def folded(label: str, most: int = LETTERS - MARK) -> str:
    """Return a text in lines of at most `most` characters, broken between words or options.

    Examples
    --------
    >>> print(folded("ga:generations=100,population=20", 24))
    ga:generations=100,
    population=20
    """
    lines = [""]
    for part in _BREAKS.split(label):
        if lines[-1] and len(lines[-1]) + len(part) > most:
            lines.append("")
        lines[-1] += part
    return "\n".join(line.strip() for line in lines)


def by_run(
    labels: Sequence[str],
    *ways: str,
    bounds: Sequence[str] = (),
    named: Sequence[str] | None = None,
) -> dict[str, Any]:
    """Return the channels by which runs are told apart: the colour, and some ways besides.

    Parameters
    ----------
    labels : sequence of str
        Of all runs, at most `look.MOST_LINES`.
    *ways : str
        ``strokeDash`` or ``shape``.
    bounds : sequence of str
        What else stands in the column `run`: references in grey.
    named : sequence of str, optional
        What the legend names; by default all.
    """
    domain, count = [*labels, *bounds], len(labels)
    dashes = [*look.DASHES[:count], *look.BOUND_DASHES[: len(bounds)]]
    colours = [*map(look.colour, range(count)), *(look.BOUND for _ in bounds)]
    kinds: dict[str, tuple[Any, list[Any]]] = {
        "color": (alt.Color, colours),
        "strokeDash": (alt.StrokeDash, [list(dash) for dash in dashes]),
        "shape": (alt.Shape, list(look.SHAPES[:count])),
    }
    named = domain if named is None else named
    longest = max((len(line) for label in named for line in label.split("\n")), default=1)
    lines = "strokeDash" in ways and "shape" not in ways
    beside = alt.Legend(
        title=None,
        columns=max(1, LETTERS // (longest + MARK)),
        values=named,
        clipHeight=HIGH if lines else alt.Undefined,
        symbolSize=STROKE if lines else alt.Undefined,
    )
    scales = {way: alt.Scale(domain=domain, range=each) for way, (_, each) in kinds.items()}
    return {
        way: kinds[way][0](
            "run:N", scale=scales[way], title=None, legend=beside if len(domain) > 1 else None
        )
        for way in ("color", *ways)
    }
