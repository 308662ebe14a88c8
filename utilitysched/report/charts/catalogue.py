"""All figures for papers by name, from the runs in directories."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from swfx import InputError
from swfx.base.options import nearest
from swfx.reading.notes import Echo
from utilitysched.analysis.metrics.machine import WEEK
from utilitysched.report.charts import charges, gantt, over_time, search
from utilitysched.report.charts.channels import folded
from utilitysched.report.charts.comparison import compared
from utilitysched.report.charts.distributions import (
    SHARES,
    WAITS,
    fairness,
    users,
    users_columns,
)
from utilitysched.report.charts.picture import COLUMN, PAGE, Picture, above, check_format
from utilitysched.report.charts.scales import ALWAYS, TimeScale, TimeWindow, check_together
from utilitysched.report.comparison import check_baseline
from utilitysched.runs import (
    RunResults,
    directory_name,
    prove_writable,
    read_results,
    run_directories,
)

Runs = Mapping[str, RunResults]


Draw = Callable[[Runs, TimeWindow], Picture]


def _gantt(runs: Runs, window: TimeWindow) -> Picture:
    [(label, run)] = runs.items()
    scale = TimeScale.of([run], window)
    columns, rest = gantt.gantt_columns(run, scale)
    return gantt.gantt(columns, scale, run.schedule.machine_size, label, rest)


def _charges(runs: Runs, _: TimeWindow) -> Picture:
    [(label, run)] = runs.items()
    panels = []
    for field in ("user", "queue"):
        columns = charges.charges_columns(runs, field)
        if field == "user" or len(np.asarray(columns["payer"])) > 1:
            panels.append(charges.charges(columns, [label], field))
    return above("charges", f"Charges of {label} by {charges.bill_of(run).mechanism}", panels)


ONE_RUN: dict[str, Draw] = {"gantt": _gantt, "charges": _charges}
"""Figures of a single run."""


def _trend(name: str) -> Draw:
    """Return what draws a trend: a panel for each run, on the same scales."""

    def draw(runs: Runs, window: TimeWindow) -> Picture:
        trend = over_time.TRENDS[name]
        scale = TimeScale.of(runs.values(), window)
        columns = {label: trend.columns({label: run}, scale) for label, run in runs.items()}
        if trend.top is None:
            trend = trend._replace(top=max(map(over_time.highest, columns.values())))
        panels = []
        for place, (label, each) in enumerate(columns.items()):
            picture = trend._replace(key=f"{name}-{place}", label="").picture(each, [label], scale)
            panels.append(_low(picture, title=f"{label}: {trend.label}"))
        return above(name, trend.title, panels, one_scale=True)

    return draw


def _low(picture: Picture, **options: Any) -> Picture:
    """Return a picture of the height that panels above each other have."""
    chart: Any = picture.chart
    return replace(picture, chart=chart.properties(height=over_time.LOW, **options))


def _utility(runs: Runs, window: TimeWindow) -> Picture:
    scale = TimeScale.of(runs.values(), window)
    return over_time.utility(over_time.utility_columns(runs, scale), list(runs), scale)


def _weekly(runs: Runs, _: TimeWindow) -> Picture:
    first = next(iter(runs.values()))
    if np.ptp(first.workload.submit) < WEEK:
        raise InputError("all jobs were submitted in one week")
    scale = TimeScale.of(runs.values())
    panels = [
        _low(figure.picture(figure.columns(runs, scale), list(runs), scale))
        for figure in over_time.WEEKLY.values()
        if figure.field != "utility" or first.workload.has_utilities
    ]
    return above("weekly", "Weeks", panels, one_scale=True)


ALL_RUNS: dict[str, Draw] = {
    **{name: _trend(name) for name in over_time.TRENDS},
    "utility": _utility,
    "waits": lambda runs, _: WAITS.picture(WAITS.columns(runs), list(runs)),
    "shares": lambda runs, _: SHARES.picture(SHARES.columns(runs), list(runs)),
    "weekly": _weekly,
    "users": lambda runs, _: users(users_columns(runs), list(runs)),
    "fairness": lambda runs, _: fairness(runs),
    "convergence": lambda runs, _: search.convergence(search.convergence_columns(runs), list(runs)),
}
"""Figures of runs beside each other."""

NAMES = (*ONE_RUN, *ALL_RUNS, "comparison")


class NamedFigure(NamedTuple):
    """Name of a figure's file, and the function that makes the picture or raises InputError."""

    name: str
    draw: Callable[[], Picture]


