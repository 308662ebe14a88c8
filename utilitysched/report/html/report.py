"""Reports of runs: everything in one page."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from markupsafe import Markup

from swfx import MISSING, InputError
from swfx.base.numbers import UNKNOWN
from utilitysched.analysis.documents import ResultTable
from utilitysched.analysis.metrics.catalogue import known_metrics, own_metrics
from utilitysched.analysis.metrics.machine import WEEK
from utilitysched.report import glossary
from utilitysched.report.charts import look
from utilitysched.report.charts.charges import charges
from utilitysched.report.charts.comparison import comparison
from utilitysched.report.charts.distributions import SHARES, WAITS, lorenz, users
from utilitysched.report.charts.over_time import OFFERED, TRENDS, UNDELAYED, WEEKLY, utility
from utilitysched.report.charts.picture import Picture
from utilitysched.report.charts.search import convergence, convergence_columns
from utilitysched.report.groups import use_table, wait_tables
from utilitysched.report.html import gantt, jobs
from utilitysched.report.html.columns import packed
from utilitysched.report.html.shown import Shown
from utilitysched.report.html.summary import (
    SMALL,
    figures,
    figures_note,
    provenance,
)
from utilitysched.report.templating import data_of, render, write_html
from utilitysched.runs import RunResults

POLICY = (
    "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; "
    "img-src data: blob:; font-src data:"
)
"""What the page may do: nothing is ever fetched, and no text becomes a script."""

WHOLE_WIDTH = ("gantt", "utilisation", "queue", "utility")
"""Sections over the whole width of the page."""

BESIDE = 3
"""Runs whose figures have room beside their comparison."""

TABLED = ("users", "charges-user", *(key for key in WEEKLY if key != "weekly-jobs"))
"""Sections whose marks the page's script also writes as a table."""

CHIEF = ("aggregate_utility", "utilisation", "wait_mean", "wait_p100", "jobs_starved")
"""Figures that telephones show first."""

COMPARED = {
    "aggregate_utility": "aggregate utility",
    "utilisation": "utilisation",
    "wait_mean": "mean wait",
    "wait_p98": "wait, 98% of jobs at most",
    "wait_p100": "longest wait",
    "submission_wait_mean": "mean wait from submission",
    "turnaround_mean": "mean turnaround",
    "bounded_slowdown_mean": "mean bounded slowdown",
    "requested_expansion_factor_p75": "expansion factor, 75%",
    "makespan": "makespan",
}
"""Metrics of which ratios are shown, beside those of plug-ins."""

ONE_WORKLOAD = "With one workload, no interval can be given. Ratios to or of 0 are left out."

OF_ALL = "Of all jobs, whichever are chosen."

PAPER = 702
"""Width of a sheet of A4 within its margins (pixels)."""


def write_report(runs: Sequence[RunResults], path: Path, baseline: str | None = None) -> None:
    """Write a report, whole or not at all; ``-`` is standard output.

    Parameters
    ----------
    runs : sequence of RunResults
        Of one workload.
    path : Path
        Where to.
    baseline : str, optional
        Label of the run that the others are compared with; default: the first.

    Raises
    ------
    InputError
        The runs cannot share a report, none is of the baseline, or the file cannot be written.
    """
    write_html(report_page(runs, baseline), path)


def report_page(runs: Sequence[RunResults], baseline: str | None = None) -> str:
    """Return a report as self-contained HTML; see `write_report`."""
    shown = Shown.of(runs, baseline)
    painting = gantt.painting(shown)
    pictures, rows = list(_pictures(shown, painting)), list(_figures(shown))
    index, data = packed([*jobs.columns(shown), *painting.columns])
    return render(
        "report.html",
        title=_title(shown),
        policy=Markup(POLICY),
        paper=PAPER,
        filters=list(jobs.filters(shown)),
        count=len(shown.workload),
        labels=shown.labels,
        figures=rows,
        figures_note=figures_note(shown),
        pictures=pictures,
        groups=list(_groups(shown)),
        wide=(*WHOLE_WIDTH, *(() if 1 < len(shown) <= BESIDE else ("comparison",))),
        tabled=TABLED,
        painted=painting.labels,
        colourings=painting.colourings,
        down=any(each.name.startswith("outages ") for each in painting.columns),
        terms=[(glossary.place(term), term, meaning) for term, meaning in glossary.TERMS.items()],
        provenance=provenance(shown),
        dashes=look.DASHES,
        charts=data_of({picture.key: picture.on_page() for picture in pictures}),
        index=data_of(index),
        data=Markup(data),
        settings=data_of({**_settings(shown), "figures": rows}),
    )


