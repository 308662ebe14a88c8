"""Heatmaps: how fast applications run beside one another on shared nodes."""

from __future__ import annotations

import csv
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import resources
from itertools import chain
from pathlib import Path
from typing import Annotated, Any, ClassVar, NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from swfx.base.atomic import atomic_write
from swfx.base.document import DocumentTable, checked
from swfx.base.document_json import parsed_json
from swfx.base.document_mistakes import Contents, DocumentError, Steps, field_name
from swfx.base.document_values import number, whole
from swfx.base.errors import InputError, failed, placed
from swfx.base.numbers import plural

__all__ = ["Heatmap", "find_heatmap", "read_heatmap", "write_heatmap"]

COLUMNS = (
    *("name_A", "procs_A", "compact_A", "spread_A"),
    *("name_B", "procs_B", "compact_B", "spread_B"),
    *("co_A_B", "co_B_A"),
)
SPREAD = ("spread_A", "spread_B")
"""Columns that a file may do without."""

PACKAGED = ("aris", "aris-spec", "grvingt")
"""Heatmaps that come with the package, by name; see `find_heatmap`."""

KELLARI = {
    "bt.D.512": "bt.D.484",
    "bt.E.2048": "bt.E.2025",
    "sp.D.128": "sp.D.121",
    "sp.D.512": "sp.D.484",
}
"""Programs by their names in KELLARI's table 4.1; they ran with square numbers of processes."""

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
    spread : (a,) float64
        Run time alone on halves of nodes (s); NaN where it was not measured.
    speed : (a, a) float64
        Compact run time of the application of the row over its run time beside that of the column;
        NaN where nothing was measured.
    synthetic : (a, a) bool
        Pairs that come from a model, not from a measurement.
    source : str
        Where it comes from, for messages.
    left_out : tuple of str
        Applications of which only run times of others beside them are given: they are none here.
    """

    names: tuple[str, ...]
    processes: NDArray[np.int64]
    compact: NDArray[np.float64]
    spread: NDArray[np.float64]
    speed: NDArray[np.float64]
    synthetic: NDArray[np.bool_]
    source: str = "heatmap"
    left_out: tuple[str, ...] = ()

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
        ones, blank = np.ones(count), np.full(count, np.nan)
        synthetic = np.zeros(every.shape, np.bool_)
        return cls(tuple(names), ones.astype(np.int64), ones, blank, every, synthetic)

    def rows(self) -> dict[str, int]:
        """Return the row of each application by its name, and by its name in `KELLARI`.

        Examples
        --------
        >>> aris = find_heatmap("aris")
        >>> aris.rows()["bt.D.512"] == aris.rows()["bt.D.484"]
        True
        """
        rows = {name: row for row, name in enumerate(self.names)}
        return {name: rows[same] for name, same in KELLARI.items() if same in rows} | rows

    @property
    def measured(self) -> NDArray[np.bool_]:
        """Pairs that have a speed that is not synthetic, (a, a)."""
        return ~np.isnan(self.speed) & ~self.synthetic

    def findings(self) -> tuple[str, ...]:
        """Return what a reader should know before relying on it, a sentence each.

        Pairs without speeds or with one alone, synthetic ones, applications left out, and speeds
        beyond `FASTEST`.
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
        if self.left_out:
            beside = plural(len(self.left_out), "application")
            findings.append(
                f"run times beside {beside} without one alone are left out:"
                f" {', '.join(self.left_out)}"
            )
        names = (*self.names, "nobody")
        every = np.column_stack((self.speed, self.compact / self.spread))
        for a, b in np.argwhere(every > FASTEST).tolist():
            findings.append(
                f"{names[a]} beside {names[b]} runs {every[a, b]:.2f} times as fast as compact,"
                f" beyond {FASTEST:g}"
            )
        return tuple(findings)

    def row_means(self) -> NDArray[np.float64]:
        """Mean known speed of each application, 1 where none is known, (a,)."""
        known = np.count_nonzero(~np.isnan(self.speed), axis=1)
        means = np.nansum(self.speed, axis=1) / np.maximum(known, 1)
        return np.where(known > 0, means, 1.0)

    def alone(self) -> NDArray[np.float64]:
        """Speed of each application on halves of nodes beside nobody, (a,).

        As measured, else its best known speed, 1 where none is known.
        """
        best = np.nan_to_num(self.speed, nan=0.0).max(axis=1)
        measured = self.compact / self.spread
        return np.where(np.isnan(measured), np.where(best > 0, best, 1.0), measured)


