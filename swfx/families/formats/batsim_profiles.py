"""Run times of the profiles of a Batsim workload."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, TypeGuard

from swfx.base.columns import LIMIT

__all__ = ["Profiles", "is_number"]

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
        once = sum(self.seconds(part, resources, depth + 1) for part in parts)
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
    """Whether this is a number that a workload can hold; JSON's true and false are none."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    return -LIMIT <= value <= LIMIT


def _positive(value: object) -> float:
    return float(value) if is_number(value) and value >= 0 else math.nan


def _communicates(com: object) -> bool:
    amounts: Sequence[object] = com if isinstance(com, list) else [com]
    return any(amount != 0 for amount in amounts)
