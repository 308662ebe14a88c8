"""Notes on what a description of a machine says and a simulation leaves out."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from pathlib import Path

import numpy as np

from swfx.base.numbers import plural
from swfx.base.ranges import ranges_text

__all__ = ["MachineNotes"]

_TABLES = tomllib.loads(Path(__file__).with_name("not_simulated.toml").read_text("utf-8"))
_READ, _UNRELATED = (
    {kind: {*keys.lower().split()} for kind, keys in _TABLES.pop(name).items()}
    for name in ("read", "no_effect")
)
_REASONS = {
    kind: {key.lower(): texts for key, texts in keys.items()} for kind, keys in _TABLES.items()
}


@dataclass
class MachineNotes:
    """Statements that are not simulated, with the lines that make them.

    Attributes
    ----------
    lines : dict of tuple of (str, str) to list of int
        Lines by name of the file and statement.
    unrelated : dict of str to None
        Keys that have nothing to do with when jobs start.
    """

    lines: dict[tuple[str, str], list[int]] = field(default_factory=dict)
    unrelated: dict[str, None] = field(default_factory=dict)

    def add(self, file: Path, line: int, statement: str) -> None:
        """Note a statement of a line."""
        self.lines.setdefault((file.name, statement), []).append(line)

    def add_values(self, kind: str, file: Path, line: int, values: Mapping[str, str]) -> None:
        """Note the values of a line that are not simulated.

        Parameters
        ----------
        kind : str
            Kind of line: ``conf``, ``node``, ``partition``, ``assoc`` or ``qos``.
        file, line : Path, int
            Place of the line.
        values : mapping of str to str
            Its values by key.
        """
        for key, value in values.items():
            name = key.lower()
            *harmless, reason = _REASONS[kind].get(name, [""])
            if reason and value.lower() not in harmless:
                self.add(file, line, f"{key}={value}: {reason}")
            elif name in _UNRELATED.get(kind, ()):
                self.unrelated[key] = None
            elif not reason and name not in _READ.get(kind, {name}):
                self.add(file, line, _unknown(key, kind))

    def texts(self) -> tuple[str, ...]:
        """Return each statement once, behind its file and all its lines, in their order."""
        ordered = sorted(self.lines.items(), key=lambda item: (item[0][0], min(item[1])))
        texts = [f"{name}:{_ranges(lines)}: {statement}" for (name, statement), lines in ordered]
        if self.unrelated:
            keys = ", ".join(sorted(self.unrelated))
            count = plural(len(self.unrelated), "key")
            texts.append(f"no effect on when jobs start ({count}): {keys}")
        return tuple(texts)


def _unknown(key: str, kind: str) -> str:
    """Return a statement on a key that stands in no table, with the known one that is meant.

    >>> _unknown("PriorityWeigthAge", "conf")
    'PriorityWeigthAge is no key that is known here (priorityweightage?)'
    """
    known = _READ[kind] | _UNRELATED[kind] | _REASONS[kind].keys()
    close = "".join(f" ({each}?)" for each in get_close_matches(key.lower(), sorted(known), 1, 0.8))
    return f"{key} is no key that is known here{close}"


def _ranges(numbers: list[int]) -> str:
    """Return lines as ranges.

    >>> _ranges([7, 3, 4])
    '3-4, 7'
    """
    return ranges_text(np.unique(numbers)).replace(" ", ", ")
