"""Records of a log as they are listed in its report."""

from __future__ import annotations

import numpy as np

from swfx.accounting.record_error import RecordError
from swfx.report import RULES, LoadReport, Rule

__all__ = ["Listing"]


class Listing:
    """What happened to the records of a log.

    Each record is either a kept job's line, or is listed once under a rule that drops or folds;
    besides, it may be listed under rules that repair or note.

    Parameters
    ----------
    source : str
        Name of the log.
    lines, records : int
        Lines of the log, and records among them.
    comment_lines : int
        Lines that hold no record: comments, column names, empty lines.

    Examples
    --------
    >>> step = Rule("step", "folded", "a step of a job")
    >>> listing = Listing("log", lines=4, records=3, comment_lines=1)
    >>> listing.add(3, step)
    >>> report = listing.report(kept=2)
    >>> report.counts(), report.lines_accounted()
    ({'step': 1}, True)
    """

    def __init__(self, source: str, *, lines: int, records: int, comment_lines: int) -> None:
        self.source = source
        self.lines = lines
        self.records = records
        self.comment_lines = comment_lines
        self.notes: list[str] = []
        self._listed: list[tuple[int, Rule]] = []

    def add(self, line: int, rule: Rule) -> None:
        """List a line, from 1, under a rule; once, however often it is said."""
        self._listed.append((line, rule))

    def refuse(self, line: int, error: RecordError) -> None:
        """List a line that cannot be read."""
        self.add(line, error.rule)

    def note(self, sentence: str) -> None:
        """Say something that concerns the whole log."""
        self.notes.append(sentence)

    def report(self, kept: int) -> LoadReport:
        """Report of an import that kept this many jobs."""
        rules = tuple(dict.fromkeys((*RULES, *(rule for _, rule in self._listed))))
        code = {rule: position for position, rule in enumerate(rules)}
        listed = sorted({(line, code[rule]) for line, rule in self._listed})
        return LoadReport(
            source=self.source,
            lines=self.lines,
            comment_lines=self.comment_lines,
            file_job_lines=self.records,
            job_lines=self.records,
            kept=kept,
            line=np.array([line for line, _ in listed], np.int64),
            rule=np.array([rule for _, rule in listed], np.int8),
            notes=tuple(self.notes),
            rules=rules,
        )
