"""Multifactor priority of slurm.conf."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from swfx.accounting.quantities import duration
from swfx.accounting.record_error import RecordError
from swfx.machine.machine import PriorityWeights
from swfx.machine.notes import MachineNotes
from swfx.machine.slurm_lines import ConfLine
from swfx.machine.slurm_nodes import SlurmPartition

__all__ = ["Settings", "priority_of"]

Settings = Mapping[str, ConfLine]
"""Lines with one key and value, by the key in small letters."""

BASIC = "priority/basic"
WEEK = 7 * 86400.0
UNLIMITED = 100 * 365 * 86400.0
"""Time that no log is long enough for, in place of none (s)."""

CALCULATED = 300.0
"""Time between two computations of priorities unless PriorityCalcPeriod says another (s)."""

_WEIGHTS = {
    "age": "PriorityWeightAge",
    "fairshare": "PriorityWeightFairshare",
    "size": "PriorityWeightJobSize",
    "partition": "PriorityWeightPartition",
    "qos": "PriorityWeightQOS",
}
_SIMULATED_FLAGS = {"NO_FAIR_TREE", "NO_NORMAL_PART", "NO_NORMAL_QOS", "NO_NORMAL_ALL"}
_WITHOUT_EFFECT = {"ACCRUE_ALWAYS", "CALCULATE_RUNNING", "NO_NORMAL_ASSOC", "NO_NORMAL_TRES"}


def priority_of(
    settings: Settings,
    partitions: Sequence[SlurmPartition],
    qos: Mapping[str, float],
    notes: MachineNotes,
) -> PriorityWeights:
    """Return the weights and constants of multifactor priority.

    With priority/basic all weights are 0. Tiers that differ outweigh all else, as a part of the
    priority of partitions.

    Raises
    ------
    InputError
        A weight or a length of time cannot be read.
    """
    weights = {name: _weight(settings, key) for name, key in _WEIGHTS.items()}
    flags = _flags(settings)
    if settings_text(settings, "PriorityType").lower() == BASIC:
        _note_unused(settings, notes)
        weights = dict.fromkeys(weights, 0.0)
    else:
        _note_flags(settings, flags, weights["fairshare"], notes)
        _note_no_type(settings, weights, notes)
    factors = {each.name: float(_factor(each)) for each in partitions}
    largest = max(factors.values(), default=0.0), max(qos.values(), default=0.0)
    if flags & {"NO_NORMAL_ALL", "NO_NORMAL_PART"}:
        weights["partition"] *= largest[0]
    if flags & {"NO_NORMAL_ALL", "NO_NORMAL_QOS"}:
        weights["qos"] *= largest[1]
    tiers = {each.name: _tier(each) for each in partitions}
    if len({*tiers.values()}) > 1:
        factors = _with_tiers(tiers, factors, weights)
        weights["partition"] = max(factors.values())
    return PriorityWeights(
        **weights,
        max_age=_time(settings, "PriorityMaxAge", WEEK) or 1.0,
        half_life=_time(settings, "PriorityDecayHalfLife", WEEK) or UNLIMITED,
        favor_small=settings_text(settings, "PriorityFavorSmall").lower() in {"yes", "true", "1"},
        partitions=factors if weights["partition"] else {},
        qos_factors=dict(qos) if weights["qos"] else {},
        recalc=_time(settings, "PriorityCalcPeriod", CALCULATED),
    )


def settings_text(settings: Settings, key: str, default: str = "") -> str:
    """Return the value of a key."""
    line = settings.get(key.lower())
    return line.name if line else default


def _weight(settings: Settings, key: str) -> float:
    line = settings.get(key.lower())
    return float((line and line.count(key)) or 0)


def _time(settings: Settings, key: str, default: float) -> float:
    """Return a length of time (s); a number alone is minutes."""
    line = settings.get(key.lower())
    if line is None:
        return default
    try:
        seconds = duration(line.name, key, alone=60.0)
    except RecordError:
        raise line.refused(
            f"is no length of time: {line.name!r}", key, "write minutes or days-hours:minutes"
        ) from None
    return UNLIMITED if seconds is None else seconds


def _flags(settings: Settings) -> set[str]:
    text = settings_text(settings, "PriorityFlags").upper()
    return {flag.strip() for flag in text.split(",") if flag.strip()}


def _factor(partition: SlurmPartition) -> int:
    line = partition.line
    given = line.count("PriorityJobFactor")
    given = line.count("Priority") if given is None else given
    return 1 if given is None else given


def _tier(partition: SlurmPartition) -> int:
    line = partition.line
    given = line.count("PriorityTier")
    given = line.count("Priority") if given is None else given
    return 1 if given is None else given


def _with_tiers(
    tiers: Mapping[str, int], factors: Mapping[str, float], weights: Mapping[str, float]
) -> dict[str, float]:
    """Return what each partition adds to a priority: each tier more than all factors can."""
    largest = max(factors.values()) or 1.0
    step = sum(weights.values()) + 1
    ranks = {tier: rank for rank, tier in enumerate(sorted({*tiers.values()}))}
    return {
        name: ranks[tier] * step + weights["partition"] * factors[name] / largest
        for name, tier in tiers.items()
    }


def _note_unused(settings: Settings, notes: MachineNotes) -> None:
    """Note settings of multifactor priority beside priority/basic."""
    for key, line in settings.items():
        if key.startswith("priority") and key != "prioritytype":
            shown = f"{next(iter(line.pairs))}={line.name}"
            notes.add(line.file, line.number, f"{shown} has no effect with PriorityType={BASIC}")


def _note_no_type(settings: Settings, weights: Mapping[str, float], notes: MachineNotes) -> None:
    """Note weights that count only where multifactor priority is the default."""
    used = [settings[_WEIGHTS[name].lower()] for name, weight in weights.items() if weight]
    if used and "prioritytype" not in settings:
        statement = "no PriorityType: taken as priority/multifactor, until 22.05 Slurm's own"
        notes.add(used[0].file, used[0].number, f"{statement} default is {BASIC}")


def _note_flags(settings: Settings, flags: set[str], fairshare: float, notes: MachineNotes) -> None:
    line = settings.get("priorityflags")
    for flag in sorted(flags - _SIMULATED_FLAGS - _WITHOUT_EFFECT):
        if line:
            notes.add(line.file, line.number, f"PriorityFlags={flag} is not simulated")
    size = settings.get("priorityweightjobsize")
    if size and size.name != "0":
        statement = (
            "the size of a job is its processors, Slurm's is the mean of nodes and processors"
        )
        notes.add(size.file, size.number, statement)
    at = line or settings.get("priorityweightfairshare")
    if at and fairshare and not flags & {"NO_FAIR_TREE", "DEPTH_OBLIVIOUS"}:
        notes.add(
            at.file,
            at.number,
            "Fair Tree, Slurm's default without NO_FAIR_TREE, is not simulated: fair share is "
            "computed by the classic formula, with the tree of accounts",
        )
