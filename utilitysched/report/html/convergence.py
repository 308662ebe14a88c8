"""Charts of convergence: what the generations of genetic schedulers were like, on average."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from bokeh.models import ColumnDataSource, Range1d

from swfx.base.numbers import percent
from utilitysched.analysis.documents import Cell, Column, ResultTable, column, panel
from utilitysched.model.schedule import SEARCH
from utilitysched.report.decision import some_generations
from utilitysched.report.html.canvas import (
    ReportSection,
    blank,
    draw_line,
    point_at,
)
from utilitysched.report.html.shown import Shown

LINES = (("best", 3.0, 1.0), ("median", 1.5, 1.0), ("worst", 1.5, 0.45))
"""Of a population: width and opacity of each."""

BELOW = 4
"""Times as far down as the best rises: what begins further down comes from below the picture."""

LEAST_REACH = 0.1
"""Percent that the scale reaches up at least."""

Course = Mapping[str, list[float]]
"""Means by generation: `Convergence.means`."""


def pictures(shown: Shown) -> Iterator[ReportSection]:
    """Yield fitness by generation, of the runs that bred; nothing if none did."""
    curves = {
        place: curve
        for place, (_, run) in enumerate(shown)
        if (curve := _bred(run.schedule.provenance))
    }
    if curves:
        labels = {place: shown.labels[place] for place in curves}
        yield _fitness(curves, labels)


def _bred(provenance: Mapping[str, Any]) -> Course | None:
    """Return the convergence of a run, if it bred any generation."""
    search = provenance.get(SEARCH, {})
    return search["convergence"] or None if search.get("generations") else None


def _fitness(curves: Mapping[int, Course], labels: Mapping[int, str]) -> ReportSection:
    highest = max(abs(value) for curve in curves.values() for value in curve["best"])
    reach = max(100 * highest, LEAST_REACH)
    lowest = min(100 * min(curve["worst"]) for curve in curves.values())
    drawn = blank(
        "generation",
        "fitness beside the first best (%)",
        y_range=Range1d(start=max(1.1 * lowest, -BELOW * reach), end=1.2 * reach),
    )
    for place, curve in curves.items():
        for name, width, alpha in LINES:
            source = _points([100 * value for value in curve[name]])
            line = draw_line(drawn, place, source)
            line.glyph.line_width, line.glyph.line_alpha = width, alpha
            tips = [(labels[place], f"{name} @y{{0.00}}%"), ("generation", "@x")]
            point_at(drawn, tips, renderers=[line], line_policy="nearest")
    rises = "; ".join(_rise(labels[place], curve) for place, curve in curves.items())
    rises = f"{rises[0].upper()}{rises[1:]}"
    return ReportSection(
        "convergence",
        "Convergence of the search",
        f"{rises}. Thick: the best plan of each generation; thin: the median; faint: the worst."
        " Means over all decisions, each in percent of what the best of its first generation is"
        " worth; a search that ends early keeps its last values.",
        drawn,
        table=_table(curves, labels),
        lines=labels,
    )


def _rise(label: str, curve: Course) -> str:
    """Say by how much the last generation exceeds the first, and how soon half of that is found."""
    best = curve["best"]
    gained, last = best[-1], len(best) - 1
    sentence = f"the best plan of {label}'s last generation"
    if gained <= 0:
        return f"{sentence} is {percent(-gained)}% below that of its first"
    half = next(place for place, value in enumerate(best) if value >= gained / 2)
    return (
        f"{sentence} is {percent(gained)}% above that of its first,"
        f" half of that by generation {half} of {last}"
    )


def _points(values: list[float]) -> ColumnDataSource:
    return ColumnDataSource(data={"x": list(range(len(values))), "y": values})


def _table(curves: Mapping[int, Course], labels: Mapping[int, str]) -> ResultTable:
    columns: list[Column] = [column("generation", "count", "generation")]
    for place in curves:
        columns += [
            column(f"{labels[place]}: {name}", "percent", f"{name} {place}") for name, _, _ in LINES
        ]
        columns.append(column("different plans", "number", f"plans {place}"))
        columns.append(column("decisions", "count", f"decisions {place}"))
    last = max(len(curve["best"]) for curve in curves.values()) - 1
    rows: list[list[Cell]] = [
        [generation, *(cell for curve in curves.values() for cell in _cells(curve, generation))]
        for generation in some_generations(last)
    ]
    note = "Fitness beside the first best (%); decisions: searches that had it."
    return panel("convergence-figures", "Show as a table", note, columns, rows)


def _cells(curve: Course, generation: int) -> list[Cell]:
    names = (*(name for name, _, _ in LINES), "plans", "decisions")
    if generation >= len(curve["best"]):
        return [None for _ in names]
    return [curve[name][generation] for name in names]
