"""Reports of runs: everything in one page."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path

from bokeh.resources import Resources
from markupsafe import Markup

from utilitysched.report.html import (
    comparison,
    convergence,
    distributions,
    gantt,
    jobs,
    over_time,
)
from utilitysched.report.html.canvas import TIME, ReportSection, shared_range
from utilitysched.report.html.columns import document_json, in_script, packed
from utilitysched.report.html.shown import DASHES, MARKER_PATHS, Shown, variables
from utilitysched.report.html.summary import figures_table, headline, provenance
from utilitysched.report.templating import WIDE, render, write_html
from utilitysched.runs import RunResults

POLICY = (
    "default-src 'none'; script-src 'unsafe-inline' 'unsafe-eval'; style-src 'unsafe-inline'; "
    "img-src data: blob:; font-src data:"
)
"""What the page may do: nothing is ever fetched. The charts' library compiles pieces of script."""


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
    pictures = list(_pictures(shown))
    index, data = packed(
        [*jobs.columns(shown), *(one for each in pictures for one in each.columns)]
    )
    settings = {
        "sections": [
            {"key": each.key, "place": each.place, "metrics": list(each.metrics.items())}
            for each in pictures
        ],
        "scale": shown.scale.to_dict(),
        "labels": list(shown.labels),
        "machine": shown.runs[0].schedule.machine_size,
        "tau": [run.tau for run in shown.runs],
    }
    return render(
        "report.html",
        title=_title(shown),
        policy=Markup(POLICY),
        light=Markup(variables(dark=False)),
        dark=Markup(variables(dark=True)),
        headline=headline(shown),
        filters=list(jobs.filters(shown)),
        count=len(shown.workload),
        summary=figures_table(shown),
        pictures=pictures,
        moved=[each.key for each in pictures if each.chart.x_range.name == TIME],
        provenance=provenance(shown),
        widest=WIDE,
        dashes=DASHES,
        marks=MARKER_PATHS,
        library=map(Markup, _library()),
        charts=Markup(document_json([picture.chart for picture in pictures])),
        index=Markup(index),
        data=Markup(data),
        settings=Markup(in_script(json.dumps(settings))),
    )


def _library() -> list[str]:
    scripts: list[str] = Resources(mode="inline", minified=True, components=["bokeh"]).js_raw
    return scripts


def _pictures(shown: Shown) -> Iterator[ReportSection]:
    shared = shared_range(shown.scale)
    yield from comparison.pictures(shown)
    yield gantt.picture(shown, shared)
    yield from over_time.pictures(shown, shared)
    yield from distributions.distribution_pictures(shown)
    yield from over_time.weekly_pictures(shown, shared)
    yield from distributions.user_pictures(shown)
    yield from distributions.charge_pictures(shown)
    yield from convergence.pictures(shown)


def _title(shown: Shown) -> str:
    source = Path(str(shown.runs[0].record["workload"].get("source") or "workload")).name
    return f"{', '.join(shown.labels)} on {source}"