class _Application(NamedTuple):
    """Processes, and run times alone (s): on full nodes and, if measured, on halves."""

    processes: int
    compact: float
    spread: float | None

    def __str__(self) -> str:
        spread = f", {self.spread:g} s on halves of nodes," if self.spread else ""
        return f"{self.processes} processes and {self.compact:g} s{spread}"


class _Measurements:
    """Applications and run times of pairs, as they are met in a file."""

    def __init__(self) -> None:
        self.applications: dict[str, _Application] = {}
        self.times: dict[tuple[str, str], list[float]] = {}

    def meet(self, name: str, application: _Application, field: str | None = None) -> None:
        """Take an application in, which has to be the same wherever it is met."""
        if not name or self.applications.setdefault(name, application) != application:
            raise InputError(
                f"{name or 'no application'} has {application} here, and others above",
                field=field,
                remedy="give each application one name, size and run time alone",
            )

    def measure(self, one: str, other: str, time: float, field: str) -> None:
        """Take the run time of an application beside another in."""
        times = self.times.setdefault((one, other), [])
        if times and one != other and time not in times:
            raise InputError(
                f"{one} beside {other} takes {time:g} s here and {times[0]:g} s above",
                field=field,
                remedy="give each pair one run time either way",
            )
        times.append(time)

    def heatmap(self, source: str) -> Heatmap:
        """Return all of it; of a pair of equals, the mean of the run times counts."""
        names = tuple(self.applications)
        number = {name: i for i, name in enumerate(names)}
        processes, compact, spread = zip(*self.applications.values(), strict=True)
        speed = np.full((len(names), len(names)), np.nan)
        for (one, other), times in self.times.items():
            if other in number:
                mean = math.fsum(times) / len(times)
                speed[number[one], number[other]] = compact[number[one]] / mean
        return Heatmap(
            names,
            np.array(processes),
            np.array(compact),
            np.array(spread, np.float64),
            speed,
            np.zeros(speed.shape, np.bool_),
            source,
            tuple(sorted({other for _, other in self.times} - set(names))),
        )


def read_heatmap(path: str | Path) -> Heatmap:
    """Read a heatmap: a table of pairs of applications, or a pool of the simulator ELiSE.

    In a table, each line is a pair. Columns are separated by tabs: name_A, procs_A, compact_A,
    name_B, procs_B, compact_B, co_A_B and co_B_A: names, processes, compact run times (s), and run
    times of A beside B and of B beside A (s), empty where they were not measured. Where there are
    columns spread_A and spread_B, they hold run times alone on halves of nodes (s), or nothing. The
    speed of a pair is its compact run time over that beside the other.

    A pool is a JSON object whose ``loads`` are objects, or texts of such: ``load_name``,
    ``num_of_processes``, and lists of run times (s): ``compact_timelogs``, ``spread_timelogs``
    (may be empty), and in ``coscheduled_timelogs`` lists of them by the name of the other. Medians
    count; beside itself, each list is that of one of both, and the mean of their medians counts.
    Applications are in order of their names, as in tables that ELiSE exports.

    Raises
    ------
    InputError
        The file cannot be read, lacks a column or key, or has run times that are none or disagree.
    """
    try:
        text = Path(path).read_text("utf-8")
    except OSError as error:
        remedy = f"give the path of a heatmap, or {', '.join(PACKAGED[:-1])} or {PACKAGED[-1]}"
        raise failed("cannot be read", error, path, remedy) from error
    except UnicodeDecodeError:
        raise InputError("is not UTF-8 text", source=str(path), remedy=_REMEDY) from None
    return _parsed(text, str(path))


def _parsed(text: str, source: str) -> Heatmap:
    # a table begins with the name of a column
    read = _of_pool if text.lstrip()[:1] in ("{", "[") else _of_table
    try:
        measurements = read(text, source)
    except InputError as error:
        raise placed(error, source) from None
    if not measurements.applications:
        raise InputError("has no pairs", source=source, remedy=_REMEDY)
    return measurements.heatmap(source)


