"""Column charts as SVG, to stand inside a page whose style sheet colours them."""

import math
from collections.abc import Iterator, Sequence
from html import escape

from utilitysched.analysis.description.panels import Chart
from utilitysched.report.numbers import figures

WIDTH, HEIGHT = 640, 220
LEFT, RIGHT, TOP, BOTTOM = 56, 8, 12, 28
"""Margins for the scales, in the units of the drawing."""

MOST_LABELS = 12
TICKS = 4
GAP = 0.15
"""Share of a column's place that stays empty, where columns are wide enough to tell apart."""


def column_chart(chart: Chart) -> str:
    """Draw one column per value, with scales, and each figure where the pointer rests."""
    peak = max(chart.values, default=0.0)
    step = tick_step(peak)
    top = step * max(math.ceil(peak / step - 1e-9), 1)
    parts = [*_scale(top, step), *_columns(chart, top), *_labels(chart.labels)]
    title = escape(f"{chart.title} ({chart.unit})", quote=True)
    return (
        f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{title}">\n'
        + "\n".join(parts)
        + "\n</svg>"
    )


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


def _scale(top: float, step: float) -> Iterator[str]:
    for i in range(round(top / step) + 1):
        value = i * step
        y = _y(value, top)
        yield (
            f'<line class="rule" x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y:.1f}" y2="{y:.1f}"/>'
            f'<text class="tick" x="{LEFT - 6}" y="{y + 4:.1f}" text-anchor="end">'
            f"{_short(value)}</text>"
        )


def _columns(chart: Chart, top: float) -> Iterator[str]:
    place = (WIDTH - LEFT - RIGHT) / max(len(chart.values), 1)
    gap = GAP * place if place > 3 else 0.0
    for i, (label, value) in enumerate(zip(chart.labels, chart.values, strict=True)):
        y = _y(value, top)
        yield (
            f'<rect class="column" x="{LEFT + i * place + gap / 2:.2f}" y="{y:.2f}" '
            f'width="{place - gap:.2f}" height="{HEIGHT - BOTTOM - y:.2f}">'
            f"<title>{escape(label)}: {escape(figures(value))} {escape(chart.unit)}</title></rect>"
        )


def _labels(labels: Sequence[str]) -> Iterator[str]:
    place = (WIDTH - LEFT - RIGHT) / max(len(labels), 1)
    most = MOST_LABELS if max(map(len, labels), default=0) <= 5 else MOST_LABELS // 2
    every = -(-len(labels) // most)
    for i in range(0, len(labels), every):
        x = LEFT + (i + 0.5) * place
        yield (
            f'<text class="tick" x="{x:.1f}" y="{HEIGHT - 8}" text-anchor="middle">'
            f"{escape(labels[i])}</text>"
        )


def _y(value: float, top: float) -> float:
    return HEIGHT - BOTTOM - value / top * (HEIGHT - TOP - BOTTOM)


def _short(value: float) -> str:
    return f"{value:,.6g}" if value < 1e6 else f"{value:,.0f}"
