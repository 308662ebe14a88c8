"""Workload files of the simulator Batsim."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeGuard

import numpy as np

from swfx.accounting.imported import on_own_clock
from swfx.accounting.job_columns import JobColumns
from swfx.accounting.listing import Listing
from swfx.accounting.names import JobNames, job_number
from swfx.accounting.record_error import NOT_A_NUMBER, RecordError
from swfx.accounting.text import text_of
from swfx.base.columns import LIMIT
from swfx.base.configured import option
from swfx.base.errors import InputError
from swfx.base.options import as_float, as_text
from swfx.extension import ExtensionField
from swfx.families.formats.registry import IMPORTERS, Imported, Importer
from swfx.fields import MISSING, Field
from swfx.label_kinds import LABEL_KINDS
from swfx.reading.report import Rule
from swfx.utility import UtilityFunction
from swfx.workload import column_field

__all__ = ["Batsim", "Profiles", "is_number"]

DEEPEST = 50
"""How many compositions may hold one another; Batsim workloads of the field have two."""

DELAYS = {"delay", "DelayProfile"}
SEQUENCES = {"composed", "SequentialCompositionProfile"}
ON_EACH = {"parallel_homogeneous", "msg_par_hg", "ParallelTaskHomogeneousProfile"}
IN_TOTAL = {"parallel_homogeneous_total", "msg_par_hg_tot"}
VECTORS = {"parallel", "msg_par", "ParallelTaskProfile"}
"""Types of profiles, by their names in Batsim 3 and 4, Batsim 1 and 2, and Batsim 5."""

_SPREAD = "DefinedAmountsSpreadUniformly"


class Profiles:
    """Profiles by name, and the run times that can be told without a simulation.

    Parameters
    ----------
    profiles : mapping of str to object
        As they stand in the file.
    speed : float, optional
        Of every resource, flop/s; without it only delays have a run time.

    Examples
    --------
    >>> work = {"type": "parallel_homogeneous_total", "cpu": 8e9, "com": 0}
    >>> profiles = Profiles({"work": work, "thrice": {"type": "composed", "repeat": 3,
    ...                                               "seq": ["work"]}}, speed=1e9)
    >>> profiles.seconds("thrice", 4)
    6.0
    """

    def __init__(self, profiles: Mapping[str, Any], speed: float | None = None) -> None:
        self._profiles = profiles
        self._speed = speed
        self._known: dict[tuple[str, int], float] = {}

    def __contains__(self, name: object) -> bool:
        return name in self._profiles

    def seconds(self, name: str, resources: int, depth: int = 0) -> float:
        """Run time (s) of a job with so many resources; NaN if only a simulator can tell."""
        key = (name, resources)
        if key not in self._known:
            self._known[key] = math.nan  # what a composition that holds itself finds
            profile = self._profiles.get(name)
            if isinstance(profile, dict) and depth <= DEEPEST:
                self._known[key] = self._seconds(profile, resources, depth)
        return self._known[key]

    def _seconds(self, profile: Mapping[str, Any], resources: int, depth: int) -> float:
        kind = str(profile.get("type"))
        if kind in DELAYS:
            return _positive(profile.get("delay"))
        if kind in SEQUENCES:
            return self._sequence(profile, resources, depth)
        if self._speed is None or _communicates(profile.get("com", 0)):
            return math.nan
        return self._operations(profile, resources) / self._speed

    def _sequence(self, profile: Mapping[str, Any], resources: int, depth: int) -> float:
        parts = profile.get("seq")
        if not isinstance(parts, list) or not all(isinstance(part, str) for part in parts):
            return math.nan
        once = 0.0
        for part in parts:  # `sum` has other last digits from Python 3.12 on
            once += self.seconds(part, resources, depth + 1)
        return once * _positive(profile.get("repeat", 1))

    def _operations(self, profile: Mapping[str, Any], resources: int) -> float:
        """Floating-point operations of the resource that has the most."""
        kind, cpu = str(profile.get("type")), profile.get("cpu", 0)
        if kind in VECTORS:
            return max(map(_positive, cpu)) if isinstance(cpu, list) and cpu else math.nan
        if kind in IN_TOTAL or (kind in ON_EACH and profile.get("generation_strategy") == _SPREAD):
            return _positive(cpu) / resources
        return _positive(cpu) if kind in ON_EACH else math.nan


def is_number(value: object) -> TypeGuard[float]:
    """Whether a value is a number within the limits of workloads; booleans are none."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    return -LIMIT <= value <= LIMIT


