"""Labels of jobs: users, accounts, queues, job names and so on, as numbers that may have names."""

from __future__ import annotations

import difflib
import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cached_property

import numpy as np

from swfx.base.columns import Bools, Column, Ints
from swfx.base.errors import InputError
from swfx.base.options import listing, nearest
from swfx.fields import FIELD_NAMES, MISSING
from swfx.header import Header
from swfx.label_kinds import LABEL_KINDS

__all__ = [
    "FIELD_KINDS",
    "NUMBER",
    "UNKNOWN",
    "JobLabels",
    "LabelNames",
    "Labels",
    "check_known",
    "label_column",
    "label_names",
    "meaning",
    "means",
    "nearest_name",
]

FIELD_KINDS = tuple(kind for kind in LABEL_KINDS if kind in FIELD_NAMES)
"""Kinds that a field of SWF is called after; it may hold another kind."""

UNKNOWN = "unknown"
"""Name of the label of a job of which it is not known."""

NUMBER = re.compile(r"-1|[0-9]{1,18}")
"""Digits that are a number of a label, -1 where it is unknown."""

MOST_COMPARED = 20_000
"""Names among which the nearest is looked for: a second at most."""


@dataclass(frozen=True, eq=False)
class LabelNames:
    """Names of the numbers that are labels of one kind.

    Parameters
    ----------
    kind : str
        Of `swfx.label_kinds.LABEL_KINDS`.
    names : mapping of int to str
        Names of those numbers that have one.

    Examples
    --------
    >>> users = LabelNames("user", {3: "alice"})
    >>> users.name(3), users.name(5), users.title(3), users.title(5)
    ('alice', '5', 'user alice', 'user 5')
    """

    kind: str
    names: Mapping[int, str]

    def name(self, number: int) -> str:
        """Name of a number, which follows where others have the same name, or stands alone."""
        name = self.names.get(number)
        if name is None:
            return str(number) if number >= 0 else UNKNOWN
        return f"{name} ({number})" if name in self._shared else name

    def title(self, number: int) -> str:
        """Name of a number behind that of the kind, as sentences call it."""
        return f"{self.words} {self.name(number)}"

    @property
    def words(self) -> str:
        """Name of the kind in sentences."""
        return LABEL_KINDS[self.kind].words

    @cached_property
    def _shared(self) -> frozenset[str]:
        """Ambiguous names: shared by several numbers, or written like a number."""
        times = Counter(self.names.values())
        alike = (n for n, count in times.items() if count > 1 or n.isdecimal() or n == UNKNOWN)
        return frozenset(alike)

    @cached_property
    def by_name(self) -> Mapping[str, int]:
        """Numbers of labels by unique name."""
        return {self.name(number): number for number in self.names}


@dataclass(frozen=True, eq=False)
class JobLabels(LabelNames):
    """Labels of one kind of the jobs of a workload.

    Parameters
    ----------
    numbers : ndarray of int64, shape (n,)
        Number of each job; -1 where it is unknown.
    """

    numbers: Ints

    def __repr__(self) -> str:
        jobs, names = f"{len(self.numbers):,} jobs", f"{len(self.names):,} names"
        return f"<{type(self).__name__}: {self.kind} of {jobs}, {names}>"

    def of_jobs(self) -> list[str]:
        """Give the name of each job's label."""
        numbers = self.numbers.tolist()
        names = {number: self.name(number) for number in set(numbers)}
        return [names[number] for number in numbers]

    def number(self, text: str) -> int:
        """Return the number of a name, or of a text of digits.

        Raises
        ------
        InputError
            If no job has it; it says which names are near.
        """
        number = MISSING if text == UNKNOWN else None
        number = self.by_name.get(text, number)
        if number is None and NUMBER.fullmatch(text):
            number = int(text)
        if number is None or not (self.numbers == number).any():
            raise InputError(f"no job has the {self.words} {text!r}", remedy=self._near(text))
        return number

    def require_named(self, text: str) -> str:
        """Return a name or pattern that the log's names have, whether a job of these has it or not.

        Raises
        ------
        InputError
            The log gives nobody that name; it says which is near.
        """
        if not any(fnmatchcase(name, text) for name in self.by_name) and text not in self.by_name:
            raise InputError(
                f"the log names no {self.words} {text!r}", field=self.kind, remedy=self._near(text)
            )
        return text

    def matching(self, wanted: int | str) -> Bools:
        """Whether the label of each job is what is asked for, shape (n,).

        Parameters
        ----------
        wanted : int or str
            A number; or a name, in which ``*``, ``?`` and ``[abc]`` stand for others. A text of
            digits that names no label is a number, too.

        Examples
        --------
        >>> names = JobLabels("user", {3: "ann", 4: "anna"}, np.array([3, 4, 5]))
        >>> names.matching("ann*").tolist(), names.matching("5").tolist()
        ([True, True, False], [False, False, True])
        """
        if isinstance(wanted, int):
            matching: Bools = self.numbers == wanted
            return matching
        if wanted in self.by_name:
            return self.matching(self.by_name[wanted])
        numbers = np.unique(self.numbers[self.numbers >= 0])
        named = [number for number in numbers.tolist() if fnmatchcase(self.name(number), wanted)]
        return np.isin(self.numbers, named)

    def _near(self, text: str) -> str:
        known = [*self.by_name] or [str(number) for number in sorted(set(self.numbers.tolist()))]
        return nearest_name(text, known)


