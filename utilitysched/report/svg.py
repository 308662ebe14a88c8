"""Layout of charts in SVG, to stand inside a page whose style sheet colours them."""

import math
from collections.abc import Iterator, Sequence

from swfx.base.numbers import significant
from utilitysched.analysis.documents import (
    ColumnChart,
    Estimate,
    IntervalChart,
    Landscape,
    LineChart,
)
from utilitysched.report.tables import estimate_text

WIDTH, HEIGHT = 640, 220
LEFT, RIGHT, TOP, BOTTOM = 56, 8, 12, 28
"""Margins for the scales, in the units of the drawing."""

INSET, ROW = 24, 38
"""Margin beside a scale of intervals, and height of a row."""

MOST_LABELS = 12
TICKS = 4
GAP = 0.15
"""Share of a column's place that stays empty, where columns are wide enough to tell apart."""


def drawing(chart: ColumnChart) -> dict[str, object]:
    """Return the layout of a column chart in the units of the picture, for a template.

    Rules are lines of the scale: y, y of the text, text; columns have x, y, width, height, and what
    is said where the pointer rests; labels have x and text. The title is for who cannot see it.
    """
    peak = max(chart.values, default=0.0)
    step = tick_step(peak)
    top = step * max(math.ceil(peak / step - 1e-9), 1)
    return {
        "title": f"{chart.title} ({chart.unit})",
        "rules": list(_scale(top, step)),
        "columns": list(_columns(chart, top)),
        "labels": list(_labels(chart.labels)),
        "width": WIDTH,
        "height": HEIGHT,
        "left": LEFT,
        "right": WIDTH - RIGHT,
    }


def intervals(chart: IntervalChart) -> dict[str, object]:
    """Return the layout of a chart of intervals, a named row per value.

    Rules are x and text of the marks of the scale; rows have y of the name, y of the line, x of its
    ends and of the value, name, and value and interval in words.
    """
    ends = [end for row in chart.rows for end in (row.value, row.low, row.high) if end is not None]
    least, most = min([chart.reference, *ends]), max([chart.reference, *ends])
    step = tick_step(most - least)
    first, last = math.floor(least / step + 1e-9), math.ceil(most / step - 1e-9)
    last = max(last, first + 1)

    def x(value: float) -> str:
        return f"{INSET + (value / step - first) / (last - first) * (WIDTH - 2 * INSET):.1f}"

    return {
        "title": f"{chart.title} ({chart.unit})",
        "rules": [(x(i * step), _short(i * step)) for i in range(first, last + 1)],
        "rows": [
            (
                ROW * i + 16,
                ROW * i + 26,
                x(row.value if row.low is None else row.low),
                x(row.value if row.high is None else row.high),
                x(row.value),
                row.name,
                estimate_text(Estimate(*row[1:])),
            )
            for i, row in enumerate(chart.rows)
        ],
        "reference": x(chart.reference),
        "width": WIDTH,
        "height": ROW * len(chart.rows) + BOTTOM,
    }


def lines(chart: LineChart) -> dict[str, object]:
    """Return the layout of a line chart.

    Lines have points of their values, points of those below and above, name, and y of the name.
    """
    values = [
        value
        for line in chart.lines
        for part in (line.values, line.low, line.high)
        for value in part
        if math.isfinite(value)
    ]
    peak = max([*values, chart.level or 0.0])
    step = tick_step(peak)
    top = step * max(math.ceil(peak / step - 1e-9), 1)
    steps = max((len(line.values) for line in chart.lines), default=1)
    width = WIDTH - LEFT - RIGHT

    def points(part: Sequence[float]) -> str:
        return " ".join(
            f"{LEFT + (i + 0.5) / steps * width:.1f},{_y(value, top):.1f}"
            for i, value in enumerate(part)
            if math.isfinite(value)
        )

    return {
        "title": f"{chart.title} ({chart.unit})",
        "rules": list(_scale(top, step)),
        "lines": [
            (
                points(line.values),
                [points(part) for part in (line.low, line.high) if part],
                line.name,
                HEIGHT + 16 * (i + 1),
            )
            for i, line in enumerate(chart.lines)
        ],
        "level": None if chart.level is None else f"{_y(chart.level, top):.1f}",
        "labels": list(_labels([f"{i + 1}" for i in range(steps)])),
        "width": WIDTH,
        "height": HEIGHT,
        "whole": HEIGHT + 16 * len(chart.lines) + 8,
        "left": LEFT,
        "right": WIDTH - RIGHT,
    }


