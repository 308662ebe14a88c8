"""Basis of a bill: what happened or a simulation, and whose utility functions it rests on."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

GIVEN, DRAWN, NONE = "given", "drawn", "none"

COLUMN = "basis"
"""Of every table of a bill whose basis is known, the last one."""

_SEED = re.compile(r"; seed (-?\d+)")

_FILE = re.compile(r"(?:^|[ :])(\S+ \(sha256 [0-9a-f]{16}\))")

_WHOSE = re.compile(r"^\S+ \([\d,]+ jobs?\): ")


class Basis(NamedTuple):
    """What a bill rests on.

    Attributes
    ----------
    scheduler : str
        Who made the schedule in a simulation; empty where it is the log's own.
    models : tuple of str
        How utility functions came about, as the workload's header says (``UtilityModel``).
    curves : {"given", "drawn", "none"}
        Whether users gave utility functions, or some of them were drawn at random.
    """

    scheduler: str = ""
    models: tuple[str, ...] = ()
    curves: str = NONE

    @classmethod
    def of(cls, scheduler: str, models: Sequence[str], *, valued: bool) -> Basis:
        """Return the basis of a schedule.

        Parameters
        ----------
        scheduler : str
            Who made it; empty where it is the log's own.
        models : sequence of str
            Lines ``UtilityModel`` of the workload's header; one with a seed was drawn.
        valued : bool
            Whether jobs have utility functions.

        Examples
        --------
        >>> Basis.of("easy", ["LEE 2.6: factor=2; seed 7"], valued=True).brief
        'simulation by easy; utility functions drawn, seed 7'
        """
        drawn = any(map(_SEED.search, models))
        return cls(scheduler, tuple(models), (DRAWN if drawn else GIVEN) if valued else NONE)

    @property
    def seeds(self) -> tuple[int, ...]:
        """Seeds of the utility functions that were drawn."""
        return tuple(dict.fromkeys(int(s) for text in self.models for s in _SEED.findall(text)))

    @property
    def files(self) -> tuple[str, ...]:
        """Files of curves or answers, with digests, by which utility functions were given."""
        return tuple(dict.fromkeys(name for text in self.models for name in _FILE.findall(text)))

    @property
    def brief(self) -> str:
        """All of it in a few words, for a cell."""
        schedule = f"simulation by {self.scheduler}" if self.scheduler else "recorded by the log"
        curves = {
            GIVEN: " ".join(["utility functions given", *self._by]),
            DRAWN: f"utility functions drawn, {self._seeds}",
            NONE: "no utility functions",
        }
        return f"{schedule}; {curves[self.curves]}"

    @property
    def warnings(self) -> tuple[str, ...]:
        """What whoever reads the bill has to know first, in sentences; nothing if all is real."""
        warnings = []
        if self.scheduler:
            warnings.append(
                f"This is a simulation under {self.scheduler}, not a record of what happened."
            )
        if self.curves == DRAWN:
            names = ", ".join(dict.fromkeys(map(_name, self.models)))
            warnings.append(
                f"Utility functions were drawn at random, not stated by users ({names};"
                f" {self._seeds})."
            )
        return tuple(warnings)

    @property
    def notices(self) -> tuple[str, ...]:
        """Sentences on the basis of a bill, with the file that gave utility functions."""
        given = self.curves == GIVEN and self.files
        return (*self.warnings, *([f"Utility functions are given {self._by[0]}."] if given else []))

    @property
    def _by(self) -> list[str]:
        """Say which files gave them, if any did."""
        return [f"by {', '.join(self.files)}"] if self.files else []

    @property
    def _seeds(self) -> str:
        return f"seed{'s' * (len(self.seeds) > 1)} {', '.join(map(str, self.seeds))}"

    def document(self) -> dict[str, Any]:
        """Return the basis of charges as JSON-able values."""
        return {
            "schedule": "simulation" if self.scheduler else "recorded",
            "scheduler": self.scheduler or None,
            "utility_functions": self.curves,
            "models": list(self.models),
            "seeds": list(self.seeds),
        }

    @classmethod
    def read(cls, document: Mapping[str, Any]) -> Basis:
        """Return what `document` says.

        Raises
        ------
        KeyError, TypeError, ValueError
            It is another document.
        """
        curves = document["utility_functions"]
        if curves not in {GIVEN, DRAWN, NONE}:
            raise ValueError(curves)
        return cls(str(document["scheduler"] or ""), tuple(map(str, document["models"])), curves)


def _name(model: str) -> str:
    """Return the name of a model without options and whose jobs it is for."""
    return _WHOSE.sub("", model).partition(":")[0].partition(";")[0]


def columns_with(columns: Sequence[str], basis: Basis | None) -> tuple[str, ...]:
    """Return the columns of a table of a bill."""
    return (*columns, COLUMN) if basis else tuple(columns)


def rows_with(rows: Iterable[Sequence[object]], basis: Basis | None) -> Iterator[Sequence[object]]:
    """Yield its rows, each with the basis where that is known."""
    if basis is None:
        yield from rows
    else:
        brief = basis.brief
        for row in rows:
            yield (*row, brief)
