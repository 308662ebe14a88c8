"""Weights of resources as Slurm writes them: the dominant one is what a job takes."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from swfx import InputError, Workload

Combine = Literal["max", "sum"]

KNOWN = ("cpu", "mem")
"""Resources of which a log in SWF tells: processors, and requested memory per processor (KB)."""

_WEIGHT = re.compile(
    r"([A-Za-z][\w/:.-]*)=([0-9]{1,12}(?:\.[0-9]{0,12})?|\.[0-9]{1,12})([KMGTP]?)",
    re.IGNORECASE | re.ASCII,
)
_KIB = {"K": 1, "": 1024, "M": 1024, "G": 1024**2, "T": 1024**3, "P": 1024**4}


@dataclass(frozen=True)
class ResourceWeights:
    """What a unit of each resource counts.

    Attributes
    ----------
    text : str
        As in Slurm's configuration, ``TRESBillingWeights``.
    cpu : Fraction
        Units per processor.
    memory : Fraction
        Units per KB of memory.
    combine : {"max", "sum"}
        The dominant resource counts, as with Slurm's ``MAX_TRES``, or all of them together.
    """

    text: str
    cpu: Fraction
    memory: Fraction
    combine: Combine = "max"

    def units(self, workload: Workload) -> list[Fraction]:
        """Units of every job; memory that is not known counts as none."""
        pairs = zip(workload.size.tolist(), workload.requested_memory.tolist(), strict=True)
        return [self._units(size, Fraction(max(memory, 0.0)) * size) for size, memory in pairs]

    def _units(self, size: int, memory: Fraction) -> Fraction:
        parts = (self.cpu * size, self.memory * memory)
        return max(parts) if self.combine == "max" else sum(parts, Fraction(0))


def read_weights(
    text: str, *, combine: Combine = "max", absent: Collection[str] = ()
) -> ResourceWeights:
    """Read weights from Slurm's text.

    Parameters
    ----------
    text : str
        ``CPU=1.0,Mem=0.25G,GRES/gpu=2.0``; a suffix is the unit of memory that the weight is for,
        megabytes without one.
    combine : {"max", "sum"}
        See `ResourceWeights`.
    absent : collection of str
        Resources in `text` that the log does not have, to be left out.

    Raises
    ------
    InputError
        The text cannot be read, names a resource twice or one that no log has, or weighs nothing.

    Examples
    --------
    >>> read_weights("CPU=1.0,Mem=0.25G").cpu
    Fraction(1, 1)
    """
    found: dict[str, Fraction] = {}
    left_out = {name.lower() for name in absent}
    for piece in (piece.strip() for piece in text.split(",")):
        name, weight = _weight(piece)
        if name in found:
            raise InputError(f"{name} is given twice", remedy="keep one of them")
        if name not in (*KNOWN, *left_out):
            raise InputError(
                f"a log does not tell of {piece.partition('=')[0]}",
                remedy="name it in absent to leave it out",
            )
        found[name] = weight
    if strays := left_out - set(found):
        raise InputError(f"{min(strays)} is absent, but has no weight", remedy="do not name it")
    cpu, memory = (
        Fraction(0) if name in left_out else found.get(name, Fraction(0)) for name in KNOWN
    )
    if not cpu + memory:
        raise InputError("weighs neither CPU nor Mem", remedy="give one of them a weight")
    return ResourceWeights(text, cpu, memory, combine)


def _weight(piece: str) -> tuple[str, Fraction]:
    found = _WEIGHT.fullmatch(piece)
    if not found or (found[3] and found[1].lower() != "mem"):
        raise InputError(
            f"{piece!r} is not RESOURCE=WEIGHT", remedy="write for instance CPU=1.0,Mem=0.25G"
        )
    name, weight = found[1].lower(), Fraction(found[2])
    return name, weight / _KIB[found[3].upper()] if name == "mem" else weight