def maps(chart: Landscape) -> dict[str, object]:
    """Return the layout of maps side by side, and of the scale of colours below.

    Images are x and address of a picture within the text, with its name above; labels are x, y and
    text.
    """
    # half a second, which other pages do not need
    from utilitysched.report.figures.heatmaps import scale, shaded  # noqa: PLC0415

    least, most = chart.least, chart.most
    side = (WIDTH - LEFT) / len(chart.parts) - INSET
    lefts = [LEFT + i * (side + INSET) for i in range(len(chart.parts))]
    names = [
        (f"{x + side / 2:.1f}", TOP, part.name) for x, part in zip(lefts, chart.parts, strict=True)
    ]
    bottom = INSET + side
    return {
        "title": f"{chart.title} ({chart.unit})",
        "images": [
            (f"{x:.1f}", shaded(part.values, least, most))
            for x, part in zip(lefts, chart.parts, strict=True)
        ],
        "names": names,
        "across": [
            (f"{x + share * side:.1f}", text)
            for x in lefts
            for share, text in ((0, "-1"), (0.5, f"0, {chart.across}"), (1, "1"))
        ],
        "down": [
            (f"{INSET + share * side:.1f}", text)
            for share, text in ((0.04, "1"), (0.5, chart.down), (1, "-1"))
        ],
        "colours": scale(),
        "ends": (_short(least), _short(most)),
        "side": f"{side:.1f}",
        "top": INSET,
        "left": LEFT,
        "bottom": f"{bottom + 16:.1f}",
        "scale": f"{bottom + 28:.1f}",
        "legend": f"{bottom + 54:.1f}",
        "width": WIDTH,
        "height": f"{bottom + 60:.1f}",
    }


def tick_step(peak: float) -> float:
    """Return a step of 1, 2 or 5 times a power of ten that takes about `TICKS` steps to a peak.

    >>> tick_step(9.7), tick_step(0.4), tick_step(0)
    (2.0, 0.1, 1.0)
    """
    if peak <= 0:
        return 1.0
    raw = peak / TICKS
    power = 10.0 ** math.floor(math.log10(raw))
    least = min(factor * power for factor in (1, 2, 5, 10) if factor * power >= raw * 0.8)
    return float(f"{least:.6g}")


def _scale(top: float, step: float) -> Iterator[tuple[str, str, str]]:
    for i in range(round(top / step) + 1):
        y = _y(i * step, top)
        yield f"{y:.1f}", f"{y + 4:.1f}", _short(i * step)


def _columns(chart: ColumnChart, top: float) -> Iterator[tuple[str, str, str, str, str]]:
    place = (WIDTH - LEFT - RIGHT) / max(len(chart.values), 1)
    gap = GAP * place if place > 3 else 0.0
    for i, (label, value) in enumerate(zip(chart.labels, chart.values, strict=True)):
        y = _y(value, top)
        yield (
            f"{LEFT + i * place + gap / 2:.2f}",
            f"{y:.2f}",
            f"{place - gap:.2f}",
            f"{HEIGHT - BOTTOM - y:.2f}",
            f"{label}: {significant(value)} {chart.unit}",
        )


def _labels(labels: Sequence[str]) -> Iterator[tuple[str, str]]:
    place = (WIDTH - LEFT - RIGHT) / max(len(labels), 1)
    most = MOST_LABELS if max(map(len, labels), default=0) <= 5 else MOST_LABELS // 2
    every = -(-len(labels) // most)
    for i in range(0, len(labels), every):
        yield f"{LEFT + (i + 0.5) * place:.1f}", labels[i]


def _y(value: float, top: float) -> float:
    return HEIGHT - BOTTOM - value / top * (HEIGHT - TOP - BOTTOM)


def _short(value: float) -> str:
    return f"{value:,.6g}" if abs(value) < 1e6 else f"{value:,.0f}"
