"""Numbers for names: labels of jobs are numbers in SWF."""

from __future__ import annotations

import numpy as np

from swfx.accounting.job_columns import JobColumns
from swfx.base.columns import Ints
from swfx.fields import MISSING
from swfx.header import named
from swfx.label_kinds import LABEL_KINDS
from swfx.labels import FIELD_KINDS, means

__all__ = ["JobNames", "Names"]


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
        """Give a name its number; -1 for no name."""
        name = name.strip()
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

    def as_numbers(self, numbers: Ints) -> Ints:
        """Numbers that the names, which are all whole numbers, are themselves, (n,)."""
        own = np.array([*map(int, self._numbers), MISSING], np.int64)
        return own[np.where(numbers > 0, numbers - 1, -1)]

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

    Attributes
    ----------
    user, group, executable, queue, partition : Names
        Of what these fields hold.

    Examples
    --------
    >>> names = JobNames(queue="qos")
    >>> names.queue.number("night"), names.extra(project="relax", account="")
    (1, {'project': 1})
    >>> names.header_lines()
    (' QueueMeans: qos', ' Project: 1 relax', ' QOS: 1 night')
    """

    def __init__(self, **meant: str) -> None:
        self._of = {kind: Names(label.key) for kind, label in LABEL_KINDS.items()}
        self._fields = {name: meant.get(name, name) for name in FIELD_KINDS}
        found = (self._of[kind] for kind in self._fields.values())
        self.user, self.group, self.executable, self.queue, self.partition = found

    def column(self, kind: str) -> str:
        """Return the column of a kind of label: the field that holds it, or the kind itself."""
        return next((name for name, held in self._fields.items() if held == kind), kind)

    def label(self, kind: str, name: str) -> int:
        """Give the number of a label of this kind; -1 for no name."""
        return self._of[kind].number(name)

    def of(self, kind: str) -> tuple[str, ...]:
        """Return the names of the labels of a kind, in the order of their numbers."""
        return self._of[kind].all()

    def as_numbers(self, kind: str, numbers: Ints) -> Ints:
        """Numbers that the names of a kind are themselves, (n,); they need no header lines then."""
        own = self._of[kind].as_numbers(numbers)
        self._of[kind] = Names(self._of[kind].kind)
        return own

    def extra(self, **names: str) -> dict[str, int]:
        """Numbers of labels that no field of SWF holds, of kinds that have a name here."""
        return {kind: self._of[kind].number(name) for kind, name in names.items() if name.strip()}

    def count_anew(self, jobs: JobColumns) -> None:
        """Count names anew, by first appearance in these jobs."""
        for kind, names in self._of.items():
            if len(names):
                column = self.column(kind)
                jobs.put(column, names.renumbered(jobs[column]))

    def header_lines(self) -> tuple[str, ...]:
        """Header lines that say what fields hold, and give the names."""
        said = {name: kind for name, kind in self._fields.items() if len(self._of[kind])}
        lines = (line for names in self._of.values() for line in names.header_lines())
        return (*means(**said), *lines)
