"""Graph around a job: who lost because of it, and because of whom it lost itself."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from textwrap import wrap
from typing import Any, NamedTuple

import altair as alt

from pricing.disclosure import ClassLoss
from pricing.evidence import Loss
from swfx import InputError
from swfx.base.numbers import plural
from utilitysched.counterfactual.explanation import Explanation
from utilitysched.report.charts import look
from utilitysched.report.charts.picture import Picture, columns_of, data
from utilitysched.report.sentences import billed, later, loss_text, total, why

MOST = 12
"""Jobs of a kind that are drawn one by one."""

ROW = 38
"""Height of a job (pixels)."""

LEAST, WIDEST = 1.0, 12.0
"""Width of the thinnest and the widest edge (pixels)."""

JOB, BEND, END, TEXT = 0.12, 0.22, 0.34, 0.37
"""Where the job is, where edges bend and end, and where texts begin; shares of the width."""

LETTER = 4.0
"""Half the width of a letter (pixels)."""

WIDTHS = "Edges are as wide as what was lost."

LINE = 70
"""Characters of a line of the title."""


class Node(NamedTuple):
    """What an edge leads to: the job, what it lost in words and in SU, and the edge's colour."""

    name: str
    note: str
    loss: float
    kind: str


KINDS = {
    "It lost because of": look.colour(3),
    "Lost because of it": look.colour(1),
    "gained": look.colour(2),
}
CAUSE, LOST, GAINED = KINDS


def losses(explained: Explanation) -> Picture:
    """Return the graph around a job: causes of its own losses above, those who lost by it below.

    Raises
    ------
    InputError
        Neither cost the job anybody anything, nor anybody the job.
    """
    sides, name = sides_of(explained), explained.job_name
    if not any(sides.values()):
        raise InputError(f"job {name} cost no other job anything, nor others it: nothing to draw")
    user = explained.run.workload.labels.in_field("user")
    owner = user.title(explained.run.workload.user.item(explained.job))
    money = billed(explained)
    paid = f"{'pays' if money > 0 else 'gets'} {abs(money):,f} SU" if money else "pays nothing"
    title = f"Job {name}, {owner}, {paid}"
    verdict, _, because = why(explained).partition(": ")
    under = f"{verdict.capitalize()} under {explained.charges.mechanism}"
    below = wrap(f"{under}: {because}" if because else under, LINE)
    picture = graph(name, sides)
    titled = picture.chart.properties(title=alt.Title(title, subtitle=below))
    return replace(picture, title=title, chart=titled)


def sides_of(explained: Explanation) -> dict[str, list[Node]]:
    """Return the jobs around a job, one by one, as `graph` takes them."""
    return {
        kind: list(_nodes(explained, side, kind))
        for kind, side in ((CAUSE, explained.causes), (LOST, explained.losers))
    }


def graph(name: str, sides: Mapping[str, Sequence[Node]]) -> Picture:
    """Return the graph around a job of some name: its edges by `CAUSE` and `LOST`, at least one.

    Each edge is as wide as the share of the largest loss.
    """
    rows: list[Node | str] = []
    for kind, ends_of in sides.items():
        rows += [kind, *ends_of] if ends_of else []
    middle = (len(rows) - 1) / 2
    nodes = [(down, row) for down, row in enumerate(rows) if isinstance(row, Node)]
    largest = max(abs(node.loss) for _, node in nodes) or 1.0
    corners = [
        (down, order, *place, node.kind, max(LEAST, WIDEST * abs(node.loss) / largest))
        for down, node in nodes
        for order, place in enumerate(((JOB, middle), (BEND, middle), (BEND, down), (END, down)))
    ]
    scale = alt.Scale(domain=list(KINDS), range=list(KINDS.values()))
    colour = alt.Color("kind:N", scale=scale, legend=None)
    dashes = alt.Scale(domain=list(KINDS), range=[[1, 0], [1, 0], [6, 3]])
    edges = _drawn("edges", "edge order across down kind width", corners).encode(
        alt.Order("order:Q"),
        alt.Detail("edge:N"),
        alt.Size("width:Q", scale=None),
        alt.StrokeDash("kind:N", scale=dashes, legend=None),
        colour,
    )
    ends = _drawn("ends", "across down kind", [(END, down, node.kind) for down, node in nodes])
    texts = [(TEXT, down, node.name, node.note) for down, node in nodes]
    beside = _drawn("texts", "across down name note", texts)
    heads = [(TEXT, down, row) for down, row in enumerate(rows) if isinstance(row, str)]
    job = _drawn("job", "across down name", [(JOB, middle, name)])
    area = math.pi * max(24.0, LETTER * len(name) + 6) ** 2
    chart = alt.layer(
        edges.mark_line(interpolate="basis", opacity=0.7, strokeCap="butt"),
        ends.mark_point(filled=True, opacity=1).encode(colour),
        beside.mark_text(align="left", baseline="bottom", dy=1).encode(text="name:N"),
        beside.mark_text(align="left", baseline="top", dy=2, color=look.QUIET).encode(
            text="note:N"
        ),
        job.mark_point(fill=look.PANEL, stroke=look.INK, opacity=1, shape="circle", size=area),
        job.mark_text(baseline="bottom").encode(text=alt.value("job")),
        job.mark_text(baseline="top").encode(text="name:N"),
        _drawn("heads", "across down text", heads)
        .mark_text(align="left", dy=6, fontWeight="bold")
        .encode(text="text:N"),
        height=ROW * len(rows),
    )
    return Picture("losses", f"Losses around job {name}", chart, WIDTHS)


def _drawn(name: str, fields: str, rows: Sequence[Sequence[Any]]) -> alt.Chart:
    """Return a chart without axes: `across` is a share of the width, `down` a row from above."""
    down = alt.Scale(nice=False, padding=ROW / 2, reverse=True, zero=False)
    chart: alt.Chart = alt.Chart(data(name, columns_of(fields, rows))).encode(
        alt.X("across:Q", axis=None, scale=alt.Scale(domain=[0, 1])),
        alt.Y("down:Q", axis=None, scale=down),
    )
    return chart


def _nodes(explained: Explanation, side: Sequence[Loss], kind: str) -> Iterator[Node]:
    jobs = explained.run.workload
    user = jobs.labels.in_field("user")
    shown = side if len(side) <= MOST + 1 else side[:MOST]
    for lost in shown:
        name = f"job {jobs.job_name(lost.job)}, {user.title(jobs.user.item(lost.job))}"
        yield node(name, lost, kind, later(lost))
    if rest := side[len(shown) :]:
        amount = total(rest)
        yield Node(plural(len(rest), "other"), f"{amount:,f} SU", float(amount), kind)


def node(name: str, lost: Loss | ClassLoss, kind: str, more: str) -> Node:
    """Return the end of an edge: what was lost or gained, and a word more."""
    if lost.loss < 0:
        return Node(name, _note(f"gains {-lost.amount:,f} SU", more), lost.loss, GAINED)
    return Node(name, _note(f"{loss_text(lost)} SU", more), lost.loss, kind)


def _note(amount: str, more: str) -> str:
    return f"{amount}, {more}" if more else amount