def write_figures(  # noqa: PLR0913 - the options of `report --figures`
    directories: Sequence[Path],
    folder: Path,
    echo: Echo,
    *,
    names: str | None = None,
    formats: Sequence[str] = (),
    baseline: str | None = None,
    period: tuple[str | None, str | None] = (None, None),
    wide: bool = False,
) -> None:
    """Draw figures of the runs in some directories into a folder.

    Parameters
    ----------
    directories : sequence of Path
        Of runs.
    folder : Path
        Directory of the files.
    echo : callable
        Takes notes for people: what was written, and what was left out.
    names : str, optional
        Some of `NAMES`, commas between them; by default all for which the runs have data.
    formats : sequence of str
        Suffixes of the files; PDF by default.
    baseline : str, optional
        Scheduler that others are compared with, by default the first.
    period : (str or None, str or None)
        Start and end of what is drawn, as `TimeWindow.read` takes them.
    wide : bool
        Width of a page instead of a column.

    Raises
    ------
    InputError
        A name, format, run, the baseline or the period cannot be used; or a named figure cannot be
        drawn.
    """
    suffixes = [check_format(suffix) for suffix in formats or ("pdf",)]
    chosen = NAMES if names is None else names.split(",")
    check_names(chosen)
    runs = [read_results(directory) for directory in run_directories(directories)]
    if baseline is not None:
        check_baseline(baseline, [run.label for run in runs])
    window = TimeWindow.read(*period, runs[0].workload.header)
    prove_writable(folder)
    written = []
    for figure in figures(runs, chosen, baseline=baseline, window=window):
        try:
            picture = figure.draw()
        except InputError as error:
            if names is not None:
                raise
            echo(f"left out {figure.name}: {error}")
            continue
        for suffix in suffixes:
            picture.save(folder / f"{figure.name}.{suffix}", PAGE if wide else COLUMN)
        written.append(figure.name)
    echo(f"wrote {', '.join(written)} as {', '.join(suffixes)} in {folder}")


def check_names(names: Collection[str]) -> None:
    """Refuse the first name that is no figure's."""
    for name in names:
        if name not in NAMES:
            raise InputError(f"no figure is named {name!r}", remedy=nearest(name, NAMES))


def figures(
    runs: Sequence[RunResults],
    names: Collection[str] = NAMES,
    *,
    baseline: str | None = None,
    window: TimeWindow = ALWAYS,
) -> Iterator[NamedFigure]:
    """Yield figures of one or more runs, in the order of `NAMES`.

    Raises
    ------
    InputError
        A name is not known.
    """
    check_names(names)
    labels = _told_apart(runs)
    for name, draw in ONE_RUN.items():
        for label, run in labels.items() if name in names else ():
            file = name if len(runs) == 1 else f"{name}-{directory_name(label)}"
            yield NamedFigure(file, partial(draw, {folded(label): run}, window))
    for name, draw_all in ALL_RUNS.items():
        if name in names:
            yield NamedFigure(name, partial(_together, draw_all, labels, window))
    if "comparison" in names:
        yield NamedFigure("comparison", partial(compared, runs, baseline))


def _together(draw: Draw, runs: Runs, window: TimeWindow) -> Picture:
    check_together(list(runs.values()))
    return draw({folded(label): run for label, run in runs.items()}, window)


def _told_apart(runs: Sequence[RunResults]) -> Runs:
    """Return runs by distinct labels: their directories where schedulers are the same."""
    often = Counter(run.label for run in runs)
    directories = {run.directory: run.directory.resolve() for run in runs}
    above = Path(os.path.commonpath([path.parent for path in directories.values()]))
    return {
        run.label
        if often[run.label] == 1
        else directories[run.directory].relative_to(above).as_posix(): run
        for run in runs
    }
