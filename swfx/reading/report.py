"""Account of every line of a log."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from swfx.base.columns import Ints
from swfx.base.errors import InputError, placed
from swfx.base.ranges import ranges_text

__all__ = ["RULES", "Action", "Files", "LoadReport", "Rule", "file_of", "located", "rule_code"]

Files: TypeAlias = Sequence[tuple[str, int]]
"""Names of the files of a log, and the number of lines in those before each; none for one file."""

Action: TypeAlias = Literal["dropped", "folded", "repaired", "noted"]


@dataclass(frozen=True)
class Rule:
    """A reason for listing a line: name, action and meaning.

    A `malformed` line cannot be read; the others are sound.
    """

    name: str
    action: Action
    meaning: str
    field: str | None = None
    malformed: bool = False


def _malformed(name: str, meaning: str) -> Rule:
    return Rule(name, "dropped", meaning, malformed=True)


RULES: tuple[Rule, ...] = (
    # malformed lines: dropped only when read leniently, an error otherwise
    _malformed("too-few-fields", "the line has fewer fields than its format"),
    _malformed("not-a-number", "a field is not a decimal number"),
    _malformed("not-finite", "a field is NaN or infinite"),
    _malformed("beyond-limit", "a number is beyond 2^53 in magnitude"),
    _malformed("not-whole", "a field that counts or names something has a fraction"),
    _malformed("broken-checkpoint", "checkpoint interval or restart overhead is impossible"),
    _malformed("broken-utility", "the utility function breaks a rule"),
    _malformed("broken-estimate", "soft estimate, confidence or original job is impossible"),
    _malformed("broken-extra", "a label, a resource or another extra column is impossible"),
    # standard cleaning (GAUSSIER 6.1.1)
    Rule("negative-submit", "dropped", "the submit time is negative", "submit"),
    Rule("negative-run", "dropped", "the run time is negative", "run"),
    Rule(
        "no-processors",
        "dropped",
        "neither allocated nor requested processors are known",
        "processors",
    ),
    Rule("too-wide", "dropped", "the job is wider than the machine", "processors"),
    Rule(
        "processors-missing",
        "repaired",
        "allocated processors are unknown: the requested ones are taken",
        "processors",
    ),
    Rule(
        "requested-processors-missing",
        "repaired",
        "requested processors are unknown: the allocated ones are taken",
        "requested_processors",
    ),
    Rule(
        "requested-time-missing",
        "noted",
        "the requested time is unknown: the run time is taken",
        "requested_time",
    ),
    Rule(
        "run-over-request",
        "noted",
        "the job ran longer than requested: it is killed at its request",
        "run",
    ),
)
"""Everything that can happen to a line; a rule's code is its position."""


def rule_code(name: str, rules: tuple[Rule, ...] = RULES) -> int:
    """Position of the rule called `name` in `rules`."""
    return [rule.name for rule in rules].index(name)


def file_of(line: int, files: Files, source: str) -> tuple[str, int]:
    """Return the name of the file of a line, and the number of lines in those before it."""
    return next((file for file in reversed(files) if file[1] < line), (source, 0))


def located(error: InputError, files: Files, source: str) -> InputError:
    """Return an error of reading a log with the file, and the number of the line there."""
    if error.line is None or error.source not in {None, source}:
        return placed(error, source)
    name, above = file_of(error.line, files, source)
    error.source = name
    return placed(error, name, error.line - above)


