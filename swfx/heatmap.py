"""Heatmaps: how fast applications run beside one another on shared nodes."""

from __future__ import annotations

import csv
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib import resources
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from swfx.base.atomic import atomic_write
from swfx.base.errors import InputError, failed

__all__ = ["Heatmap", "find_heatmap", "read_heatmap", "write_heatmap"]

COLUMNS = (
    *("name_A", "procs_A", "compact_A"),
    *("name_B", "procs_B", "compact_B"),
    *("co_A_B", "co_B_A"),
)
PACKAGED = ("aris", "aris-spec", "grvingt")
"""Heatmaps that come with the package, by name; see `find_heatmap`."""

FASTEST = 2.0
"""Times as fast as compact: on twice the nodes, a process has at most twice what it had of each."""

_REMEDY = "write name, processes and compact run time of both, and both run times side by side"


@dataclass(frozen=True)
class Heatmap:
    """Applications, and the speed of each beside each other; compact = 1.

    Attributes
    ----------
    names : tuple of str
        Of the applications; their numbers in workloads count from 1.
    processes : (a,) int64
        With which each was measured.
    compact : (a,) float64
        Run time alone on full nodes (s).
    speed : (a, a) float64
        Compact run time of the application of the row over its run time beside that of the column;
        NaN where nothing was measured.
    synthetic : (a, a) bool
        Pairs that come from a model, not from a measurement.
    source : str
        Where it comes from, for messages.
    """

    names: tuple[str, ...]
    processes: NDArray[np.int64]
    compact: NDArray[np.float64]
    speed: NDArray[np.float64]
    synthetic: NDArray[np.bool_]
    source: str = "heatmap"

    @classmethod
    def alike(cls, names: Sequence[str], speed: float = 1.0) -> Heatmap:
        """Return a heatmap in which every pair has the same speed.

        Examples
        --------
        >>> Heatmap.alike(["a", "b"]).speed.tolist()
        [[1.0, 1.0], [1.0, 1.0]]
        """
        count = len(names)
        every = np.full((count, count), float(speed))
        ones = np.ones(count)
        return cls(
            tuple(names), ones.astype(np.int64), ones, every, np.zeros(every.shape, np.bool_)
        )

    @property
    def measured(self) -> NDArray[np.bool_]:
        """Pairs that have a speed that is not synthetic, (a, a)."""
        return ~np.isnan(self.speed) & ~self.synthetic

    def findings(self) -> tuple[str, ...]:
        """Return what a reader should know before relying on it, a sentence each.

        Pairs without speeds or with one alone, synthetic ones, and speeds beyond `FASTEST`.
        """
        findings = []
        upper = np.triu(np.ones(self.speed.shape, np.bool_))
        pairs, missing = int(upper.sum()), np.isnan(self.speed) | np.isnan(self.speed.T)
        if (missing & upper).any():
            findings.append(f"{int((missing & upper).sum())} of {pairs} pairs are not measured")
        one_way = np.isnan(self.speed) != np.isnan(self.speed.T)
        if one_way.any():
            findings.append(f"{int((one_way & upper).sum())} pairs are measured one way only")
        if self.synthetic.any():
            count = int(((self.synthetic | self.synthetic.T) & upper).sum())
            findings.append(
                f"{count} of {pairs} pairs are synthetic: made by a model, not measured"
            )
        for a, b in np.argwhere(self.speed > FASTEST).tolist():
            findings.append(
                f"{self.names[a]} beside {self.names[b]} runs {self.speed[a, b]:.2f} times as fast"
                f" as compact, beyond {FASTEST:g}"
            )
        return tuple(findings)

    def row_means(self) -> NDArray[np.float64]:
        """Mean known speed of each application, 1 where none is known, (a,)."""
        return self._of_known(np.nansum(self.speed, axis=1) / np.maximum(self._known, 1))

    def row_maxima(self) -> NDArray[np.float64]:
        """Best known speed of each application, 1 where none is known, (a,)."""
        return self._of_known(np.nan_to_num(self.speed, nan=-math.inf).max(axis=1))

    @property
    def _known(self) -> NDArray[np.int64]:
        counts: NDArray[np.int64] = np.count_nonzero(~np.isnan(self.speed), axis=1)
        return counts

    def _of_known(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        known: NDArray[np.float64] = np.where(self._known > 0, values, 1.0)
        return known


class _Rows:
    """Applications and pairs of a file as they are met."""

    def __init__(self, source: str) -> None:
        self.source = source
        self.applications: dict[str, tuple[int, float]] = {}
        self.times: dict[tuple[str, str], list[float]] = {}

    def add(self, row: Mapping[str, str], line: int) -> None:
        """Take a row in, both ways round."""
        for side in "AB":
            name = row[f"name_{side}"]
            seen = self._whole(row, line, f"procs_{side}"), self._time(row, line, f"compact_{side}")
            if not name or self.applications.setdefault(name, seen) != seen:
                raise InputError(
                    f"{name or 'no application'} has {seen[0]} processes and {seen[1]:g} s here,"
                    f" and others above",
                    source=self.source,
                    line=line,
                    remedy="give each application one name, size and compact run time",
                )
        for one, other in ("AB", "BA"):
            if row[f"co_{one}_{other}"]:
                self._measure(row, line, one, other)

    def _measure(self, row: Mapping[str, str], line: int, one: str, other: str) -> None:
        pair = row[f"name_{one}"], row[f"name_{other}"]
        time = self._time(row, line, f"co_{one}_{other}")
        times = self.times.setdefault(pair, [])
        if times and pair[0] != pair[1] and time not in times:
            raise InputError(
                f"{pair[0]} beside {pair[1]} takes {time:g} s here and {times[0]:g} s above",
                source=self.source,
                line=line,
                field=f"co_{one}_{other}",
                remedy="give each pair one run time either way",
            )
        times.append(time)

    def _time(self, row: Mapping[str, str], line: int, field: str) -> float:
        try:
            time = float(row[field])
        except ValueError:
            time = math.nan
        if not 0 < time < math.inf:
            raise InputError(
                f"{row[field]!r} is no run time",
                source=self.source,
                line=line,
                field=field,
                remedy="give seconds above 0; leave run times of pairs empty if not measured",
            )
        return time

    def _whole(self, row: Mapping[str, str], line: int, field: str) -> int:
        if not row[field].isascii() or not row[field].isdigit() or int(row[field]) < 1:
            raise InputError(
                f"{row[field]!r} is no number of processes",
                source=self.source,
                line=line,
                field=field,
                remedy="give a whole number from 1",
            )
        return int(row[field])

    def heatmap(self) -> Heatmap:
        """Return all of it; of a pair of equals, the mean of both run times counts."""
        names = tuple(self.applications)
        number = {name: i for i, name in enumerate(names)}
        processes, compact = zip(*self.applications.values(), strict=True)
        speed = np.full((len(names), len(names)), np.nan)
        for (one, other), times in self.times.items():
            mean = math.fsum(times) / len(times)
            speed[number[one], number[other]] = self.applications[one][1] / mean
        blank = np.zeros(speed.shape, np.bool_)
        return Heatmap(names, np.array(processes), np.array(compact), speed, blank, self.source)


def read_heatmap(path: str | Path) -> Heatmap:
    """Read a heatmap: a pair of applications a line, columns separated by tabs.

    Columns are name_A, procs_A, compact_A, name_B, procs_B, compact_B, co_A_B and co_B_A: names,
    processes, compact run times (s), and run times of A beside B and of B beside A (s), empty where
    they were not measured. The speed of a pair is its compact run time over that beside the other.

    Raises
    ------
    InputError
        The file cannot be read, lacks a column, or has run times that are none or disagree.
    """
    try:
        text = Path(path).read_text("utf-8")
    except OSError as error:
        raise failed("cannot be read", error, path, "give a heatmap") from error
    except UnicodeDecodeError:
        raise InputError("is not UTF-8 text", source=str(path), remedy=_REMEDY) from None
    return _parsed(text, str(path))


def _parsed(text: str, source: str) -> Heatmap:
    reader = csv.DictReader(text.splitlines(), delimiter="\t")
    lacking = [name for name in COLUMNS if name not in (reader.fieldnames or ())]
    if lacking:
        raise InputError(f"has no column {lacking[0]}", source=source, line=1, remedy=_REMEDY)
    rows = _Rows(source)
    for row in reader:
        if None in row or None in row.values():
            problem = f"not {len(reader.fieldnames or ())} columns"
            raise InputError(problem, source=source, line=reader.line_num, remedy=_REMEDY)
        rows.add({name: row[name].strip() for name in COLUMNS}, reader.line_num)
    if not rows.applications:
        raise InputError("has no pairs", source=source, remedy=_REMEDY)
    return rows.heatmap()


def find_heatmap(text: str) -> Heatmap:
    """Return a heatmap that comes with the package, by name, or read a file.

    All are medians of measured run times: ``aris``, 33 programs of the NAS Parallel Benchmarks on
    ARIS in Athens (809 of 1,089 speeds; a program of 2,025 or 2,048 processes was only measured
    beside others of its size), from which KELLARI took table 4.1; ``aris-spec``, 8 programs of
    SPEChpc there (63 of 64); ``grvingt``, 13 NAS programs on Grid5000's Grvingt in Nancy (all 169).

    Raises
    ------
    InputError
        See `read_heatmap`.

    References
    ----------
    Figures: National Technical University of Athens and Grid5000, published in the repository
    nikosT/elise (commit 70efef0, 2025-09-30). M. Kellari, "Co-scheduling algorithms for HPC
    applications", NTU Athens, 2025.

    Examples
    --------
    >>> aris = find_heatmap("aris")
    >>> len(aris.names), aris.findings()
    (33, ('140 of 561 pairs are not measured',))
    """
    if text in PACKAGED:
        packaged = resources.files("swfx") / "heatmaps" / f"{text}.tsv"
        return _parsed(packaged.read_text("utf-8"), text)
    return read_heatmap(text)


def write_heatmap(heatmap: Heatmap, path: str | Path) -> None:
    """Write a heatmap as `read_heatmap` takes it, whole or not at all; run times to a millisecond.

    Raises
    ------
    InputError
        The file cannot be written.
    """
    lines = ["\t".join(COLUMNS), *("\t".join(row) for row in _written(heatmap))]
    with atomic_write(path) as stream:
        stream.write(("\n".join(lines) + "\n").encode())


def _written(heatmap: Heatmap) -> Iterator[list[str]]:
    for a, one in enumerate(heatmap.names):
        for b, other in list(enumerate(heatmap.names))[a:]:
            yield [
                *(one, str(heatmap.processes[a]), f"{heatmap.compact[a]:g}"),
                *(other, str(heatmap.processes[b]), f"{heatmap.compact[b]:g}"),
                *(_time(heatmap, a, b), _time(heatmap, b, a)),
            ]


def _time(heatmap: Heatmap, one: int, other: int) -> str:
    speed = heatmap.speed[one, other]
    return "" if np.isnan(speed) else f"{heatmap.compact[one] / speed:.3f}"