def nearest_name(text: str, known: Sequence[str]) -> str:
    """Return the remedy for an unknown name: the nearest name, and some known names."""
    close = difflib.get_close_matches(text, known[:MOST_COMPARED], n=1, cutoff=0.5)
    hint = f"did you mean {close[0]!r}? " if close else ""
    separator = "; " if any("," in name for name in known) else ", "
    return f"{hint}known: {listing(sorted(known), len(known), separator)}"


class Labels:
    """Labels of the jobs of a workload by kind; each kind is read once.

    Parameters
    ----------
    header : Header
        Header of the log, which names the numbers.
    columns : mapping of str to ndarray
        Columns of the workload by name, (n,) each; one that is absent is unknown everywhere.
    count : int
        Number of jobs.

    Examples
    --------
    >>> from swfx import Header, Workload
    >>> header = Header((" GroupMeans: account", " Account: 2 physics"))
    >>> jobs = Workload.from_columns(submit=[0, 0], group=[2, -1], header=header)
    >>> jobs.labels.kinds, jobs.labels.of("account").of_jobs()
    (('account',), ['physics', 'unknown'])
    """

    def __init__(self, header: Header, columns: Mapping[str, Column], count: int) -> None:
        self._header, self._columns, self._count = header, columns, count
        self._read: dict[tuple[str, str | None], JobLabels] = {}

    def __repr__(self) -> str:
        return f"<Labels: {', '.join(self.kinds) or 'none'}>"

    @cached_property
    def kinds(self) -> tuple[str, ...]:
        """Kinds of labels that any job has, in the order of `LABEL_KINDS`."""
        return tuple(kind for kind in LABEL_KINDS if (self.of(kind).numbers != MISSING).any())

    def of(self, kind: str) -> JobLabels:
        """Return the labels of one kind of `LABEL_KINDS`, unknown where the log has none."""
        return self._of(kind, label_column(self._header, kind))

    def in_field(self, field: str) -> JobLabels:
        """Return the labels in a field of SWF, of whichever kind the header says it holds."""
        return self._of(meaning(self._header, field), field)

    def required(self, kind: str, field: str = "kind") -> JobLabels:
        """Return the labels of one kind, named by a `field`, which some job must have.

        Raises
        ------
        InputError
            There is no such kind, or no job has a label of it; it says which kinds the log has.
        """
        check_known(kind, self.kinds, field)
        return self.of(kind)

    def _of(self, kind: str, column: str | None) -> JobLabels:
        if (kind, column) not in self._read:
            numbers = self._columns.get(column or "")
            if numbers is None:
                numbers = np.full(self._count, MISSING)
            names = label_names(self._header, kind).names
            self._read[kind, column] = JobLabels(kind, names, numbers)
        return self._read[kind, column]


def check_known(kind: str, kinds: Collection[str], field: str = "kind") -> None:
    """Refuse a kind of label, or of anything else, that a log does not have, given as `field`.

    Raises
    ------
    InputError
        It says which `kinds` there are.
    """
    if kind not in kinds:
        problem = "the log does not say" if kind in LABEL_KINDS else "there is no"
        raise InputError(f"{problem} {kind!r}", field=field, remedy=nearest(kind, kinds))


def label_names(header: Header, kind: str) -> LabelNames:
    """Names of a kind of label that header lines such as ``; User: 3 alice`` give."""
    return LabelNames(kind, header.names(LABEL_KINDS[kind].key))


def label_column(header: Header, kind: str) -> str | None:
    """Name of the column that holds a kind of label; None where its field holds another kind.

    A field that the header says holds it comes before the one that is called after it.

    Raises
    ------
    InputError
        If a line such as ``; GroupMeans: account`` names no kind.
    """
    meant = {name: meaning(header, name) for name in FIELD_KINDS}
    named = [name for name, other in meant.items() if other == kind != name]
    if named:
        return named[0]
    return kind if meant.get(kind, kind) == kind else None


def meaning(header: Header, field: str) -> str:
    """Kind of label that a field of SWF holds.

    >>> meaning(Header((" GroupMeans: account",)), "group"), meaning(Header(), "group")
    ('account', 'group')

    Raises
    ------
    InputError
        If a line such as ``; GroupMeans: account`` names no kind.
    """
    key = _meaning_key(field)
    kind = header.get(key) or field
    if kind not in LABEL_KINDS:
        remedy = nearest(kind, LABEL_KINDS)
        raise InputError(f"{kind!r} is no kind of label", field=key, remedy=remedy)
    return kind


def means(**kinds: str) -> tuple[str, ...]:
    """Header lines that say which kind of label fields of SWF hold.

    >>> means(group="account", queue="queue")
    (' GroupMeans: account',)
    """
    return tuple(f" {_meaning_key(name)}: {kind}" for name, kind in kinds.items() if name != kind)


def _meaning_key(field: str) -> str:
    return f"{LABEL_KINDS[field].key}Means"
