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
from utilitysched.report.figures import charges, comparison, distributions, gantt, over_time
from utilitysched.report.figures.canvas import Figure, folded, save
from utilitysched.report.figures.style import COLUMN
from utilitysched.report.figures.together import ALWAYS, TimeWindow
from utilitysched.runs import RunResults, directory_name

ONE_RUN: dict[str, Callable[..., Figure]] = {
    "gantt": gantt.draw,
    "charges": charges.draw,
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
    """A figure by the name of its file, and what draws it; an InputError says why it cannot be."""

    name: str
    draw: Callable[[], Figure]


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
        Inches: `style.COLUMN` or `style.PAGE`.
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
    told = _told_apart(runs)
    options: dict[str, Any] = {name: {"window": window} for name in OVER_TIME}
    options["comparison"] = {"baseline": baseline}
    for name, draw in ONE_RUN.items():
        if name in names:
            for run in told:
                file = name if len(runs) == 1 else f"{name}-{directory_name(run.label)}"
                drawn = partial(draw, _folded(run), width, **options.get(name, {}))
                yield NamedFigure(file, drawn)
    for name, draw_all in ALL_RUNS.items():
        if name in names:
            shown = runs if name == "comparison" else [_folded(run) for run in told]
            yield NamedFigure(name, partial(draw_all, shown, width, **options.get(name, {})))


def save_all(
    drawn: Iterable[NamedFigure], folder: Path, formats: Sequence[str], echo: Echo | None
) -> list[str]:
    """Write figures in some formats; return the names of those that could be drawn.

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
    """Give runs of one scheduler the names of their directories, as far as these differ."""
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