def _positive(value: object) -> float:
    return float(value) if is_number(value) and value >= 0 else math.nan


def _communicates(com: object) -> bool:
    amounts: Sequence[object] = com if isinstance(com, list) else [com]
    return any(amount != 0 for amount in amounts)


NOT_A_JOB = Rule(
    "not-a-job", "dropped", "the entry has no id, subtime, res or profile", malformed=True
)
UNKNOWN_PROFILE = Rule(
    "unknown-profile", "dropped", "the file has no profile of that name", malformed=True
)
UNKNOWN_RUN_TIME = Rule(
    "unknown-run-time", "dropped", "only a simulation can tell how long the profile takes"
)
BROKEN_UTILITY = Rule(
    "broken-utility", "dropped", "the utility function breaks a rule", malformed=True
)
IMPOSSIBLE = Rule(
    "broken-checkpoint", "dropped", "checkpoint interval or restart overhead is impossible",
    malformed=True,
)  # fmt: skip

NEEDED_KEYS = {"id", "subtime", "res", "profile"}
KNOWN_KEYS = NEEDED_KEYS | {"walltime", "utility"}


def _speed(text: str) -> float:
    speed = as_float(text, "batsim", "speed")
    if speed <= 0:
        raise InputError(f"{text} flop/s is impossible", source="batsim", field="speed")
    return speed


@IMPORTERS.register("batsim")
@dataclass(frozen=True)
class Batsim(Importer):
    """Batsim workload (JSON) whose profiles are delays, or computations at a known speed.

    Reads back what the exporter of the same name writes. The lines of its report are positions in
    the list `jobs`, from 1.

    Parameters
    ----------
    speed : float, optional
        Of every resource, flop/s: with it, profiles that compute and do not communicate have a run
        time.

    References
    ----------
    Batsim documentation, "Workload" (input).
    """

    speed: float | None = option(_speed, None, as_text)

    @classmethod
    def recognises(cls, lines: Sequence[str]) -> bool:
        """Whether there are keys of a Batsim workload."""
        return lines[0].startswith("{") and any(
            key in line for line in lines for key in ('"nb_res"', '"subtime"', '"profiles"')
        )

    def read(self, data: bytes, name: str) -> Imported:
        """Jobs of a workload file, in its order."""
        document = _document(data, name)
        entries = document["jobs"]
        listing = Listing(name, lines=len(entries), records=len(entries), comment_lines=0)
        listing.note("line numbers are positions in `jobs`")
        converted = _is_converted(document)
        builder = _Builder(Profiles(document["profiles"], self.speed), converted=converted)
        for position, entry in enumerate(entries, 1):
            try:
                builder.add(position, entry)
            except RecordError as error:
                listing.refuse(position, error)
        if builder.strange_keys:
            keys = ", ".join(sorted(builder.strange_keys))
            listing.note(f"keys of jobs that a workload has no place for: {keys}")
        return on_own_clock(
            builder.jobs(), listing, _header(document, builder.names.header_lines())
        )


