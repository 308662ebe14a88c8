"""The row that a scheduler has in LEE's tables 4.1 and 4.2."""

from collections.abc import Mapping
from typing import Any, NamedTuple

LEE_LEVELS = (25, 50, 75, 98, 100)
"""Percentiles of the tables."""

Five = tuple[float | None, ...]


class LeeRow(NamedTuple):
    """Columns of the table, in its order.

    Attributes
    ----------
    scheduler : str
        Label.
    wait : tuple of float
        Percentiles `LEE_LEVELS` of the wait (s), ascending.
    expansion_factor : tuple of float
        The same of the expansion factor by run times, her definition.
    requested_expansion_factor : tuple of float
        The same by requested times, which her figures seem to be.
    bounded_slowdown : float
        Mean.
    start_value_share : tuple of float
        The same percentiles of the share of the start value earned (0 to 1), from the best down.
    aggregate_utility : float
        SU.
    """

    scheduler: str
    wait: Five
    expansion_factor: Five
    requested_expansion_factor: Five
    bounded_slowdown: float | None
    start_value_share: Five
    aggregate_utility: float


def lee_table_row(summary: Mapping[str, Any]) -> LeeRow:
    """Columns of LEE's tables out of a summary; None where a metric is not defined."""
    return LeeRow(
        summary["scheduler"],
        _five(summary, "wait"),
        _five(summary, "expansion_factor"),
        _five(summary, "requested_expansion_factor"),
        summary["bounded_slowdown_mean"],
        _five(summary, "start_value_share"),
        summary["aggregate_utility"],
    )


def _five(summary: Mapping[str, Any], name: str) -> Five:
    return tuple(summary[f"{name}_p{level}"] for level in LEE_LEVELS)
