"""Charts of jobs and of users: waits, shares of value, fairness, charges."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

import numpy as np
from bokeh.models import Range1d
from bokeh.models.renderers import DataRenderer
from bokeh.plotting import figure

from swfx.base.numbers import significant
from swfx.labels import LabelNames
from utilitysched.analysis.documents import Cell, ResultTable, column, panel
from utilitysched.analysis.metrics import realised_utility
from utilitysched.analysis.series import (
    Bill,
    Distribution,
    Totals,
    Users,
    charges_by,
    fairness,
    start_value_share_distribution,
    users,
    wait_distribution,
)
from utilitysched.report.html.canvas import (
    LEAST_DURATION,
    ReportSection,
    blank,
    draw_line,
    draw_points,
    filled,
    from_zero,
    name_rows,
    point_at,
    scale_durations,
    table_by_run,
)
from utilitysched.report.html.shown import GREY, Shown
from utilitysched.runs import RunResults

WAIT_LEVELS = (
    ("at once", 0.0),
    ("1 min", 60.0),
    ("10 min", 600.0),
    ("1 h", 3600.0),
    ("10 h", 36_000.0),
    ("1 d", 86_400.0),
    ("4 d", 345_600.0),
)
SHARE_LEVELS = tuple((f"{percent}%", percent / 100) for percent in (0, 10, 25, 50, 75, 90, 100))


def distribution_pictures(shown: Shown) -> Iterator[ReportSection]:
    """Yield the distribution of waits, and that of earned shares where jobs have start values."""
    waits = {label: wait_distribution(run.workload, run.schedule) for label, run in shown}
    yield _wait_distributions(waits)
    shares = {
        label: start_value_share_distribution(run.workload, run.schedule) for label, run in shown
    }
    if any(len(each) for each in shares.values()):
        yield _share_distributions(shares)


def _wait_distributions(waits: Mapping[str, Distribution]) -> ReportSection:
    longest = max(float(each.value[-1]) for each in waits.values())
    drawn = blank(
        "waited at most (logarithmic)",
        "jobs (%)",
        x_axis_type="log",
        x_range=Range1d(start=LEAST_DURATION, end=max(longest, 6 * LEAST_DURATION) * 1.1),
        y_range=Range1d(start=0, end=102),
    )
    scale_durations(drawn)
    _draw_steps(drawn, "waits", waits, "waited at most @said")
    return ReportSection(
        "waits",
        "Waits",
        "Which share of the jobs waited at most how long until they first started; waits below "
        "10 s are drawn at 10 s. "
        "The further up and to the left, the shorter the waits.",
        drawn,
        table=_levels_table("wait at most", waits, WAIT_LEVELS),
        lines=dict(enumerate(waits)),
    )


def _share_distributions(shares: Mapping[str, Distribution]) -> ReportSection:
    drawn = blank(
        "earned at most (% of its start value)",
        "jobs (%)",
        x_range=Range1d(start=0, end=100),
        y_range=Range1d(start=0, end=102),
    )
    _draw_steps(drawn, "shares", shares, "earned at most @said")
    return ReportSection(
        "shares",
        "Share of the start value earned",
        "Which share of the jobs earned at most which part of what they were worth at submission. "
        "The further down and to the right, the more was earned.",
        drawn,
        table=_levels_table("earned at most", shares, SHARE_LEVELS),
        lines=dict(enumerate(shares)),
    )


def _draw_steps(drawn: figure, key: str, labels: Iterable[str], text: str) -> None:
    """Draw a step at each value, and say what is pointed at."""
    for place, label in enumerate(labels):
        line = draw_line(drawn, place, filled(key, place, ("x", "y", "said")))
        tips = [(label, f"@y{{0.0}}% of the jobs {text}")]
        point_at(drawn, tips, renderers=[line], line_policy="nearest")


def _levels_table(
    name: str, distributions: Mapping[str, Distribution], levels: Sequence[tuple[str, float]]
) -> ResultTable:
    at = np.array([value for _, value in levels])
    shares = {label: each.at(at) for label, each in distributions.items()}
    texts = [text for text, _ in levels]
    return table_by_run(("levels", name, "level"), " (% of jobs)", texts, shares, "percent")


MOST_ROWS = 20
USER_FACTS = ("user", "run", "jobs", "said")

MOST_USERS = 20
ROW = 20
"""Pixels for each user."""

MARGINS = 110


def user_pictures(shown: Shown) -> Iterator[ReportSection]:
    """Yield mean waits of users, and how unevenly slowdowns are spread; none for one user."""
    by_run = {
        label: users(
            run.workload,
            run.schedule,
            run.tau,
            None if run.bill is None else run.bill.charge,
        )
        for label, run in shown
    }
    if len(next(iter(by_run.values())).user) > 1:
        names = shown.workload.labels.in_field("user")
        yield _waits(by_run, names)
        yield _fairness(by_run)


def _waits(waits: dict[str, Users], names: LabelNames) -> ReportSection:
    longest = max(float(each.wait.max()) for each in waits.values())
    drawn = blank(
        "processor-hours used (h, logarithmic)",
        "mean wait (logarithmic)",
        x_axis_type="log",
        y_axis_type="log",
        y_range=Range1d(start=LEAST_DURATION * 0.8, end=max(longest, 6 * LEAST_DURATION) * 1.3),
    )
    scale_durations(drawn, "y")
    for place in range(len(waits)):
        draw_points(drawn, place, filled("users", place, ("x", "y", *USER_FACTS)))
    tips = [
        ("user", "@user"),
        ("run", "@run"),
        ("jobs", "@jobs{0,0}"),
        ("processor-hours", "@x{0,0}"),
        ("mean wait", "@said"),
    ]
    point_at(drawn, tips)
    return ReportSection(
        "users",
        "Users",
        "Each mark is a user: what they used, and how long their jobs waited. Means below 10 s are "
        "drawn at 10 s. Jobs of unknown users are left out.",
        drawn,
        table=_largest(waits, names),
        lines=dict(enumerate(waits)),
        marked=True,
    )


def _fairness(users: dict[str, Users]) -> ReportSection:
    drawn = blank(
        "users, the least slowed down first (%)",
        "sum of their slowdowns (%)",
        x_range=Range1d(start=0, end=100),
        y_range=Range1d(start=0, end=102),
    )
    drawn_lines: list[DataRenderer] = []
    sentences = []
    for place, (label, each) in enumerate(users.items()):
        drawn_lines.append(draw_line(drawn, place, filled("fairness", place)))
        gini, jain = fairness(each.bounded_slowdown)
        sentences.append(f"{label}: Gini {significant(gini)}, Jain {significant(jain)}")
    drawn.line([0, 100], [0, 100], line_color=GREY, line_dash=[1, 3])
    tip = "@x{0.0}% of the users have @y{0.0}% of the slowdowns"
    point_at(drawn, tip, renderers=drawn_lines, line_policy="nearest")
    return ReportSection(
        "fairness",
        "Fairness among users",
        "Lorenz curves of the users' mean bounded slowdowns: the nearer to the dotted diagonal, "
        f"the more alike users fared. All jobs: {'; '.join(sentences)}. "
        "Gini 0 and Jain 1: all alike.",
        drawn,
        lines=dict(enumerate(users)),
    )


def _largest(users: dict[str, Users], names: LabelNames) -> ResultTable:
    """Return a table of the users with the most processor-hours."""
    first = next(iter(users.values()))
    chosen = np.argsort(-first.processor_hours, kind="stable")[:MOST_ROWS].tolist()
    rows: list[list[Cell]] = []
    for i in chosen:
        waits = [float(each.wait[i]) / 3600 for each in users.values()]
        hours = float(first.processor_hours[i])
        rows.append([names.name(first.user.item(i)), int(first.jobs[i]), hours, *waits])
    return panel(
        "largest-users",
        "Show as a table",
        f"Of {len(first.user)} users, the {len(rows)} who used most.",
        [
            column("user", "text", "user"),
            column("jobs", "count", "jobs"),
            column("processor-hours", "count", "processor_hours"),
            *(column(f"{label}: mean wait (h)", "number", label) for label in users),
        ],
        rows,
    )


def charge_pictures(shown: Shown) -> Iterator[ReportSection]:
    """Yield the charges by user of all runs that have a bill; nothing if none has one."""
    billed = {
        place: (label, run, run.bill)
        for place, (label, run) in enumerate(shown)
        if run.bill is not None
    }
    if billed:
        yield _picture(billed, shown.workload.labels.in_field("user"))


def _picture(billed: dict[int, tuple[str, RunResults, Bill]], names: LabelNames) -> ReportSection:
    totals = {
        place: charges_by(bill, run.workload.user, realised_utility(run.workload, run.schedule))
        for place, (_, run, bill) in billed.items()
    }
    labels = {place: label for place, (label, _, _) in billed.items()}
    payers = next(iter(totals.values())).key[:MOST_USERS].tolist()
    under = f" under {next(iter(labels.values()))}" if len(labels) > 1 else ""
    sentence = "; ".join(
        f"{label}: {significant(float(totals[place].charge.sum()))} SU in all by {bill.mechanism}"
        for place, (label, _, bill) in billed.items()
    )
    return ReportSection(
        "charges",
        "Charges by user",
        f"The {len(payers)} users who pay most{under}. {sentence}.",
        _drawn(payers, labels, names),
        table=_table(payers, totals, labels, names),
        lines=labels,
        marked=True,
    )


def _drawn(payers: list[int], labels: dict[int, str], names: LabelNames) -> figure:
    """Draw a row for each payer, with a point for each run."""
    drawn = blank("charge (SU)", "user", height=MARGINS + ROW * len(payers), x_range=from_zero())
    name_rows(drawn, [names.name(user) for user in payers])
    for place in labels:
        draw_points(drawn, place, filled("charges", place, ("x", "y", "utility", "user", "run")))
    tips = [
        ("user", "@user"),
        ("run", "@run"),
        ("charge", "@x{0,0} SU"),
        ("utility", "@utility{0,0} SU"),
    ]
    point_at(drawn, tips)
    return drawn


def _of(totals: Totals, payers: list[int]) -> tuple[list[float], list[float]]:
    """Charge and utility of each payer, 0 for who pays nothing."""
    charge = dict(zip(totals.key.tolist(), totals.charge.tolist(), strict=True))
    utility = dict(zip(totals.key.tolist(), totals.utility.tolist(), strict=True))
    return [charge.get(user, 0.0) for user in payers], [utility.get(user, 0.0) for user in payers]


def _table(
    payers: list[int], totals: dict[int, Totals], labels: dict[int, str], names: LabelNames
) -> ResultTable:
    distributions = {place: _of(each, payers) for place, each in totals.items()}
    rows: list[list[Cell]] = [
        [names.name(user), *(each[i] for both in distributions.values() for each in both)]
        for i, user in enumerate(payers)
    ]
    columns = [
        each
        for place in distributions
        for each in (
            column(f"{labels[place]}: charge (SU)", "count", f"charge {place}"),
            column("utility (SU)", "count", f"utility {place}"),
        )
    ]
    return panel("charges", "Show as a table", "", [column("user", "text", "user"), *columns], rows)