def _of_table(text: str, source: str) -> _Measurements:
    reader = csv.DictReader(text.splitlines(), delimiter="\t")
    present = set(reader.fieldnames or ())
    optional = () if present & set(SPREAD) else SPREAD
    lacking = [name for name in COLUMNS if name not in (*present, *optional)]
    if lacking:
        raise InputError(f"has no column {lacking[0]}", source=source, line=1, remedy=_REMEDY)
    measurements = _Measurements()
    for cells in reader:
        line = reader.line_num
        if None in cells or None in cells.values():
            problem = f"not {len(reader.fieldnames or ())} columns"
            raise InputError(problem, line=line, remedy=_REMEDY)
        row = {name: cells.get(name, "").strip() for name in COLUMNS}
        try:
            for side in "AB":
                application = _Application(
                    _processes(row, f"procs_{side}"),
                    _time(row, f"compact_{side}"),
                    _time(row, f"spread_{side}") if row[f"spread_{side}"] else None,
                )
                measurements.meet(row[f"name_{side}"], application)
            for one, other in ("AB", "BA"):
                if row[f"co_{one}_{other}"]:
                    time = _time(row, f"co_{one}_{other}")
                    pair = row[f"name_{one}"], row[f"name_{other}"]
                    measurements.measure(*pair, time, f"co_{one}_{other}")
        except InputError as error:
            raise placed(error, source, line) from None
    return measurements


def _time(row: Mapping[str, str], field: str) -> float:
    try:
        time = float(row[field])
    except ValueError:
        time = math.nan
    if not 0 < time < math.inf:
        raise InputError(
            f"{row[field]!r} is no run time",
            field=field,
            remedy="give seconds above 0; leave run times of pairs empty if not measured",
        )
    return time


def _processes(row: Mapping[str, str], field: str) -> int:
    if not row[field].isascii() or not row[field].isdigit() or int(row[field]) < 1:
        raise InputError(
            f"{row[field]!r} is no number of processes",
            field=field,
            remedy="give a whole number from 1",
        )
    return int(row[field])


_Time = Annotated[float, number(gt=0)]


@dataclass(frozen=True)
class _Load(DocumentTable):
    """An application of a pool: its run times (s), those beside others in lists of lists."""

    REST: ClassVar[str] = "counters"

    load_name: str
    num_of_processes: Annotated[int, whole(1)]
    compact_timelogs: tuple[_Time, ...]
    coscheduled_timelogs: dict[str, tuple[tuple[_Time, ...], ...]]
    spread_timelogs: tuple[_Time, ...] = ()
    counters: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class _Pool(DocumentTable):
    """A pool, of which machine and suite are not read."""

    REST: ClassVar[str] = "labels"

    loads: tuple[_Load, ...]
    labels: dict[str, Any] = field(default_factory=dict)

    def measurements(self) -> _Measurements:
        """Return medians, of applications in the order of their names."""
        measurements = _Measurements()
        for i, load in sorted(enumerate(self.loads), key=lambda each: each[1].load_name):
            at = "loads", i
            application = _Application(
                load.num_of_processes,
                _median(load.compact_timelogs, (*at, "compact_timelogs")),
                _median(load.spread_timelogs, at) if load.spread_timelogs else None,
            )
            measurements.meet(load.load_name, application, field_name((*at, "load_name")))
            for other, runs in load.coscheduled_timelogs.items():
                place = (*at, "coscheduled_timelogs", other)
                # beside itself, each list is that of one of two
                together = [run for run in runs if run]
                if other != load.load_name:
                    together = [tuple(chain(*runs))]
                for times in together or [()]:
                    time = _median(times, place)
                    measurements.measure(load.load_name, other, time, field_name(place))
        return measurements


def _median(times: tuple[float, ...], at: Steps) -> float:
    if not times:
        raise DocumentError("has no run time", "give some (s), or leave it out", at=at)
    return float(np.median(times))


def _of_pool(text: str, source: str) -> _Measurements:
    kind = "a pool of ELiSE"
    value = parsed_json(text, source, kind)
    loads = value.get("loads") if isinstance(value, dict) else None
    if isinstance(loads, list):
        value["loads"] = [_parsed_load(load, i) for i, load in enumerate(loads)]
    return cast(
        "_Measurements", checked(_Pool, Contents(value, {}, source, kind), _Pool.measurements)
    )


def _parsed_load(load: object, number: int) -> object:
    """Return an application, which may be a text of JSON in the JSON of its pool."""
    if not isinstance(load, str):
        return load
    try:
        return parsed_json(load, "", "an application")
    except InputError as error:
        raise InputError(error.message, field=f"loads[{number}]") from None


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
    beside = heatmap.compact[:, None] / heatmap.speed
    alone = [
        (name, str(processes), _seconds(compact), _seconds(spread))
        for name, processes, compact, spread in zip(
            heatmap.names, heatmap.processes, heatmap.compact, heatmap.spread, strict=True
        )
    ]
    for a in range(len(alone)):
        for b in range(a, len(alone)):
            yield [*alone[a], *alone[b], _seconds(beside[a, b]), _seconds(beside[b, a])]


def _seconds(time: float) -> str:
    return "" if np.isnan(time) else f"{time:.3f}"
