"""Accounts of what happened to every line of a log."""

from typing import Any, NamedTuple

from swfx import Header, LoadReport
from swfx.base.columns import Ints
from swfx.base.numbers import plural
from swfx.reading.report import Rule
from utilitysched.analysis.documents import Column, ResultTable
from utilitysched.report.terminal import console, filled, print_table

FIRST_LINES = 5


class Checked(NamedTuple):
    """A workload that was read and not kept: header, report, and how many jobs have a curve."""

    header: Header
    report: LoadReport
    utilities: int

    def to_dict(self) -> dict[str, Any]:
        """Plain numbers, texts, lists and dicts, fit for JSON."""
        return {
            "machine_size": self.header.machine_size,
            "utilities": self.utilities,
            **self.report.to_dict(),
            "header": list(self.header.lines),
        }


def print_check(checked: Checked, *, listed: bool = False) -> None:
    """Print the load report, or every line that a rule is counted for."""
    if listed:
        _print_lines(checked.report)
    else:
        _print_summary(checked)


def _print_summary(checked: Checked) -> None:
    header, report, utilities = checked
    to = console()
    to.print(f"{report.source}: {report.lines:,} lines, {report.comment_lines:,} of comment")
    accounted = "every line is accounted for" if report.lines_accounted() else "LINES ARE MISSING"
    print(
        filled(
            f"{plural(report.job_lines, 'job line')} read: {report.kept:,} kept, {report.dropped:,}"
            f" dropped{_folded(report)}; {report.repaired:,} of the kept repaired; {accounted}"
        )
    )
    size = header.machine_size
    to.print(
        f"machine: {'unknown, give --procs N' if size is None else plural(size, 'processor')}; "
        f"{utilities:,} jobs have a utility function"
    )
    for note in report.notes:
        to.print(f"note: {note}")
    if len(report.line):
        to.print()
        print_table(_rules(report))
    if header.lines:
        to.print()
        to.print("header:")
        for line in header.lines:
            to.print(f"  {line.strip()}", soft_wrap=True)


def _folded(report: LoadReport) -> str:
    return f", {report.folded:,} part of another line's job" if report.folded else ""


def _rules(report: LoadReport) -> ResultTable:
    counts, rows = report.counts(), []
    for rule in report.rules:
        if rule.name in counts:
            lines = report.lines_of(rule.name)
            first = _first(report, lines[:FIRST_LINES])
            more = " ..." if len(lines) > FIRST_LINES else ""
            rows.append((rule.name, _done(rule), rule.meaning, f"{len(lines):,}", first + more))
    columns = (
        Column("rule", left=True),
        Column("jobs are", left=True),
        Column("meaning", left=True, fold=True),
        Column("lines"),
        Column("first", left=bool(report.files), fold=bool(report.files)),
    )
    return ResultTable(columns, rows, broken=False)


def _first(report: LoadReport, lines: Ints) -> str:
    """Return the numbers of lines, behind the names of their files if there are several."""
    if report.files:
        return report.places(lines)
    return " ".join(str(line) for line in lines)


def _print_lines(report: LoadReport) -> None:
    for line, code in zip(report.line, report.rule, strict=True):
        rule = report.rules[code]
        file, number = report.place(int(line))
        print(f"{file}:{number}: {_done(rule)}: {rule.name}: {rule.meaning}")


def _done(rule: Rule) -> str:
    return "kept" if rule.action == "noted" else rule.action
