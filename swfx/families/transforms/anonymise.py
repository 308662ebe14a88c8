"""Users, groups and applications that nobody can name."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from swfx.base.atomic import atomic_write
from swfx.base.columns import Ints
from swfx.base.configured import choice, option
from swfx.families.generators.randomness import stream
from swfx.families.transformation import TRANSFORMS, Transformation, Transformed
from swfx.workload import Workload

COLUMNS = ("user", "group", "executable")
NAMING = ("User", "Group", "Account", "Executable", "Application")
"""Header keys whose lines tie numbers to names."""
NUMBERED = ("UtilityModel", "Transformation")
"""Header keys whose lines may hold numbers of users, as in ``filter:user=70``."""
ORDERS = ("appearance", "random")


@TRANSFORMS.register("anonymise")
@dataclass(frozen=True)
class Anonymise(Transformation):
    """Renumber users, groups and applications, and drop header lines that name them.

    Lines that say how the workload was made (UtilityModel, Transformation) go, too, as they may
    hold the old numbers.

    Names of queues and partitions, and the header's free text, stay.

    Parameters
    ----------
    order : {"appearance", "random"}
        New numbers 1, 2, ... in the order of first appearance, or shuffled by the seed. Whoever
        knows the seed can undo the shuffle, and order of appearance tells who came first.
    mapping : str, optional
        File (CSV: column, number, new) to write old and new numbers to; by default nothing is kept.

    Examples
    --------
    >>> log = Workload.from_columns(submit=[0, 5, 9], user=[70, -1, 3], group=[9, 9, 9])
    >>> done = Anonymise().apply(log, 0).workload
    >>> done.user.tolist(), done.group.tolist()
    ([1, -1, 2], [1, 1, 1])
    """

    order: str = choice(ORDERS, "appearance")
    mapping: str = option(str, "")

    @property
    def stochastic(self) -> bool:
        """Only shuffling draws."""
        return self.order == "random"

    def apply(self, workload: Workload, seed: int) -> Transformed:
        """Give the new numbers."""
        old = {name: self._numbers(workload, name, seed) for name in COLUMNS}
        columns = {name: _renumbered(getattr(workload, name), old[name]) for name in COLUMNS}
        header = workload.header.without(*NAMING, *NUMBERED)
        if self.mapping:
            with atomic_write(self.mapping) as file:
                file.write("".join(_rows(old)).encode())
        found = ", ".join(f"{len(numbers):,} {name}s" for name, numbers in old.items())
        gone = ((key, len(workload.header.all(key))) for key in (*NAMING, *NUMBERED))
        taken_out = ", ".join(f"{lines} {key}" for key, lines in gone if lines) or "none"
        return Transformed(
            workload.replace(header=header, **columns),
            (f"new numbers for {found}; header lines taken out: {taken_out}",),
        )

    def _numbers(self, workload: Workload, name: str, seed: int) -> Ints:
        """Old numbers in the order of their new ones."""
        column = getattr(workload, name)
        numbers, first = np.unique(column[column >= 0], return_index=True)
        numbers = numbers[np.argsort(first, kind="stable")]
        if self.order == "random":
            numbers = stream(seed, f"anonymise {name}").permutation(numbers)
        return numbers


def _renumbered(column: Ints, numbers: Ints) -> Ints:
    ascending = np.argsort(numbers, kind="stable")
    new = np.full(len(column), -1, np.int64)
    known = column >= 0
    new[known] = ascending[np.searchsorted(numbers[ascending], column[known])] + 1
    return new


def _rows(old: dict[str, Ints]) -> Iterator[str]:
    yield "column,number,new\n"
    for name, numbers in old.items():
        yield from (f"{name},{number},{new}\n" for new, number in enumerate(numbers.tolist(), 1))