def _settings(shown: Shown) -> Mapping[str, Any]:
    """Return what the page's script must know, besides jobs and charts."""
    return {
        "scale": shown.scale.to_dict(),
        "labels": list(shown.labels),
        "machine": shown.runs[0].schedule.machine_size,
        "runs": [
            {"tau": run.tau, "threshold": run.summary.get("starvation_threshold")}
            for run in shown.runs
        ],
        "comparison": _compared(shown),
        "bounds": {"offered": OFFERED, "undelayed": UNDELAYED},
        "mechanisms": [run.bill.mechanism if run.bill else "" for run in shown.runs],
        "small": SMALL,
        "light": look.variables(dark=False),
        "terms": [(term, glossary.place(term)) for term in sorted(glossary.TERMS, key=_longest)],
    }


def _longest(term: str) -> tuple[int, str]:
    return -len(term), term


def _figures(shown: Shown) -> Iterator[dict[str, Any]]:
    """Yield the rows of the figures: metric, its title and writer, and its text of each run."""
    for row, values in figures(shown):
        texts = [UNKNOWN if value is None else row.write(value) for value in values]
        chief = row.metric in CHIEF
        titles = {"metric": row.metric, "name": row.name, "writer": row.write.__name__}
        yield {**titles, "values": values, "texts": texts, "chief": chief}


def _pictures(shown: Shown, painting: gantt.Painting) -> Iterator[Picture]:
    """Yield the charts, without rows, which the page's script gives them."""
    labels, scale = shown.labels, shown.scale
    compared = [(each["title"], each["better"]) for each in _compared(shown)]
    if compared:
        picture = comparison({}, labels, labels[0], dict(compared))
        yield replace(picture, caption=f"{picture.caption} {ONE_WORKLOAD}")
    yield gantt.frame(shown, painting)
    for key in ("utilisation", "queue"):
        yield TRENDS[key].picture({}, labels, scale)
    valued = bool(np.any(shown.workload.utility.start_values > 0))
    if valued:
        yield utility({}, labels, scale)
    yield WAITS.picture({}, labels)
    if valued:
        yield SHARES.picture({}, labels)
    if float(np.ptp(shown.workload.submit)) >= 2 * WEEK:
        for figure in WEEKLY.values():
            if figure.field != "jobs" and (valued or figure.field != "utility"):
                yield figure.picture({}, labels, scale)
    if len(np.unique(shown.workload.user[shown.workload.user != MISSING])) > 1:
        yield users({}, labels)
        yield lorenz({}, labels)
    billed = [label for label, run in shown if run.bill is not None]
    if billed:
        yield charges({}, billed)
    with suppress(InputError):  # no run bred anything
        picture = convergence(convergence_columns(shown.by_label), labels)
        yield replace(picture, caption=f"{picture.caption} {OF_ALL}")


def _groups(shown: Shown) -> Iterator[ResultTable]:
    """Yield the use of each resource, and waits by group."""
    runs = {label: (run.workload, run.schedule) for label, run in shown}
    use = use_table(runs)
    tables = wait_tables(runs, shown.runs[0].summary.get("trim", 0.0))
    for table in (*filter(None, [use]), *tables):
        yield replace(table, notes=[" ".join((*table.notes, OF_ALL))])


def _compared(shown: Shown) -> list[dict[str, Any]]:
    """Return the metrics of which the ratios of several runs to the first are shown."""
    titles = COMPARED | {own.name: own.title for own in own_metrics()}
    rows = []
    for name, title in titles.items():
        values = [run.summary.get(name) for run in shown.runs]
        if len(shown) > 1 and values[0] and None not in values:
            better = known_metrics()[name].better
            rows.append({"name": name, "title": title, "better": better, "values": values})
    return rows


def _title(shown: Shown) -> str:
    source = Path(str(shown.runs[0].record["workload"].get("source") or "workload")).name
    return f"{', '.join(shown.labels)} on {source}"
