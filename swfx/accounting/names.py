"""Numbers for names: users, groups, queues and partitions are numbers in SWF."""

from __future__ import annotations

import re

from swfx.fields import MISSING

__all__ = ["Names"]

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

    def header_lines(self) -> tuple[str, ...]:
        """One header line for each name; control characters in names become blanks."""
        return tuple(
            f" {self.kind}: {number} {_CONTROL.sub(' ', name)}"
            for name, number in self._numbers.items()
        )
