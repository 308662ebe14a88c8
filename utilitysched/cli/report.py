"""`utilitysched report`."""

from pathlib import Path

from utilitysched.cli import shared
from utilitysched.cli.options import argument, option

EPILOG = """\b
Charts move together in time: draw a box, turn the wheel with Ctrl, point at a job.
Examples:
  utilitysched report runs/blue -o blue.html
  utilitysched report runs/blue --baseline fcfs
  utilitysched report runs/blue/easy runs/blue/ga -o two.html
"""


def report(
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
    quiet: bool = shared.QUIET,
) -> None:
    """Show runs in one page with interactive charts.

    Jobs on their processors, utilisation, queue, utility, waits, weeks, users, and charges where
    a bill was made. The page needs nothing but a browser, and fetches nothing.
    """
    from swfx.base.atomic import prove_writable
    from utilitysched.cli.notifier import ProgressBar, notifier
    from utilitysched.report.html import write_report
    from utilitysched.runs import read_results, run_directories

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
