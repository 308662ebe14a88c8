"""Files of learned weights."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any

from swfx.base.atomic import atomic_write
from swfx.base.document import DocumentError, DocumentTable, read_document
from swfx.base.document_values import number
from swfx.base.options import nearest

SHIPPED = Path(__file__).parent
"""Folder of the weights that come with the package, each file named after its ordering."""


@dataclass(frozen=True)
class WeightsFile(DocumentTable):
    """Contents of a file of weights.

    Attributes
    ----------
    weights : dict of str to float
        Weights by name.
    provenance : dict
        How they were learned, for people.
    """

    weights: dict[str, Annotated[float, number()]]
    provenance: dict[str, Any] = field(default_factory=dict)

    def all_of(self, names: Sequence[str]) -> dict[str, float]:
        """Return the weights in the order of `names`.

        Raises
        ------
        DocumentError
            A weight is unknown or missing.
        """
        for name in self.weights:
            if name not in names:
                remedy = nearest(name, names)
                raise DocumentError("is not a known key", remedy, at=("weights", name))
        missing = [name for name in names if name not in self.weights]
        if missing:
            remedy = "give every weight, be it 0"
            raise DocumentError(f"{', '.join(missing)} missing", remedy, at=("weights",))
        return {name: self.weights[name] for name in names}


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
    return read_document(WeightsFile, file, "a file of weights", lambda found: found.all_of(names))


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
