"""`utilitysched figures`."""

import math
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from utilitysched.cli.options import Quiet

if TYPE_CHECKING:
    from swfx import Header

EPILOG = """\b
Needs matplotlib: install utilitysched[plot].
Examples:
  utilitysched figures runs
  utilitysched figures runs/easy runs/ga --only waits,utility --format svg -o paper/figures
  utilitysched figures runs --only gantt --from 2004-03-07 --to 2004-03-14
  utilitysched figures seed1 seed2 seed3 seed4 --only comparison --baseline easy --wide
"""


def figures(
    directories: Annotated[
        list[Path],
        typer.Argument(
            metavar="DIR",
            help="As simulate --out makes them: of one run, or of all runs on a workload.",
            show_default=False,
        ),
    ],
    out: Annotated[
        Path,
        typer.Option("-o", "--out", metavar="FOLDER", help="Where to; made if absent."),
    ] = Path("figures"),
    kind: Annotated[
        list[str] | None,
        typer.Option(
            "--format",
            metavar="NAME",
            help="pdf, svg or png; repeatable.",
            show_default="pdf",
        ),
    ] = None,
    only: Annotated[
        str | None,
        typer.Option(
            "--only",
            metavar="NAME,...",
            help="Of gantt, charges, utilisation, queue, demand, utility, waits, shares, weekly, "
            "fairness, comparison.",
            show_default="all that the runs have data for",
        ),
    ] = None,
    baseline: Annotated[
        str | None,
        typer.Option(
            "--baseline",
            metavar="NAME",
            help="Scheduler that others are compared with.",
            show_default="the first",
        ),
    ] = None,
    begin: Annotated[
        str | None,
        typer.Option(
            "--from",
            metavar="TIME",
            help="Draw time from here on: seconds of the log, or a date such as 2004-03-07T09:30.",
            show_default="the beginning",
        ),
    ] = None,
    end: Annotated[
        str | None,
        typer.Option("--to", metavar="TIME", help="And up to here.", show_default="the end"),
    ] = None,
    wide: Annotated[
        bool, typer.Option("--wide", help="As wide as a page, in place of one of two columns.")
    ] = False,
    quiet: Quiet = False,
) -> None:
    """Draw figures of runs for a paper.

    Gantt chart, utilisation, queue and utility over time, distributions of waits and of the share
    of the start value, weeks, users, charges, and the schedulers beside each other. The same runs
    give the same bytes.
    """
    from swfx import InputError
    from utilitysched.cli.notifier import notifier
    from utilitysched.report.figures.canvas import check_format, require_matplotlib, save
    from utilitysched.report.figures.catalogue import NAMES, check_names, pictures
    from utilitysched.report.figures.comparison import check_baseline
    from utilitysched.report.figures.style import COLUMN, PAGE
    from utilitysched.report.figures.together import TimeWindow
    from utilitysched.runs import prove_writable, read_results, run_directories

    require_matplotlib()
    formats = [check_format(name) for name in kind or ["pdf"]]
    names = NAMES if only is None else tuple(only.split(","))
    check_names(names)
    runs = [read_results(directory) for directory in run_directories(directories)]
    if baseline is not None:
        check_baseline(baseline, [run.label for run in runs])
    header = runs[0].workload.header
    window = TimeWindow(
        -math.inf if begin is None else _instant(begin, header, "--from"),
        math.inf if end is None else _instant(end, header, "--to"),
    )
    prove_writable(out)
    echo = notifier(quiet=quiet)
    written: list[str] = []
    width = PAGE if wide else COLUMN
    for picture in pictures(runs, names, width=width, baseline=baseline, window=window):
        try:
            for suffix in formats:
                save(picture.draw, out / f"{picture.name}.{suffix}")
            written.append(picture.name)
        except InputError as error:
            if only is not None:
                raise
            echo(f"left out {picture.name}: {error}")
    echo(f"wrote {', '.join(written)} as {', '.join(formats)} in {out}")


def _instant(text: str, header: "Header", option: str) -> float:
    from swfx import InputError
    from swfx.clock import Clock, is_number

    if is_number(text):
        return float(text)
    try:
        return Clock.of(header).seconds(text)
    except InputError as error:
        field = f"{option}, {error.field}" if error.field else option
        raise InputError(error.message, field=field, remedy=error.remedy) from None