class _Builder:
    """Collects jobs as columns; jobs of a converted log tell allocated processors."""

    def __init__(self, profiles: Profiles, *, converted: bool) -> None:
        self.names = JobNames()
        self.strange_keys: set[str] = set()
        self._profiles = profiles
        self._converted = converted
        self._rows: list[dict[str, float]] = []
        self._curves: dict[int, UtilityFunction] = {}

    def add(self, position: int, entry: object) -> None:
        """Add the job that an entry of `jobs` tells of.

        Raises
        ------
        RecordError
            If it tells of none.
        """
        if not isinstance(entry, dict) or not entry.keys() >= NEEDED_KEYS:
            raise RecordError(NOT_A_JOB, str(entry))
        fields = {name: field for name in entry if (field := column_field(name))}
        resources = int(_number(entry["res"], "res", whole=True))
        row = {
            "line": position,
            "job_id": job_number(str(entry["id"])),
            "submit": _number(entry["subtime"], "subtime"),
            "requested_processors": resources,
            "requested_time": _number(entry.get("walltime", MISSING), "walltime"),
            # of a simulated job, to which Batsim gives what it asks for
            "processors": MISSING if self._converted else resources,
        }
        row |= {name: self._number(field, entry[name]) for name, field in fields.items()}
        if "run" not in row:
            row["run"] = self._run(str(entry["profile"]), resources)
        if "utility" in entry:
            self._curves[len(self._rows)] = _curve(entry["utility"])
        self._rows.append(row)
        self.strange_keys |= entry.keys() - KNOWN_KEYS - fields.keys()

    def _run(self, profile: str, resources: int) -> float:
        if profile not in self._profiles:
            raise RecordError(UNKNOWN_PROFILE, profile, "profile")
        run = self._profiles.seconds(profile, max(resources, 1))
        if not run <= LIMIT:
            raise RecordError(UNKNOWN_RUN_TIME, profile, "profile")
        return run

    def _number(self, field: Field, value: object) -> float:
        if field.name in LABEL_KINDS and isinstance(value, str):
            return self.names.label(field.name, value)
        number = _number(value, field.name, whole=field.dtype == "int64")
        if isinstance(field, ExtensionField) and field.impossible(np.array([number])).any():
            raise RecordError(IMPOSSIBLE, str(value), field.name)
        return number

    def jobs(self) -> JobColumns:
        """Return the jobs; links lead to no number where none has one."""
        names = dict.fromkeys(["line", *(name for row in self._rows for name in row)])
        columns = {name: np.array([row.get(name, MISSING) for row in self._rows]) for name in names}
        if self._rows and (columns["job_id"] == MISSING).all():
            for name in ("preceding_job", "think_time"):
                columns.pop(name, None)
        jobs = JobColumns()
        jobs.extend(columns, self._curves)
        return jobs


def _document(data: bytes, name: str) -> dict[str, Any]:
    text = text_of(data, name)
    try:
        document = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise InputError(f"is no JSON: {error}", source=name, remedy="give a JSON file") from error
    if not isinstance(document, dict):
        document = {}
    for key, kind in (("jobs", list), ("profiles", dict)):
        if not isinstance(document.get(key), kind):
            raise InputError(
                f"has no {kind.__name__} {key!r}", source=name, remedy="give a Batsim workload"
            )
    return document


def _number(value: object, field: str, *, whole: bool = False) -> float:
    if not is_number(value) or (whole and value != int(value)):
        raise RecordError(NOT_A_NUMBER, str(value), field)
    return value


def _curve(points: Any) -> UtilityFunction:
    try:
        times, values = zip(*points, strict=True)
        return UtilityFunction(times, values)
    except (InputError, TypeError, ValueError) as error:
        raise RecordError(BROKEN_UTILITY, str(error), "utility") from error


def _is_converted(document: Mapping[str, Any]) -> bool:
    """Whether a document was exported from a log, and has the header of the log."""
    lines = document.get("header")
    return isinstance(lines, list) and all(isinstance(line, str) for line in lines)


def _header(document: Mapping[str, Any], names: Sequence[str]) -> tuple[str, ...]:
    lines = document.get("header", ())
    if not _is_converted(document):
        resources = document.get("nb_res")
        known = is_number(resources) and resources >= 1
        lines = [f" MaxProcs: {resources}"] if known else []
        notes = ((key, document.get(key)) for key in ("description", "date", "command"))
        lines += [f" Note: {key}: {' '.join(v.split())}" for key, v in notes if isinstance(v, str)]
    return (*lines, *names)
