"""Records of a log as they are listed in its report."""

from __future__ import annotations

from array import array
from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from swfx.accounting.record_error import UNREADABLE, RecordError
from swfx.base.columns import Ints
from swfx.fields import MISSING
from swfx.reading.report import RULES, LoadReport, Rule

__all__ = ["Listing"]

_CODES = 128  # of rules: as many as an int8 has


class Listing:
    """Account of the records of a log.

    Each record is either a kept job's line, or is listed once under a rule that drops or folds;
    besides, it may be listed under rules that repair or note.

    Parameters
    ----------
    source : str
        Name of the log.
    lines, records : int
        Lines of the log, and records among them.
    comment_lines : int
        Lines that hold no record: comments, column names, empty lines. All three may be set
        later, when the log has been read.

    Examples
    --------
    >>> step = Rule("step", "folded", "a step of a job")
    >>> listing = Listing("log", lines=4, records=3, comment_lines=1)
    >>> listing.add(3, step)
    >>> report = listing.report(kept=2)
    >>> report.counts(), report.lines_accounted()
    ({'step': 1}, True)
    """

    def __init__(
        self, source: str, *, lines: int = 0, records: int = 0, comment_lines: int = 0
    ) -> None:
        self.source = source
        self.lines = lines
        self.records = records
        self.comment_lines = comment_lines
        self.notes: list[str] = []
        self._rules: dict[Rule, int] = {rule: code for code, rule in enumerate(RULES)}
        self._line = array("q")
        self._rule = array("b")

    def __len__(self) -> int:
        return len(self._line)

    def add(self, line: int, rule: Rule) -> None:
        """List a line, from 1, under a rule; once, however often it is said."""
        self._line.append(line)
        self._rule.append(self._rules.setdefault(rule, len(self._rules)))

    def add_all(self, lines: Ints, rule: Rule) -> None:
        """List each of these lines under a rule."""
        if len(lines):
            code = self._rules.setdefault(rule, len(self._rules))
            self._line.frombytes(lines.astype(np.int64).tobytes())
            self._rule.frombytes(np.full(len(lines), code, np.int8).tobytes())

    def add_those_on(self, lines: Ints, others: Listing) -> None:
        """Add the entries of another listing for some lines."""
        line, code = others.columns()
        concerns = np.isin(line, lines)
        for rule, number in others._rules.items():
            self.add_all(line[concerns & (code == number)], rule)

    def columns(self) -> tuple[Ints, npt.NDArray[np.int8]]:
        """Return the listed lines and the codes of the rules, in the order of entry."""
        return np.frombuffer(self._line, np.int64), np.frombuffer(self._rule, np.int8)

    def refuse(self, line: int, error: RecordError) -> None:
        """List a line that cannot be read."""
        self.add(line, error.rule)

    def or_unknown(self, line: int, read: Callable[[], float | None]) -> float:
        """Return the number that `read` makes of an inessential field; -1 for None.

        Where the field cannot be read, the line is listed.
        """
        try:
            value = read()
        except RecordError:
            self.add(line, UNREADABLE)
            return MISSING
        return MISSING if value is None else value

    def count(self, lines: int, records: int) -> None:
        """Say how many lines the log turned out to have, and records among them."""
        self.lines, self.records, self.comment_lines = lines, records, lines - records

    def note(self, sentence: str) -> None:
        """Say something that concerns the whole log."""
        self.notes.append(sentence)

    def report(self, kept: int) -> LoadReport:
        """Return the report of an import that kept so many jobs."""
        line, rule = self.columns()
        listed = np.unique(line * _CODES + rule)
        return LoadReport(
            source=self.source,
            lines=self.lines,
            comment_lines=self.comment_lines,
            file_job_lines=self.records,
            job_lines=self.records,
            kept=kept,
            line=listed // _CODES,
            rule=(listed % _CODES).astype(np.int8),
            notes=tuple(self.notes),
            rules=tuple(self._rules),
        )
