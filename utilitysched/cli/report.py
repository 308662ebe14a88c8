"""`utilitysched report`."""

from pathlib import Path

import typer

from utilitysched.cli import shared
from utilitysched.cli.options import argument, option, refuse_without

EPILOG = """\b
Charts move together in time: draw a box, turn the wheel with Ctrl, point at a job.
Examples:
  utilitysched report runs/blue -o blue.html
  utilitysched report runs/blue --baseline fcfs
  utilitysched report runs/blue/easy runs/blue/ga -o two.html
  utilitysched report runs --figures paper --only waits,utility --format svg
  utilitysched report runs --figures paper --only gantt --from 2004-03-07 --to 2004-03-14
  utilitysched report seed1 seed2 seed3 --figures paper --only comparison --wide
"""
FIGURES = "Figures for a paper (need matplotlib: install utilitysched[plot])"


def report(
    context: typer.Context,
    directories: list[Path] = argument(
        "DIR...",
        "Directories of runs, as simulate --out writes them: DIR for all runs in it, in"
        " the order of simulation, DIR/SCHEDULER for one.",
    ),
    baseline: str | None = option(
        "--baseline NAME", "Scheduler that the others are compared with.", shown="the first"
    ),
    out: Path = option(
        "-o --out FILE", "The page to write; - is standard output.", Path("report.html")
    ),
    figures: Path | None = option(
        "--figures FOLDER",
        "Draw figures into FOLDER instead of writing the page; the same runs give the same bytes.",
        group=FIGURES,
    ),
    only: str | None = option(
        "--only NAME,...",
        "gantt, charges, utilisation, queue, demand, utility, waits, shares, weekly, fairness, "
        "comparison.",
        shown="all that the runs have data for",
        group=FIGURES,
    ),
    kind: list[str] | None = option(
        "--format NAME", "pdf, svg or png; repeatable.", shown="pdf", group=FIGURES
    ),
    begin: str | None = option(
        "--from TIME",
        "Start of what is drawn: seconds of the log, 12h, 2d, or a date such as 2004-03-07.",
        shown="the beginning",
        group=FIGURES,
    ),
    end: str | None = option("--to TIME", "End of what is drawn.", shown="the end", group=FIGURES),
    wide: bool = option(
        "--wide", "Use the width of a page instead of one of two columns.", False, group=FIGURES
    ),
    quiet: bool = shared.QUIET,
) -> None:
    """Show runs in a page with charts, or draw figures.

    Jobs on their processors, utilisation, queue, utility, waits, weeks, users, and charges where
    a bill was made. The page needs nothing but a browser, and fetches nothing.
    """
    from swfx.base.atomic import prove_writable
    from utilitysched.cli.notifier import ProgressBar, notifier
    from utilitysched.report.html import write_report
    from utilitysched.runs import read_results, run_directories

    if figures is None:
        refuse_without("--figures FOLDER", context, ("only", "kind", "begin", "end", "wide"))
    else:
        from utilitysched.report.figures.catalogue import FigureChoice

        choice = FigureChoice.of(only, kind, baseline, (begin, end), wide=wide)
        choice.write(directories, figures, notifier(quiet=quiet))
        return

    if out != Path("-"):
        prove_writable(out)
    chosen = run_directories(directories)
    runs = []
    with ProgressBar("reading runs", quiet=quiet) as progress:
        for directory in chosen:
            runs.append(read_results(directory))
            progress(len(runs) / len(chosen))
    write_report(runs, out, baseline)
    if out != Path("-"):
        notifier(quiet=quiet)(f"wrote {out}")