@dataclass(frozen=True, eq=False)
class LoadReport:
    """Account of one reading of a log.

    Parameters
    ----------
    source : str
        What was read.
    lines, comment_lines : int
        All lines of the file, and those among them that are comments.
    file_job_lines, job_lines : int
        Job lines of the file, and those that were asked for.
    kept : int
        Jobs in the resulting workload.
    line : ndarray of int64, shape (m,)
        Listed lines, from 1, ascending; a kept line may be listed under several rules.
    rule : ndarray of int8, shape (m,)
        Position in `rules` of the rule each is listed under.
    notes : tuple of str
        What concerns the whole log.
    rules : tuple of Rule
        `RULES`, and after them those of an importer.
    files : sequence of tuple of (str, int)
        Of a log in several files the name of each, and the number of lines in those before it.

    Examples
    --------
    >>> report = LoadReport("a.swf", 3, 1, 2, 2, 1, np.array([3]), np.array([10], np.int8))
    >>> report.counts("dropped"), report.lines_accounted()
    ({'negative-run': 1}, True)
    """

    source: str
    lines: int
    comment_lines: int
    file_job_lines: int
    job_lines: int
    kept: int
    line: Ints
    rule: npt.NDArray[np.int8]
    notes: tuple[str, ...] = ()
    rules: tuple[Rule, ...] = RULES
    files: Files = ()

    def __repr__(self) -> str:
        return f"<LoadReport: {self.source}, {self.kept:,} of {self.job_lines:,} jobs kept>"

    def place(self, line: int) -> tuple[str, int]:
        """Return the file in which a line of the log stands, and the number of the line there.

        Examples
        --------
        >>> none = np.empty(0, np.int64)
        >>> files = (("jan.txt", 0), ("feb.txt", 40))
        >>> report = LoadReport("*.txt", 99, 2, 97, 97, 97, none, none.astype("i1"), files=files)
        >>> report.place(40), report.place(41)
        (('jan.txt', 40), ('feb.txt', 1))
        """
        name, above = file_of(line, self.files, self.source)
        return name, line - above

    def places(self, lines: Ints) -> str:
        """Write lines, ascending, as ranges: ``12-40 57``, or ``jan.txt:12-40 feb.txt:3``."""
        if not self.files:
            return ranges_text(lines)
        begins = np.array([above for _, above in self.files])
        file = np.searchsorted(begins, lines, "left") - 1
        return " ".join(
            f"{self.files[each][0]}:{ranges_text(lines[file == each] - begins[each])}"
            for each in np.unique(file).tolist()
        )

    @property
    def dropped(self) -> int:
        """Number of lines dropped."""
        return sum(self.counts("dropped").values())

    @property
    def folded(self) -> int:
        """Number of lines that are part of the job of another line."""
        return sum(self.counts("folded").values())

    @property
    def repaired(self) -> int:
        """Number of lines kept with a repair, however many it needed."""
        return len(np.setdiff1d(self._listed("repaired"), self._listed("dropped", "folded")))

    def _listed(self, *actions: Action) -> Ints:
        codes = [code for code, rule in enumerate(self.rules) if rule.action in actions]
        listed: Ints = self.line[np.isin(self.rule, codes)]
        return listed

    def counts(self, action: Action | None = None) -> dict[str, int]:
        """Lines per rule, for the rules that occur (of one action, or all)."""
        codes = [c for c, rule in enumerate(self.rules) if action in {None, rule.action}]
        lines = {self.rules[code].name: np.count_nonzero(self.rule == code) for code in codes}
        return {name: int(count) for name, count in lines.items() if count}

    def lines_of(self, rule: str) -> Ints:
        """Line numbers listed under the rule of this name."""
        listed: Ints = self.line[self.rule == rule_code(rule, self.rules)]
        return listed

    def listing(self, line: Ints, rule: npt.NDArray[np.int8], kept: int) -> LoadReport:
        """Return the report with further listed lines, and another number of kept jobs."""
        lines = np.concatenate([self.line, line])
        rules: npt.NDArray[np.int8] = np.concatenate([self.rule, rule])
        order = np.argsort(lines, kind="stable")
        return replace(self, line=lines[order], rule=rules[order], kept=kept)

    def lines_accounted(self) -> bool:
        """Whether every job line asked for is either kept, or listed as dropped or folded."""
        return self.kept + self.dropped + self.folded == self.job_lines

    def to_dict(self) -> dict[str, Any]:
        """Plain numbers, texts, lists and dicts, fit for JSON; lines as `places` writes them."""
        counts = self.counts()
        return {
            "source": self.source,
            "lines": self.lines,
            "comment_lines": self.comment_lines,
            "file_job_lines": self.file_job_lines,
            "job_lines": self.job_lines,
            "kept": self.kept,
            "dropped": self.dropped,
            "folded": self.folded,
            "repaired": self.repaired,
            "rules": [
                {
                    "rule": rule.name,
                    "action": rule.action,
                    "meaning": rule.meaning,
                    "count": counts[rule.name],
                    "lines": self.places(self.lines_of(rule.name)),
                }
                for rule in self.rules
                if rule.name in counts
            ],
            "notes": list(self.notes),
        }
