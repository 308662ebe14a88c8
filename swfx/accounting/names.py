"""Numbers for names of users, queues and so on, and numbers of jobs."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from swfx.accounting.job_columns import JobColumns
from swfx.accounting.listing import Listing
from swfx.base.columns import Bools, Ints
from swfx.fields import MISSING
from swfx.header import named
from swfx.job_names import FIRST_INVENTED, job_lines
from swfx.label_kinds import LABEL_KINDS
from swfx.labels import FIELD_KINDS, means
from swfx.reading.report import Rule

__all__ = [
    "RENUMBERED",
    "JobNames",
    "Names",
    "job_number",
    "number_of",
    "numbered",
    "own_numbers",
    "repeated",
]


class Names:
    """Numbers 1, 2, ... for names, in order of first appearance.

    Parameters
    ----------
    kind : str
        What is named, as header lines say it: ``User``.

    Examples
    --------
    >>> users = Names("User")
    >>> users.number("alice"), users.number("bob"), users.number("alice"), users.number("")
    (1, 2, 1, -1)
    >>> users.header_lines()
    (' User: 1 alice', ' User: 2 bob')
    """

    def __init__(self, kind: str) -> None:
        self.kind = kind
        self._numbers: dict[str, int] = {}

    def number(self, name: str) -> int:
        """Return the number of a name, which ends at a line break; -1 for an empty name."""
        name = name.strip().partition("\n")[0].rstrip()
        if not name:
            return MISSING
        return self._numbers.setdefault(name, len(self._numbers) + 1)

    def renumbered(self, numbers: Ints) -> Ints:
        """Count names anew, by first appearance in `numbers`, (n,); return what these become."""
        first = np.full(len(self._numbers) + 1, len(numbers))
        np.minimum.at(first, np.maximum(numbers, 0), np.arange(len(numbers)))
        named = 1 + np.flatnonzero(first[1:] < len(numbers))
        named = named[np.argsort(first[named])]
        new = np.full(len(first), MISSING)
        new[named] = np.arange(1, len(named) + 1)
        names = list(self._numbers)
        self._numbers = {names[each - 1]: n for n, each in enumerate(named.tolist(), 1)}
        renumbered: Ints = new[np.maximum(numbers, 0)]
        return renumbered

    def header_lines(self) -> tuple[str, ...]:
        """One header line for each name."""
        return tuple(named(self.kind, number, name) for name, number in self._numbers.items())

    def all(self) -> tuple[str, ...]:
        """Return the names in the order of their numbers."""
        return tuple(self._numbers)

    def __len__(self) -> int:
        return len(self._numbers)


class JobNames:
    """Numbers for the names of every kind of label that jobs have in a log.

    Parameters
    ----------
    **meant : str
        Kinds of label that fields of SWF hold which are called after another one.

    Examples
    --------
    >>> names = JobNames(queue="qos")
    >>> names.label("qos", "night"), names.label("qos", "day"), names.label("project", "")
    (1, 2, -1)
    >>> names.column("qos"), names.column("project"), names.of("qos")
    ('queue', 'project', ('night', 'day'))
    >>> names.header_lines()
    (' QueueMeans: qos', ' QOS: 1 night', ' QOS: 2 day')
    """

    def __init__(self, **meant: str) -> None:
        self._of = {kind: Names(label.key) for kind, label in LABEL_KINDS.items()}
        self._fields = {name: meant.get(name, name) for name in FIELD_KINDS}

    def column(self, kind: str) -> str:
        """Return the column of a kind of label: the field that holds it, or the kind itself."""
        return next((name for name, held in self._fields.items() if held == kind), kind)

    def label(self, kind: str, name: str) -> int:
        """Return the number of a label by kind and name; -1 for an empty name."""
        return self._of[kind].number(name)

    def of(self, kind: str) -> tuple[str, ...]:
        """Return the names of the labels of a kind, in the order of their numbers."""
        return self._of[kind].all()

    def as_numbers(self, kind: str, numbers: Ints) -> Ints:
        """Numbers that the names of a kind are themselves, (n,); they need no header lines then."""
        own = np.array([*map(int, self.of(kind)), MISSING], np.int64)
        self._of[kind] = Names(self._of[kind].kind)
        return own[np.where(numbers > 0, numbers - 1, -1)]

    def count_anew(self, jobs: JobColumns) -> None:
        """Count names anew, by first appearance in these jobs."""
        for kind, names in self._of.items():
            if len(names):
                column = self.column(kind)
                jobs.put(column, names.renumbered(jobs[column]))

    def header_lines(self) -> tuple[str, ...]:
        """Header lines that say what fields hold, and give the names."""
        kinds = {name: kind for name, kind in self._fields.items() if len(self._of[kind])}
        lines = (line for names in self._of.values() for line in names.header_lines())
        return (*means(**kinds), *lines)


RENUMBERED = Rule(
    "renumbered",
    "noted",
    "the job has an invented number: another has its own, or it has no plain number",
)


def number_of(text: str) -> int:
    """Return the job number of a text; -1 for other texts, and for `FIRST_INVENTED` or more.

    Examples
    --------
    >>> number_of("17"), number_of("17.server"), number_of("")
    (17, -1, -1)
    """
    return int(text) if text.isdecimal() and len(text) < len(str(FIRST_INVENTED)) else MISSING


def job_number(name: str) -> int:
    """Read the number of a job that Batsim calls `17` or `workload!17`; -1 for another name.

    >>> job_number("w0!17"), job_number("first")
    (17, -1)
    """
    return number_of(name.rpartition("!")[2])


def repeated(numbers: Ints) -> Bools:
    """Return a mask of the jobs whose number several jobs have, (n,)."""
    ascending = np.sort(numbers)
    twice = ascending[1:][ascending[1:] == ascending[:-1]]
    return np.isin(numbers, twice[twice >= 0])


def own_numbers(wanted: Ints, *, unique: bool = True) -> tuple[Ints, Ints]:
    """Return a number for each job.

    The first job that wants a number has it; the others, and those that want none, get
    `FIRST_INVENTED` and those that follow, in the order of the log.

    Parameters
    ----------
    wanted : ndarray of int64, shape (n,)
        In the order of the log, below `FIRST_INVENTED`; negative for none.
    unique : bool, default True
        Whether a number that several jobs want is that of the first alone.

    Returns
    -------
    tuple of ndarray of int64
        The numbers, (n,), and the positions of jobs that have another one than they wanted.

    Examples
    --------
    >>> [column.tolist() for column in own_numbers(np.array([7, -1, 3, 7]))]
    [[7, 100000000000000, 3, 100000000000001], [1, 3]]
    """
    first = np.full(len(wanted), not unique)
    first[np.unique(wanted, return_index=True)[1]] = True
    changed = np.flatnonzero(~first | (wanted < 0))
    numbers = wanted.copy()
    numbers[changed] = FIRST_INVENTED + np.arange(len(changed))
    return numbers, changed


def numbered(
    jobs: JobColumns, listing: Listing, names: Mapping[int, str], *, unique: bool = True
) -> tuple[str, ...]:
    """Give the jobs numbers by `own_numbers`, and return header lines of their `names`.

    Changed numbers are listed. Jobs of a log without any number or name stay without.
    """
    wanted = jobs["job_id"]
    if not names and (wanted == MISSING).all():
        return ()
    numbers, changed = own_numbers(wanted, unique=unique)
    listing.add_all(jobs["line"][changed], RENUMBERED)
    jobs.put("job_id", numbers)
    return tuple(job_lines(numbers, names))
