"""All figures by name."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from swfx import InputError
from swfx.base.options import nearest
from swfx.reading.notes import Echo
from utilitysched.report.comparison import check_baseline
from utilitysched.report.figures import comparison, distributions, gantt, over_time
from utilitysched.report.figures.canvas import (
    COLUMN,
    PAGE,
    Figure,
    check_format,
    folded,
    require_matplotlib,
    save,
)
from utilitysched.report.figures.scales import ALWAYS, TimeWindow
from utilitysched.runs import (
    RunResults,
    directory_name,
    prove_writable,
    read_results,
    run_directories,
)

ONE_RUN: dict[str, Callable[..., Figure]] = {
    "gantt": gantt.draw,
    "charges": distributions.draw_charges,
}
"""Figures of a single run."""

ALL_RUNS: dict[str, Callable[..., Figure]] = {
    "utilisation": over_time.UTILISATION.draw,
    "queue": over_time.QUEUE.draw,
    "demand": over_time.DEMAND.draw,
    "utility": over_time.draw_utility,
    "waits": distributions.draw_waits,
    "shares": distributions.draw_shares,
    "weekly": over_time.draw_weekly,
    "fairness": distributions.draw_fairness,
    "comparison": comparison.draw,
}
"""Figures of runs beside each other."""

OVER_TIME = ("gantt", "utilisation", "queue", "demand", "utility")
"""Figures of which a window of time can be drawn."""

NAMES = (*ONE_RUN, *ALL_RUNS)


class NamedFigure(NamedTuple):
    """Name of a figure's file, and the function that draws the figure or raises InputError."""

    name: str
    draw: Callable[[], Figure]


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
        matplotlib is not installed; a name, format, run, the baseline or the period cannot be
        used; or a named figure cannot be drawn.
    """
    require_matplotlib()
    suffixes = [check_format(suffix) for suffix in formats or ("pdf",)]
    chosen = NAMES if names is None else names.split(",")
    check_names(chosen)
    runs = [read_results(directory) for directory in run_directories(directories)]
    if baseline is not None:
        check_baseline(baseline, [run.label for run in runs])
    window = TimeWindow.read(*period, runs[0].workload.header)
    prove_writable(folder)
    width = PAGE if wide else COLUMN
    drawn = pictures(runs, chosen, width=width, baseline=baseline, window=window)
    written = save_all(drawn, folder, suffixes, echo if names is None else None)
    echo(f"wrote {', '.join(written)} as {', '.join(suffixes)} in {folder}")


def check_names(names: Collection[str]) -> None:
    """Refuse the first name that is no figure's."""
    for name in names:
        if name not in NAMES:
            raise InputError(f"no figure is named {name!r}", remedy=nearest(name, NAMES))


def pictures(
    runs: Sequence[RunResults],
    names: Collection[str] = NAMES,
    *,
    width: float = COLUMN,
    baseline: str | None = None,
    window: TimeWindow = ALWAYS,
) -> Iterator[NamedFigure]:
    """Yield figures of some runs, in the order of `NAMES`.

    Parameters
    ----------
    runs : sequence of RunResults
        One or more.
    names : collection of str
        Which; all by default.
    width : float
        Inches: `canvas.COLUMN` or `canvas.PAGE`.
    baseline : str, optional
        Label of the scheduler that others are compared with; the first run's by default.
    window : TimeWindow
        Which part of the time figures over time show.

    Raises
    ------
    InputError
        A name is not known.
    """
    check_names(names)
    labels = _told_apart(runs)
    options: dict[str, Any] = {name: {"window": window} for name in OVER_TIME}
    options["comparison"] = {"baseline": baseline}
    for name, draw in ONE_RUN.items():
        if name in names:
            for run in labels:
                file = name if len(runs) == 1 else f"{name}-{directory_name(run.label)}"
                drawn = partial(draw, _folded(run), width, **options.get(name, {}))
                yield NamedFigure(file, drawn)
    for name, draw_all in ALL_RUNS.items():
        if name in names:
            shown = runs if name == "comparison" else [_folded(run) for run in labels]
            yield NamedFigure(name, partial(draw_all, shown, width, **options.get(name, {})))


def save_all(
    drawn: Iterable[NamedFigure], folder: Path, formats: Sequence[str], echo: Echo | None
) -> list[str]:
    """Return the names of the figures that could be drawn and are written, in all formats.

    Raises
    ------
    InputError
        A figure cannot be drawn, and there is no `echo` to be told why.
    """
    written = []
    for picture in drawn:
        try:
            for suffix in formats:
                save(picture.draw, folder / f"{picture.name}.{suffix}")
            written.append(picture.name)
        except InputError as error:
            if echo is None:
                raise
            echo(f"left out {picture.name}: {error}")
    return written


def _told_apart(runs: Sequence[RunResults]) -> list[RunResults]:
    """Return runs with distinct labels: directories are added where schedulers are the same."""
    often = Counter(run.label for run in runs)
    directories = {run.directory: run.directory.resolve() for run in runs}
    above = Path(os.path.commonpath([path.parent for path in directories.values()]))
    return [
        run
        if often[run.label] == 1
        else run._replace(label=directories[run.directory].relative_to(above).as_posix())
        for run in runs
    ]


def _folded(run: RunResults) -> RunResults:
    return run._replace(label=folded(run.label))
