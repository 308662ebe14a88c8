"""Accounts of what happened to every line of a log, and of the rules that schedules break."""

from collections.abc import Iterable
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple, Self

from rich.cells import cell_len
from rich.text import Text

from swfx import Header, LoadReport
from swfx.base.numbers import plural
from swfx.reading.report import Rule
from utilitysched.analysis.documents import Column, ResultTable
from utilitysched.analysis.feasibility import Violation, machine_of, violations
from utilitysched.report.terminal import console, filled, table_lines, width
from utilitysched.report.visible import visible
from utilitysched.runs.stored import RunResults

FIRST_LINES = 5

SCREEN = 24
"""Lines of a report, unless all of it is to be shown."""

MOST_RULES = 8
LEAST = 20  # characters of a line beside the name of the workload
CLOSING = 3  # lines, one of them blank
ACTIONS = ("dropped", "repaired", "noted", "folded")
"""What is done to lines, the worst first."""


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


def print_check(checked: Checked, *, listed: bool = False, everything: bool = False) -> None:
    """Print the load report, the verdict first, or every line that a rule is counted for.

    Parameters
    ----------
    checked : Checked
        The workload.
    listed : bool
        Every line with its rules.
    everything : bool
        All of the report; otherwise at most `SCREEN` lines, the last of which says what is left
        out.
    """
    if listed:
        _print_lines(checked.report)
        return
    to = console()
    for line in _whole(checked) if everything else _on_a_screen(checked):
        to.print(line, soft_wrap=True)


def _whole(checked: Checked) -> list[Text]:
    header = [_line(f"  {line.strip()}") for line in checked.header.lines]
    return [
        *_verdict(checked),
        *chain(*_notes(checked.report)),
        *_rules(checked.report, short=False),
        *([Text(), Text("header:"), *header] if header else []),
    ]


def _on_a_screen(checked: Checked) -> list[Text]:
    """Lines of a report without the header, and where space is short without notes and rules."""
    whole = _whole(checked)
    if _height(whole) <= SCREEN:
        return whole
    verdict, notes = _verdict(checked), _notes(checked.report)
    for short in (False, True):
        rules = _rules(checked.report, short=short)
        room = SCREEN - CLOSING - _height([*verdict, *rules])
        shown = [note for n, note in enumerate(notes) if _height(chain(*notes[: n + 1])) <= room]
        if len(shown) == len(notes) and room >= 0:
            break
    more = {"note": len(notes) - len(shown)}
    more["rule"] = len(checked.report.counts()) - MOST_RULES if short else 0
    left_out = [f"{plural(count, name)} more" for name, count in more.items() if count > 0]
    left_out += ["what the rules mean"] * short
    left_out += [f"the header ({plural(len(checked.header.lines), 'line')})"]
    closing = _wrapped(f"--all adds {', '.join(left_out)}")
    return [*verdict, *chain(*shown), *rules, Text(), *closing]


def _verdict(checked: Checked) -> list[Text]:
    header, report, utilities = checked
    folded = f", {report.folded:,} part of another line's job" if report.folded else ""
    accounted = "every line is accounted for" if report.lines_accounted() else "LINES ARE MISSING"
    size = header.machine_size
    have = "has" if utilities == 1 else "have"
    machine = "unknown, give --machine-size N" if size is None else plural(size, "processor")
    return [
        *_wrapped(
            f"{_short(report.source)} loads: {report.kept:,} of"
            f" {plural(report.job_lines, 'job line')} kept, {report.dropped:,} dropped{folded};"
            f" {report.repaired:,} of the kept repaired"
        ),
        *_wrapped(
            f"{plural(report.lines, 'line')}, {report.comment_lines:,} of comment; {accounted}"
        ),
        *_wrapped(f"machine: {machine}; {plural(utilities, 'job')} {have} a utility function"),
    ]


def _short(source: str) -> str:
    """Return the end of a long path."""
    return source if len(source) <= width() - LEAST else f"...{source[LEAST - width() :]}"


