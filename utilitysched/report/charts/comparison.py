"""Runs and schedulers beside a baseline."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import altair as alt

from utilitysched.report.charts.channels import by_run, tips
from utilitysched.report.charts.look import BETTER, BOUND, INK, WORSE
from utilitysched.report.charts.picture import Columns, Picture, data
from utilitysched.report.charts.scales import numbers

ROW = 14
"""Height of a line (pixels)."""


def comparison(
    columns: Columns, labels: Sequence[str], baseline: str, better: Mapping[str, str]
) -> Picture:
    """Return the ratios of runs to a baseline: a row for each metric, in it a line for each run.

    The better side of 1 and the worse one are shaded.

    Parameters
    ----------
    columns : mapping of str to array_like
        metric: one of the rows; run: one of the labels; ratio: above 0; low, high: ends of its
        interval, may be missing; text: the ratio as it is written beside the mark.
    labels : sequence of str
        Of all runs, the baseline's among them.
    baseline : str
        Label of the run that others are divided by.
    better : mapping of str to str
        ``higher`` or ``lower`` by metric: the rows, from above.
    """
    others = [label for label in labels if label != baseline]
    rows = alt.Y("metric:N", sort=list(better), title=None, axis=alt.Axis(grid=False))
    lines = alt.YOffset("run:N", scale=alt.Scale(domain=others))
    title = f"ratio to {baseline} (logarithmic)"
    x = numbers(alt.X, "ratio", title, type="log", nice=False, padding=30)
    ratios = alt.Chart(data("comparison", columns)).encode(
        y=rows, yOffset=lines, tooltip=tips(metric="metric", run="run", text="ratio")
    )
    ways = by_run(labels)
    marks = ratios.mark_point(filled=True, opacity=1).encode(x=x, **by_run(labels, "shape"))
    spans = ratios.transform_filter("isValid(datum.low)").mark_rule()
    texts = ratios.mark_text(align="left", dx=8, color=INK).encode(x=x, text="text:N")
    one = alt.Chart(alt.InlineData(values=[{}])).mark_rule(color=BOUND)
    chart = alt.layer(
        *_sides(better),
        one.encode(x=alt.datum(1)),
        spans.encode(x=x.copy(), x2="high:Q", **ways),
        marks,
        texts,
        height=len(better) * (ROW * len(others) + 6),
    )
    caption = f"Figures of each run divided by those of {baseline}. Shaded: the better side of 1."
    return Picture("comparison", f"Compared with {baseline}", chart, caption)


def _sides(better: Mapping[str, str]) -> list[alt.Chart]:
    """Return what shades each row on either side of 1."""
    scale = alt.Scale(domain=["better", "worse"], range=[BETTER, WORSE])
    opacity = alt.Scale(domain=["better", "worse"], range=[0.25, 0.1])
    layers = []
    for end, good in ((alt.value(0), "lower"), (alt.value("width"), "higher")):
        rows = [
            {"metric": metric, "side": "better" if which == good else "worse"}
            for metric, which in better.items()
        ]
        shade = alt.Chart(alt.InlineData(values=rows)).mark_rect()
        layers.append(
            shade.encode(
                x=alt.datum(1),
                x2=end,
                y=alt.Y("metric:N", sort=list(better), title=None),
                fill=alt.Fill("side:N", scale=scale, title=None),
                fillOpacity=alt.FillOpacity("side:N", scale=opacity, title=None),
            )
        )
    return layers
