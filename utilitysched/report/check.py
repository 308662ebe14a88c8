"""What happened to every line of a log."""

from rich.table import Table

from swfx import Loaded, LoadReport
from utilitysched.report.console import console, grid, show
from utilitysched.report.numbers import plural

FIRST_LINES = 5


def print_check(loaded: Loaded, *, listed: bool = False) -> None:
    """Print the load report.

    Parameters
    ----------
    loaded : Loaded
        A workload and its report.
    listed : bool
        Print every dropped or repaired line, one per output line, instead of the summary.
    """
    if listed:
        _print_lines(loaded)
    else:
        _print_summary(loaded)


def _print_summary(loaded: Loaded) -> None:
    workload, report = loaded
    to = console()
    to.print(f"{report.source}: {report.lines:,} lines, {report.comment_lines:,} of comment")
    to.print(
        f"{plural(report.job_lines, 'job line')} read: {report.kept:,} kept, "
        f"{report.dropped:,} dropped{_folded(report)}; {report.repaired:,} of the kept repaired; "
        + ("every line is accounted for" if report.lines_accounted() else "LINES ARE MISSING"),
        soft_wrap=True,
    )
    size = workload.machine_size
    to.print(
        f"machine: {'unknown, give --procs N' if size is None else plural(size, 'processor')}; "
        f"{int(workload.utility.defined.sum()):,} jobs have a utility function"
    )
    for note in report.notes:
        to.print(f"note: {note}")
    if len(report.line):
        to.print()
        show(to, _rules(loaded))
    if workload.header.lines:
        to.print()
        to.print("header:")
        for line in workload.header.lines:
            to.print(f"  {line.strip()}", soft_wrap=True)


def _folded(report: LoadReport) -> str:
    return f", {report.folded:,} part of another line's job" if report.folded else ""


def _rules(loaded: Loaded) -> Table:
    table = grid(["rule", "jobs are", "meaning", "lines", "first"], left=3)
    table.columns[0].no_wrap = True  # to be searched for and copied
    counts = loaded.report.counts()
    for rule in loaded.report.rules:
        if rule.name in counts:
            lines = loaded.report.lines_of(rule.name)
            first = " ".join(str(line) for line in lines[:FIRST_LINES])
            more = " ..." if len(lines) > FIRST_LINES else ""
            done = "kept" if rule.action == "noted" else rule.action
            table.add_row(rule.name, done, rule.meaning, f"{len(lines):,}", first + more)
    return table


def _print_lines(loaded: Loaded) -> None:
    report = loaded.report
    for line, code in zip(report.line.tolist(), report.rule.tolist(), strict=True):
        rule = report.rules[code]
        if rule.action != "noted":
            print(f"{report.source}:{line}: {rule.action}: {rule.name}: {rule.meaning}")
