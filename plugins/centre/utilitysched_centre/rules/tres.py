"""Weights of resources as Slurm writes them: the dominant one is what a job takes."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

import numpy as np

from pricing.resources import CPU, MEMORY, amounts_of, known_resources
from swfx import InputError, Workload

Combine = Literal["max", "sum"]

_WEIGHT = re.compile(
    r"([A-Za-z][\w/:.-]*)=([0-9]{1,12}(?:\.[0-9]{0,12})?|\.[0-9]{1,12})([KMGTP]?)",
    re.IGNORECASE | re.ASCII,
)
_MIB = {suffix: Fraction(1024) ** place for place, suffix in enumerate("KMGTP", -1)}
_OF_NODES = (CPU, MEMORY, "node", "gres/")
"""Resources of nodes, of which the dominant one counts; others, such as licenses, are added."""


@dataclass(frozen=True)
class ResourceWeights:
    """What a unit of each resource counts.

    Attributes
    ----------
    text : str
        As in Slurm's configuration, ``TRESBillingWeights``.
    weights : dict of str to Fraction
        By the name of a resource: units per processor, MB of memory, node, GPU, ...
    """

    text: str
    weights: dict[str, Fraction]

    def units(
        self, workload: Workload, combine: Combine = "max", absent: Collection[str] = ()
    ) -> list[Fraction]:
        """Return the units of every job; an amount that is not known counts as none.

        Parameters
        ----------
        workload : Workload
            n jobs.
        combine : {"max", "sum"}
            The dominant resource counts, as with Slurm's ``MAX_TRES``, or all of them together.
        absent : collection of str
            Resources that a log need not tell of: they count as none then.

        Raises
        ------
        InputError
            The workload does not tell of a resource, and it is not said to be absent.
        """
        dominant, added = [Fraction(0)] * len(workload), [Fraction(0)] * len(workload)
        for name, amounts in self.amounts(workload, absent):
            weight = self.weights[name]
            if dominates(name, combine):
                for job, amount in enumerate(amounts):
                    dominant[job] = max(dominant[job], weight * amount)
            else:
                for job, amount in enumerate(amounts):
                    added[job] += weight * amount
        return [most + more for most, more in zip(dominant, added, strict=True)]

    def amounts(
        self, workload: Workload, absent: Collection[str] = ()
    ) -> Iterator[tuple[str, list[Fraction]]]:
        """Yield the resources with a weight, and how much of each every job held; see `units`."""
        known = {name.lower() for name in known_resources(workload)}
        for name in self.weights:
            if name not in absent or _tells(known, name):
                yield name, _amounts(workload, name)


def dominates(name: str, combine: Combine) -> bool:
    """Return whether of a resource and others like it only the dominant one counts."""
    return combine == "max" and name.startswith(_OF_NODES)


def _tells(known: Collection[str], name: str) -> bool:
    return name in (CPU, MEMORY) or any(n == name or n.startswith(f"{name}:") for n in known)


def _amounts(workload: Workload, name: str) -> list[Fraction]:
    try:
        return list(map(Fraction, np.nan_to_num(amounts_of(workload, name)).tolist()))
    except InputError as error:
        raise InputError(
            error.message, field="weights", remedy="name it in absent to do without"
        ) from error


def read_weights(text: str) -> ResourceWeights:
    """Read weights from Slurm's text.

    Parameters
    ----------
    text : str
        ``CPU=1.0,Mem=0.25G,GRES/gpu=2.0``; a suffix is the unit of memory that the weight is for,
        megabytes without one.

    Raises
    ------
    InputError
        The text cannot be read, names a resource twice, or weighs nothing.

    Examples
    --------
    >>> read_weights("CPU=1.0,Mem=0.25G").weights["cpu"]
    Fraction(1, 1)
    """
    weights: dict[str, Fraction] = {}
    for piece in text.split(","):
        name, weight = _weight(piece.strip())
        if name in weights:
            raise InputError(f"{name} is given twice", remedy="keep one of them")
        weights[name] = weight
    if not any(weights.values()):
        raise InputError("weighs nothing", remedy="give a resource a weight above 0")
    return ResourceWeights(text, weights)


def _weight(piece: str) -> tuple[str, Fraction]:
    match = _WEIGHT.fullmatch(piece)
    if not match or (match[3] and match[1].lower() != MEMORY):
        raise InputError(
            f"{piece!r} is not RESOURCE=WEIGHT", remedy="write for instance CPU=1.0,Mem=0.25G"
        )
    name, weight = match[1].lower(), Fraction(match[2])
    return name, weight / _MIB[match[3].upper() or "M"]
