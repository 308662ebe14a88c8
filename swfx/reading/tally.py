"""Counts for the load report, while the log arrives in parts."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from swfx.base.columns import Ints
from swfx.reading.report import LoadReport
from swfx.reading.scan import Scan
from swfx.reading.survey import Survey

__all__ = ["Tally"]


class Tally:
    """Counts of lines, and the lines that are listed under a rule."""

    def __init__(self) -> None:
        self.lines = self.comment_lines = self.file_job_lines = self.job_lines = self.kept = 0
        self._stray = self._first_stray = self._longer = self._most_fields = 0
        self._line: list[Ints] = []
        self._rule: list[npt.NDArray[np.int8]] = []

    def survey(self, found: Survey) -> None:
        """Count the lines of a part."""
        self.lines += found.lines
        self.comment_lines += found.comment_lines
        self.file_job_lines += len(found.line)
        self._first_stray = self._first_stray or found.first_stray
        self._stray += found.stray

    def scan(self, scanned: Scan, *, extra_fields: bool) -> None:
        """Count the job lines that are asked for of a part, and its fields after the 18th."""
        self.job_lines += len(scanned.longer)
        if extra_fields and scanned.longer.any():
            self._longer += int(scanned.longer.sum())
            self._most_fields = max(self._most_fields, scanned.most_fields)

    def listed(self, line: Ints, rule: npt.NDArray[np.int8]) -> None:
        """List these lines of a part under these rules."""
        order = np.argsort(line, kind="stable")
        self._line.append(line[order])
        self._rule.append(rule[order])

    def notes(self) -> tuple[str, ...]:
        """Say what concerns the whole log."""
        return tuple(filter(None, (self._stray_note(), self._longer_note())))

    def report(self, source: str, notes: tuple[str, ...]) -> LoadReport:
        """Report of all parts so far."""
        self._line = [np.concatenate([np.empty(0, np.int64), *self._line])]
        self._rule = [np.concatenate([np.empty(0, np.int8), *self._rule])]
        return LoadReport(
            source=source,
            lines=self.lines,
            comment_lines=self.comment_lines,
            file_job_lines=self.file_job_lines,
            job_lines=self.job_lines,
            kept=self.kept,
            line=self._line[0],
            rule=self._rule[0],
            notes=notes,
        )

    def _stray_note(self) -> str:
        if not self._stray:
            return ""
        return (
            f"{self._stray} comment lines below the first job line, from line {self._first_stray}"
            " on, are left out of the header"
        )

    def _longer_note(self) -> str:
        if not self._longer:
            return ""
        return (
            f"{self._longer} lines have fields after the 18th, up to field {self._most_fields}:"
            " ignored, as no line '; SWFX: 1.0' says what they are"
        )
