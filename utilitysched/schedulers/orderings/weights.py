"""Files of learned weights."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from swfx.base.atomic import atomic_write
from swfx.base.toml_values import read_toml

SHIPPED = Path(__file__).parent
"""Folder of the weights that come with the package, each file named after its ordering."""


def read_weights(file: Path, names: Sequence[str]) -> dict[str, float]:
    """Read the weights of an ordering.

    Parameters
    ----------
    file : Path
        Written by `write_weights`.
    names : sequence of str
        Of the weights, all of which the file has to give.

    Raises
    ------
    InputError
        A weight is missing, unknown or no finite number; or the file cannot be read.
    """
    top = read_toml(file, "a file of weights").table(("provenance", "weights"))
    if "weights" not in top:
        read_toml(file, "a file of weights").refuse("has no table [weights]")
    found = top["weights"].table(names)
    missing = [name for name in names if name not in found]
    if missing:
        top["weights"].refuse(f"{', '.join(missing)} missing", "give every weight, be it 0")
    return {name: found[name].number(lambda _: True, "a finite number") for name in names}


def write_weights(
    path: Path, weights: Mapping[str, float], provenance: Mapping[str, str | float]
) -> None:
    """Write a file of weights, whole or not at all.

    Parameters
    ----------
    path : Path
        The file.
    weights : mapping of str to float
        By name.
    provenance : mapping
        What they come from, for people.
    """
    lines = ["[provenance]", *(f"{key} = {json.dumps(value)}" for key, value in provenance.items())]
    lines += ["", "[weights]", *(f"{name} = {float(value)!r}" for name, value in weights.items())]
    with atomic_write(path) as stream:
        stream.write(("\n".join(lines) + "\n").encode())
