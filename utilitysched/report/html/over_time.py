"""Charts over time: utilisation, queue length, utility, and metrics by week."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np
from bokeh.models import ColumnDataSource, Range1d

from swfx.base.numbers import significant
from utilitysched.analysis.documents import ResultTable
from utilitysched.analysis.metrics.machine import WEEK
from utilitysched.analysis.series import (
    StepFunction,
    Weeks,
    delivered_utility,
    undelayed_utility,
    utilisation,
    waiting_jobs,
    weeks,
)
from utilitysched.model.state import Floats
from utilitysched.report.html.canvas import (
    ReportSection,
    ask_script,
    draw_line,
    filled,
    from_zero,
    over_time,
    point_at,
    table_by_run,
)
from utilitysched.report.html.shown import DAY, GREY, Shown
from utilitysched.runs import RunResults

WHOLE = 6.5
"""Days from which a week is taken for whole: logs seldom begin and end to the second."""

ROWS = 12
"""Stretches of time in the table of a chart."""


class Trend(NamedTuple):
    """What is drawn over time.

    Attributes
    ----------
    key, title, scale, unit, caption : str
        Of the chart, and the label of its vertical scale.
    steps : callable
        Gives the values of a run.
    share : bool
        In percent, whose least and largest values are 0 and 100.
    """

    key: str
    title: str
    scale: str
    unit: str
    caption: str
    steps: Callable[[RunResults], StepFunction]
    share: bool = False


TRENDS = (
    Trend(
        "utilisation",
        "Utilisation over time",
        "processors in use (%)",
        "%",
        "Share of the processors that run jobs. Far away the mean over some 400 stretches of time, "
        "every change when zoomed in.",
        lambda run: utilisation(run.workload, run.schedule).scaled(100),
        share=True,
    ),
    Trend(
        "queue",
        "Queue length over time",
        "waiting jobs",
        "jobs",
        "Jobs submitted that have not started.",
        lambda run: waiting_jobs(run.workload, run.schedule),
    ),
)
UTILITY = Trend(
    "utility",
    "Aggregate utility over time",
    "utility so far (SU)",
    "SU",
    "Sum of the utility of all jobs that have ended.",
    lambda run: delivered_utility(run.workload, run.schedule),
)


def pictures(shown: Shown, shared: Range1d) -> Iterator[ReportSection]:
    """Yield a chart per trend; that of utility only for jobs that have utility functions."""
    trends = [*TRENDS, UTILITY] if shown.workload.has_utilities else list(TRENDS)
    for trend in trends:
        yield _picture(trend, shown, shared)


def _picture(trend: Trend, shown: Shown, shared: Range1d) -> ReportSection:
    lines = {label: trend.steps(run) for label, run in shown}
    vertical = Range1d(start=0, end=100, bounds=(0, 100)) if trend.share else from_zero()
    drawn = over_time(shown.scale, shared, trend.scale, y_range=vertical)
    drawn_lines = [draw_line(drawn, place, filled(trend.key, place)) for place in shown.key]
    names = {"key": trend.key, "unit": trend.unit, "labels": list(lines)}
    at = "at(key, unit, labels, special_vars)"
    ask_script(drawn, drawn_lines[0], at, names, mode="vline", line_policy="none")
    caption = trend.caption
    if trend is UTILITY:
        bound = undelayed_utility(shown.workload, shown.runs[0].schedule)
        caption += f" Grey: had no job waited (of all jobs {significant(_last(bound))} SU)."
        source = filled(trend.key, len(lines))
        drawn.line("x", "y", source=source, line_color=GREY, line_width=1.5)
    return ReportSection(
        trend.key,
        trend.title,
        caption,
        drawn,
        table=_table(trend, lines, shown),
        lines=shown.key,
        wide=True,
    )


def _table(trend: Trend, lines: dict[str, StepFunction], shown: Shown) -> ResultTable:
    """Means over equal stretches of time; of what only grows, the values at their ends."""
    scale = shown.scale
    edges = scale.origin + np.linspace(0, scale.length, ROWS + 1)
    values = {
        label: steps.at(edges[1:]) if trend is UTILITY else steps.means(edges)
        for label, steps in lines.items()
    }
    days = (edges - scale.origin) / 86_400
    texts = [f"{days[i]:.1f} to {days[i + 1]:.1f}" for i in range(ROWS)]
    note = "At the end of each stretch." if trend is UTILITY else "Means over each stretch."
    names = (f"{trend.key}-figures", "days since the first submission", "days")
    return table_by_run(names, f": {trend.scale}", texts, values, note=note)


def _last(steps: StepFunction) -> float:
    return float(steps.value[-1]) if len(steps) else 0.0


class Weekly(NamedTuple):
    """A figure by week: its field in `Weeks`, title, unit, and what it is multiplied with."""

    field: str
    title: str
    unit: str
    caption: str
    factor: float = 1.0


FIGURES = (
    Weekly(
        "wait", "Mean wait by week", "mean wait (h)", "Of the jobs submitted in the week.", 1 / 3600
    ),
    Weekly(
        "bounded_slowdown",
        "Mean bounded slowdown by week",
        "mean bounded slowdown",
        "Of the jobs submitted in the week.",
    ),
    Weekly(
        "utilisation", "Utilisation by week", "processors in use (%)", "By whatever job.", 100.0
    ),
    Weekly(
        "utility",
        "Utility by week",
        "utility (SU)",
        "Earned by the jobs submitted in the week, whenever they ended.",
    ),
)


def weekly_pictures(shown: Shown, shared: Range1d) -> Iterator[ReportSection]:
    """Yield a chart per figure; that of utility only for jobs that have utility functions.

    Nothing for logs of less than two weeks, which have no weeks to compare.
    """
    submit = shown.workload.submit
    if float(submit.max() - submit.min()) < 2 * WEEK:
        return
    weekly = {label: weeks(run.workload, run.schedule, run.tau) for label, run in shown}
    for wanted in FIGURES:
        if wanted.field != "utility" or shown.workload.has_utilities:
            yield _weekly_picture(wanted, weekly, shown, shared)


def _weekly_picture(
    wanted: Weekly, weeks_by_run: dict[str, Weeks], shown: Shown, shared: Range1d
) -> ReportSection:
    drawn = over_time(shown.scale, shared, wanted.unit, y_range=from_zero())
    last = float(np.max(shown.workload.submit))
    for place, (label, each) in enumerate(weeks_by_run.items()):
        end = np.minimum(each.start + WEEK, shown.scale.origin + shown.scale.length)
        covered = _covered(each, last)
        name = f"drawn {_key(wanted)} {place}"
        columns = {
            "x": shown.scale.place((each.start + end) / 2),
            "y": np.full(len(each.start), np.nan),  # the page's script fills them
            "week": _dates(each, covered),
            "alpha": np.where(covered < WHOLE, 0.0, 0.35),
        }
        marks = draw_line(drawn, place, ColumnDataSource(data=columns, name=name), marked=True)
        marks.glyph.fill_alpha = "alpha"
        tips = [(label, f"@y{{0,0.[00]}} {wanted.unit}"), ("week from", "@week")]
        point_at(drawn, tips, renderers=[marks])
    return ReportSection(
        _key(wanted),
        wanted.title,
        f"{wanted.caption} Weeks are counted from the first submission; each is marked in its "
        "middle, with a hollow mark where jobs were submitted during a part of it only.",
        drawn,
        table=_weekly_table(wanted, weeks_by_run, last),
        lines=dict(enumerate(weeks_by_run)),
        marked=True,
    )


def _key(wanted: Weekly) -> str:
    return f"weekly-{wanted.field.replace('_', '-')}"


def _covered(each: Weeks, last: float) -> Floats:
    """Return for which part of each week jobs were still submitted, in days."""
    return np.clip(last - each.start, 0, WEEK) / DAY


def _dates(each: Weeks, covered: Floats) -> list[str]:
    """Return the dates of weeks, incomplete ones with the days covered."""
    return [
        date if days >= WHOLE else f"{date} ({days:.1f} of 7 d)"
        for date, days in zip(each.label, covered.tolist(), strict=True)
    ]


def _weekly_table(wanted: Weekly, weeks_by_run: dict[str, Weeks], last: float) -> ResultTable:
    columns = {
        label: wanted.factor * getattr(each, wanted.field) for label, each in weeks_by_run.items()
    }
    longest = max(weeks_by_run.values(), key=lambda each: len(each.label))
    dates = _dates(longest, _covered(longest, last))
    return table_by_run((wanted.field, "week from", "week"), f": {wanted.unit}", dates, columns)
