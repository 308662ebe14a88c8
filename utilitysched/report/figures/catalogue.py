"""All figures by name."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple, Self

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
    """A figure by the name of its file, and what draws it; an InputError says why it cannot be."""

    name: str
    draw: Callable[[], Figure]


@dataclass(frozen=True)
class FigureChoice:
    """Figures that somebody wants of runs.

    Attributes
    ----------
    names : tuple of str
        Of `NAMES`.
    formats : tuple of str
        Suffixes of the files.
    baseline : str or None
        Scheduler that others are compared with, the first if None.
    period : (str or None, str or None)
        Start and end of what is drawn, as `TimeWindow.read` takes them.
    width : float
        Inches.
    lenient : bool
        Leave out figures for which the runs have no data.
    """

    names: tuple[str, ...]
    formats: tuple[str, ...]
    baseline: str | None
    period: tuple[str | None, str | None]
    width: float
    lenient: bool

    @classmethod
    def of(
        cls,
        names: str | None,
        formats: Sequence[str] | None,
        baseline: str | None,
        period: tuple[str | None, str | None],
        *,
        wide: bool,
    ) -> Self:
        """Return the choice made by options of the command line; None is the default of each.

        Raises
        ------
        InputError
            matplotlib is not installed, or a name or format is not known.
        """
        require_matplotlib()
        suffixes = tuple(check_format(suffix) for suffix in formats or ["pdf"])
        chosen = NAMES if names is None else tuple(names.split(","))
        check_names(chosen)
        width = PAGE if wide else COLUMN
        return cls(chosen, suffixes, baseline, period, width, lenient=names is None)

    def write(self, directories: Sequence[Path], folder: Path, echo: Echo) -> None:
        """Draw the figures of the runs in some directories into a folder.

        Raises
        ------
        InputError
            A run, the baseline or the period cannot be used, or a named figure cannot be drawn.
        """
        runs = [read_results(directory) for directory in run_directories(directories)]
        if self.baseline is not None:
            check_baseline(self.baseline, [run.label for run in runs])
        window = TimeWindow.read(*self.period, runs[0].workload.header)
        prove_writable(folder)
        drawn = pictures(runs, self.names, width=self.width, baseline=self.baseline, window=window)
        written = save_all(drawn, folder, self.formats, echo if self.lenient else None)
        echo(f"wrote {', '.join(written)} as {', '.join(self.formats)} in {folder}")


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
