"""Convergence of a search: what the generations of a genetic scheduler were like, on average."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import altair as alt
import numpy as np

from swfx import InputError
from utilitysched.model.schedule import SEARCH
from utilitysched.report.charts.channels import by_run, joined, tips
from utilitysched.report.charts.over_time import HEIGHT
from utilitysched.report.charts.picture import Columns, Picture, data
from utilitysched.report.charts.scales import numbers
from utilitysched.runs import RunResults

PLANS = {"best": 3.0, "median": 1.5, "worst": 0.7}
"""Of a population, and how thick the line of each is."""

BELOW = 4
"""Times as far down as the best rises: what lies further down is below the picture."""

LEAST_REACH = 0.1
"""Percent that the scale reaches up at least."""


def convergence(columns: Columns, labels: Sequence[str]) -> Picture:
    """Return the fitness of the best, median and worst plan by generation.

    Parameters
    ----------
    columns : mapping of str to array_like
        run: one of the labels; plan: one of `PLANS`; generation: from 0; value: what the plan's
        fitness is above that of the first generation's best (%).
    labels : sequence of str
        Of all runs; the legend names those that bred.
    """
    title = "fitness beside the first best (%)"
    written = f"{title}: best thick, median, worst thin"
    values = np.asarray(columns.get("value", []), np.float64)
    reach = max(float(np.max(values, initial=0.0)), LEAST_REACH)
    lowest = 1.1 * float(np.min(values[values > -BELOW * reach], initial=0.0))
    bred = set(np.unique(columns.get("run", [])).tolist())
    thickness = alt.Scale(type="ordinal", domain=list(PLANS), range=list(PLANS.values()))
    across = numbers(alt.X, "generation", "generation", nice=False)
    across["axis"]["tickMinStep"] = 1
    lines = alt.Chart(data("convergence", columns), height=HEIGHT).mark_line(clip=True)
    lines = lines.encode(
        x=across,
        y=numbers(alt.Y, "value", written, domain=[lowest, 1.2 * reach], nice=False),
        size=alt.Size("plan:N", scale=thickness, legend=None),
        tooltip=tips(run="run", plan="plan", generation="generation", value=title),
        **by_run(labels, "strokeDash", named=[label for label in labels if label in bred]),
    )
    caption = "Plans of each generation: means over all decisions."
    return Picture("convergence", "Convergence of the search", lines, caption)


def convergence_columns(runs: Mapping[str, RunResults]) -> Columns:
    """Return the columns of `convergence`, of the runs that bred.

    Raises
    ------
    InputError
        None did.
    """
    parts: dict[str, Columns] = {}
    for label, run in runs.items():
        search: Any = run.schedule.provenance.get(SEARCH, {})
        if search.get("generations") and (curve := search["convergence"]):
            count = len(curve["best"])
            parts[label] = {
                "plan": [plan for plan in PLANS for _ in range(count)],
                "generation": np.tile(np.arange(count), len(PLANS)),
                "value": 100 * np.concatenate([curve[plan] for plan in PLANS]),
            }
    if not parts:
        raise InputError("no run bred generations of plans")
    return joined(parts)
