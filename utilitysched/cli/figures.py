"""`utilitysched figures`."""

from pathlib import Path

from utilitysched.cli import shared
from utilitysched.cli.options import argument, option

EPILOG = """\b
Needs matplotlib: install utilitysched[plot].
Examples:
  utilitysched figures runs
  utilitysched figures runs/easy runs/ga --only waits,utility --format svg -o paper/figures
  utilitysched figures runs --only gantt --from 2004-03-07 --to 2004-03-14
  utilitysched figures seed1 seed2 seed3 seed4 --only comparison --baseline easy --wide
"""


def figures(
    directories: list[Path] = argument(
        "DIR",
        "Directories as simulate --out writes them: of one run, or of all runs on a workload.",
    ),
    out: Path = option(
        "-o --out FOLDER", "Directory to write to; created if absent.", Path("figures")
    ),
    kind: list[str] | None = option("--format NAME", "pdf, svg or png; repeatable.", shown="pdf"),
    only: str | None = option(
        "--only NAME,...",
        "Figures to draw: gantt, charges, utilisation, queue, demand, utility, waits, "
        "shares, weekly, fairness, comparison.",
        shown="all that the runs have data for",
    ),
    baseline: str | None = option(
        "--baseline NAME", "Scheduler that others are compared with.", shown="the first"
    ),
    begin: str | None = option(
        "--from TIME",
        "Start of what is drawn: seconds of the log, 12h, 2d, or a date such as 2004-03-07.",
        shown="the beginning",
    ),
    end: str | None = option("--to TIME", "End of what is drawn.", shown="the end"),
    wide: bool = option("--wide", "Use the width of a page instead of one of two columns.", False),
    quiet: bool = shared.QUIET,
) -> None:
    """Draw figures of runs for a paper.

    Gantt chart, utilisation, queue and utility over time, distributions of waits and of the share
    of the start value, weeks, users, charges, and the schedulers beside each other. The same runs
    give the same bytes.
    """
    from utilitysched.cli.notifier import notifier
    from utilitysched.report.figures.canvas import check_format, require_matplotlib
    from utilitysched.report.figures.catalogue import NAMES, check_names, pictures, save_all
    from utilitysched.report.figures.style import COLUMN, PAGE
    from utilitysched.report.figures.together import TimeWindow
    from utilitysched.report.ratios import check_baseline
    from utilitysched.runs import prove_writable, read_results, run_directories

    require_matplotlib()
    formats = [check_format(name) for name in kind or ["pdf"]]
    names = NAMES if only is None else tuple(only.split(","))
    check_names(names)
    runs = [read_results(directory) for directory in run_directories(directories)]
    if baseline is not None:
        check_baseline(baseline, [run.label for run in runs])
    window = TimeWindow.read(begin, end, runs[0].workload.header)
    prove_writable(out)
    echo, width = notifier(quiet=quiet), PAGE if wide else COLUMN
    drawn = pictures(runs, names, width=width, baseline=baseline, window=window)
    written = save_all(drawn, out, formats, echo if only is None else None)
    echo(f"wrote {', '.join(written)} as {', '.join(formats)} in {out}")
