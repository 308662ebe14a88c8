"""The columns of extended SWF beside the 18 of SWF, and the numbers that they may hold."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache

import numpy as np

from swfx.base.columns import Bools, Floats, Ints
from swfx.fields import FIELD_NAMES, MISSING, Field
from swfx.label_kinds import LABEL_KINDS

__all__ = [
    "CHECKPOINT_FIELDS",
    "EXTRA_FIELDS",
    "ExtensionField",
    "extra_field",
    "in_order",
]

_RESOURCE = re.compile(r"tres(/[!-.0-:<-~]+)+")


@dataclass(frozen=True)
class ExtensionField(Field):
    """A column that holds -1 for none, or numbers within bounds, told in words by `bounds`."""

    bounds: str = "0 or more"
    above_zero: bool = False
    most: float = math.inf
    whole: bool = False

    def impossible(self, numbers: Floats | Ints) -> Bools:
        """Which of these numbers, shape (n,), cannot stand in this column.

        >>> CHECKPOINT_FIELDS[0].impossible(np.array([-1.0, 0.0, 5.0])).tolist()
        [False, True, False]
        """
        low = numbers <= 0 if self.above_zero else numbers < 0
        broken = self.whole & (numbers != np.floor(numbers))
        wrong: Bools = (low | (numbers > self.most) | broken) & (numbers != MISSING)
        return wrong


def _seconds(name: str, meaning: str, *, above_zero: bool) -> ExtensionField:
    bounds = "positive" if above_zero else "0 or more"
    return ExtensionField(name, "float64", "s", meaning, bounds, above_zero)


def _whole(name: str, meaning: str) -> ExtensionField:
    return ExtensionField(name, "int64", "", meaning, "a whole number, 0 or more", whole=True)


CHECKPOINT_FIELDS: tuple[ExtensionField, ...] = (
    _seconds("checkpoint_interval", "time between checkpoints; -1: takes none", above_zero=True),
    _seconds("restart_overhead", "extra run time after a restart; -1: unknown", above_zero=False),
)
"""The two columns of extended SWF between the 18 of SWF and the utility function."""

EXTRA_FIELDS: tuple[ExtensionField, ...] = (
    _seconds("soft_estimate", "the user's own best guess of the run time", above_zero=True),
    ExtensionField(
        "confidence", "float64", "", "trust of the user in that guess", "from 0 to 1", most=1.0
    ),
    _whole("original_job", "number that the job has in the log it was drawn from"),
    _whole("part_of", "number of the first part of the heterogeneous job that this is a part of"),
    _seconds("default_limit", "limit where the user asked for none", above_zero=True),
    _seconds("suspended", "part of the run time without processors", above_zero=False),
    _seconds("eligible", "time from submission until the job could start", above_zero=False),
    _seconds(
        "submitted_before",
        "time from the user's submission to this one, at which the job became eligible",
        above_zero=False,
    ),
    ExtensionField(
        "rerunnable",
        "int64",
        "",
        "1: may be killed and run again from scratch",
        "0 or 1",
        most=1,
        whole=True,
    ),
)
"""Extra columns, behind the utility function, that are no labels and no resources.

Soft estimate and confidence are LEE's (5), original jobs come from resampling (CARASTAN 4.2),
whether a job is re-runnable from its user, the others from accounting.
"""

_LABELS = tuple(
    _whole(kind, f"number of the {label.words}")
    for kind, label in LABEL_KINDS.items()
    if kind not in FIELD_NAMES
)
_KNOWN = {field.name: field for field in EXTRA_FIELDS + _LABELS}
_PLACES = {name: place for place, name in enumerate(_KNOWN)}


@cache
def extra_field(name: str) -> ExtensionField | None:
    """Extra column of this name, which the header line ExtraColumns gives; None if there is none.

    Beside `EXTRA_FIELDS` these are the labels that have no field of SWF, and amounts of resources
    that the job was allocated, called as Slurm calls them behind ``tres/``.

    Examples
    --------
    >>> extra_field("account").dtype, extra_field("tres/gres/gpu:a100").dtype, extra_field("mood")
    ('int64', 'float64', None)
    """
    if name in _KNOWN:
        return _KNOWN[name]
    if _RESOURCE.fullmatch(name):
        return ExtensionField(name, "float64", "", f"{name.partition('/')[2]} allocated")
    return None


def in_order(names: Iterable[str]) -> list[str]:
    """Names of extra columns as they stand in files: those of `EXTRA_FIELDS`, labels, resources."""
    return sorted(names, key=lambda name: (_PLACES.get(name, len(_PLACES)), name))
