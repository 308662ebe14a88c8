"""Time limits of jobs that have none of their own."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from swfx.base.bounds import require_between
from swfx.base.errors import InputError
from swfx.base.numbers import span
from swfx.base.options import as_seconds, as_text

__all__ = [
    "DEFAULT_LIMIT",
    "LONGEST_LIMIT",
    "DefaultLimits",
    "partition_limits_text",
    "read_partition_limits",
]

DEFAULT_LIMIT = 365 * 86_400.0
"""Limit (s) of jobs without any: that with which Slurm plans them."""

LONGEST_LIMIT = 1e10
"""s, some 300 years."""


@dataclass(frozen=True)
class DefaultLimits:
    """Limits that a system sets where users ask for none.

    Parameters
    ----------
    by_default : float
        s.
    by_partition : mapping of str to float
        s, by the name of a partition; `by_default` in all others.

    Examples
    --------
    >>> limits = DefaultLimits(7 * 86_400.0, {"short": 600.0})
    >>> limits.of("short"), limits.of("long")
    (600.0, 604800.0)
    """

    by_default: float = DEFAULT_LIMIT
    by_partition: Mapping[str, float] = field(default_factory=dict)

    def __str__(self) -> str:
        said = [f"{span(limit)} in {name}" for name, limit in self.by_partition.items()]
        return ", ".join([*said, f"{span(self.by_default)}{' elsewhere' if said else ''}"])

    def of(self, partitions: str) -> float:
        """Limit (s) in a partition, or the longest in a list of several."""
        return max(self.by_partition.get(each, self.by_default) for each in partitions.split(","))


def read_partition_limits(text: str) -> tuple[tuple[str, float], ...]:
    """Read limits by partition, such as ``main=24h+short=10min``.

    Raises
    ------
    InputError
        It is not a list of these, or names a partition twice.
    """
    found: dict[str, float] = {}
    for piece in text.split("+"):
        name, equals, time = piece.rpartition("=")
        if not (equals and name) or name in found:
            raise InputError(
                f"{piece!r} is no PARTITION=TIME" if name not in found else f"{name} comes twice",
                source="slurm",
                field="partition_limits",
                remedy="write for instance main=24h+short=10min",
            )
        found[name] = as_seconds(time, "slurm", "partition_limits")
        require_between("slurm", "partition_limits", found[name], 1, LONGEST_LIMIT)
    return tuple(found.items())


def partition_limits_text(limits: tuple[tuple[str, float], ...]) -> str:
    """Write limits by partition as they are read."""
    return "+".join(f"{name}={as_text(limit)}" for name, limit in limits)
