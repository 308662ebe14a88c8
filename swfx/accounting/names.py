"""Numbers for names: users, groups, queues and partitions are numbers in SWF."""

from __future__ import annotations

import re

import numpy as np

from swfx.base.columns import Ints
from swfx.fields import MISSING

__all__ = ["JobNames", "Names"]

_CONTROL = re.compile(r"[\x00-\x1f\x7f]")


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
        """One header line for each name; control characters in names become blanks."""
        return tuple(
            f" {self.kind}: {number} {_CONTROL.sub(' ', name)}"
            for name, number in self._numbers.items()
        )


class JobNames:
    """Numbers for the names that jobs go by in a log; those of executables are not in the header.

    Examples
    --------
    >>> names = JobNames()
    >>> names.queue.number("night"), names.header_lines()
    (1, (' Queue: 1 night',))
    """

    def __init__(self) -> None:
        self.user = Names("User")
        self.group = Names("Group")
        self.queue = Names("Queue")
        self.partition = Names("Partition")
        self.executable = Names("Executable")

    def header_lines(self) -> tuple[str, ...]:
        """Header lines of users, groups, queues and partitions."""
        kinds = (self.user, self.group, self.queue, self.partition)
        return tuple(line for names in kinds for line in names.header_lines())