def _notes(report: LoadReport) -> list[list[Text]]:
    return [_wrapped(f"note: {note}") for note in report.notes]


def _wrapped(text: str) -> list[Text]:
    """Lines of a paragraph."""
    return [_line(line) for line in filled(text).splitlines()]


def _line(text: str) -> Text:
    return Text(visible(text))


def _height(lines: Iterable[Text]) -> int:
    """Height of a text on a terminal, which breaks long lines."""
    return sum(max(-(-cell_len(line.plain) // width()), 1) for line in lines)


def _rules(report: LoadReport, *, short: bool) -> list[Text]:
    """Lines of a table of rules; a short one has the worst of them, without their meanings."""
    counts = report.counts()
    rules = [rule for rule in report.rules if rule.name in counts]
    if not rules:
        return []
    if short:
        rules = sorted(rules, key=lambda rule: ACTIONS.index(rule.action))[:MOST_RULES]
    rows: list[tuple[str, ...]] = [
        (rule.name, _done(rule), rule.meaning, f"{counts[rule.name]:,}", _first(report, rule))
        for rule in rules
    ]
    columns = [
        Column("rule", left=True),
        Column("jobs are", left=True),
        Column("meaning", left=True, fold=True),
        Column("lines"),
        Column("first", left=bool(report.files), fold=bool(report.files)),
    ]
    if short:
        del columns[2]
        rows = [(*row[:2], *row[3:]) for row in rows]
    return [Text(), *table_lines(ResultTable(columns, rows, broken=False))]


def _first(report: LoadReport, rule: Rule) -> str:
    """Return the numbers of the first lines, behind the names of files if there are several."""
    lines = report.lines_of(rule.name)
    report = replace(report, files=[(Path(file).name, above) for file, above in report.files])
    more = " ..." if len(lines) > FIRST_LINES else ""
    first = lines[:FIRST_LINES]
    return (report.places(first) if report.files else " ".join(map(str, first))) + more


def _print_lines(report: LoadReport) -> None:
    for line, code in zip(report.line, report.rule, strict=True):
        rule = report.rules[code]
        file, number = report.place(int(line))
        print(f"{file}:{number}: {_done(rule)}: {rule.name}: {rule.meaning}")


def _done(rule: Rule) -> str:
    return "kept" if rule.action == "noted" else rule.action


class CheckedSchedule(NamedTuple):
    """A run whose schedule was held against the rules of its machine.

    Attributes
    ----------
    run : RunResults
        The run.
    violations : list of Violation
        Rules that it breaks.
    """

    run: RunResults
    violations: list[Violation]

    @classmethod
    def of(cls, run: RunResults) -> Self:
        """Check the schedule of a run."""
        return cls(run, violations(machine_of(run.schedule), run.workload, run.schedule))

    def to_dict(self) -> dict[str, Any]:
        """Plain numbers, texts, lists and dicts, fit for JSON."""
        names = self.run.workload.job_name
        return {
            "run": str(self.run.directory),
            "jobs": len(self.run.workload),
            "violations": [{**each._asdict(), "job": names(each.job)} for each in self.violations],
        }

    def lines(self, most: int | None) -> list[str]:
        """Return a verdict, and a line for each of the first violations, or for all of them."""
        pools = plural(len(machine_of(self.run.schedule).pools), "pool")
        jobs, name = plural(len(self.run.workload), "job"), self.run.workload.job_name
        found = plural(len(self.violations), "violation")
        shown = self.violations[:most]
        left = len(self.violations) - len(shown)
        return [
            f"{self.run.directory}: {jobs} on {pools}: {found} of the machine's rules",
            *(f"  {v.rule}: at {v.time:g} s, job {name(v.job)} {v.text}" for v in shown),
            *([f"  and {left:,} more: --all shows them"] if left else []),
        ]


def print_schedules(checked: Iterable[CheckedSchedule], *, everything: bool = False) -> None:
    """Print the rules that schedules break; unless all are wanted, the first of each run."""
    for schedule in checked:
        for line in schedule.lines(None if everything else FIRST_LINES):
            print(line)
