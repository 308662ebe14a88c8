"""`utilitysched report`."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

from swfx.base.typed import Typed
from utilitysched.cli.shared import Quiet

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
FIGURES = "Figures for a paper"
FOLDER = "--figures FOLDER"


def report(
    directories: Annotated[Sequence[Path], Typed("DIR...")],
    baseline: Annotated[str | None, Typed("--baseline NAME", shown="the first")] = None,
    out: Annotated[Path, Typed("-o --out FILE")] = Path("report.html"),
    figures: Annotated[Path | None, Typed(FOLDER, group=FIGURES)] = None,
    only: Annotated[
        str | None,
        Typed(
            "--only NAME,...", shown="all that the runs have data for", group=FIGURES, needs=FOLDER
        ),
    ] = None,
    kind: Annotated[
        Sequence[str], Typed("--format NAME", shown="pdf", group=FIGURES, needs=FOLDER)
    ] = (),
    begin: Annotated[
        str | None, Typed("--from TIME", shown="the beginning", group=FIGURES, needs=FOLDER)
    ] = None,
    end: Annotated[
        str | None, Typed("--to TIME", shown="the end", group=FIGURES, needs=FOLDER)
    ] = None,
    wide: Annotated[bool, Typed("--wide", group=FIGURES, needs=FOLDER)] = False,
    quiet: Quiet = False,
) -> None:
    """Show runs in a page with charts, or draw figures.

    Jobs on their processors, utilisation, queue, utility, waits, weeks, users, and charges where
    a bill was made. The page needs nothing but a browser, and fetches nothing.

    Parameters
    ----------
    directories : sequence of Path
        Directories of runs, as simulate --out writes them: DIR for all runs in it, in the order of
        simulation, DIR/SCHEDULER for one.
    baseline : str, optional
        Scheduler that the others are compared with.
    out : Path
        The page to write; - is standard output.
    figures : Path, optional
        Draw figures into FOLDER instead of writing the page; the same runs give the same bytes.
    only : str, optional
        gantt, charges, utilisation, queue, demand, utility, waits, shares, weekly, users, fairness,
        convergence, comparison.
    kind : sequence of str
        pdf, svg or png; repeatable.
    begin : str, optional
        Start of what is drawn: seconds of the log, 12h, 2d, or a date such as 2004-03-07.
    end : str, optional
        End of what is drawn.
    wide : bool
        Use the width of a page instead of one of two columns.
    """
    from swfx.base.atomic import prove_writable
    from utilitysched.cli.notifier import ProgressBar, notifier
    from utilitysched.report.html import write_report
    from utilitysched.runs import read_results, run_directories

    if figures is not None:
        from utilitysched.report.charts.catalogue import write_figures

        write_figures(
            directories,
            figures,
            notifier(quiet=quiet),
            names=only,
            formats=kind,
            baseline=baseline,
            period=(begin, end),
            wide=wide,
        )
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
